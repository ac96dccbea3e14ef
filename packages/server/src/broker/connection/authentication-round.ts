import { CommandType, PROTOCOL_VERSION } from "@pulsewire/protocol";
import type { Clock, Timer } from "@pulsewire/runtime";
import type { BrokerConnection } from "./broker-connection.ts";
import type { Authentication, AuthenticationOutcome, Authenticator } from "./broker-context.ts";

/** What a broker sends as the challenge when it wants credentials again (Pulsar's `AuthData.REFRESH_AUTH_DATA`). */
const REFRESH_CHALLENGE: Uint8Array = new TextEncoder().encode("PulsarAuthRefresh");
/** What `AUTH_CHALLENGE` names as the server; the same as in CONNECTED. */
export const SERVER_VERSION = "Pulsewire 0.1.0";
/** Timers take at most this long; one for later looks again. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Credentials as they came in CONNECT or AUTH_RESPONSE. */
export interface Credentials {
  method: string;
  data: Uint8Array;
}

/**
 * Who a connection's client is: asks the authenticator, passes challenges on, and asks again when credentials run out.
 * A client that does not answer in time, or cannot be asked again, is disconnected.
 */
export class AuthenticationRound {
  readonly #connection: BrokerConnection;
  readonly #authenticator: Authenticator;
  readonly #clock: Clock;
  readonly #answerTimeoutMs: number;
  #method = "none";
  #expiry: Timer | undefined;
  #unanswered: Timer | undefined;
  #role: string | undefined;

  /** @param answerTimeoutMs How long a client has to answer a challenge (`authenticationRefreshCheckSeconds`). */
  constructor(connection: BrokerConnection, authenticator: Authenticator, clock: Clock, answerTimeoutMs: number) {
    this.#connection = connection;
    this.#authenticator = authenticator;
    this.#clock = clock;
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  /**
   * Judges credentials. Answers who the client is, or undefined when it has been asked for more.
   * Rejects with what the authenticator threw.
   */
  async judge({ method, data }: Credentials): Promise<string | undefined> {
    this.#method = method;
    const outcome = await this.#authenticator.authenticate(method, data, this.#connection);
    const accepted = acceptedOf(outcome);
    if (accepted === undefined) {
      this.#challenge((outcome as { challenge: Uint8Array }).challenge);
      return undefined;
    }
    if (this.#role !== undefined && this.#role !== accepted.role) throw new Error("the client became somebody else");
    this.#role = accepted.role;
    this.#unanswered?.cancel();
    this.#expiry?.cancel();
    if (accepted.expiresAtMs !== undefined) this.#awaitExpiry(accepted.expiresAtMs);
    return accepted.role;
  }

  stop(): void {
    this.#expiry?.cancel();
    this.#unanswered?.cancel();
  }

  #awaitExpiry(expiresAtMs: number): void {
    const leftMs = expiresAtMs - this.#clock.now();
    if (leftMs <= 0) this.#expired();
    else this.#expiry = this.#clock.setTimer(Math.min(leftMs, TIMER_MS_MAX), () => this.#awaitExpiry(expiresAtMs));
  }

  #expired(): void {
    if (this.#connection.client?.features.supportsAuthRefresh !== true) {
      this.#connection.fail("the client's credentials ran out, and it cannot be asked for new ones");
    } else this.#challenge(REFRESH_CHALLENGE);
  }

  #challenge(authData: Uint8Array): void {
    this.#connection.send({
      type: CommandType.AUTH_CHALLENGE,
      body: {
        serverVersion: SERVER_VERSION,
        challenge: { authMethodName: this.#method, authData },
        protocolVersion: PROTOCOL_VERSION,
      },
    });
    this.#unanswered?.cancel();
    this.#unanswered = this.#clock.setTimer(this.#answerTimeoutMs, () =>
      this.#connection.fail("a challenge was not answered"),
    );
  }
}

function acceptedOf(outcome: AuthenticationOutcome): Authentication | undefined {
  if (typeof outcome === "string") return { role: outcome };
  return "challenge" in outcome ? undefined : outcome;
}
