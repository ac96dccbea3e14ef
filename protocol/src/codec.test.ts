import { describe, expect, it } from "vitest";
import {
  compareMessageIds,
  crc32c,
  decodeBatch,
  decodeCommandAck,
  decodeCommandSuccess,
  decodeMessageIdData,
  deserializeMessageId,
  EARLIEST,
  encodeBatch,
  encodeCommandAck,
  encodeCommandSuccess,
  encodeEntry,
  javaStringHash,
  LATEST,
  murmur3,
  murmur3Hash,
  parseEntry,
  partitionIndexOf,
  SERVER_ERRORS,
  ServerError,
  serializeMessageId,
  serverErrorName,
  TopicName,
  verifyChecksum,
} from "./index.ts";
import { Reader, Writer } from "./protobufjs.ts";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

describe("crc32c", () => {
  it("has the check value of the standard", () => {
    expect(crc32c(ascii("123456789"))).toBe(0xe3069283);
  });

  it("has the values of RFC 3720", () => {
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
  });

  it("goes on from an earlier part", () => {
    const bytes = ascii("the quick brown fox jumps over the lazy dog");
    expect(crc32c(bytes, 11, bytes.length, crc32c(bytes, 0, 11))).toBe(crc32c(bytes));
  });
});

describe("hashes", () => {
  it("hashes as Java's String does, made non-negative", () => {
    expect(javaStringHash("")).toBe(0);
    expect(javaStringHash("hello")).toBe(99162322);
    expect(javaStringHash("polygenelubricants")).toBe(0);
    expect(javaStringHash("key-12")).toBe(-1134722993 & 0x7fffffff);
    expect(javaStringHash("grüß€")).toBe(98776286);
  });

  it("has the published values of MurmurHash3", () => {
    expect(murmur3(ascii(""))).toBe(0);
    expect(murmur3(ascii(""), 1)).toBe(0x514e28b7);
    expect(murmur3(ascii("hello"))).toBe(0x248bfa47);
    expect(murmur3(ascii("hello, world"))).toBe(0x149bbb7f);
    expect(murmur3(ascii("The quick brown fox jumps over the lazy dog"))).toBe(0x2e4ff723);
    expect(murmur3Hash("test")).toBe(0xba6bd213 & 0x7fffffff);
  });
});

describe("64-bit numbers", () => {
  it.each([0, 1, 127, 128, 2 ** 32 - 1, 2 ** 32, 2 ** 48 + 3, Number.MAX_SAFE_INTEGER, -1, -2, -(2 ** 40)])(
    "brings %d there and back",
    (value) => {
      const bytes = serializeMessageId({ ledgerId: value, entryId: value });
      expect(deserializeMessageId(bytes)).toMatchObject({ ledgerId: value, entryId: value });
    },
  );

  it("writes the earliest and the latest id as every client does", () => {
    expect(hex(serializeMessageId(EARLIEST))).toBe(
      "08ffffffffffffffffff0110ffffffffffffffffff0118ffffffffffffffffff01",
    );
    expect(hex(serializeMessageId(LATEST))).toBe("08ffffffffffffffff7f10ffffffffffffffff7f18ffffffffffffffffff01");
    expect(deserializeMessageId(serializeMessageId(LATEST))).toMatchObject({ ledgerId: LATEST.ledgerId });
  });

  it("keeps every bit of an ack set", () => {
    const ackSet = [
      { low: 0xdeadbeef, high: 0x80000001 },
      { low: 0, high: 0 },
    ];
    const ack = { consumerId: 1, ackType: 0, messageId: [{ ledgerId: 1, entryId: 2, ackSet }] } as const;
    const decoded = decodeCommandAck(Reader.create(encodeCommandAck(ack, Writer.create()).finish()));
    expect(decoded.messageId[0]?.ackSet).toEqual(ackSet);
  });

  it("reads repeated numbers that came packed", () => {
    const packed = Uint8Array.of(8, 1, 16, 2, 42, 2, 3, 4);
    expect(decodeMessageIdData(Reader.create(packed)).ackSet).toEqual([
      { low: 3, high: 0 },
      { low: 4, high: 0 },
    ]);
  });

  it.each([5n, 2n ** 53n + 1n, 4094720183412512639n, 2n ** 63n - 1n, -(2n ** 63n), -9007199254740993n])(
    "keeps a request id of %d exactly",
    (requestId) => {
      const success = { requestId: BigInt.asIntN(64, requestId) };
      const decoded = decodeCommandSuccess(Reader.create(encodeCommandSuccess(success, Writer.create()).finish()));
      expect(BigInt(decoded.requestId)).toBe(requestId);
      expect(typeof decoded.requestId).toBe(Number.isSafeInteger(Number(requestId)) ? "number" : "bigint");
    },
  );

  it("refuses a varint of more than ten bytes", () => {
    const bytes = Uint8Array.of(8, ...new Array(11).fill(0xff), 1);
    expect(() => deserializeMessageId(bytes)).toThrow(expect.objectContaining({ name: "ProtocolError" }));
  });
});

