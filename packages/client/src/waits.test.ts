import { CommandType } from "@pulsewire/protocol";
import { deferred } from "@pulsewire/runtime";
import { describe, expect, it } from "vitest";
import { tokenAuthentication } from "./auth/authentication.ts";
import type { CryptoKeyReader } from "./crypto/crypto-key-reader.ts";
import { isSettled, outcome, startFixture } from "./testing/fixture.ts";

const never = (): Promise<never> => deferred<never>().promise;
const silentKeys: CryptoKeyReader = { getPublicKey: never };

describe("a key reader that does not answer", () => {
  const options = { topic: "t", encryptionKeys: ["a"], cryptoKeyReader: silentKeys };

  it("ends the opening of a producer in time, and is named", async () => {
    const { client, clock } = await startFixture({ operationTimeoutMs: 1500 });
    const opening = client.createProducer(options);
    const code = outcome(opening);
    await clock.advance(1499);
    expect(await isSettled(opening)).toBe(false);
    await clock.advance(2);
    expect(await code).toBe("Timeout");
    await expect(opening).rejects.toThrow('the cryptoKeyReader did not answer for "a" within 1500 ms');
    await client.close();
    expect(clock.pendingTimers).toBe(0);
  });

  it.each(["FAIL", "SEND"] as const)("does not hold up the closing of its client: %s", async (cryptoFailureAction) => {
    const { client, clock, settle } = await startFixture();
    const opening = outcome(client.createProducer({ ...options, cryptoFailureAction }));
    await settle();
    await client.close();
    expect(await opening).toBe("AlreadyClosed");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("credentials that do not come", () => {
  const authentication = tokenAuthentication(never);

  it("end what waits for them in time, and are named", async () => {
    const { client, clock } = await startFixture({ operationTimeoutMs: 1500, authentication });
    const opening = client.createProducer({ topic: "t" });
    const code = outcome(opening);
    await clock.advance(1501);
    expect(await code).toBe("Timeout");
    await expect(opening).rejects.toThrow("the authentication (token) gave no credentials within 1500 ms");
  });

  it("do not hold up the closing of their client", async () => {
    const { client, clock, settle } = await startFixture({ authentication });
    const opening = outcome(client.createProducer({ topic: "t" }));
    const looking = outcome(client.getPartitionsForTopic("t"));
    await settle();
    await client.close();
    expect([await opening, await looking]).toEqual(["AlreadyClosed", "AlreadyClosed"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("since their function fails are an AuthenticationError with its cause", async () => {
    const cause = new Error("vault down");
    const failing = tokenAuthentication(() => Promise.reject(cause));
    const { client } = await startFixture({ authentication: failing });
    await expect(client.createProducer({ topic: "t" })).rejects.toMatchObject({
      code: "AuthenticationError",
      cause,
      message: "AuthenticationError: the authentication (token) gave no credentials: vault down",
    });
  });
});

it("a broker that takes the connection and says nothing does not hold up the closing of a client", async () => {
  const { client, broker, clock, settle } = await startFixture();
  broker.on(CommandType.CONNECT, () => true);
  const opening = outcome(client.createProducer({ topic: "t" }));
  await settle();
  await client.close();
  expect(await opening).toBe("AlreadyClosed");
  expect(clock.pendingTimers).toBe(0);
});
