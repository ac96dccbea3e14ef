import { describe, expect, it } from "vitest";
import { addressOf, parseServiceUrl } from "./service-url.ts";

const hosts = (url: string): string[] => parseServiceUrl(url).hosts.map((h) => `${h.host}|${h.port}`);

describe("a service URL", () => {
  it("gets its scheme's default port for each host without one", () => {
    expect(hosts("pulsar://host1:6640,host2,host3:6660")).toEqual(["host1|6640", "host2|6650", "host3|6660"]);
    expect(hosts("pulsar+ssl://a,b:1")).toEqual(["a|6651", "b|1"]);
    expect(hosts("http://a")).toEqual(["a|8080"]);
    expect(hosts("https://a,b:8444")).toEqual(["a|8443", "b|8444"]);
    expect(hosts("ws://a,b:1")).toEqual(["a|8080", "b|1"]);
    expect(hosts("wss://a")).toEqual(["a|8443"]);
  });

  it("may name IPv6 hosts in brackets", () => {
    expect(hosts("pulsar://[::1]:6650,[fe80::2]")).toEqual(["::1|6650", "fe80::2|6650"]);
  });

  it.each([
    "pulsar:///",
    "pulsar://",
    "localhost:6650:6651",
    "localhost:6650",
    "localhost",
    "://x",
    "",
    "pulsar://localhost:6650:6651",
    "pulsar://localhost:",
    "pulsar://localhost:0",
    "pulsar://localhost:65536",
    "pulsar://localhost:abc",
    "pulsar://a,,b",
    "pulsar://a b",
    "pulsar://a:6650/path",
    "pulsar://a?x=1",
    "kafka://a:9092",
    "pulsar://::1:6650",
    "ws://a#x",
  ])("that is %j is refused with a reason", (url) => {
    expect(() => parseServiceUrl(url)).toThrow(/^InvalidServiceUrl: /);
  });

  it("that is no text is refused with a reason", () => {
    expect(() => parseServiceUrl(undefined as never)).toThrow(/^InvalidServiceUrl: /);
  });

  it("of WebSocket keeps its path and query, and has one of its own otherwise", () => {
    const address = (url: string): unknown => addressOf(parseServiceUrl(url), parseServiceUrl(url).hosts[0], undefined);
    expect(address("ws://a:1")).toEqual({ transport: "websocket", url: "ws://a:1/ws/binary" });
    expect(address("wss://a/x?token=1")).toEqual({ transport: "websocket", url: "wss://a:8443/x?token=1" });
    expect(address("pulsar://a/")).toEqual({ transport: "tcp", host: "a", port: 6650 });
  });
});