describe("entry", () => {
  const entry = encodeEntry({ producerName: "p", sequenceId: 1, publishTime: 2, partitionKey: "k" }, ascii("payload"));

  it("takes apart what it put together", () => {
    expect(verifyChecksum(entry)).toBe(true);
    const { metadata, payload } = parseEntry(entry);
    expect(metadata).toMatchObject({ producerName: "p", partitionKey: "k", properties: [] });
    expect(new TextDecoder().decode(payload)).toBe("payload");
  });

  it("notices every flipped bit behind the checksum", () => {
    for (let i = 2; i < entry.length; i++) {
      const broken = entry.slice();
      broken[i] = (broken[i] as number) ^ 1;
      expect(verifyChecksum(broken)).toBe(false);
    }
  });

  it("reads an entry without a checksum and one behind the broker's metadata", () => {
    expect(parseEntry(entry.subarray(6)).metadata.sequenceId).toBe(1);
    const withBroker = Uint8Array.of(0x0e, 0x02, 0, 0, 0, 2, 8, 9, ...entry);
    expect(parseEntry(withBroker).brokerEntryMetadata?.brokerTimestamp).toBe(9);
    expect(verifyChecksum(withBroker)).toBe(true);
  });

  it.each([
    [[]],
    [[0x0e, 1, 0, 0, 0, 0]],
    [[0x0e, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]],
    [[0x0e, 2, 0xff, 0xff, 0xff, 0xff, 1]],
  ])("refuses %j", (bytes) => {
    expect(() => parseEntry(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ name: "ProtocolError" }));
  });
});

describe("batch", () => {
  const messages = [
    { metadata: { payloadSize: 3, partitionKey: "a" }, payload: ascii("one") },
    { metadata: { payloadSize: 0, nullValue: true }, payload: ascii("") },
    { metadata: { payloadSize: 5, properties: [{ key: "k", value: "v" }] }, payload: ascii("three") },
  ];

  it("takes apart what it put together", () => {
    const decoded = decodeBatch(encodeBatch(messages), 3);
    expect(decoded.map((m) => new TextDecoder().decode(m.payload))).toEqual(["one", "", "three"]);
    expect(decoded[2]?.metadata.properties).toEqual([{ key: "k", value: "v" }]);
  });

  it("refuses a batch that is cut anywhere", () => {
    const batch = encodeBatch(messages);
    for (let end = 0; end < batch.length; end++) {
      expect(() => decodeBatch(batch.subarray(0, end), 3)).toThrow(expect.objectContaining({ name: "ProtocolError" }));
    }
  });
});

describe("topic name", () => {
  it("completes short names", () => {
    expect(TopicName.parse("t").toString()).toBe("persistent://public/default/t");
    expect(TopicName.parse("a/b/t").toString()).toBe("persistent://a/b/t");
    expect(TopicName.parse("non-persistent://a/b/t").persistent).toBe(false);
  });

  it("knows partitions", () => {
    const name = TopicName.parse("persistent://a/b/t-partition-12");
    expect([name.partitionIndex, name.partitionedTopicName]).toEqual([12, "persistent://a/b/t"]);
    expect(TopicName.parse("t").partition(3)).toBe("persistent://public/default/t-partition-3");
    expect(["t", "t-partition-", "t-partition-x", "t-partition-01", "t-partition--1"].map(partitionIndexOf)).toEqual([
      -1, -1, -1, -1, -1,
    ]);
  });

  it("keeps the cluster of V1 names, whose local part may hold slashes", () => {
    const name = TopicName.parse("persistent://t/c/ns/a/b");
    expect([name.namespace, name.localName]).toEqual(["t/c/ns", "a/b"]);
  });

  it.each([
    "tenant/cluster",
    "a/b/c/d",
    "kafka://a/b/c",
    "persistent://a/b",
    "persistent:///b/c",
    "persistent://a/b/",
    "persistent://a b/c/d",
  ])("refuses %s", (text) => {
    expect(() => TopicName.parse(text)).toThrow(/InvalidName/);
  });
});

describe("server errors", () => {
  it("has a meaning for every code of the schema", () => {
    for (const code of Object.values(ServerError)) expect(SERVER_ERRORS.get(code)?.meaning).not.toBe("");
    expect(serverErrorName(5)).toBe("ConsumerBusy");
    expect(serverErrorName(999)).toBe("ServerError 999");
  });
});

describe("message ids", () => {
  it("orders by ledger, entry, partition and batch index", () => {
    const a = { ledgerId: 1, entryId: 2 };
    expect(compareMessageIds(a, { ledgerId: 1, entryId: 3 })).toBeLessThan(0);
    expect(compareMessageIds(a, { ...a, batchIndex: 0 })).toBeLessThan(0);
    expect(compareMessageIds(a, { ...a })).toBe(0);
    expect(compareMessageIds(LATEST, EARLIEST)).toBeGreaterThan(0);
  });
});
