// Generated from PulsarApi.proto by scripts/generate.mjs. Do not edit.
import type { Reader, Writer } from "protobufjs/minimal.js";
import { type Bits64, type Decoded, EMPTY_BYTES, endOf, expectWireType, type Int64, type Mutable, missingField, NONE, overrun, readBits64, readExact64, readInt64, unknownCommand, writeExact64, writeInt64 } from "../src/protobuf-runtime.ts";

/** `CompressionType` of PulsarApi.proto. */
export const CompressionType = {
  NONE: 0,
  LZ4: 1,
  ZLIB: 2,
  ZSTD: 3,
  SNAPPY: 4,
} as const;
export type CompressionType = (typeof CompressionType)[keyof typeof CompressionType];

/** `ProducerAccessMode` of PulsarApi.proto. */
export const ProducerAccessMode = {
  Shared: 0,
  Exclusive: 1,
  WaitForExclusive: 2,
  ExclusiveWithFencing: 3,
} as const;
export type ProducerAccessMode = (typeof ProducerAccessMode)[keyof typeof ProducerAccessMode];

/** `ServerError` of PulsarApi.proto. */
export const ServerError = {
  UnknownError: 0,
  MetadataError: 1,
  PersistenceError: 2,
  AuthenticationError: 3,
  AuthorizationError: 4,
  ConsumerBusy: 5,
  ServiceNotReady: 6,
  ProducerBlockedQuotaExceededError: 7,
  ProducerBlockedQuotaExceededException: 8,
  ChecksumError: 9,
  UnsupportedVersionError: 10,
  TopicNotFound: 11,
  SubscriptionNotFound: 12,
  ConsumerNotFound: 13,
  TooManyRequests: 14,
  TopicTerminatedError: 15,
  ProducerBusy: 16,
  InvalidTopicName: 17,
  IncompatibleSchema: 18,
  ConsumerAssignError: 19,
  TransactionCoordinatorNotFound: 20,
  InvalidTxnStatus: 21,
  NotAllowedError: 22,
  TransactionConflict: 23,
  TransactionNotFound: 24,
  ProducerFenced: 25,
} as const;
export type ServerError = (typeof ServerError)[keyof typeof ServerError];

/** `AuthMethod` of PulsarApi.proto. */
export const AuthMethod = {
  AuthMethodNone: 0,
  AuthMethodYcaV1: 1,
  AuthMethodAthens: 2,
} as const;
export type AuthMethod = (typeof AuthMethod)[keyof typeof AuthMethod];

/** `ProtocolVersion` of PulsarApi.proto. */
export const ProtocolVersion = {
  v0: 0,
  v1: 1,
  v2: 2,
  v3: 3,
  v4: 4,
  v5: 5,
  v6: 6,
  v7: 7,
  v8: 8,
  v9: 9,
  v10: 10,
  v11: 11,
  v12: 12,
  v13: 13,
  v14: 14,
  v15: 15,
  v16: 16,
  v17: 17,
  v18: 18,
  v19: 19,
  v20: 20,
  v21: 21,
} as const;
export type ProtocolVersion = (typeof ProtocolVersion)[keyof typeof ProtocolVersion];

/** `KeySharedMode` of PulsarApi.proto. */
export const KeySharedMode = {
  AUTO_SPLIT: 0,
  STICKY: 1,
} as const;
export type KeySharedMode = (typeof KeySharedMode)[keyof typeof KeySharedMode];

/** `TxnAction` of PulsarApi.proto. */
export const TxnAction = {
  COMMIT: 0,
  ABORT: 1,
} as const;
export type TxnAction = (typeof TxnAction)[keyof typeof TxnAction];

/** `MarkerType` of PulsarApi.proto. */
export const MarkerType = {
  UNKNOWN_MARKER: 0,
  REPLICATED_SUBSCRIPTION_SNAPSHOT_REQUEST: 10,
  REPLICATED_SUBSCRIPTION_SNAPSHOT_RESPONSE: 11,
  REPLICATED_SUBSCRIPTION_SNAPSHOT: 12,
  REPLICATED_SUBSCRIPTION_UPDATE: 13,
  TXN_COMMITTING: 20,
  TXN_COMMIT: 21,
  TXN_ABORT: 22,
} as const;
export type MarkerType = (typeof MarkerType)[keyof typeof MarkerType];

/** `SchemaType` of PulsarApi.proto. */
export const SchemaType = {
  None: 0,
  String: 1,
  Json: 2,
  Protobuf: 3,
  Avro: 4,
  Bool: 5,
  Int8: 6,
  Int16: 7,
  Int32: 8,
  Int64: 9,
  Float: 10,
  Double: 11,
  Date: 12,
  Time: 13,
  Timestamp: 14,
  KeyValue: 15,
  Instant: 16,
  LocalDate: 17,
  LocalTime: 18,
  LocalDateTime: 19,
  ProtobufNative: 20,
  AutoConsume: 21,
  External: 22,
} as const;
export type SchemaType = (typeof SchemaType)[keyof typeof SchemaType];

/** A schema definition as clients send it and the registry answers it. */
export interface Schema {
  /** Field 1, required string. */
  name: string;
  /** Field 3, required bytes. */
  schemaData: Uint8Array;
  /** Field 4, required Type. */
  type: SchemaType;
  /** Field 5, repeated KeyValue. */
  properties?: readonly KeyValue[] | undefined;
}

export function encodeSchema(m: Schema, w: Writer): Writer {
  w.uint32(10).string(m.name);
  w.uint32(26).bytes(m.schemaData);
  w.uint32(32).int32(m.type);
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyValue(v, w.uint32(42).fork()).ldelim();
  return w;
}

export function decodeSchema(r: Reader, length?: number): Decoded<Schema> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<Schema>> = {
    name: "",
    schemaData: EMPTY_BYTES,
    type: 0 as SchemaType,
    properties: NONE as readonly KeyValue[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.name = r.string();
        seen |= 1;
        break;
      case 3:
        expectWireType(tag, 2);
        m.schemaData = r.bytes();
        seen |= 2;
        break;
      case 4:
        expectWireType(tag, 0);
        m.type = r.int32() as SchemaType;
        seen |= 4;
        break;
      case 5:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("Schema", ["name","schemaData","type"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Where a message is: ledger and entry, and inside a batch its index. An ack_set has one bit for each message of the batch, set while it is not acknowledged. */
export interface MessageIdData {
  /** Field 1, required uint64. */
  ledgerId: number;
  /** Field 2, required uint64. */
  entryId: number;
  /** Field 3, int32. Absent means `-1`. */
  partition?: number | undefined;
  /** Field 4, int32. Absent means `-1`. */
  batchIndex?: number | undefined;
  /** Field 5, repeated int64. */
  ackSet?: readonly Bits64[] | undefined;
  /** Field 6, int32. */
  batchSize?: number | undefined;
  /** Field 7, MessageIdData. */
  firstChunkMessageId?: MessageIdData | undefined;
}

export function encodeMessageIdData(m: MessageIdData, w: Writer): Writer {
  writeInt64(w.uint32(8), m.ledgerId);
  writeInt64(w.uint32(16), m.entryId);
  if (m.partition !== undefined) w.uint32(24).int32(m.partition);
  if (m.batchIndex !== undefined) w.uint32(32).int32(m.batchIndex);
  if (m.ackSet !== undefined) for (const v of m.ackSet) w.uint32(40).int64(v as unknown as number);
  if (m.batchSize !== undefined) w.uint32(48).int32(m.batchSize);
  if (m.firstChunkMessageId !== undefined) encodeMessageIdData(m.firstChunkMessageId, w.uint32(58).fork()).ldelim();
  return w;
}

export function decodeMessageIdData(r: Reader, length?: number): Decoded<MessageIdData> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<MessageIdData>> = {
    ledgerId: 0,
    entryId: 0,
    partition: undefined,
    batchIndex: undefined,
    ackSet: NONE as readonly Bits64[],
    batchSize: undefined,
    firstChunkMessageId: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.ledgerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.entryId = readInt64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.partition = r.int32();
        break;
      case 4:
        expectWireType(tag, 0);
        m.batchIndex = r.int32();
        break;
      case 5:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.ackSet === NONE) m.ackSet = [];
            (m.ackSet as Bits64[]).push(readBits64(r));
          }
        } else {
          expectWireType(tag, 0);
          if (m.ackSet === NONE) m.ackSet = [];
          (m.ackSet as Bits64[]).push(readBits64(r));
        }
        break;
      case 6:
        expectWireType(tag, 0);
        m.batchSize = r.int32();
        break;
      case 7:
        expectWireType(tag, 2);
        m.firstChunkMessageId = decodeMessageIdData(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("MessageIdData", ["ledgerId","entryId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `KeyValue` of PulsarApi.proto. */
export interface KeyValue {
  /** Field 1, required string. */
  key: string;
  /** Field 2, required string. */
  value: string;
}

export function encodeKeyValue(m: KeyValue, w: Writer): Writer {
  w.uint32(10).string(m.key);
  w.uint32(18).string(m.value);
  return w;
}

export function decodeKeyValue(r: Reader, length?: number): KeyValue {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<KeyValue> = {
    key: "",
    value: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.key = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.value = r.string();
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("KeyValue", ["key","value"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `KeyLongValue` of PulsarApi.proto. */
export interface KeyLongValue {
  /** Field 1, required string. */
  key: string;
  /** Field 2, required uint64. */
  value: number;
}

export function encodeKeyLongValue(m: KeyLongValue, w: Writer): Writer {
  w.uint32(10).string(m.key);
  writeInt64(w.uint32(16), m.value);
  return w;
}

export function decodeKeyLongValue(r: Reader, length?: number): KeyLongValue {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<KeyLongValue> = {
    key: "",
    value: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.key = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.value = readInt64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("KeyLongValue", ["key","value"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `IntRange` of PulsarApi.proto. */
export interface IntRange {
  /** Field 1, required int32. */
  start: number;
  /** Field 2, required int32. */
  end: number;
}

export function encodeIntRange(m: IntRange, w: Writer): Writer {
  w.uint32(8).int32(m.start);
  w.uint32(16).int32(m.end);
  return w;
}

export function decodeIntRange(r: Reader, length?: number): IntRange {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<IntRange> = {
    start: 0,
    end: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.start = r.int32();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.end = r.int32();
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("IntRange", ["start","end"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `EncryptionKeys` of PulsarApi.proto. */
export interface EncryptionKeys {
  /** Field 1, required string. */
  key: string;
  /** Field 2, required bytes. */
  value: Uint8Array;
  /** Field 3, repeated KeyValue. */
  metadata?: readonly KeyValue[] | undefined;
}

export function encodeEncryptionKeys(m: EncryptionKeys, w: Writer): Writer {
  w.uint32(10).string(m.key);
  w.uint32(18).bytes(m.value);
  if (m.metadata !== undefined) for (const v of m.metadata) encodeKeyValue(v, w.uint32(26).fork()).ldelim();
  return w;
}

export function decodeEncryptionKeys(r: Reader, length?: number): Decoded<EncryptionKeys> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<EncryptionKeys>> = {
    key: "",
    value: EMPTY_BYTES,
    metadata: NONE as readonly KeyValue[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.key = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.value = r.bytes();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.metadata === NONE) m.metadata = [];
        (m.metadata as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("EncryptionKeys", ["key","value"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Written once by the producer for the whole entry; the broker stores it as it came. */
export interface MessageMetadata {
  /** Field 1, required string. */
  producerName: string;
  /** Field 2, required uint64. */
  sequenceId: Int64;
  /** Field 3, required uint64. */
  publishTime: number;
  /** Field 4, repeated KeyValue. */
  properties?: readonly KeyValue[] | undefined;
  /** Field 5, string. */
  replicatedFrom?: string | undefined;
  /** Field 6, string. */
  partitionKey?: string | undefined;
  /** Field 7, repeated string. */
  replicateTo?: readonly string[] | undefined;
  /** Field 8, CompressionType. Absent means `NONE`. */
  compression?: CompressionType | undefined;
  /** Field 9, uint32. Absent means `0`. */
  uncompressedSize?: number | undefined;
  /** Field 11, int32. Absent means `1`. */
  numMessagesInBatch?: number | undefined;
  /** Field 12, uint64. Absent means `0`. */
  eventTime?: number | undefined;
  /** Field 13, repeated EncryptionKeys. */
  encryptionKeys?: readonly EncryptionKeys[] | undefined;
  /** Field 14, string. */
  encryptionAlgo?: string | undefined;
  /** Field 15, bytes. */
  encryptionParam?: Uint8Array | undefined;
  /** Field 16, bytes. */
  schemaVersion?: Uint8Array | undefined;
  /** Field 17, bool. Absent means `false`. */
  partitionKeyB64Encoded?: boolean | undefined;
  /** Field 18, bytes. */
  orderingKey?: Uint8Array | undefined;
  /** Field 19, int64. */
  deliverAtTime?: number | undefined;
  /** Field 20, int32. */
  markerType?: number | undefined;
  /** Field 22, uint64. */
  txnidLeastBits?: number | undefined;
  /** Field 23, uint64. */
  txnidMostBits?: number | undefined;
  /** Field 24, uint64. Absent means `0`. */
  highestSequenceId?: Int64 | undefined;
  /** Field 25, bool. Absent means `false`. */
  nullValue?: boolean | undefined;
  /** Field 26, string. */
  uuid?: string | undefined;
  /** Field 27, int32. */
  numChunksFromMsg?: number | undefined;
  /** Field 28, int32. */
  totalChunkMsgSize?: number | undefined;
  /** Field 29, int32. */
  chunkId?: number | undefined;
  /** Field 30, bool. Absent means `false`. */
  nullPartitionKey?: boolean | undefined;
  /** Field 31, repeated int32. */
  compactedBatchIndexes?: readonly number[] | undefined;
  /** Field 32, bytes. */
  schemaId?: Uint8Array | undefined;
  /** Field 33, uint32. */
  entryHashMin?: number | undefined;
  /** Field 34, uint32. */
  entryHashMax?: number | undefined;
}

export function encodeMessageMetadata(m: MessageMetadata, w: Writer): Writer {
  w.uint32(10).string(m.producerName);
  writeExact64(w.uint32(16), m.sequenceId);
  writeInt64(w.uint32(24), m.publishTime);
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyValue(v, w.uint32(34).fork()).ldelim();
  if (m.replicatedFrom !== undefined) w.uint32(42).string(m.replicatedFrom);
  if (m.partitionKey !== undefined) w.uint32(50).string(m.partitionKey);
  if (m.replicateTo !== undefined) for (const v of m.replicateTo) w.uint32(58).string(v);
  if (m.compression !== undefined) w.uint32(64).int32(m.compression);
  if (m.uncompressedSize !== undefined) w.uint32(72).uint32(m.uncompressedSize);
  if (m.numMessagesInBatch !== undefined) w.uint32(88).int32(m.numMessagesInBatch);
  if (m.eventTime !== undefined) writeInt64(w.uint32(96), m.eventTime);
  if (m.encryptionKeys !== undefined) for (const v of m.encryptionKeys) encodeEncryptionKeys(v, w.uint32(106).fork()).ldelim();
  if (m.encryptionAlgo !== undefined) w.uint32(114).string(m.encryptionAlgo);
  if (m.encryptionParam !== undefined) w.uint32(122).bytes(m.encryptionParam);
  if (m.schemaVersion !== undefined) w.uint32(130).bytes(m.schemaVersion);
  if (m.partitionKeyB64Encoded !== undefined) w.uint32(136).bool(m.partitionKeyB64Encoded);
  if (m.orderingKey !== undefined) w.uint32(146).bytes(m.orderingKey);
  if (m.deliverAtTime !== undefined) writeInt64(w.uint32(152), m.deliverAtTime);
  if (m.markerType !== undefined) w.uint32(160).int32(m.markerType);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(176), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(184), m.txnidMostBits);
  if (m.highestSequenceId !== undefined) writeExact64(w.uint32(192), m.highestSequenceId);
  if (m.nullValue !== undefined) w.uint32(200).bool(m.nullValue);
  if (m.uuid !== undefined) w.uint32(210).string(m.uuid);
  if (m.numChunksFromMsg !== undefined) w.uint32(216).int32(m.numChunksFromMsg);
  if (m.totalChunkMsgSize !== undefined) w.uint32(224).int32(m.totalChunkMsgSize);
  if (m.chunkId !== undefined) w.uint32(232).int32(m.chunkId);
  if (m.nullPartitionKey !== undefined) w.uint32(240).bool(m.nullPartitionKey);
  if (m.compactedBatchIndexes !== undefined) for (const v of m.compactedBatchIndexes) w.uint32(248).int32(v);
  if (m.schemaId !== undefined) w.uint32(258).bytes(m.schemaId);
  if (m.entryHashMin !== undefined) w.uint32(264).uint32(m.entryHashMin);
  if (m.entryHashMax !== undefined) w.uint32(272).uint32(m.entryHashMax);
  return w;
}

export function decodeMessageMetadata(r: Reader, length?: number): Decoded<MessageMetadata> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<MessageMetadata>> = {
    producerName: "",
    sequenceId: 0,
    publishTime: 0,
    properties: NONE as readonly KeyValue[],
    replicatedFrom: undefined,
    partitionKey: undefined,
    replicateTo: NONE as readonly string[],
    compression: undefined,
    uncompressedSize: undefined,
    numMessagesInBatch: undefined,
    eventTime: undefined,
    encryptionKeys: NONE as readonly EncryptionKeys[],
    encryptionAlgo: undefined,
    encryptionParam: undefined,
    schemaVersion: undefined,
    partitionKeyB64Encoded: undefined,
    orderingKey: undefined,
    deliverAtTime: undefined,
    markerType: undefined,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    highestSequenceId: undefined,
    nullValue: undefined,
    uuid: undefined,
    numChunksFromMsg: undefined,
    totalChunkMsgSize: undefined,
    chunkId: undefined,
    nullPartitionKey: undefined,
    compactedBatchIndexes: NONE as readonly number[],
    schemaId: undefined,
    entryHashMin: undefined,
    entryHashMax: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.producerName = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.sequenceId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.publishTime = readInt64(r);
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 5:
        expectWireType(tag, 2);
        m.replicatedFrom = r.string();
        break;
      case 6:
        expectWireType(tag, 2);
        m.partitionKey = r.string();
        break;
      case 7:
        expectWireType(tag, 2);
        if (m.replicateTo === NONE) m.replicateTo = [];
        (m.replicateTo as string[]).push(r.string());
        break;
      case 8:
        expectWireType(tag, 0);
        m.compression = r.int32() as CompressionType;
        break;
      case 9:
        expectWireType(tag, 0);
        m.uncompressedSize = r.uint32();
        break;
      case 11:
        expectWireType(tag, 0);
        m.numMessagesInBatch = r.int32();
        break;
      case 12:
        expectWireType(tag, 0);
        m.eventTime = readInt64(r);
        break;
      case 13:
        expectWireType(tag, 2);
        if (m.encryptionKeys === NONE) m.encryptionKeys = [];
        (m.encryptionKeys as EncryptionKeys[]).push(decodeEncryptionKeys(r, r.uint32()));
        break;
      case 14:
        expectWireType(tag, 2);
        m.encryptionAlgo = r.string();
        break;
      case 15:
        expectWireType(tag, 2);
        m.encryptionParam = r.bytes();
        break;
      case 16:
        expectWireType(tag, 2);
        m.schemaVersion = r.bytes();
        break;
      case 17:
        expectWireType(tag, 0);
        m.partitionKeyB64Encoded = r.bool();
        break;
      case 18:
        expectWireType(tag, 2);
        m.orderingKey = r.bytes();
        break;
      case 19:
        expectWireType(tag, 0);
        m.deliverAtTime = readInt64(r);
        break;
      case 20:
        expectWireType(tag, 0);
        m.markerType = r.int32();
        break;
      case 22:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 23:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 24:
        expectWireType(tag, 0);
        m.highestSequenceId = readExact64(r);
        break;
      case 25:
        expectWireType(tag, 0);
        m.nullValue = r.bool();
        break;
      case 26:
        expectWireType(tag, 2);
        m.uuid = r.string();
        break;
      case 27:
        expectWireType(tag, 0);
        m.numChunksFromMsg = r.int32();
        break;
      case 28:
        expectWireType(tag, 0);
        m.totalChunkMsgSize = r.int32();
        break;
      case 29:
        expectWireType(tag, 0);
        m.chunkId = r.int32();
        break;
      case 30:
        expectWireType(tag, 0);
        m.nullPartitionKey = r.bool();
        break;
      case 31:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.compactedBatchIndexes === NONE) m.compactedBatchIndexes = [];
            (m.compactedBatchIndexes as number[]).push(r.int32());
          }
        } else {
          expectWireType(tag, 0);
          if (m.compactedBatchIndexes === NONE) m.compactedBatchIndexes = [];
          (m.compactedBatchIndexes as number[]).push(r.int32());
        }
        break;
      case 32:
        expectWireType(tag, 2);
        m.schemaId = r.bytes();
        break;
      case 33:
        expectWireType(tag, 0);
        m.entryHashMin = r.uint32();
        break;
      case 34:
        expectWireType(tag, 0);
        m.entryHashMax = r.uint32();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("MessageMetadata", ["producerName","sequenceId","publishTime"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Precedes each message inside a batch. */
export interface SingleMessageMetadata {
  /** Field 1, repeated KeyValue. */
  properties?: readonly KeyValue[] | undefined;
  /** Field 2, string. */
  partitionKey?: string | undefined;
  /** Field 3, required int32. */
  payloadSize: number;
  /** Field 4, bool. Absent means `false`. */
  compactedOut?: boolean | undefined;
  /** Field 5, uint64. Absent means `0`. */
  eventTime?: number | undefined;
  /** Field 6, bool. Absent means `false`. */
  partitionKeyB64Encoded?: boolean | undefined;
  /** Field 7, bytes. */
  orderingKey?: Uint8Array | undefined;
  /** Field 8, uint64. */
  sequenceId?: Int64 | undefined;
  /** Field 9, bool. Absent means `false`. */
  nullValue?: boolean | undefined;
  /** Field 10, bool. Absent means `false`. */
  nullPartitionKey?: boolean | undefined;
}

export function encodeSingleMessageMetadata(m: SingleMessageMetadata, w: Writer): Writer {
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyValue(v, w.uint32(10).fork()).ldelim();
  if (m.partitionKey !== undefined) w.uint32(18).string(m.partitionKey);
  w.uint32(24).int32(m.payloadSize);
  if (m.compactedOut !== undefined) w.uint32(32).bool(m.compactedOut);
  if (m.eventTime !== undefined) writeInt64(w.uint32(40), m.eventTime);
  if (m.partitionKeyB64Encoded !== undefined) w.uint32(48).bool(m.partitionKeyB64Encoded);
  if (m.orderingKey !== undefined) w.uint32(58).bytes(m.orderingKey);
  if (m.sequenceId !== undefined) writeExact64(w.uint32(64), m.sequenceId);
  if (m.nullValue !== undefined) w.uint32(72).bool(m.nullValue);
  if (m.nullPartitionKey !== undefined) w.uint32(80).bool(m.nullPartitionKey);
  return w;
}

export function decodeSingleMessageMetadata(r: Reader, length?: number): Decoded<SingleMessageMetadata> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<SingleMessageMetadata>> = {
    properties: NONE as readonly KeyValue[],
    partitionKey: undefined,
    payloadSize: 0,
    compactedOut: undefined,
    eventTime: undefined,
    partitionKeyB64Encoded: undefined,
    orderingKey: undefined,
    sequenceId: undefined,
    nullValue: undefined,
    nullPartitionKey: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 2:
        expectWireType(tag, 2);
        m.partitionKey = r.string();
        break;
      case 3:
        expectWireType(tag, 0);
        m.payloadSize = r.int32();
        seen |= 1;
        break;
      case 4:
        expectWireType(tag, 0);
        m.compactedOut = r.bool();
        break;
      case 5:
        expectWireType(tag, 0);
        m.eventTime = readInt64(r);
        break;
      case 6:
        expectWireType(tag, 0);
        m.partitionKeyB64Encoded = r.bool();
        break;
      case 7:
        expectWireType(tag, 2);
        m.orderingKey = r.bytes();
        break;
      case 8:
        expectWireType(tag, 0);
        m.sequenceId = readExact64(r);
        break;
      case 9:
        expectWireType(tag, 0);
        m.nullValue = r.bool();
        break;
      case 10:
        expectWireType(tag, 0);
        m.nullPartitionKey = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("SingleMessageMetadata", ["payloadSize"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Put before the metadata by the broker, on the wire only to a client that announced the feature. */
export interface BrokerEntryMetadata {
  /** Field 1, uint64. */
  brokerTimestamp?: number | undefined;
  /** Field 2, uint64. */
  index?: number | undefined;
}

export function encodeBrokerEntryMetadata(m: BrokerEntryMetadata, w: Writer): Writer {
  if (m.brokerTimestamp !== undefined) writeInt64(w.uint32(8), m.brokerTimestamp);
  if (m.index !== undefined) writeInt64(w.uint32(16), m.index);
  return w;
}

export function decodeBrokerEntryMetadata(r: Reader, length?: number): BrokerEntryMetadata {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<BrokerEntryMetadata> = {
    brokerTimestamp: undefined,
    index: undefined,
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.brokerTimestamp = readInt64(r);
        break;
      case 2:
        expectWireType(tag, 0);
        m.index = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `FeatureFlags` of PulsarApi.proto. */
export interface FeatureFlags {
  /** Field 1, bool. Absent means `false`. */
  supportsAuthRefresh?: boolean | undefined;
  /** Field 2, bool. Absent means `false`. */
  supportsBrokerEntryMetadata?: boolean | undefined;
  /** Field 3, bool. Absent means `false`. */
  supportsPartialProducer?: boolean | undefined;
  /** Field 4, bool. Absent means `false`. */
  supportsTopicWatchers?: boolean | undefined;
  /** Field 5, bool. Absent means `false`. */
  supportsGetPartitionedMetadataWithoutAutoCreation?: boolean | undefined;
  /** Field 6, bool. Absent means `false`. */
  supportsReplDedupByLidAndEid?: boolean | undefined;
  /** Field 7, bool. Absent means `false`. */
  supportsTopicWatcherReconcile?: boolean | undefined;
  /** Field 8, bool. Absent means `false`. */
  supportsScalableTopics?: boolean | undefined;
  /** Field 9, bool. Absent means `false`. */
  supportsTcMetadataDiscovery?: boolean | undefined;
}

export function encodeFeatureFlags(m: FeatureFlags, w: Writer): Writer {
  if (m.supportsAuthRefresh !== undefined) w.uint32(8).bool(m.supportsAuthRefresh);
  if (m.supportsBrokerEntryMetadata !== undefined) w.uint32(16).bool(m.supportsBrokerEntryMetadata);
  if (m.supportsPartialProducer !== undefined) w.uint32(24).bool(m.supportsPartialProducer);
  if (m.supportsTopicWatchers !== undefined) w.uint32(32).bool(m.supportsTopicWatchers);
  if (m.supportsGetPartitionedMetadataWithoutAutoCreation !== undefined) w.uint32(40).bool(m.supportsGetPartitionedMetadataWithoutAutoCreation);
  if (m.supportsReplDedupByLidAndEid !== undefined) w.uint32(48).bool(m.supportsReplDedupByLidAndEid);
  if (m.supportsTopicWatcherReconcile !== undefined) w.uint32(56).bool(m.supportsTopicWatcherReconcile);
  if (m.supportsScalableTopics !== undefined) w.uint32(64).bool(m.supportsScalableTopics);
  if (m.supportsTcMetadataDiscovery !== undefined) w.uint32(72).bool(m.supportsTcMetadataDiscovery);
  return w;
}

export function decodeFeatureFlags(r: Reader, length?: number): FeatureFlags {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<FeatureFlags> = {
    supportsAuthRefresh: undefined,
    supportsBrokerEntryMetadata: undefined,
    supportsPartialProducer: undefined,
    supportsTopicWatchers: undefined,
    supportsGetPartitionedMetadataWithoutAutoCreation: undefined,
    supportsReplDedupByLidAndEid: undefined,
    supportsTopicWatcherReconcile: undefined,
    supportsScalableTopics: undefined,
    supportsTcMetadataDiscovery: undefined,
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.supportsAuthRefresh = r.bool();
        break;
      case 2:
        expectWireType(tag, 0);
        m.supportsBrokerEntryMetadata = r.bool();
        break;
      case 3:
        expectWireType(tag, 0);
        m.supportsPartialProducer = r.bool();
        break;
      case 4:
        expectWireType(tag, 0);
        m.supportsTopicWatchers = r.bool();
        break;
      case 5:
        expectWireType(tag, 0);
        m.supportsGetPartitionedMetadataWithoutAutoCreation = r.bool();
        break;
      case 6:
        expectWireType(tag, 0);
        m.supportsReplDedupByLidAndEid = r.bool();
        break;
      case 7:
        expectWireType(tag, 0);
        m.supportsTopicWatcherReconcile = r.bool();
        break;
      case 8:
        expectWireType(tag, 0);
        m.supportsScalableTopics = r.bool();
        break;
      case 9:
        expectWireType(tag, 0);
        m.supportsTcMetadataDiscovery = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `AuthData` of PulsarApi.proto. */
export interface AuthData {
  /** Field 1, string. */
  authMethodName?: string | undefined;
  /** Field 2, bytes. */
  authData?: Uint8Array | undefined;
}

export function encodeAuthData(m: AuthData, w: Writer): Writer {
  if (m.authMethodName !== undefined) w.uint32(10).string(m.authMethodName);
  if (m.authData !== undefined) w.uint32(18).bytes(m.authData);
  return w;
}

export function decodeAuthData(r: Reader, length?: number): AuthData {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<AuthData> = {
    authMethodName: undefined,
    authData: undefined,
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.authMethodName = r.string();
        break;
      case 2:
        expectWireType(tag, 2);
        m.authData = r.bytes();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker, first on each connection. */
export interface CommandConnect {
  /** Field 1, required string. */
  clientVersion: string;
  /** Field 2, AuthMethod. */
  authMethod?: AuthMethod | undefined;
  /** Field 3, bytes. */
  authData?: Uint8Array | undefined;
  /** Field 4, int32. Absent means `0`. */
  protocolVersion?: number | undefined;
  /** Field 5, string. */
  authMethodName?: string | undefined;
  /** Field 6, string. */
  proxyToBrokerUrl?: string | undefined;
  /** Field 7, string. */
  originalPrincipal?: string | undefined;
  /** Field 8, string. */
  originalAuthData?: string | undefined;
  /** Field 9, string. */
  originalAuthMethod?: string | undefined;
  /** Field 10, FeatureFlags. */
  featureFlags?: FeatureFlags | undefined;
  /** Field 11, string. */
  proxyVersion?: string | undefined;
}

export function encodeCommandConnect(m: CommandConnect, w: Writer): Writer {
  w.uint32(10).string(m.clientVersion);
  if (m.authMethod !== undefined) w.uint32(16).int32(m.authMethod);
  if (m.authData !== undefined) w.uint32(26).bytes(m.authData);
  if (m.protocolVersion !== undefined) w.uint32(32).int32(m.protocolVersion);
  if (m.authMethodName !== undefined) w.uint32(42).string(m.authMethodName);
  if (m.proxyToBrokerUrl !== undefined) w.uint32(50).string(m.proxyToBrokerUrl);
  if (m.originalPrincipal !== undefined) w.uint32(58).string(m.originalPrincipal);
  if (m.originalAuthData !== undefined) w.uint32(66).string(m.originalAuthData);
  if (m.originalAuthMethod !== undefined) w.uint32(74).string(m.originalAuthMethod);
  if (m.featureFlags !== undefined) encodeFeatureFlags(m.featureFlags, w.uint32(82).fork()).ldelim();
  if (m.proxyVersion !== undefined) w.uint32(90).string(m.proxyVersion);
  return w;
}

export function decodeCommandConnect(r: Reader, length?: number): CommandConnect {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandConnect> = {
    clientVersion: "",
    authMethod: undefined,
    authData: undefined,
    protocolVersion: undefined,
    authMethodName: undefined,
    proxyToBrokerUrl: undefined,
    originalPrincipal: undefined,
    originalAuthData: undefined,
    originalAuthMethod: undefined,
    featureFlags: undefined,
    proxyVersion: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.clientVersion = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.authMethod = r.int32() as AuthMethod;
        break;
      case 3:
        expectWireType(tag, 2);
        m.authData = r.bytes();
        break;
      case 4:
        expectWireType(tag, 0);
        m.protocolVersion = r.int32();
        break;
      case 5:
        expectWireType(tag, 2);
        m.authMethodName = r.string();
        break;
      case 6:
        expectWireType(tag, 2);
        m.proxyToBrokerUrl = r.string();
        break;
      case 7:
        expectWireType(tag, 2);
        m.originalPrincipal = r.string();
        break;
      case 8:
        expectWireType(tag, 2);
        m.originalAuthData = r.string();
        break;
      case 9:
        expectWireType(tag, 2);
        m.originalAuthMethod = r.string();
        break;
      case 10:
        expectWireType(tag, 2);
        m.featureFlags = decodeFeatureFlags(r, r.uint32());
        break;
      case 11:
        expectWireType(tag, 2);
        m.proxyVersion = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandConnect", ["clientVersion"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Broker to client, accepts the connection. */
export interface CommandConnected {
  /** Field 1, required string. */
  serverVersion: string;
  /** Field 2, int32. Absent means `0`. */
  protocolVersion?: number | undefined;
  /** Field 3, int32. */
  maxMessageSize?: number | undefined;
  /** Field 4, FeatureFlags. */
  featureFlags?: FeatureFlags | undefined;
}

export function encodeCommandConnected(m: CommandConnected, w: Writer): Writer {
  w.uint32(10).string(m.serverVersion);
  if (m.protocolVersion !== undefined) w.uint32(16).int32(m.protocolVersion);
  if (m.maxMessageSize !== undefined) w.uint32(24).int32(m.maxMessageSize);
  if (m.featureFlags !== undefined) encodeFeatureFlags(m.featureFlags, w.uint32(34).fork()).ldelim();
  return w;
}

export function decodeCommandConnected(r: Reader, length?: number): CommandConnected {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandConnected> = {
    serverVersion: "",
    protocolVersion: undefined,
    maxMessageSize: undefined,
    featureFlags: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.serverVersion = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.protocolVersion = r.int32();
        break;
      case 3:
        expectWireType(tag, 0);
        m.maxMessageSize = r.int32();
        break;
      case 4:
        expectWireType(tag, 2);
        m.featureFlags = decodeFeatureFlags(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandConnected", ["serverVersion"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAuthChallenge` of PulsarApi.proto. */
export interface CommandAuthChallenge {
  /** Field 1, string. */
  serverVersion?: string | undefined;
  /** Field 2, AuthData. */
  challenge?: AuthData | undefined;
  /** Field 3, int32. Absent means `0`. */
  protocolVersion?: number | undefined;
}

export function encodeCommandAuthChallenge(m: CommandAuthChallenge, w: Writer): Writer {
  if (m.serverVersion !== undefined) w.uint32(10).string(m.serverVersion);
  if (m.challenge !== undefined) encodeAuthData(m.challenge, w.uint32(18).fork()).ldelim();
  if (m.protocolVersion !== undefined) w.uint32(24).int32(m.protocolVersion);
  return w;
}

export function decodeCommandAuthChallenge(r: Reader, length?: number): CommandAuthChallenge {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandAuthChallenge> = {
    serverVersion: undefined,
    challenge: undefined,
    protocolVersion: undefined,
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.serverVersion = r.string();
        break;
      case 2:
        expectWireType(tag, 2);
        m.challenge = decodeAuthData(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 0);
        m.protocolVersion = r.int32();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAuthResponse` of PulsarApi.proto. */
export interface CommandAuthResponse {
  /** Field 1, string. */
  clientVersion?: string | undefined;
  /** Field 2, AuthData. */
  response?: AuthData | undefined;
  /** Field 3, int32. Absent means `0`. */
  protocolVersion?: number | undefined;
}

export function encodeCommandAuthResponse(m: CommandAuthResponse, w: Writer): Writer {
  if (m.clientVersion !== undefined) w.uint32(10).string(m.clientVersion);
  if (m.response !== undefined) encodeAuthData(m.response, w.uint32(18).fork()).ldelim();
  if (m.protocolVersion !== undefined) w.uint32(24).int32(m.protocolVersion);
  return w;
}

export function decodeCommandAuthResponse(r: Reader, length?: number): CommandAuthResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandAuthResponse> = {
    clientVersion: undefined,
    response: undefined,
    protocolVersion: undefined,
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.clientVersion = r.string();
        break;
      case 2:
        expectWireType(tag, 2);
        m.response = decodeAuthData(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 0);
        m.protocolVersion = r.int32();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandPing` of PulsarApi.proto. */
export interface CommandPing {
}

export function encodeCommandPing(_m: CommandPing, w: Writer): Writer {
  return w;
}

export function decodeCommandPing(r: Reader, length?: number): CommandPing {
  const end = length === undefined ? r.len : endOf(r, length);
  while (r.pos < end) r.skipType(r.uint32() & 7);
  return {};
}

/** `CommandPong` of PulsarApi.proto. */
export interface CommandPong {
}

export function encodeCommandPong(_m: CommandPong, w: Writer): Writer {
  return w;
}

export function decodeCommandPong(r: Reader, length?: number): CommandPong {
  const end = length === undefined ? r.len : endOf(r, length);
  while (r.pos < end) r.skipType(r.uint32() & 7);
  return {};
}

/** `CommandPartitionedTopicMetadata` of PulsarApi.proto. */
export interface CommandPartitionedTopicMetadata {
  /** Field 1, required string. */
  topic: string;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, string. */
  originalPrincipal?: string | undefined;
  /** Field 4, string. */
  originalAuthData?: string | undefined;
  /** Field 5, string. */
  originalAuthMethod?: string | undefined;
  /** Field 6, bool. Absent means `true`. */
  metadataAutoCreationEnabled?: boolean | undefined;
}

export function encodeCommandPartitionedTopicMetadata(m: CommandPartitionedTopicMetadata, w: Writer): Writer {
  w.uint32(10).string(m.topic);
  writeExact64(w.uint32(16), m.requestId);
  if (m.originalPrincipal !== undefined) w.uint32(26).string(m.originalPrincipal);
  if (m.originalAuthData !== undefined) w.uint32(34).string(m.originalAuthData);
  if (m.originalAuthMethod !== undefined) w.uint32(42).string(m.originalAuthMethod);
  if (m.metadataAutoCreationEnabled !== undefined) w.uint32(48).bool(m.metadataAutoCreationEnabled);
  return w;
}

export function decodeCommandPartitionedTopicMetadata(r: Reader, length?: number): CommandPartitionedTopicMetadata {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandPartitionedTopicMetadata> = {
    topic: "",
    requestId: 0,
    originalPrincipal: undefined,
    originalAuthData: undefined,
    originalAuthMethod: undefined,
    metadataAutoCreationEnabled: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.originalPrincipal = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.originalAuthData = r.string();
        break;
      case 5:
        expectWireType(tag, 2);
        m.originalAuthMethod = r.string();
        break;
      case 6:
        expectWireType(tag, 0);
        m.metadataAutoCreationEnabled = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandPartitionedTopicMetadata", ["topic","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandPartitionedTopicMetadataResponseLookupType` of PulsarApi.proto. */
export const CommandPartitionedTopicMetadataResponseLookupType = {
  Success: 0,
  Failed: 1,
} as const;
export type CommandPartitionedTopicMetadataResponseLookupType = (typeof CommandPartitionedTopicMetadataResponseLookupType)[keyof typeof CommandPartitionedTopicMetadataResponseLookupType];

/** `CommandPartitionedTopicMetadataResponse` of PulsarApi.proto. */
export interface CommandPartitionedTopicMetadataResponse {
  /** Field 1, uint32. */
  partitions?: number | undefined;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, LookupType. */
  response?: CommandPartitionedTopicMetadataResponseLookupType | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandPartitionedTopicMetadataResponse(m: CommandPartitionedTopicMetadataResponse, w: Writer): Writer {
  if (m.partitions !== undefined) w.uint32(8).uint32(m.partitions);
  writeExact64(w.uint32(16), m.requestId);
  if (m.response !== undefined) w.uint32(24).int32(m.response);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandPartitionedTopicMetadataResponse(r: Reader, length?: number): CommandPartitionedTopicMetadataResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandPartitionedTopicMetadataResponse> = {
    partitions: undefined,
    requestId: 0,
    response: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.partitions = r.uint32();
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 3:
        expectWireType(tag, 0);
        m.response = r.int32() as CommandPartitionedTopicMetadataResponseLookupType;
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandPartitionedTopicMetadataResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker: who owns this topic? */
export interface CommandLookupTopic {
  /** Field 1, required string. */
  topic: string;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, bool. Absent means `false`. */
  authoritative?: boolean | undefined;
  /** Field 4, string. */
  originalPrincipal?: string | undefined;
  /** Field 5, string. */
  originalAuthData?: string | undefined;
  /** Field 6, string. */
  originalAuthMethod?: string | undefined;
  /** Field 7, string. */
  advertisedListenerName?: string | undefined;
  /** Field 8, repeated KeyValue. */
  properties?: readonly KeyValue[] | undefined;
}

export function encodeCommandLookupTopic(m: CommandLookupTopic, w: Writer): Writer {
  w.uint32(10).string(m.topic);
  writeExact64(w.uint32(16), m.requestId);
  if (m.authoritative !== undefined) w.uint32(24).bool(m.authoritative);
  if (m.originalPrincipal !== undefined) w.uint32(34).string(m.originalPrincipal);
  if (m.originalAuthData !== undefined) w.uint32(42).string(m.originalAuthData);
  if (m.originalAuthMethod !== undefined) w.uint32(50).string(m.originalAuthMethod);
  if (m.advertisedListenerName !== undefined) w.uint32(58).string(m.advertisedListenerName);
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyValue(v, w.uint32(66).fork()).ldelim();
  return w;
}

export function decodeCommandLookupTopic(r: Reader, length?: number): Decoded<CommandLookupTopic> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandLookupTopic>> = {
    topic: "",
    requestId: 0,
    authoritative: undefined,
    originalPrincipal: undefined,
    originalAuthData: undefined,
    originalAuthMethod: undefined,
    advertisedListenerName: undefined,
    properties: NONE as readonly KeyValue[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.authoritative = r.bool();
        break;
      case 4:
        expectWireType(tag, 2);
        m.originalPrincipal = r.string();
        break;
      case 5:
        expectWireType(tag, 2);
        m.originalAuthData = r.string();
        break;
      case 6:
        expectWireType(tag, 2);
        m.originalAuthMethod = r.string();
        break;
      case 7:
        expectWireType(tag, 2);
        m.advertisedListenerName = r.string();
        break;
      case 8:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandLookupTopic", ["topic","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandLookupTopicResponseLookupType` of PulsarApi.proto. */
export const CommandLookupTopicResponseLookupType = {
  Redirect: 0,
  Connect: 1,
  Failed: 2,
} as const;
export type CommandLookupTopicResponseLookupType = (typeof CommandLookupTopicResponseLookupType)[keyof typeof CommandLookupTopicResponseLookupType];

/** `CommandLookupTopicResponse` of PulsarApi.proto. */
export interface CommandLookupTopicResponse {
  /** Field 1, string. */
  brokerServiceUrl?: string | undefined;
  /** Field 2, string. */
  brokerServiceUrlTls?: string | undefined;
  /** Field 3, LookupType. */
  response?: CommandLookupTopicResponseLookupType | undefined;
  /** Field 4, required uint64. */
  requestId: Int64;
  /** Field 5, bool. Absent means `false`. */
  authoritative?: boolean | undefined;
  /** Field 6, ServerError. */
  error?: ServerError | undefined;
  /** Field 7, string. */
  message?: string | undefined;
  /** Field 8, bool. Absent means `false`. */
  proxyThroughServiceUrl?: boolean | undefined;
}

export function encodeCommandLookupTopicResponse(m: CommandLookupTopicResponse, w: Writer): Writer {
  if (m.brokerServiceUrl !== undefined) w.uint32(10).string(m.brokerServiceUrl);
  if (m.brokerServiceUrlTls !== undefined) w.uint32(18).string(m.brokerServiceUrlTls);
  if (m.response !== undefined) w.uint32(24).int32(m.response);
  writeExact64(w.uint32(32), m.requestId);
  if (m.authoritative !== undefined) w.uint32(40).bool(m.authoritative);
  if (m.error !== undefined) w.uint32(48).int32(m.error);
  if (m.message !== undefined) w.uint32(58).string(m.message);
  if (m.proxyThroughServiceUrl !== undefined) w.uint32(64).bool(m.proxyThroughServiceUrl);
  return w;
}

export function decodeCommandLookupTopicResponse(r: Reader, length?: number): CommandLookupTopicResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandLookupTopicResponse> = {
    brokerServiceUrl: undefined,
    brokerServiceUrlTls: undefined,
    response: undefined,
    requestId: 0,
    authoritative: undefined,
    error: undefined,
    message: undefined,
    proxyThroughServiceUrl: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.brokerServiceUrl = r.string();
        break;
      case 2:
        expectWireType(tag, 2);
        m.brokerServiceUrlTls = r.string();
        break;
      case 3:
        expectWireType(tag, 0);
        m.response = r.int32() as CommandLookupTopicResponseLookupType;
        break;
      case 4:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 5:
        expectWireType(tag, 0);
        m.authoritative = r.bool();
        break;
      case 6:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 7:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      case 8:
        expectWireType(tag, 0);
        m.proxyThroughServiceUrl = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandLookupTopicResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetTopicsOfNamespaceMode` of PulsarApi.proto. */
export const CommandGetTopicsOfNamespaceMode = {
  PERSISTENT: 0,
  NON_PERSISTENT: 1,
  ALL: 2,
} as const;
export type CommandGetTopicsOfNamespaceMode = (typeof CommandGetTopicsOfNamespaceMode)[keyof typeof CommandGetTopicsOfNamespaceMode];

/** `CommandGetTopicsOfNamespace` of PulsarApi.proto. */
export interface CommandGetTopicsOfNamespace {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required string. */
  namespace: string;
  /** Field 3, Mode. Absent means `PERSISTENT`. */
  mode?: CommandGetTopicsOfNamespaceMode | undefined;
  /** Field 4, string. */
  topicsPattern?: string | undefined;
  /** Field 5, string. */
  topicsHash?: string | undefined;
  /** Field 6, repeated KeyValue. */
  properties?: readonly KeyValue[] | undefined;
}

export function encodeCommandGetTopicsOfNamespace(m: CommandGetTopicsOfNamespace, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(18).string(m.namespace);
  if (m.mode !== undefined) w.uint32(24).int32(m.mode);
  if (m.topicsPattern !== undefined) w.uint32(34).string(m.topicsPattern);
  if (m.topicsHash !== undefined) w.uint32(42).string(m.topicsHash);
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyValue(v, w.uint32(50).fork()).ldelim();
  return w;
}

export function decodeCommandGetTopicsOfNamespace(r: Reader, length?: number): Decoded<CommandGetTopicsOfNamespace> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandGetTopicsOfNamespace>> = {
    requestId: 0,
    namespace: "",
    mode: undefined,
    topicsPattern: undefined,
    topicsHash: undefined,
    properties: NONE as readonly KeyValue[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.namespace = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.mode = r.int32() as CommandGetTopicsOfNamespaceMode;
        break;
      case 4:
        expectWireType(tag, 2);
        m.topicsPattern = r.string();
        break;
      case 5:
        expectWireType(tag, 2);
        m.topicsHash = r.string();
        break;
      case 6:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandGetTopicsOfNamespace", ["requestId","namespace"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetTopicsOfNamespaceResponse` of PulsarApi.proto. */
export interface CommandGetTopicsOfNamespaceResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, repeated string. */
  topics?: readonly string[] | undefined;
  /** Field 3, bool. Absent means `false`. */
  filtered?: boolean | undefined;
  /** Field 4, string. */
  topicsHash?: string | undefined;
  /** Field 5, bool. Absent means `true`. */
  changed?: boolean | undefined;
}

export function encodeCommandGetTopicsOfNamespaceResponse(m: CommandGetTopicsOfNamespaceResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.topics !== undefined) for (const v of m.topics) w.uint32(18).string(v);
  if (m.filtered !== undefined) w.uint32(24).bool(m.filtered);
  if (m.topicsHash !== undefined) w.uint32(34).string(m.topicsHash);
  if (m.changed !== undefined) w.uint32(40).bool(m.changed);
  return w;
}

export function decodeCommandGetTopicsOfNamespaceResponse(r: Reader, length?: number): Decoded<CommandGetTopicsOfNamespaceResponse> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandGetTopicsOfNamespaceResponse>> = {
    requestId: 0,
    topics: NONE as readonly string[],
    filtered: undefined,
    topicsHash: undefined,
    changed: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.topics === NONE) m.topics = [];
        (m.topics as string[]).push(r.string());
        break;
      case 3:
        expectWireType(tag, 0);
        m.filtered = r.bool();
        break;
      case 4:
        expectWireType(tag, 2);
        m.topicsHash = r.string();
        break;
      case 5:
        expectWireType(tag, 0);
        m.changed = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandGetTopicsOfNamespaceResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTopicList` of PulsarApi.proto. */
export interface CommandWatchTopicList {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required uint64. */
  watcherId: Int64;
  /** Field 3, required string. */
  namespace: string;
  /** Field 4, required string. */
  topicsPattern: string;
  /** Field 5, string. */
  topicsHash?: string | undefined;
}

export function encodeCommandWatchTopicList(m: CommandWatchTopicList, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeExact64(w.uint32(16), m.watcherId);
  w.uint32(26).string(m.namespace);
  w.uint32(34).string(m.topicsPattern);
  if (m.topicsHash !== undefined) w.uint32(42).string(m.topicsHash);
  return w;
}

export function decodeCommandWatchTopicList(r: Reader, length?: number): CommandWatchTopicList {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchTopicList> = {
    requestId: 0,
    watcherId: 0,
    namespace: "",
    topicsPattern: "",
    topicsHash: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.watcherId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.namespace = r.string();
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.topicsPattern = r.string();
        seen |= 8;
        break;
      case 5:
        expectWireType(tag, 2);
        m.topicsHash = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 15) throw missingField("CommandWatchTopicList", ["requestId","watcherId","namespace","topicsPattern"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTopicListSuccess` of PulsarApi.proto. */
export interface CommandWatchTopicListSuccess {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required uint64. */
  watcherId: Int64;
  /** Field 3, repeated string. */
  topic?: readonly string[] | undefined;
  /** Field 4, required string. */
  topicsHash: string;
}

export function encodeCommandWatchTopicListSuccess(m: CommandWatchTopicListSuccess, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeExact64(w.uint32(16), m.watcherId);
  if (m.topic !== undefined) for (const v of m.topic) w.uint32(26).string(v);
  w.uint32(34).string(m.topicsHash);
  return w;
}

export function decodeCommandWatchTopicListSuccess(r: Reader, length?: number): Decoded<CommandWatchTopicListSuccess> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandWatchTopicListSuccess>> = {
    requestId: 0,
    watcherId: 0,
    topic: NONE as readonly string[],
    topicsHash: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.watcherId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.topic === NONE) m.topic = [];
        (m.topic as string[]).push(r.string());
        break;
      case 4:
        expectWireType(tag, 2);
        m.topicsHash = r.string();
        seen |= 4;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("CommandWatchTopicListSuccess", ["requestId","watcherId","topicsHash"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTopicUpdate` of PulsarApi.proto. */
export interface CommandWatchTopicUpdate {
  /** Field 1, required uint64. */
  watcherId: Int64;
  /** Field 2, repeated string. */
  newTopics?: readonly string[] | undefined;
  /** Field 3, repeated string. */
  deletedTopics?: readonly string[] | undefined;
  /** Field 4, required string. */
  topicsHash: string;
}

export function encodeCommandWatchTopicUpdate(m: CommandWatchTopicUpdate, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watcherId);
  if (m.newTopics !== undefined) for (const v of m.newTopics) w.uint32(18).string(v);
  if (m.deletedTopics !== undefined) for (const v of m.deletedTopics) w.uint32(26).string(v);
  w.uint32(34).string(m.topicsHash);
  return w;
}

export function decodeCommandWatchTopicUpdate(r: Reader, length?: number): Decoded<CommandWatchTopicUpdate> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandWatchTopicUpdate>> = {
    watcherId: 0,
    newTopics: NONE as readonly string[],
    deletedTopics: NONE as readonly string[],
    topicsHash: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watcherId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.newTopics === NONE) m.newTopics = [];
        (m.newTopics as string[]).push(r.string());
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.deletedTopics === NONE) m.deletedTopics = [];
        (m.deletedTopics as string[]).push(r.string());
        break;
      case 4:
        expectWireType(tag, 2);
        m.topicsHash = r.string();
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandWatchTopicUpdate", ["watcherId","topicsHash"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTopicListClose` of PulsarApi.proto. */
export interface CommandWatchTopicListClose {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required uint64. */
  watcherId: Int64;
}

export function encodeCommandWatchTopicListClose(m: CommandWatchTopicListClose, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeExact64(w.uint32(16), m.watcherId);
  return w;
}

export function decodeCommandWatchTopicListClose(r: Reader, length?: number): CommandWatchTopicListClose {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchTopicListClose> = {
    requestId: 0,
    watcherId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.watcherId = readExact64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandWatchTopicListClose", ["requestId","watcherId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandTopicMigratedResourceType` of PulsarApi.proto. */
export const CommandTopicMigratedResourceType = {
  Producer: 0,
  Consumer: 1,
} as const;
export type CommandTopicMigratedResourceType = (typeof CommandTopicMigratedResourceType)[keyof typeof CommandTopicMigratedResourceType];

/** `CommandTopicMigrated` of PulsarApi.proto. */
export interface CommandTopicMigrated {
  /** Field 1, required uint64. */
  resourceId: number;
  /** Field 2, required ResourceType. */
  resourceType: CommandTopicMigratedResourceType;
  /** Field 3, string. */
  brokerServiceUrl?: string | undefined;
  /** Field 4, string. */
  brokerServiceUrlTls?: string | undefined;
}

export function encodeCommandTopicMigrated(m: CommandTopicMigrated, w: Writer): Writer {
  writeInt64(w.uint32(8), m.resourceId);
  w.uint32(16).int32(m.resourceType);
  if (m.brokerServiceUrl !== undefined) w.uint32(26).string(m.brokerServiceUrl);
  if (m.brokerServiceUrlTls !== undefined) w.uint32(34).string(m.brokerServiceUrlTls);
  return w;
}

export function decodeCommandTopicMigrated(r: Reader, length?: number): CommandTopicMigrated {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandTopicMigrated> = {
    resourceId: 0,
    resourceType: 0 as CommandTopicMigratedResourceType,
    brokerServiceUrl: undefined,
    brokerServiceUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.resourceId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.resourceType = r.int32() as CommandTopicMigratedResourceType;
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.brokerServiceUrl = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.brokerServiceUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandTopicMigrated", ["resourceId","resourceType"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker: attach a producer to a topic. */
export interface CommandProducer {
  /** Field 1, required string. */
  topic: string;
  /** Field 2, required uint64. */
  producerId: number;
  /** Field 3, required uint64. */
  requestId: Int64;
  /** Field 4, string. */
  producerName?: string | undefined;
  /** Field 5, bool. Absent means `false`. */
  encrypted?: boolean | undefined;
  /** Field 6, repeated KeyValue. */
  metadata?: readonly KeyValue[] | undefined;
  /** Field 7, Schema. */
  schema?: Schema | undefined;
  /** Field 8, uint64. Absent means `0`. */
  epoch?: number | undefined;
  /** Field 9, bool. Absent means `true`. */
  userProvidedProducerName?: boolean | undefined;
  /** Field 10, ProducerAccessMode. Absent means `Shared`. */
  producerAccessMode?: ProducerAccessMode | undefined;
  /** Field 11, uint64. */
  topicEpoch?: number | undefined;
  /** Field 12, bool. Absent means `false`. */
  txnEnabled?: boolean | undefined;
  /** Field 13, string. */
  initialSubscriptionName?: string | undefined;
}

export function encodeCommandProducer(m: CommandProducer, w: Writer): Writer {
  w.uint32(10).string(m.topic);
  writeInt64(w.uint32(16), m.producerId);
  writeExact64(w.uint32(24), m.requestId);
  if (m.producerName !== undefined) w.uint32(34).string(m.producerName);
  if (m.encrypted !== undefined) w.uint32(40).bool(m.encrypted);
  if (m.metadata !== undefined) for (const v of m.metadata) encodeKeyValue(v, w.uint32(50).fork()).ldelim();
  if (m.schema !== undefined) encodeSchema(m.schema, w.uint32(58).fork()).ldelim();
  if (m.epoch !== undefined) writeInt64(w.uint32(64), m.epoch);
  if (m.userProvidedProducerName !== undefined) w.uint32(72).bool(m.userProvidedProducerName);
  if (m.producerAccessMode !== undefined) w.uint32(80).int32(m.producerAccessMode);
  if (m.topicEpoch !== undefined) writeInt64(w.uint32(88), m.topicEpoch);
  if (m.txnEnabled !== undefined) w.uint32(96).bool(m.txnEnabled);
  if (m.initialSubscriptionName !== undefined) w.uint32(106).string(m.initialSubscriptionName);
  return w;
}

export function decodeCommandProducer(r: Reader, length?: number): Decoded<CommandProducer> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandProducer>> = {
    topic: "",
    producerId: 0,
    requestId: 0,
    producerName: undefined,
    encrypted: undefined,
    metadata: NONE as readonly KeyValue[],
    schema: undefined,
    epoch: undefined,
    userProvidedProducerName: undefined,
    producerAccessMode: undefined,
    topicEpoch: undefined,
    txnEnabled: undefined,
    initialSubscriptionName: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.producerId = readInt64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.producerName = r.string();
        break;
      case 5:
        expectWireType(tag, 0);
        m.encrypted = r.bool();
        break;
      case 6:
        expectWireType(tag, 2);
        if (m.metadata === NONE) m.metadata = [];
        (m.metadata as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 7:
        expectWireType(tag, 2);
        m.schema = decodeSchema(r, r.uint32());
        break;
      case 8:
        expectWireType(tag, 0);
        m.epoch = readInt64(r);
        break;
      case 9:
        expectWireType(tag, 0);
        m.userProvidedProducerName = r.bool();
        break;
      case 10:
        expectWireType(tag, 0);
        m.producerAccessMode = r.int32() as ProducerAccessMode;
        break;
      case 11:
        expectWireType(tag, 0);
        m.topicEpoch = readInt64(r);
        break;
      case 12:
        expectWireType(tag, 0);
        m.txnEnabled = r.bool();
        break;
      case 13:
        expectWireType(tag, 2);
        m.initialSubscriptionName = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("CommandProducer", ["topic","producerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandProducerSuccess` of PulsarApi.proto. */
export interface CommandProducerSuccess {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required string. */
  producerName: string;
  /** Field 3, int64. Absent means `-1`. */
  lastSequenceId?: Int64 | undefined;
  /** Field 4, bytes. */
  schemaVersion?: Uint8Array | undefined;
  /** Field 5, uint64. */
  topicEpoch?: number | undefined;
  /** Field 6, bool. Absent means `true`. */
  producerReady?: boolean | undefined;
}

export function encodeCommandProducerSuccess(m: CommandProducerSuccess, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(18).string(m.producerName);
  if (m.lastSequenceId !== undefined) writeExact64(w.uint32(24), m.lastSequenceId);
  if (m.schemaVersion !== undefined) w.uint32(34).bytes(m.schemaVersion);
  if (m.topicEpoch !== undefined) writeInt64(w.uint32(40), m.topicEpoch);
  if (m.producerReady !== undefined) w.uint32(48).bool(m.producerReady);
  return w;
}

export function decodeCommandProducerSuccess(r: Reader, length?: number): CommandProducerSuccess {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandProducerSuccess> = {
    requestId: 0,
    producerName: "",
    lastSequenceId: undefined,
    schemaVersion: undefined,
    topicEpoch: undefined,
    producerReady: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.producerName = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.lastSequenceId = readExact64(r);
        break;
      case 4:
        expectWireType(tag, 2);
        m.schemaVersion = r.bytes();
        break;
      case 5:
        expectWireType(tag, 0);
        m.topicEpoch = readInt64(r);
        break;
      case 6:
        expectWireType(tag, 0);
        m.producerReady = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandProducerSuccess", ["requestId","producerName"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker; metadata and payload follow in the same frame. */
export interface CommandSend {
  /** Field 1, required uint64. */
  producerId: number;
  /** Field 2, required uint64. */
  sequenceId: Int64;
  /** Field 3, int32. Absent means `1`. */
  numMessages?: number | undefined;
  /** Field 4, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 5, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 6, uint64. Absent means `0`. */
  highestSequenceId?: Int64 | undefined;
  /** Field 7, bool. Absent means `false`. */
  isChunk?: boolean | undefined;
  /** Field 8, bool. Absent means `false`. */
  marker?: boolean | undefined;
  /** Field 9, MessageIdData. */
  messageId?: MessageIdData | undefined;
}

export function encodeCommandSend(m: CommandSend, w: Writer): Writer {
  writeInt64(w.uint32(8), m.producerId);
  writeExact64(w.uint32(16), m.sequenceId);
  if (m.numMessages !== undefined) w.uint32(24).int32(m.numMessages);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(32), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(40), m.txnidMostBits);
  if (m.highestSequenceId !== undefined) writeExact64(w.uint32(48), m.highestSequenceId);
  if (m.isChunk !== undefined) w.uint32(56).bool(m.isChunk);
  if (m.marker !== undefined) w.uint32(64).bool(m.marker);
  if (m.messageId !== undefined) encodeMessageIdData(m.messageId, w.uint32(74).fork()).ldelim();
  return w;
}

export function decodeCommandSend(r: Reader, length?: number): CommandSend {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandSend> = {
    producerId: 0,
    sequenceId: 0,
    numMessages: undefined,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    highestSequenceId: undefined,
    isChunk: undefined,
    marker: undefined,
    messageId: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.producerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.sequenceId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.numMessages = r.int32();
        break;
      case 4:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 5:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 6:
        expectWireType(tag, 0);
        m.highestSequenceId = readExact64(r);
        break;
      case 7:
        expectWireType(tag, 0);
        m.isChunk = r.bool();
        break;
      case 8:
        expectWireType(tag, 0);
        m.marker = r.bool();
        break;
      case 9:
        expectWireType(tag, 2);
        m.messageId = decodeMessageIdData(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandSend", ["producerId","sequenceId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Broker to client: the entry is stored under this id. */
export interface CommandSendReceipt {
  /** Field 1, required uint64. */
  producerId: number;
  /** Field 2, required uint64. */
  sequenceId: Int64;
  /** Field 3, MessageIdData. */
  messageId?: MessageIdData | undefined;
  /** Field 4, uint64. Absent means `0`. */
  highestSequenceId?: Int64 | undefined;
}

export function encodeCommandSendReceipt(m: CommandSendReceipt, w: Writer): Writer {
  writeInt64(w.uint32(8), m.producerId);
  writeExact64(w.uint32(16), m.sequenceId);
  if (m.messageId !== undefined) encodeMessageIdData(m.messageId, w.uint32(26).fork()).ldelim();
  if (m.highestSequenceId !== undefined) writeExact64(w.uint32(32), m.highestSequenceId);
  return w;
}

export function decodeCommandSendReceipt(r: Reader, length?: number): CommandSendReceipt {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandSendReceipt> = {
    producerId: 0,
    sequenceId: 0,
    messageId: undefined,
    highestSequenceId: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.producerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.sequenceId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.messageId = decodeMessageIdData(r, r.uint32());
        break;
      case 4:
        expectWireType(tag, 0);
        m.highestSequenceId = readExact64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandSendReceipt", ["producerId","sequenceId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Broker to client: the entry was not stored. */
export interface CommandSendError {
  /** Field 1, required uint64. */
  producerId: number;
  /** Field 2, required uint64. */
  sequenceId: Int64;
  /** Field 3, required ServerError. */
  error: ServerError;
  /** Field 4, required string. */
  message: string;
}

export function encodeCommandSendError(m: CommandSendError, w: Writer): Writer {
  writeInt64(w.uint32(8), m.producerId);
  writeExact64(w.uint32(16), m.sequenceId);
  w.uint32(24).int32(m.error);
  w.uint32(34).string(m.message);
  return w;
}

export function decodeCommandSendError(r: Reader, length?: number): CommandSendError {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandSendError> = {
    producerId: 0,
    sequenceId: 0,
    error: 0 as ServerError,
    message: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.producerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.sequenceId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.message = r.string();
        seen |= 8;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 15) throw missingField("CommandSendError", ["producerId","sequenceId","error","message"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandCloseProducer` of PulsarApi.proto. */
export interface CommandCloseProducer {
  /** Field 1, required uint64. */
  producerId: number;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, string. */
  assignedBrokerServiceUrl?: string | undefined;
  /** Field 4, string. */
  assignedBrokerServiceUrlTls?: string | undefined;
}

export function encodeCommandCloseProducer(m: CommandCloseProducer, w: Writer): Writer {
  writeInt64(w.uint32(8), m.producerId);
  writeExact64(w.uint32(16), m.requestId);
  if (m.assignedBrokerServiceUrl !== undefined) w.uint32(26).string(m.assignedBrokerServiceUrl);
  if (m.assignedBrokerServiceUrlTls !== undefined) w.uint32(34).string(m.assignedBrokerServiceUrlTls);
  return w;
}

export function decodeCommandCloseProducer(r: Reader, length?: number): CommandCloseProducer {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandCloseProducer> = {
    producerId: 0,
    requestId: 0,
    assignedBrokerServiceUrl: undefined,
    assignedBrokerServiceUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.producerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.assignedBrokerServiceUrl = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.assignedBrokerServiceUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandCloseProducer", ["producerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** How a Key_Shared consumer wants its share of the key hashes. */
export interface KeySharedMeta {
  /** Field 1, required KeySharedMode. */
  keySharedMode: KeySharedMode;
  /** Field 3, repeated IntRange. */
  hashRanges?: readonly IntRange[] | undefined;
  /** Field 4, bool. Absent means `false`. */
  allowOutOfOrderDelivery?: boolean | undefined;
  /** Field 5, bool. Absent means `false`. */
  entryBucketDispatch?: boolean | undefined;
}

export function encodeKeySharedMeta(m: KeySharedMeta, w: Writer): Writer {
  w.uint32(8).int32(m.keySharedMode);
  if (m.hashRanges !== undefined) for (const v of m.hashRanges) encodeIntRange(v, w.uint32(26).fork()).ldelim();
  if (m.allowOutOfOrderDelivery !== undefined) w.uint32(32).bool(m.allowOutOfOrderDelivery);
  if (m.entryBucketDispatch !== undefined) w.uint32(40).bool(m.entryBucketDispatch);
  return w;
}

export function decodeKeySharedMeta(r: Reader, length?: number): Decoded<KeySharedMeta> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<KeySharedMeta>> = {
    keySharedMode: 0 as KeySharedMode,
    hashRanges: NONE as readonly IntRange[],
    allowOutOfOrderDelivery: undefined,
    entryBucketDispatch: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.keySharedMode = r.int32() as KeySharedMode;
        seen |= 1;
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.hashRanges === NONE) m.hashRanges = [];
        (m.hashRanges as IntRange[]).push(decodeIntRange(r, r.uint32()));
        break;
      case 4:
        expectWireType(tag, 0);
        m.allowOutOfOrderDelivery = r.bool();
        break;
      case 5:
        expectWireType(tag, 0);
        m.entryBucketDispatch = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("KeySharedMeta", ["keySharedMode"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandSubscribeSubType` of PulsarApi.proto. */
export const CommandSubscribeSubType = {
  Exclusive: 0,
  Shared: 1,
  Failover: 2,
  Key_Shared: 3,
} as const;
export type CommandSubscribeSubType = (typeof CommandSubscribeSubType)[keyof typeof CommandSubscribeSubType];

/** `CommandSubscribeInitialPosition` of PulsarApi.proto. */
export const CommandSubscribeInitialPosition = {
  Latest: 0,
  Earliest: 1,
} as const;
export type CommandSubscribeInitialPosition = (typeof CommandSubscribeInitialPosition)[keyof typeof CommandSubscribeInitialPosition];

/** Client to broker: attach a consumer to a subscription. */
export interface CommandSubscribe {
  /** Field 1, required string. */
  topic: string;
  /** Field 2, required string. */
  subscription: string;
  /** Field 3, required SubType. */
  subType: CommandSubscribeSubType;
  /** Field 4, required uint64. */
  consumerId: number;
  /** Field 5, required uint64. */
  requestId: Int64;
  /** Field 6, string. */
  consumerName?: string | undefined;
  /** Field 7, int32. */
  priorityLevel?: number | undefined;
  /** Field 8, bool. Absent means `true`. */
  durable?: boolean | undefined;
  /** Field 9, MessageIdData. */
  startMessageId?: MessageIdData | undefined;
  /** Field 10, repeated KeyValue. */
  metadata?: readonly KeyValue[] | undefined;
  /** Field 11, bool. */
  readCompacted?: boolean | undefined;
  /** Field 12, Schema. */
  schema?: Schema | undefined;
  /** Field 13, InitialPosition. Absent means `Latest`. */
  initialPosition?: CommandSubscribeInitialPosition | undefined;
  /** Field 14, bool. */
  replicateSubscriptionState?: boolean | undefined;
  /** Field 15, bool. Absent means `true`. */
  forceTopicCreation?: boolean | undefined;
  /** Field 16, uint64. Absent means `0`. */
  startMessageRollbackDurationSec?: number | undefined;
  /** Field 17, KeySharedMeta. */
  keySharedMeta?: KeySharedMeta | undefined;
  /** Field 18, repeated KeyValue. */
  subscriptionProperties?: readonly KeyValue[] | undefined;
  /** Field 19, uint64. */
  consumerEpoch?: number | undefined;
}

export function encodeCommandSubscribe(m: CommandSubscribe, w: Writer): Writer {
  w.uint32(10).string(m.topic);
  w.uint32(18).string(m.subscription);
  w.uint32(24).int32(m.subType);
  writeInt64(w.uint32(32), m.consumerId);
  writeExact64(w.uint32(40), m.requestId);
  if (m.consumerName !== undefined) w.uint32(50).string(m.consumerName);
  if (m.priorityLevel !== undefined) w.uint32(56).int32(m.priorityLevel);
  if (m.durable !== undefined) w.uint32(64).bool(m.durable);
  if (m.startMessageId !== undefined) encodeMessageIdData(m.startMessageId, w.uint32(74).fork()).ldelim();
  if (m.metadata !== undefined) for (const v of m.metadata) encodeKeyValue(v, w.uint32(82).fork()).ldelim();
  if (m.readCompacted !== undefined) w.uint32(88).bool(m.readCompacted);
  if (m.schema !== undefined) encodeSchema(m.schema, w.uint32(98).fork()).ldelim();
  if (m.initialPosition !== undefined) w.uint32(104).int32(m.initialPosition);
  if (m.replicateSubscriptionState !== undefined) w.uint32(112).bool(m.replicateSubscriptionState);
  if (m.forceTopicCreation !== undefined) w.uint32(120).bool(m.forceTopicCreation);
  if (m.startMessageRollbackDurationSec !== undefined) writeInt64(w.uint32(128), m.startMessageRollbackDurationSec);
  if (m.keySharedMeta !== undefined) encodeKeySharedMeta(m.keySharedMeta, w.uint32(138).fork()).ldelim();
  if (m.subscriptionProperties !== undefined) for (const v of m.subscriptionProperties) encodeKeyValue(v, w.uint32(146).fork()).ldelim();
  if (m.consumerEpoch !== undefined) writeInt64(w.uint32(152), m.consumerEpoch);
  return w;
}

export function decodeCommandSubscribe(r: Reader, length?: number): Decoded<CommandSubscribe> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandSubscribe>> = {
    topic: "",
    subscription: "",
    subType: 0 as CommandSubscribeSubType,
    consumerId: 0,
    requestId: 0,
    consumerName: undefined,
    priorityLevel: undefined,
    durable: undefined,
    startMessageId: undefined,
    metadata: NONE as readonly KeyValue[],
    readCompacted: undefined,
    schema: undefined,
    initialPosition: undefined,
    replicateSubscriptionState: undefined,
    forceTopicCreation: undefined,
    startMessageRollbackDurationSec: undefined,
    keySharedMeta: undefined,
    subscriptionProperties: NONE as readonly KeyValue[],
    consumerEpoch: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.subscription = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.subType = r.int32() as CommandSubscribeSubType;
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 8;
        break;
      case 5:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 16;
        break;
      case 6:
        expectWireType(tag, 2);
        m.consumerName = r.string();
        break;
      case 7:
        expectWireType(tag, 0);
        m.priorityLevel = r.int32();
        break;
      case 8:
        expectWireType(tag, 0);
        m.durable = r.bool();
        break;
      case 9:
        expectWireType(tag, 2);
        m.startMessageId = decodeMessageIdData(r, r.uint32());
        break;
      case 10:
        expectWireType(tag, 2);
        if (m.metadata === NONE) m.metadata = [];
        (m.metadata as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 11:
        expectWireType(tag, 0);
        m.readCompacted = r.bool();
        break;
      case 12:
        expectWireType(tag, 2);
        m.schema = decodeSchema(r, r.uint32());
        break;
      case 13:
        expectWireType(tag, 0);
        m.initialPosition = r.int32() as CommandSubscribeInitialPosition;
        break;
      case 14:
        expectWireType(tag, 0);
        m.replicateSubscriptionState = r.bool();
        break;
      case 15:
        expectWireType(tag, 0);
        m.forceTopicCreation = r.bool();
        break;
      case 16:
        expectWireType(tag, 0);
        m.startMessageRollbackDurationSec = readInt64(r);
        break;
      case 17:
        expectWireType(tag, 2);
        m.keySharedMeta = decodeKeySharedMeta(r, r.uint32());
        break;
      case 18:
        expectWireType(tag, 2);
        if (m.subscriptionProperties === NONE) m.subscriptionProperties = [];
        (m.subscriptionProperties as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 19:
        expectWireType(tag, 0);
        m.consumerEpoch = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 31) throw missingField("CommandSubscribe", ["topic","subscription","subType","consumerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker: this many more messages may be pushed. */
export interface CommandFlow {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required uint32. */
  messagePermits: number;
}

export function encodeCommandFlow(m: CommandFlow, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  w.uint32(16).uint32(m.messagePermits);
  return w;
}

export function decodeCommandFlow(r: Reader, length?: number): CommandFlow {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandFlow> = {
    consumerId: 0,
    messagePermits: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.messagePermits = r.uint32();
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandFlow", ["consumerId","messagePermits"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Broker to client; metadata and payload follow in the same frame. */
export interface CommandMessage {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required MessageIdData. */
  messageId: MessageIdData;
  /** Field 3, uint32. Absent means `0`. */
  redeliveryCount?: number | undefined;
  /** Field 4, repeated int64. */
  ackSet?: readonly Bits64[] | undefined;
  /** Field 5, uint64. */
  consumerEpoch?: number | undefined;
}

export function encodeCommandMessage(m: CommandMessage, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  encodeMessageIdData(m.messageId, w.uint32(18).fork()).ldelim();
  if (m.redeliveryCount !== undefined) w.uint32(24).uint32(m.redeliveryCount);
  if (m.ackSet !== undefined) for (const v of m.ackSet) w.uint32(32).int64(v as unknown as number);
  if (m.consumerEpoch !== undefined) writeInt64(w.uint32(40), m.consumerEpoch);
  return w;
}

export function decodeCommandMessage(r: Reader, length?: number): Decoded<CommandMessage> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandMessage>> = {
    consumerId: 0,
    messageId: undefined as unknown as MessageIdData,
    redeliveryCount: undefined,
    ackSet: NONE as readonly Bits64[],
    consumerEpoch: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.messageId = decodeMessageIdData(r, r.uint32());
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.redeliveryCount = r.uint32();
        break;
      case 4:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.ackSet === NONE) m.ackSet = [];
            (m.ackSet as Bits64[]).push(readBits64(r));
          }
        } else {
          expectWireType(tag, 0);
          if (m.ackSet === NONE) m.ackSet = [];
          (m.ackSet as Bits64[]).push(readBits64(r));
        }
        break;
      case 5:
        expectWireType(tag, 0);
        m.consumerEpoch = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandMessage", ["consumerId","messageId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAckAckType` of PulsarApi.proto. */
export const CommandAckAckType = {
  Individual: 0,
  Cumulative: 1,
} as const;
export type CommandAckAckType = (typeof CommandAckAckType)[keyof typeof CommandAckAckType];

/** `CommandAckValidationError` of PulsarApi.proto. */
export const CommandAckValidationError = {
  UncompressedSizeCorruption: 0,
  DecompressionError: 1,
  ChecksumMismatch: 2,
  BatchDeSerializeError: 3,
  DecryptionError: 4,
} as const;
export type CommandAckValidationError = (typeof CommandAckValidationError)[keyof typeof CommandAckValidationError];

/** Client to broker. Answered only where request_id is set. */
export interface CommandAck {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required AckType. */
  ackType: CommandAckAckType;
  /** Field 3, repeated MessageIdData. */
  messageId?: readonly MessageIdData[] | undefined;
  /** Field 4, ValidationError. */
  validationError?: CommandAckValidationError | undefined;
  /** Field 5, repeated KeyLongValue. */
  properties?: readonly KeyLongValue[] | undefined;
  /** Field 6, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 7, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 8, uint64. */
  requestId?: Int64 | undefined;
}

export function encodeCommandAck(m: CommandAck, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  w.uint32(16).int32(m.ackType);
  if (m.messageId !== undefined) for (const v of m.messageId) encodeMessageIdData(v, w.uint32(26).fork()).ldelim();
  if (m.validationError !== undefined) w.uint32(32).int32(m.validationError);
  if (m.properties !== undefined) for (const v of m.properties) encodeKeyLongValue(v, w.uint32(42).fork()).ldelim();
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(48), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(56), m.txnidMostBits);
  if (m.requestId !== undefined) writeExact64(w.uint32(64), m.requestId);
  return w;
}

export function decodeCommandAck(r: Reader, length?: number): Decoded<CommandAck> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandAck>> = {
    consumerId: 0,
    ackType: 0 as CommandAckAckType,
    messageId: NONE as readonly MessageIdData[],
    validationError: undefined,
    properties: NONE as readonly KeyLongValue[],
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    requestId: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.ackType = r.int32() as CommandAckAckType;
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.messageId === NONE) m.messageId = [];
        (m.messageId as MessageIdData[]).push(decodeMessageIdData(r, r.uint32()));
        break;
      case 4:
        expectWireType(tag, 0);
        m.validationError = r.int32() as CommandAckValidationError;
        break;
      case 5:
        expectWireType(tag, 2);
        if (m.properties === NONE) m.properties = [];
        (m.properties as KeyLongValue[]).push(decodeKeyLongValue(r, r.uint32()));
        break;
      case 6:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 7:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 8:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandAck", ["consumerId","ackType"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAckResponse` of PulsarApi.proto. */
export interface CommandAckResponse {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
  /** Field 6, uint64. */
  requestId?: Int64 | undefined;
}

export function encodeCommandAckResponse(m: CommandAckResponse, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  if (m.requestId !== undefined) writeExact64(w.uint32(48), m.requestId);
  return w;
}

export function decodeCommandAckResponse(r: Reader, length?: number): CommandAckResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandAckResponse> = {
    consumerId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
    requestId: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      case 6:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandAckResponse", ["consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandRedeliverUnacknowledgedMessages` of PulsarApi.proto. */
export interface CommandRedeliverUnacknowledgedMessages {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, repeated MessageIdData. */
  messageIds?: readonly MessageIdData[] | undefined;
  /** Field 3, uint64. */
  consumerEpoch?: number | undefined;
}

export function encodeCommandRedeliverUnacknowledgedMessages(m: CommandRedeliverUnacknowledgedMessages, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  if (m.messageIds !== undefined) for (const v of m.messageIds) encodeMessageIdData(v, w.uint32(18).fork()).ldelim();
  if (m.consumerEpoch !== undefined) writeInt64(w.uint32(24), m.consumerEpoch);
  return w;
}

export function decodeCommandRedeliverUnacknowledgedMessages(r: Reader, length?: number): Decoded<CommandRedeliverUnacknowledgedMessages> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandRedeliverUnacknowledgedMessages>> = {
    consumerId: 0,
    messageIds: NONE as readonly MessageIdData[],
    consumerEpoch: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.messageIds === NONE) m.messageIds = [];
        (m.messageIds as MessageIdData[]).push(decodeMessageIdData(r, r.uint32()));
        break;
      case 3:
        expectWireType(tag, 0);
        m.consumerEpoch = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandRedeliverUnacknowledgedMessages", ["consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandActiveConsumerChange` of PulsarApi.proto. */
export interface CommandActiveConsumerChange {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, bool. Absent means `false`. */
  isActive?: boolean | undefined;
}

export function encodeCommandActiveConsumerChange(m: CommandActiveConsumerChange, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  if (m.isActive !== undefined) w.uint32(16).bool(m.isActive);
  return w;
}

export function decodeCommandActiveConsumerChange(r: Reader, length?: number): CommandActiveConsumerChange {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandActiveConsumerChange> = {
    consumerId: 0,
    isActive: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.isActive = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandActiveConsumerChange", ["consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** Client to broker: move the cursor to an id or a publish time. The broker drops the consumer afterwards. */
export interface CommandSeek {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, MessageIdData. */
  messageId?: MessageIdData | undefined;
  /** Field 4, uint64. */
  messagePublishTime?: number | undefined;
}

export function encodeCommandSeek(m: CommandSeek, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  writeExact64(w.uint32(16), m.requestId);
  if (m.messageId !== undefined) encodeMessageIdData(m.messageId, w.uint32(26).fork()).ldelim();
  if (m.messagePublishTime !== undefined) writeInt64(w.uint32(32), m.messagePublishTime);
  return w;
}

export function decodeCommandSeek(r: Reader, length?: number): CommandSeek {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandSeek> = {
    consumerId: 0,
    requestId: 0,
    messageId: undefined,
    messagePublishTime: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.messageId = decodeMessageIdData(r, r.uint32());
        break;
      case 4:
        expectWireType(tag, 0);
        m.messagePublishTime = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandSeek", ["consumerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandReachedEndOfTopic` of PulsarApi.proto. */
export interface CommandReachedEndOfTopic {
  /** Field 1, required uint64. */
  consumerId: number;
}

export function encodeCommandReachedEndOfTopic(m: CommandReachedEndOfTopic, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  return w;
}

export function decodeCommandReachedEndOfTopic(r: Reader, length?: number): CommandReachedEndOfTopic {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandReachedEndOfTopic> = {
    consumerId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandReachedEndOfTopic", ["consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandUnsubscribe` of PulsarApi.proto. */
export interface CommandUnsubscribe {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, bool. Absent means `false`. */
  force?: boolean | undefined;
}

export function encodeCommandUnsubscribe(m: CommandUnsubscribe, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  writeExact64(w.uint32(16), m.requestId);
  if (m.force !== undefined) w.uint32(24).bool(m.force);
  return w;
}

export function decodeCommandUnsubscribe(r: Reader, length?: number): CommandUnsubscribe {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandUnsubscribe> = {
    consumerId: 0,
    requestId: 0,
    force: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.force = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandUnsubscribe", ["consumerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandCloseConsumer` of PulsarApi.proto. */
export interface CommandCloseConsumer {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, string. */
  assignedBrokerServiceUrl?: string | undefined;
  /** Field 4, string. */
  assignedBrokerServiceUrlTls?: string | undefined;
}

export function encodeCommandCloseConsumer(m: CommandCloseConsumer, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  writeExact64(w.uint32(16), m.requestId);
  if (m.assignedBrokerServiceUrl !== undefined) w.uint32(26).string(m.assignedBrokerServiceUrl);
  if (m.assignedBrokerServiceUrlTls !== undefined) w.uint32(34).string(m.assignedBrokerServiceUrlTls);
  return w;
}

export function decodeCommandCloseConsumer(r: Reader, length?: number): CommandCloseConsumer {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandCloseConsumer> = {
    consumerId: 0,
    requestId: 0,
    assignedBrokerServiceUrl: undefined,
    assignedBrokerServiceUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.assignedBrokerServiceUrl = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.assignedBrokerServiceUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandCloseConsumer", ["consumerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandConsumerStats` of PulsarApi.proto. */
export interface CommandConsumerStats {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 4, required uint64. */
  consumerId: number;
}

export function encodeCommandConsumerStats(m: CommandConsumerStats, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeInt64(w.uint32(32), m.consumerId);
  return w;
}

export function decodeCommandConsumerStats(r: Reader, length?: number): CommandConsumerStats {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandConsumerStats> = {
    requestId: 0,
    consumerId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 4:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandConsumerStats", ["requestId","consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandConsumerStatsResponse` of PulsarApi.proto. */
export interface CommandConsumerStatsResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, ServerError. */
  errorCode?: ServerError | undefined;
  /** Field 3, string. */
  errorMessage?: string | undefined;
  /** Field 4, double. */
  msgRateOut?: number | undefined;
  /** Field 5, double. */
  msgThroughputOut?: number | undefined;
  /** Field 6, double. */
  msgRateRedeliver?: number | undefined;
  /** Field 7, string. */
  consumerName?: string | undefined;
  /** Field 8, uint64. */
  availablePermits?: number | undefined;
  /** Field 9, uint64. */
  unackedMessages?: number | undefined;
  /** Field 10, bool. */
  blockedConsumerOnUnackedMsgs?: boolean | undefined;
  /** Field 11, string. */
  address?: string | undefined;
  /** Field 12, string. */
  connectedSince?: string | undefined;
  /** Field 13, string. */
  type?: string | undefined;
  /** Field 14, double. */
  msgRateExpired?: number | undefined;
  /** Field 15, uint64. */
  msgBacklog?: number | undefined;
  /** Field 16, double. */
  messageAckRate?: number | undefined;
}

export function encodeCommandConsumerStatsResponse(m: CommandConsumerStatsResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.errorCode !== undefined) w.uint32(16).int32(m.errorCode);
  if (m.errorMessage !== undefined) w.uint32(26).string(m.errorMessage);
  if (m.msgRateOut !== undefined) w.uint32(33).double(m.msgRateOut);
  if (m.msgThroughputOut !== undefined) w.uint32(41).double(m.msgThroughputOut);
  if (m.msgRateRedeliver !== undefined) w.uint32(49).double(m.msgRateRedeliver);
  if (m.consumerName !== undefined) w.uint32(58).string(m.consumerName);
  if (m.availablePermits !== undefined) writeInt64(w.uint32(64), m.availablePermits);
  if (m.unackedMessages !== undefined) writeInt64(w.uint32(72), m.unackedMessages);
  if (m.blockedConsumerOnUnackedMsgs !== undefined) w.uint32(80).bool(m.blockedConsumerOnUnackedMsgs);
  if (m.address !== undefined) w.uint32(90).string(m.address);
  if (m.connectedSince !== undefined) w.uint32(98).string(m.connectedSince);
  if (m.type !== undefined) w.uint32(106).string(m.type);
  if (m.msgRateExpired !== undefined) w.uint32(113).double(m.msgRateExpired);
  if (m.msgBacklog !== undefined) writeInt64(w.uint32(120), m.msgBacklog);
  if (m.messageAckRate !== undefined) w.uint32(129).double(m.messageAckRate);
  return w;
}

export function decodeCommandConsumerStatsResponse(r: Reader, length?: number): CommandConsumerStatsResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandConsumerStatsResponse> = {
    requestId: 0,
    errorCode: undefined,
    errorMessage: undefined,
    msgRateOut: undefined,
    msgThroughputOut: undefined,
    msgRateRedeliver: undefined,
    consumerName: undefined,
    availablePermits: undefined,
    unackedMessages: undefined,
    blockedConsumerOnUnackedMsgs: undefined,
    address: undefined,
    connectedSince: undefined,
    type: undefined,
    msgRateExpired: undefined,
    msgBacklog: undefined,
    messageAckRate: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.errorCode = r.int32() as ServerError;
        break;
      case 3:
        expectWireType(tag, 2);
        m.errorMessage = r.string();
        break;
      case 4:
        expectWireType(tag, 1);
        m.msgRateOut = r.double();
        break;
      case 5:
        expectWireType(tag, 1);
        m.msgThroughputOut = r.double();
        break;
      case 6:
        expectWireType(tag, 1);
        m.msgRateRedeliver = r.double();
        break;
      case 7:
        expectWireType(tag, 2);
        m.consumerName = r.string();
        break;
      case 8:
        expectWireType(tag, 0);
        m.availablePermits = readInt64(r);
        break;
      case 9:
        expectWireType(tag, 0);
        m.unackedMessages = readInt64(r);
        break;
      case 10:
        expectWireType(tag, 0);
        m.blockedConsumerOnUnackedMsgs = r.bool();
        break;
      case 11:
        expectWireType(tag, 2);
        m.address = r.string();
        break;
      case 12:
        expectWireType(tag, 2);
        m.connectedSince = r.string();
        break;
      case 13:
        expectWireType(tag, 2);
        m.type = r.string();
        break;
      case 14:
        expectWireType(tag, 1);
        m.msgRateExpired = r.double();
        break;
      case 15:
        expectWireType(tag, 0);
        m.msgBacklog = readInt64(r);
        break;
      case 16:
        expectWireType(tag, 1);
        m.messageAckRate = r.double();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandConsumerStatsResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetLastMessageId` of PulsarApi.proto. */
export interface CommandGetLastMessageId {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required uint64. */
  requestId: Int64;
}

export function encodeCommandGetLastMessageId(m: CommandGetLastMessageId, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  writeExact64(w.uint32(16), m.requestId);
  return w;
}

export function decodeCommandGetLastMessageId(r: Reader, length?: number): CommandGetLastMessageId {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetLastMessageId> = {
    consumerId: 0,
    requestId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandGetLastMessageId", ["consumerId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetLastMessageIdResponse` of PulsarApi.proto. */
export interface CommandGetLastMessageIdResponse {
  /** Field 1, required MessageIdData. */
  lastMessageId: MessageIdData;
  /** Field 2, required uint64. */
  requestId: Int64;
  /** Field 3, MessageIdData. */
  consumerMarkDeletePosition?: MessageIdData | undefined;
}

export function encodeCommandGetLastMessageIdResponse(m: CommandGetLastMessageIdResponse, w: Writer): Writer {
  encodeMessageIdData(m.lastMessageId, w.uint32(10).fork()).ldelim();
  writeExact64(w.uint32(16), m.requestId);
  if (m.consumerMarkDeletePosition !== undefined) encodeMessageIdData(m.consumerMarkDeletePosition, w.uint32(26).fork()).ldelim();
  return w;
}

export function decodeCommandGetLastMessageIdResponse(r: Reader, length?: number): CommandGetLastMessageIdResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetLastMessageIdResponse> = {
    lastMessageId: undefined as unknown as MessageIdData,
    requestId: 0,
    consumerMarkDeletePosition: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.lastMessageId = decodeMessageIdData(r, r.uint32());
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.consumerMarkDeletePosition = decodeMessageIdData(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandGetLastMessageIdResponse", ["lastMessageId","requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandSuccess` of PulsarApi.proto. */
export interface CommandSuccess {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, Schema. */
  schema?: Schema | undefined;
}

export function encodeCommandSuccess(m: CommandSuccess, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.schema !== undefined) encodeSchema(m.schema, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeCommandSuccess(r: Reader, length?: number): CommandSuccess {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandSuccess> = {
    requestId: 0,
    schema: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.schema = decodeSchema(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandSuccess", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandError` of PulsarApi.proto. */
export interface CommandError {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required ServerError. */
  error: ServerError;
  /** Field 3, required string. */
  message: string;
}

export function encodeCommandError(m: CommandError, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(16).int32(m.error);
  w.uint32(26).string(m.message);
  return w;
}

export function decodeCommandError(r: Reader, length?: number): CommandError {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandError> = {
    requestId: 0,
    error: 0 as ServerError,
    message: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.message = r.string();
        seen |= 4;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("CommandError", ["requestId","error","message"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetSchema` of PulsarApi.proto. */
export interface CommandGetSchema {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required string. */
  topic: string;
  /** Field 3, bytes. */
  schemaVersion?: Uint8Array | undefined;
}

export function encodeCommandGetSchema(m: CommandGetSchema, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(18).string(m.topic);
  if (m.schemaVersion !== undefined) w.uint32(26).bytes(m.schemaVersion);
  return w;
}

export function decodeCommandGetSchema(r: Reader, length?: number): CommandGetSchema {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetSchema> = {
    requestId: 0,
    topic: "",
    schemaVersion: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.schemaVersion = r.bytes();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandGetSchema", ["requestId","topic"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetSchemaResponse` of PulsarApi.proto. */
export interface CommandGetSchemaResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, ServerError. */
  errorCode?: ServerError | undefined;
  /** Field 3, string. */
  errorMessage?: string | undefined;
  /** Field 4, Schema. */
  schema?: Schema | undefined;
  /** Field 5, bytes. */
  schemaVersion?: Uint8Array | undefined;
}

export function encodeCommandGetSchemaResponse(m: CommandGetSchemaResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.errorCode !== undefined) w.uint32(16).int32(m.errorCode);
  if (m.errorMessage !== undefined) w.uint32(26).string(m.errorMessage);
  if (m.schema !== undefined) encodeSchema(m.schema, w.uint32(34).fork()).ldelim();
  if (m.schemaVersion !== undefined) w.uint32(42).bytes(m.schemaVersion);
  return w;
}

export function decodeCommandGetSchemaResponse(r: Reader, length?: number): CommandGetSchemaResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetSchemaResponse> = {
    requestId: 0,
    errorCode: undefined,
    errorMessage: undefined,
    schema: undefined,
    schemaVersion: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.errorCode = r.int32() as ServerError;
        break;
      case 3:
        expectWireType(tag, 2);
        m.errorMessage = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.schema = decodeSchema(r, r.uint32());
        break;
      case 5:
        expectWireType(tag, 2);
        m.schemaVersion = r.bytes();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandGetSchemaResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetOrCreateSchema` of PulsarApi.proto. */
export interface CommandGetOrCreateSchema {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required string. */
  topic: string;
  /** Field 3, required Schema. */
  schema: Schema;
  /** Field 4, string. */
  producerName?: string | undefined;
}

export function encodeCommandGetOrCreateSchema(m: CommandGetOrCreateSchema, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(18).string(m.topic);
  encodeSchema(m.schema, w.uint32(26).fork()).ldelim();
  if (m.producerName !== undefined) w.uint32(34).string(m.producerName);
  return w;
}

export function decodeCommandGetOrCreateSchema(r: Reader, length?: number): CommandGetOrCreateSchema {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetOrCreateSchema> = {
    requestId: 0,
    topic: "",
    schema: undefined as unknown as Schema,
    producerName: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.schema = decodeSchema(r, r.uint32());
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.producerName = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 7) throw missingField("CommandGetOrCreateSchema", ["requestId","topic","schema"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandGetOrCreateSchemaResponse` of PulsarApi.proto. */
export interface CommandGetOrCreateSchemaResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, ServerError. */
  errorCode?: ServerError | undefined;
  /** Field 3, string. */
  errorMessage?: string | undefined;
  /** Field 4, bytes. */
  schemaVersion?: Uint8Array | undefined;
}

export function encodeCommandGetOrCreateSchemaResponse(m: CommandGetOrCreateSchemaResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.errorCode !== undefined) w.uint32(16).int32(m.errorCode);
  if (m.errorMessage !== undefined) w.uint32(26).string(m.errorMessage);
  if (m.schemaVersion !== undefined) w.uint32(34).bytes(m.schemaVersion);
  return w;
}

export function decodeCommandGetOrCreateSchemaResponse(r: Reader, length?: number): CommandGetOrCreateSchemaResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandGetOrCreateSchemaResponse> = {
    requestId: 0,
    errorCode: undefined,
    errorMessage: undefined,
    schemaVersion: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.errorCode = r.int32() as ServerError;
        break;
      case 3:
        expectWireType(tag, 2);
        m.errorMessage = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.schemaVersion = r.bytes();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandGetOrCreateSchemaResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandTcClientConnectRequest` of PulsarApi.proto. */
export interface CommandTcClientConnectRequest {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required uint64. Absent means `0`. */
  tcId: number;
  /** Field 3, bool. Absent means `false`. */
  scalable?: boolean | undefined;
}

export function encodeCommandTcClientConnectRequest(m: CommandTcClientConnectRequest, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeInt64(w.uint32(16), m.tcId);
  if (m.scalable !== undefined) w.uint32(24).bool(m.scalable);
  return w;
}

export function decodeCommandTcClientConnectRequest(r: Reader, length?: number): CommandTcClientConnectRequest {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandTcClientConnectRequest> = {
    requestId: 0,
    tcId: 0,
    scalable: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.tcId = readInt64(r);
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.scalable = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandTcClientConnectRequest", ["requestId","tcId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandTcClientConnectResponse` of PulsarApi.proto. */
export interface CommandTcClientConnectResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, ServerError. */
  error?: ServerError | undefined;
  /** Field 3, string. */
  message?: string | undefined;
}

export function encodeCommandTcClientConnectResponse(m: CommandTcClientConnectResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.error !== undefined) w.uint32(16).int32(m.error);
  if (m.message !== undefined) w.uint32(26).string(m.message);
  return w;
}

export function decodeCommandTcClientConnectResponse(r: Reader, length?: number): CommandTcClientConnectResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandTcClientConnectResponse> = {
    requestId: 0,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 3:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandTcClientConnectResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandNewTxn` of PulsarApi.proto. */
export interface CommandNewTxn {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnTtlMillis?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  tcId?: number | undefined;
  /** Field 4, bool. Absent means `false`. */
  scalable?: boolean | undefined;
}

export function encodeCommandNewTxn(m: CommandNewTxn, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnTtlMillis !== undefined) writeInt64(w.uint32(16), m.txnTtlMillis);
  if (m.tcId !== undefined) writeInt64(w.uint32(24), m.tcId);
  if (m.scalable !== undefined) w.uint32(32).bool(m.scalable);
  return w;
}

export function decodeCommandNewTxn(r: Reader, length?: number): CommandNewTxn {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandNewTxn> = {
    requestId: 0,
    txnTtlMillis: undefined,
    tcId: undefined,
    scalable: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnTtlMillis = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.tcId = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.scalable = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandNewTxn", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandNewTxnResponse` of PulsarApi.proto. */
export interface CommandNewTxnResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandNewTxnResponse(m: CommandNewTxnResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandNewTxnResponse(r: Reader, length?: number): CommandNewTxnResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandNewTxnResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandNewTxnResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAddPartitionToTxn` of PulsarApi.proto. */
export interface CommandAddPartitionToTxn {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, repeated string. */
  partitions?: readonly string[] | undefined;
  /** Field 5, bool. Absent means `false`. */
  scalable?: boolean | undefined;
}

export function encodeCommandAddPartitionToTxn(m: CommandAddPartitionToTxn, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.partitions !== undefined) for (const v of m.partitions) w.uint32(34).string(v);
  if (m.scalable !== undefined) w.uint32(40).bool(m.scalable);
  return w;
}

export function decodeCommandAddPartitionToTxn(r: Reader, length?: number): Decoded<CommandAddPartitionToTxn> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandAddPartitionToTxn>> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    partitions: NONE as readonly string[],
    scalable: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 2);
        if (m.partitions === NONE) m.partitions = [];
        (m.partitions as string[]).push(r.string());
        break;
      case 5:
        expectWireType(tag, 0);
        m.scalable = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandAddPartitionToTxn", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAddPartitionToTxnResponse` of PulsarApi.proto. */
export interface CommandAddPartitionToTxnResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandAddPartitionToTxnResponse(m: CommandAddPartitionToTxnResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandAddPartitionToTxnResponse(r: Reader, length?: number): CommandAddPartitionToTxnResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandAddPartitionToTxnResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandAddPartitionToTxnResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `Subscription` of PulsarApi.proto. */
export interface Subscription {
  /** Field 1, required string. */
  topic: string;
  /** Field 2, required string. */
  subscription: string;
}

export function encodeSubscription(m: Subscription, w: Writer): Writer {
  w.uint32(10).string(m.topic);
  w.uint32(18).string(m.subscription);
  return w;
}

export function decodeSubscription(r: Reader, length?: number): Subscription {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Subscription> = {
    topic: "",
    subscription: "",
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.subscription = r.string();
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("Subscription", ["topic","subscription"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAddSubscriptionToTxn` of PulsarApi.proto. */
export interface CommandAddSubscriptionToTxn {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, repeated Subscription. */
  subscription?: readonly Subscription[] | undefined;
  /** Field 5, bool. Absent means `false`. */
  scalable?: boolean | undefined;
}

export function encodeCommandAddSubscriptionToTxn(m: CommandAddSubscriptionToTxn, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.subscription !== undefined) for (const v of m.subscription) encodeSubscription(v, w.uint32(34).fork()).ldelim();
  if (m.scalable !== undefined) w.uint32(40).bool(m.scalable);
  return w;
}

export function decodeCommandAddSubscriptionToTxn(r: Reader, length?: number): Decoded<CommandAddSubscriptionToTxn> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandAddSubscriptionToTxn>> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    subscription: NONE as readonly Subscription[],
    scalable: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 2);
        if (m.subscription === NONE) m.subscription = [];
        (m.subscription as Subscription[]).push(decodeSubscription(r, r.uint32()));
        break;
      case 5:
        expectWireType(tag, 0);
        m.scalable = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandAddSubscriptionToTxn", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandAddSubscriptionToTxnResponse` of PulsarApi.proto. */
export interface CommandAddSubscriptionToTxnResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandAddSubscriptionToTxnResponse(m: CommandAddSubscriptionToTxnResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandAddSubscriptionToTxnResponse(r: Reader, length?: number): CommandAddSubscriptionToTxnResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandAddSubscriptionToTxnResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandAddSubscriptionToTxnResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxn` of PulsarApi.proto. */
export interface CommandEndTxn {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, TxnAction. */
  txnAction?: TxnAction | undefined;
  /** Field 5, bool. Absent means `false`. */
  scalable?: boolean | undefined;
}

export function encodeCommandEndTxn(m: CommandEndTxn, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.txnAction !== undefined) w.uint32(32).int32(m.txnAction);
  if (m.scalable !== undefined) w.uint32(40).bool(m.scalable);
  return w;
}

export function decodeCommandEndTxn(r: Reader, length?: number): CommandEndTxn {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxn> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    txnAction: undefined,
    scalable: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.txnAction = r.int32() as TxnAction;
        break;
      case 5:
        expectWireType(tag, 0);
        m.scalable = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxn", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxnResponse` of PulsarApi.proto. */
export interface CommandEndTxnResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandEndTxnResponse(m: CommandEndTxnResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandEndTxnResponse(r: Reader, length?: number): CommandEndTxnResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxnResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxnResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxnOnPartition` of PulsarApi.proto. */
export interface CommandEndTxnOnPartition {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, string. */
  topic?: string | undefined;
  /** Field 5, TxnAction. */
  txnAction?: TxnAction | undefined;
  /** Field 6, uint64. */
  txnidLeastBitsOfLowWatermark?: number | undefined;
}

export function encodeCommandEndTxnOnPartition(m: CommandEndTxnOnPartition, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.topic !== undefined) w.uint32(34).string(m.topic);
  if (m.txnAction !== undefined) w.uint32(40).int32(m.txnAction);
  if (m.txnidLeastBitsOfLowWatermark !== undefined) writeInt64(w.uint32(48), m.txnidLeastBitsOfLowWatermark);
  return w;
}

export function decodeCommandEndTxnOnPartition(r: Reader, length?: number): CommandEndTxnOnPartition {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxnOnPartition> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    topic: undefined,
    txnAction: undefined,
    txnidLeastBitsOfLowWatermark: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 2);
        m.topic = r.string();
        break;
      case 5:
        expectWireType(tag, 0);
        m.txnAction = r.int32() as TxnAction;
        break;
      case 6:
        expectWireType(tag, 0);
        m.txnidLeastBitsOfLowWatermark = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxnOnPartition", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxnOnPartitionResponse` of PulsarApi.proto. */
export interface CommandEndTxnOnPartitionResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandEndTxnOnPartitionResponse(m: CommandEndTxnOnPartitionResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandEndTxnOnPartitionResponse(r: Reader, length?: number): CommandEndTxnOnPartitionResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxnOnPartitionResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxnOnPartitionResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxnOnSubscription` of PulsarApi.proto. */
export interface CommandEndTxnOnSubscription {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, Subscription. */
  subscription?: Subscription | undefined;
  /** Field 5, TxnAction. */
  txnAction?: TxnAction | undefined;
  /** Field 6, uint64. */
  txnidLeastBitsOfLowWatermark?: number | undefined;
}

export function encodeCommandEndTxnOnSubscription(m: CommandEndTxnOnSubscription, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.subscription !== undefined) encodeSubscription(m.subscription, w.uint32(34).fork()).ldelim();
  if (m.txnAction !== undefined) w.uint32(40).int32(m.txnAction);
  if (m.txnidLeastBitsOfLowWatermark !== undefined) writeInt64(w.uint32(48), m.txnidLeastBitsOfLowWatermark);
  return w;
}

export function decodeCommandEndTxnOnSubscription(r: Reader, length?: number): CommandEndTxnOnSubscription {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxnOnSubscription> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    subscription: undefined,
    txnAction: undefined,
    txnidLeastBitsOfLowWatermark: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 2);
        m.subscription = decodeSubscription(r, r.uint32());
        break;
      case 5:
        expectWireType(tag, 0);
        m.txnAction = r.int32() as TxnAction;
        break;
      case 6:
        expectWireType(tag, 0);
        m.txnidLeastBitsOfLowWatermark = readInt64(r);
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxnOnSubscription", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandEndTxnOnSubscriptionResponse` of PulsarApi.proto. */
export interface CommandEndTxnOnSubscriptionResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, uint64. Absent means `0`. */
  txnidLeastBits?: number | undefined;
  /** Field 3, uint64. Absent means `0`. */
  txnidMostBits?: number | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandEndTxnOnSubscriptionResponse(m: CommandEndTxnOnSubscriptionResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.txnidLeastBits !== undefined) writeInt64(w.uint32(16), m.txnidLeastBits);
  if (m.txnidMostBits !== undefined) writeInt64(w.uint32(24), m.txnidMostBits);
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandEndTxnOnSubscriptionResponse(r: Reader, length?: number): CommandEndTxnOnSubscriptionResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandEndTxnOnSubscriptionResponse> = {
    requestId: 0,
    txnidLeastBits: undefined,
    txnidMostBits: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.txnidLeastBits = readInt64(r);
        break;
      case 3:
        expectWireType(tag, 0);
        m.txnidMostBits = readInt64(r);
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandEndTxnOnSubscriptionResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `TcAssignment` of PulsarApi.proto. */
export interface TcAssignment {
  /** Field 1, required uint64. */
  tcId: number;
  /** Field 2, string. */
  brokerServiceUrl?: string | undefined;
  /** Field 3, string. */
  brokerServiceUrlTls?: string | undefined;
}

export function encodeTcAssignment(m: TcAssignment, w: Writer): Writer {
  writeInt64(w.uint32(8), m.tcId);
  if (m.brokerServiceUrl !== undefined) w.uint32(18).string(m.brokerServiceUrl);
  if (m.brokerServiceUrlTls !== undefined) w.uint32(26).string(m.brokerServiceUrlTls);
  return w;
}

export function decodeTcAssignment(r: Reader, length?: number): TcAssignment {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<TcAssignment> = {
    tcId: 0,
    brokerServiceUrl: undefined,
    brokerServiceUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.tcId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.brokerServiceUrl = r.string();
        break;
      case 3:
        expectWireType(tag, 2);
        m.brokerServiceUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("TcAssignment", ["tcId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `TcAssignmentsSnapshot` of PulsarApi.proto. */
export interface TcAssignmentsSnapshot {
  /** Field 1, required uint32. */
  parallelism: number;
  /** Field 2, repeated TcAssignment. */
  assignments?: readonly TcAssignment[] | undefined;
}

export function encodeTcAssignmentsSnapshot(m: TcAssignmentsSnapshot, w: Writer): Writer {
  w.uint32(8).uint32(m.parallelism);
  if (m.assignments !== undefined) for (const v of m.assignments) encodeTcAssignment(v, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeTcAssignmentsSnapshot(r: Reader, length?: number): Decoded<TcAssignmentsSnapshot> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<TcAssignmentsSnapshot>> = {
    parallelism: 0,
    assignments: NONE as readonly TcAssignment[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.parallelism = r.uint32();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.assignments === NONE) m.assignments = [];
        (m.assignments as TcAssignment[]).push(decodeTcAssignment(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("TcAssignmentsSnapshot", ["parallelism"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTcAssignments` of PulsarApi.proto. */
export interface CommandWatchTcAssignments {
  /** Field 1, required uint64. */
  watchId: Int64;
}

export function encodeCommandWatchTcAssignments(m: CommandWatchTcAssignments, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  return w;
}

export function decodeCommandWatchTcAssignments(r: Reader, length?: number): CommandWatchTcAssignments {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchTcAssignments> = {
    watchId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandWatchTcAssignments", ["watchId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTcAssignmentsUpdate` of PulsarApi.proto. */
export interface CommandWatchTcAssignmentsUpdate {
  /** Field 1, required uint64. */
  watchId: Int64;
  /** Field 2, TcAssignmentsSnapshot. */
  snapshot?: TcAssignmentsSnapshot | undefined;
  /** Field 3, ServerError. */
  error?: ServerError | undefined;
  /** Field 4, string. */
  message?: string | undefined;
}

export function encodeCommandWatchTcAssignmentsUpdate(m: CommandWatchTcAssignmentsUpdate, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  if (m.snapshot !== undefined) encodeTcAssignmentsSnapshot(m.snapshot, w.uint32(18).fork()).ldelim();
  if (m.error !== undefined) w.uint32(24).int32(m.error);
  if (m.message !== undefined) w.uint32(34).string(m.message);
  return w;
}

export function decodeCommandWatchTcAssignmentsUpdate(r: Reader, length?: number): CommandWatchTcAssignmentsUpdate {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchTcAssignmentsUpdate> = {
    watchId: 0,
    snapshot: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.snapshot = decodeTcAssignmentsSnapshot(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 4:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandWatchTcAssignmentsUpdate", ["watchId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchTcAssignmentsClose` of PulsarApi.proto. */
export interface CommandWatchTcAssignmentsClose {
  /** Field 1, required uint64. */
  watchId: Int64;
}

export function encodeCommandWatchTcAssignmentsClose(m: CommandWatchTcAssignmentsClose, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  return w;
}

export function decodeCommandWatchTcAssignmentsClose(r: Reader, length?: number): CommandWatchTcAssignmentsClose {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchTcAssignmentsClose> = {
    watchId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandWatchTcAssignmentsClose", ["watchId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `SegmentState` of PulsarApi.proto. */
export const SegmentState = {
  ACTIVE: 0,
  SEALED: 1,
} as const;
export type SegmentState = (typeof SegmentState)[keyof typeof SegmentState];

/** `ScalableConsumerType` of PulsarApi.proto. */
export const ScalableConsumerType = {
  STREAM: 0,
  CHECKPOINT: 1,
} as const;
export type ScalableConsumerType = (typeof ScalableConsumerType)[keyof typeof ScalableConsumerType];

/** `SegmentInfoProto` of PulsarApi.proto. */
export interface SegmentInfoProto {
  /** Field 1, required uint64. */
  segmentId: number;
  /** Field 2, required uint32. */
  hashStart: number;
  /** Field 3, required uint32. */
  hashEnd: number;
  /** Field 4, required SegmentState. */
  state: SegmentState;
  /** Field 5, repeated uint64. */
  parentIds?: readonly number[] | undefined;
  /** Field 6, repeated uint64. */
  childIds?: readonly number[] | undefined;
  /** Field 7, required uint64. */
  createdAtEpoch: number;
  /** Field 8, uint64. */
  sealedAtEpoch?: number | undefined;
  /** Field 9, required uint64. */
  createdAtMs: number;
  /** Field 10, uint64. */
  sealedAtMs?: number | undefined;
  /** Field 11, string. */
  legacyTopicName?: string | undefined;
  /** Field 12, repeated int32. */
  entryBucketSplits?: readonly number[] | undefined;
}

export function encodeSegmentInfoProto(m: SegmentInfoProto, w: Writer): Writer {
  writeInt64(w.uint32(8), m.segmentId);
  w.uint32(16).uint32(m.hashStart);
  w.uint32(24).uint32(m.hashEnd);
  w.uint32(32).int32(m.state);
  if (m.parentIds !== undefined) for (const v of m.parentIds) writeInt64(w.uint32(40), v);
  if (m.childIds !== undefined) for (const v of m.childIds) writeInt64(w.uint32(48), v);
  writeInt64(w.uint32(56), m.createdAtEpoch);
  if (m.sealedAtEpoch !== undefined) writeInt64(w.uint32(64), m.sealedAtEpoch);
  writeInt64(w.uint32(72), m.createdAtMs);
  if (m.sealedAtMs !== undefined) writeInt64(w.uint32(80), m.sealedAtMs);
  if (m.legacyTopicName !== undefined) w.uint32(90).string(m.legacyTopicName);
  if (m.entryBucketSplits !== undefined) for (const v of m.entryBucketSplits) w.uint32(96).int32(v);
  return w;
}

export function decodeSegmentInfoProto(r: Reader, length?: number): Decoded<SegmentInfoProto> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<SegmentInfoProto>> = {
    segmentId: 0,
    hashStart: 0,
    hashEnd: 0,
    state: 0 as SegmentState,
    parentIds: NONE as readonly number[],
    childIds: NONE as readonly number[],
    createdAtEpoch: 0,
    sealedAtEpoch: undefined,
    createdAtMs: 0,
    sealedAtMs: undefined,
    legacyTopicName: undefined,
    entryBucketSplits: NONE as readonly number[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.segmentId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.hashStart = r.uint32();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.hashEnd = r.uint32();
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 0);
        m.state = r.int32() as SegmentState;
        seen |= 8;
        break;
      case 5:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.parentIds === NONE) m.parentIds = [];
            (m.parentIds as number[]).push(readInt64(r));
          }
        } else {
          expectWireType(tag, 0);
          if (m.parentIds === NONE) m.parentIds = [];
          (m.parentIds as number[]).push(readInt64(r));
        }
        break;
      case 6:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.childIds === NONE) m.childIds = [];
            (m.childIds as number[]).push(readInt64(r));
          }
        } else {
          expectWireType(tag, 0);
          if (m.childIds === NONE) m.childIds = [];
          (m.childIds as number[]).push(readInt64(r));
        }
        break;
      case 7:
        expectWireType(tag, 0);
        m.createdAtEpoch = readInt64(r);
        seen |= 16;
        break;
      case 8:
        expectWireType(tag, 0);
        m.sealedAtEpoch = readInt64(r);
        break;
      case 9:
        expectWireType(tag, 0);
        m.createdAtMs = readInt64(r);
        seen |= 32;
        break;
      case 10:
        expectWireType(tag, 0);
        m.sealedAtMs = readInt64(r);
        break;
      case 11:
        expectWireType(tag, 2);
        m.legacyTopicName = r.string();
        break;
      case 12:
        if ((tag & 7) === 2) {
          const packedEnd = endOf(r, r.uint32());
          while (r.pos < packedEnd) {
            if (m.entryBucketSplits === NONE) m.entryBucketSplits = [];
            (m.entryBucketSplits as number[]).push(r.int32());
          }
        } else {
          expectWireType(tag, 0);
          if (m.entryBucketSplits === NONE) m.entryBucketSplits = [];
          (m.entryBucketSplits as number[]).push(r.int32());
        }
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 63) throw missingField("SegmentInfoProto", ["segmentId","hashStart","hashEnd","state","createdAtEpoch","createdAtMs"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `SegmentBrokerAddress` of PulsarApi.proto. */
export interface SegmentBrokerAddress {
  /** Field 1, required uint64. */
  segmentId: number;
  /** Field 2, required string. */
  brokerUrl: string;
  /** Field 3, string. */
  brokerUrlTls?: string | undefined;
}

export function encodeSegmentBrokerAddress(m: SegmentBrokerAddress, w: Writer): Writer {
  writeInt64(w.uint32(8), m.segmentId);
  w.uint32(18).string(m.brokerUrl);
  if (m.brokerUrlTls !== undefined) w.uint32(26).string(m.brokerUrlTls);
  return w;
}

export function decodeSegmentBrokerAddress(r: Reader, length?: number): SegmentBrokerAddress {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<SegmentBrokerAddress> = {
    segmentId: 0,
    brokerUrl: "",
    brokerUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.segmentId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.brokerUrl = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.brokerUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("SegmentBrokerAddress", ["segmentId","brokerUrl"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ScalableTopicDAG` of PulsarApi.proto. */
export interface ScalableTopicDAG {
  /** Field 1, required uint64. */
  epoch: number;
  /** Field 2, repeated SegmentInfoProto. */
  segments?: readonly SegmentInfoProto[] | undefined;
  /** Field 3, repeated SegmentBrokerAddress. */
  segmentBrokers?: readonly SegmentBrokerAddress[] | undefined;
  /** Field 4, string. */
  controllerBrokerUrl?: string | undefined;
  /** Field 5, string. */
  controllerBrokerUrlTls?: string | undefined;
}

export function encodeScalableTopicDAG(m: ScalableTopicDAG, w: Writer): Writer {
  writeInt64(w.uint32(8), m.epoch);
  if (m.segments !== undefined) for (const v of m.segments) encodeSegmentInfoProto(v, w.uint32(18).fork()).ldelim();
  if (m.segmentBrokers !== undefined) for (const v of m.segmentBrokers) encodeSegmentBrokerAddress(v, w.uint32(26).fork()).ldelim();
  if (m.controllerBrokerUrl !== undefined) w.uint32(34).string(m.controllerBrokerUrl);
  if (m.controllerBrokerUrlTls !== undefined) w.uint32(42).string(m.controllerBrokerUrlTls);
  return w;
}

export function decodeScalableTopicDAG(r: Reader, length?: number): Decoded<ScalableTopicDAG> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ScalableTopicDAG>> = {
    epoch: 0,
    segments: NONE as readonly SegmentInfoProto[],
    segmentBrokers: NONE as readonly SegmentBrokerAddress[],
    controllerBrokerUrl: undefined,
    controllerBrokerUrlTls: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.epoch = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.segments === NONE) m.segments = [];
        (m.segments as SegmentInfoProto[]).push(decodeSegmentInfoProto(r, r.uint32()));
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.segmentBrokers === NONE) m.segmentBrokers = [];
        (m.segmentBrokers as SegmentBrokerAddress[]).push(decodeSegmentBrokerAddress(r, r.uint32()));
        break;
      case 4:
        expectWireType(tag, 2);
        m.controllerBrokerUrl = r.string();
        break;
      case 5:
        expectWireType(tag, 2);
        m.controllerBrokerUrlTls = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ScalableTopicDAG", ["epoch"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ScalableAssignedSegment` of PulsarApi.proto. */
export interface ScalableAssignedSegment {
  /** Field 1, required uint64. */
  segmentId: number;
  /** Field 2, required uint32. */
  hashStart: number;
  /** Field 3, required uint32. */
  hashEnd: number;
  /** Field 4, required string. */
  segmentTopic: string;
  /** Field 5, repeated IntRange. */
  bucketRanges?: readonly IntRange[] | undefined;
}

export function encodeScalableAssignedSegment(m: ScalableAssignedSegment, w: Writer): Writer {
  writeInt64(w.uint32(8), m.segmentId);
  w.uint32(16).uint32(m.hashStart);
  w.uint32(24).uint32(m.hashEnd);
  w.uint32(34).string(m.segmentTopic);
  if (m.bucketRanges !== undefined) for (const v of m.bucketRanges) encodeIntRange(v, w.uint32(42).fork()).ldelim();
  return w;
}

export function decodeScalableAssignedSegment(r: Reader, length?: number): Decoded<ScalableAssignedSegment> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ScalableAssignedSegment>> = {
    segmentId: 0,
    hashStart: 0,
    hashEnd: 0,
    segmentTopic: "",
    bucketRanges: NONE as readonly IntRange[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.segmentId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.hashStart = r.uint32();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.hashEnd = r.uint32();
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.segmentTopic = r.string();
        seen |= 8;
        break;
      case 5:
        expectWireType(tag, 2);
        if (m.bucketRanges === NONE) m.bucketRanges = [];
        (m.bucketRanges as IntRange[]).push(decodeIntRange(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 15) throw missingField("ScalableAssignedSegment", ["segmentId","hashStart","hashEnd","segmentTopic"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ScalableConsumerAssignment` of PulsarApi.proto. */
export interface ScalableConsumerAssignment {
  /** Field 1, required uint64. */
  layoutEpoch: number;
  /** Field 2, repeated ScalableAssignedSegment. */
  segments?: readonly ScalableAssignedSegment[] | undefined;
}

export function encodeScalableConsumerAssignment(m: ScalableConsumerAssignment, w: Writer): Writer {
  writeInt64(w.uint32(8), m.layoutEpoch);
  if (m.segments !== undefined) for (const v of m.segments) encodeScalableAssignedSegment(v, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeScalableConsumerAssignment(r: Reader, length?: number): Decoded<ScalableConsumerAssignment> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ScalableConsumerAssignment>> = {
    layoutEpoch: 0,
    segments: NONE as readonly ScalableAssignedSegment[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.layoutEpoch = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.segments === NONE) m.segments = [];
        (m.segments as ScalableAssignedSegment[]).push(decodeScalableAssignedSegment(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ScalableConsumerAssignment", ["layoutEpoch"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ScalableTopicsSnapshot` of PulsarApi.proto. */
export interface ScalableTopicsSnapshot {
  /** Field 1, repeated string. */
  topics?: readonly string[] | undefined;
}

export function encodeScalableTopicsSnapshot(m: ScalableTopicsSnapshot, w: Writer): Writer {
  if (m.topics !== undefined) for (const v of m.topics) w.uint32(10).string(v);
  return w;
}

export function decodeScalableTopicsSnapshot(r: Reader, length?: number): Decoded<ScalableTopicsSnapshot> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ScalableTopicsSnapshot>> = {
    topics: NONE as readonly string[],
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        if (m.topics === NONE) m.topics = [];
        (m.topics as string[]).push(r.string());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ScalableTopicsDiff` of PulsarApi.proto. */
export interface ScalableTopicsDiff {
  /** Field 1, repeated string. */
  added?: readonly string[] | undefined;
  /** Field 2, repeated string. */
  removed?: readonly string[] | undefined;
}

export function encodeScalableTopicsDiff(m: ScalableTopicsDiff, w: Writer): Writer {
  if (m.added !== undefined) for (const v of m.added) w.uint32(10).string(v);
  if (m.removed !== undefined) for (const v of m.removed) w.uint32(18).string(v);
  return w;
}

export function decodeScalableTopicsDiff(r: Reader, length?: number): Decoded<ScalableTopicsDiff> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ScalableTopicsDiff>> = {
    added: NONE as readonly string[],
    removed: NONE as readonly string[],
  };
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        if (m.added === NONE) m.added = [];
        (m.added as string[]).push(r.string());
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.removed === NONE) m.removed = [];
        (m.removed as string[]).push(r.string());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicLookup` of PulsarApi.proto. */
export interface CommandScalableTopicLookup {
  /** Field 1, required uint64. */
  sessionId: Int64;
  /** Field 2, required string. */
  topic: string;
  /** Field 3, bool. Absent means `true`. */
  createIfMissing?: boolean | undefined;
}

export function encodeCommandScalableTopicLookup(m: CommandScalableTopicLookup, w: Writer): Writer {
  writeExact64(w.uint32(8), m.sessionId);
  w.uint32(18).string(m.topic);
  if (m.createIfMissing !== undefined) w.uint32(24).bool(m.createIfMissing);
  return w;
}

export function decodeCommandScalableTopicLookup(r: Reader, length?: number): CommandScalableTopicLookup {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicLookup> = {
    sessionId: 0,
    topic: "",
    createIfMissing: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.sessionId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 0);
        m.createIfMissing = r.bool();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandScalableTopicLookup", ["sessionId","topic"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicUpdate` of PulsarApi.proto. */
export interface CommandScalableTopicUpdate {
  /** Field 1, required uint64. */
  sessionId: Int64;
  /** Field 2, ScalableTopicDAG. */
  dag?: ScalableTopicDAG | undefined;
  /** Field 3, ServerError. */
  error?: ServerError | undefined;
  /** Field 4, string. */
  message?: string | undefined;
  /** Field 5, string. */
  resolvedTopicName?: string | undefined;
}

export function encodeCommandScalableTopicUpdate(m: CommandScalableTopicUpdate, w: Writer): Writer {
  writeExact64(w.uint32(8), m.sessionId);
  if (m.dag !== undefined) encodeScalableTopicDAG(m.dag, w.uint32(18).fork()).ldelim();
  if (m.error !== undefined) w.uint32(24).int32(m.error);
  if (m.message !== undefined) w.uint32(34).string(m.message);
  if (m.resolvedTopicName !== undefined) w.uint32(42).string(m.resolvedTopicName);
  return w;
}

export function decodeCommandScalableTopicUpdate(r: Reader, length?: number): CommandScalableTopicUpdate {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicUpdate> = {
    sessionId: 0,
    dag: undefined,
    error: undefined,
    message: undefined,
    resolvedTopicName: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.sessionId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.dag = decodeScalableTopicDAG(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 4:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      case 5:
        expectWireType(tag, 2);
        m.resolvedTopicName = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandScalableTopicUpdate", ["sessionId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicClose` of PulsarApi.proto. */
export interface CommandScalableTopicClose {
  /** Field 1, required uint64. */
  sessionId: Int64;
}

export function encodeCommandScalableTopicClose(m: CommandScalableTopicClose, w: Writer): Writer {
  writeExact64(w.uint32(8), m.sessionId);
  return w;
}

export function decodeCommandScalableTopicClose(r: Reader, length?: number): CommandScalableTopicClose {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicClose> = {
    sessionId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.sessionId = readExact64(r);
        seen |= 1;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandScalableTopicClose", ["sessionId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicSubscribe` of PulsarApi.proto. */
export interface CommandScalableTopicSubscribe {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required string. */
  topic: string;
  /** Field 3, required string. */
  subscription: string;
  /** Field 4, required string. */
  consumerName: string;
  /** Field 5, required uint64. */
  consumerId: number;
  /** Field 6, required ScalableConsumerType. */
  consumerType: ScalableConsumerType;
}

export function encodeCommandScalableTopicSubscribe(m: CommandScalableTopicSubscribe, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  w.uint32(18).string(m.topic);
  w.uint32(26).string(m.subscription);
  w.uint32(34).string(m.consumerName);
  writeInt64(w.uint32(40), m.consumerId);
  w.uint32(48).int32(m.consumerType);
  return w;
}

export function decodeCommandScalableTopicSubscribe(r: Reader, length?: number): CommandScalableTopicSubscribe {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicSubscribe> = {
    requestId: 0,
    topic: "",
    subscription: "",
    consumerName: "",
    consumerId: 0,
    consumerType: 0 as ScalableConsumerType,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.topic = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        m.subscription = r.string();
        seen |= 4;
        break;
      case 4:
        expectWireType(tag, 2);
        m.consumerName = r.string();
        seen |= 8;
        break;
      case 5:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 16;
        break;
      case 6:
        expectWireType(tag, 0);
        m.consumerType = r.int32() as ScalableConsumerType;
        seen |= 32;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 63) throw missingField("CommandScalableTopicSubscribe", ["requestId","topic","subscription","consumerName","consumerId","consumerType"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicSubscribeResponse` of PulsarApi.proto. */
export interface CommandScalableTopicSubscribeResponse {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, ServerError. */
  error?: ServerError | undefined;
  /** Field 3, string. */
  message?: string | undefined;
  /** Field 4, ScalableConsumerAssignment. */
  assignment?: ScalableConsumerAssignment | undefined;
}

export function encodeCommandScalableTopicSubscribeResponse(m: CommandScalableTopicSubscribeResponse, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  if (m.error !== undefined) w.uint32(16).int32(m.error);
  if (m.message !== undefined) w.uint32(26).string(m.message);
  if (m.assignment !== undefined) encodeScalableConsumerAssignment(m.assignment, w.uint32(34).fork()).ldelim();
  return w;
}

export function decodeCommandScalableTopicSubscribeResponse(r: Reader, length?: number): CommandScalableTopicSubscribeResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicSubscribeResponse> = {
    requestId: 0,
    error: undefined,
    message: undefined,
    assignment: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 3:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      case 4:
        expectWireType(tag, 2);
        m.assignment = decodeScalableConsumerAssignment(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandScalableTopicSubscribeResponse", ["requestId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicAssignmentUpdate` of PulsarApi.proto. */
export interface CommandScalableTopicAssignmentUpdate {
  /** Field 1, required uint64. */
  consumerId: number;
  /** Field 2, required ScalableConsumerAssignment. */
  assignment: ScalableConsumerAssignment;
}

export function encodeCommandScalableTopicAssignmentUpdate(m: CommandScalableTopicAssignmentUpdate, w: Writer): Writer {
  writeInt64(w.uint32(8), m.consumerId);
  encodeScalableConsumerAssignment(m.assignment, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeCommandScalableTopicAssignmentUpdate(r: Reader, length?: number): CommandScalableTopicAssignmentUpdate {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicAssignmentUpdate> = {
    consumerId: 0,
    assignment: undefined as unknown as ScalableConsumerAssignment,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.assignment = decodeScalableConsumerAssignment(r, r.uint32());
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandScalableTopicAssignmentUpdate", ["consumerId","assignment"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandScalableTopicUnsubscribe` of PulsarApi.proto. */
export interface CommandScalableTopicUnsubscribe {
  /** Field 1, required uint64. */
  requestId: Int64;
  /** Field 2, required uint64. */
  consumerId: number;
}

export function encodeCommandScalableTopicUnsubscribe(m: CommandScalableTopicUnsubscribe, w: Writer): Writer {
  writeExact64(w.uint32(8), m.requestId);
  writeInt64(w.uint32(16), m.consumerId);
  return w;
}

export function decodeCommandScalableTopicUnsubscribe(r: Reader, length?: number): CommandScalableTopicUnsubscribe {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandScalableTopicUnsubscribe> = {
    requestId: 0,
    consumerId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.requestId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.consumerId = readInt64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandScalableTopicUnsubscribe", ["requestId","consumerId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchScalableTopics` of PulsarApi.proto. */
export interface CommandWatchScalableTopics {
  /** Field 1, required uint64. */
  watchId: Int64;
  /** Field 2, required string. */
  namespace: string;
  /** Field 3, repeated KeyValue. */
  propertyFilters?: readonly KeyValue[] | undefined;
  /** Field 4, string. */
  currentHash?: string | undefined;
}

export function encodeCommandWatchScalableTopics(m: CommandWatchScalableTopics, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  w.uint32(18).string(m.namespace);
  if (m.propertyFilters !== undefined) for (const v of m.propertyFilters) encodeKeyValue(v, w.uint32(26).fork()).ldelim();
  if (m.currentHash !== undefined) w.uint32(34).string(m.currentHash);
  return w;
}

export function decodeCommandWatchScalableTopics(r: Reader, length?: number): Decoded<CommandWatchScalableTopics> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<CommandWatchScalableTopics>> = {
    watchId: 0,
    namespace: "",
    propertyFilters: NONE as readonly KeyValue[],
    currentHash: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.namespace = r.string();
        seen |= 2;
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.propertyFilters === NONE) m.propertyFilters = [];
        (m.propertyFilters as KeyValue[]).push(decodeKeyValue(r, r.uint32()));
        break;
      case 4:
        expectWireType(tag, 2);
        m.currentHash = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("CommandWatchScalableTopics", ["watchId","namespace"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchScalableTopicsUpdate` of PulsarApi.proto. */
export interface CommandWatchScalableTopicsUpdate {
  /** Field 1, required uint64. */
  watchId: Int64;
  /** Field 2, ScalableTopicsSnapshot. */
  snapshot?: ScalableTopicsSnapshot | undefined;
  /** Field 3, ScalableTopicsDiff. */
  diff?: ScalableTopicsDiff | undefined;
  /** Field 4, ServerError. */
  error?: ServerError | undefined;
  /** Field 5, string. */
  message?: string | undefined;
}

export function encodeCommandWatchScalableTopicsUpdate(m: CommandWatchScalableTopicsUpdate, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  if (m.snapshot !== undefined) encodeScalableTopicsSnapshot(m.snapshot, w.uint32(18).fork()).ldelim();
  if (m.diff !== undefined) encodeScalableTopicsDiff(m.diff, w.uint32(26).fork()).ldelim();
  if (m.error !== undefined) w.uint32(32).int32(m.error);
  if (m.message !== undefined) w.uint32(42).string(m.message);
  return w;
}

export function decodeCommandWatchScalableTopicsUpdate(r: Reader, length?: number): CommandWatchScalableTopicsUpdate {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchScalableTopicsUpdate> = {
    watchId: 0,
    snapshot: undefined,
    diff: undefined,
    error: undefined,
    message: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.snapshot = decodeScalableTopicsSnapshot(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 2);
        m.diff = decodeScalableTopicsDiff(r, r.uint32());
        break;
      case 4:
        expectWireType(tag, 0);
        m.error = r.int32() as ServerError;
        break;
      case 5:
        expectWireType(tag, 2);
        m.message = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandWatchScalableTopicsUpdate", ["watchId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `CommandWatchScalableTopicsClose` of PulsarApi.proto. */
export interface CommandWatchScalableTopicsClose {
  /** Field 1, required uint64. */
  watchId: Int64;
}

export function encodeCommandWatchScalableTopicsClose(m: CommandWatchScalableTopicsClose, w: Writer): Writer {
  writeExact64(w.uint32(8), m.watchId);
  return w;
}

export function decodeCommandWatchScalableTopicsClose(r: Reader, length?: number): CommandWatchScalableTopicsClose {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<CommandWatchScalableTopicsClose> = {
    watchId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.watchId = readExact64(r);
        seen |= 1;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("CommandWatchScalableTopicsClose", ["watchId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `MarkersMessageIdData` of PulsarApi.proto. */
export interface MarkersMessageIdData {
  /** Field 1, required uint64. */
  ledgerId: number;
  /** Field 2, required uint64. */
  entryId: number;
}

export function encodeMarkersMessageIdData(m: MarkersMessageIdData, w: Writer): Writer {
  writeInt64(w.uint32(8), m.ledgerId);
  writeInt64(w.uint32(16), m.entryId);
  return w;
}

export function decodeMarkersMessageIdData(r: Reader, length?: number): MarkersMessageIdData {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<MarkersMessageIdData> = {
    ledgerId: 0,
    entryId: 0,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 0);
        m.ledgerId = readInt64(r);
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 0);
        m.entryId = readInt64(r);
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("MarkersMessageIdData", ["ledgerId","entryId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ClusterMessageId` of PulsarApi.proto. */
export interface ClusterMessageId {
  /** Field 1, required string. */
  cluster: string;
  /** Field 2, required MarkersMessageIdData. */
  messageId: MarkersMessageIdData;
}

export function encodeClusterMessageId(m: ClusterMessageId, w: Writer): Writer {
  w.uint32(10).string(m.cluster);
  encodeMarkersMessageIdData(m.messageId, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeClusterMessageId(r: Reader, length?: number): ClusterMessageId {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<ClusterMessageId> = {
    cluster: "",
    messageId: undefined as unknown as MarkersMessageIdData,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.cluster = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.messageId = decodeMarkersMessageIdData(r, r.uint32());
        seen |= 2;
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 3) throw missingField("ClusterMessageId", ["cluster","messageId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ReplicatedSubscriptionsSnapshotRequest` of PulsarApi.proto. */
export interface ReplicatedSubscriptionsSnapshotRequest {
  /** Field 1, required string. */
  snapshotId: string;
  /** Field 2, string. */
  sourceCluster?: string | undefined;
}

export function encodeReplicatedSubscriptionsSnapshotRequest(m: ReplicatedSubscriptionsSnapshotRequest, w: Writer): Writer {
  w.uint32(10).string(m.snapshotId);
  if (m.sourceCluster !== undefined) w.uint32(18).string(m.sourceCluster);
  return w;
}

export function decodeReplicatedSubscriptionsSnapshotRequest(r: Reader, length?: number): ReplicatedSubscriptionsSnapshotRequest {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<ReplicatedSubscriptionsSnapshotRequest> = {
    snapshotId: "",
    sourceCluster: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.snapshotId = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.sourceCluster = r.string();
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ReplicatedSubscriptionsSnapshotRequest", ["snapshotId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ReplicatedSubscriptionsSnapshotResponse` of PulsarApi.proto. */
export interface ReplicatedSubscriptionsSnapshotResponse {
  /** Field 1, required string. */
  snapshotId: string;
  /** Field 2, ClusterMessageId. */
  cluster?: ClusterMessageId | undefined;
}

export function encodeReplicatedSubscriptionsSnapshotResponse(m: ReplicatedSubscriptionsSnapshotResponse, w: Writer): Writer {
  w.uint32(10).string(m.snapshotId);
  if (m.cluster !== undefined) encodeClusterMessageId(m.cluster, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeReplicatedSubscriptionsSnapshotResponse(r: Reader, length?: number): ReplicatedSubscriptionsSnapshotResponse {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<ReplicatedSubscriptionsSnapshotResponse> = {
    snapshotId: "",
    cluster: undefined,
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.snapshotId = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.cluster = decodeClusterMessageId(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ReplicatedSubscriptionsSnapshotResponse", ["snapshotId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ReplicatedSubscriptionsSnapshot` of PulsarApi.proto. */
export interface ReplicatedSubscriptionsSnapshot {
  /** Field 1, required string. */
  snapshotId: string;
  /** Field 2, MarkersMessageIdData. */
  localMessageId?: MarkersMessageIdData | undefined;
  /** Field 3, repeated ClusterMessageId. */
  clusters?: readonly ClusterMessageId[] | undefined;
}

export function encodeReplicatedSubscriptionsSnapshot(m: ReplicatedSubscriptionsSnapshot, w: Writer): Writer {
  w.uint32(10).string(m.snapshotId);
  if (m.localMessageId !== undefined) encodeMarkersMessageIdData(m.localMessageId, w.uint32(18).fork()).ldelim();
  if (m.clusters !== undefined) for (const v of m.clusters) encodeClusterMessageId(v, w.uint32(26).fork()).ldelim();
  return w;
}

export function decodeReplicatedSubscriptionsSnapshot(r: Reader, length?: number): Decoded<ReplicatedSubscriptionsSnapshot> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ReplicatedSubscriptionsSnapshot>> = {
    snapshotId: "",
    localMessageId: undefined,
    clusters: NONE as readonly ClusterMessageId[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.snapshotId = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        m.localMessageId = decodeMarkersMessageIdData(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 2);
        if (m.clusters === NONE) m.clusters = [];
        (m.clusters as ClusterMessageId[]).push(decodeClusterMessageId(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ReplicatedSubscriptionsSnapshot", ["snapshotId"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** `ReplicatedSubscriptionsUpdate` of PulsarApi.proto. */
export interface ReplicatedSubscriptionsUpdate {
  /** Field 1, required string. */
  subscriptionName: string;
  /** Field 2, repeated ClusterMessageId. */
  clusters?: readonly ClusterMessageId[] | undefined;
}

export function encodeReplicatedSubscriptionsUpdate(m: ReplicatedSubscriptionsUpdate, w: Writer): Writer {
  w.uint32(10).string(m.subscriptionName);
  if (m.clusters !== undefined) for (const v of m.clusters) encodeClusterMessageId(v, w.uint32(18).fork()).ldelim();
  return w;
}

export function decodeReplicatedSubscriptionsUpdate(r: Reader, length?: number): Decoded<ReplicatedSubscriptionsUpdate> {
  const end = length === undefined ? r.len : endOf(r, length);
  const m: Mutable<Decoded<ReplicatedSubscriptionsUpdate>> = {
    subscriptionName: "",
    clusters: NONE as readonly ClusterMessageId[],
  };
  let seen = 0;
  while (r.pos < end) {
    const tag = r.uint32();
    switch (tag >>> 3) {
      case 1:
        expectWireType(tag, 2);
        m.subscriptionName = r.string();
        seen |= 1;
        break;
      case 2:
        expectWireType(tag, 2);
        if (m.clusters === NONE) m.clusters = [];
        (m.clusters as ClusterMessageId[]).push(decodeClusterMessageId(r, r.uint32()));
        break;
      default:
        r.skipType(tag & 7);
    }
  }
  if (seen !== 1) throw missingField("ReplicatedSubscriptionsUpdate", ["subscriptionName"], seen);
  if (r.pos !== end) throw overrun();
  return m;
}

/** The type of a command; each equals the number of its field in BaseCommand. */
export const CommandType = {
  CONNECT: 2,
  CONNECTED: 3,
  SUBSCRIBE: 4,
  PRODUCER: 5,
  SEND: 6,
  SEND_RECEIPT: 7,
  SEND_ERROR: 8,
  MESSAGE: 9,
  ACK: 10,
  FLOW: 11,
  UNSUBSCRIBE: 12,
  SUCCESS: 13,
  ERROR: 14,
  CLOSE_PRODUCER: 15,
  CLOSE_CONSUMER: 16,
  PRODUCER_SUCCESS: 17,
  PING: 18,
  PONG: 19,
  REDELIVER_UNACKNOWLEDGED_MESSAGES: 20,
  PARTITIONED_METADATA: 21,
  PARTITIONED_METADATA_RESPONSE: 22,
  LOOKUP: 23,
  LOOKUP_RESPONSE: 24,
  CONSUMER_STATS: 25,
  CONSUMER_STATS_RESPONSE: 26,
  REACHED_END_OF_TOPIC: 27,
  SEEK: 28,
  GET_LAST_MESSAGE_ID: 29,
  GET_LAST_MESSAGE_ID_RESPONSE: 30,
  ACTIVE_CONSUMER_CHANGE: 31,
  GET_TOPICS_OF_NAMESPACE: 32,
  GET_TOPICS_OF_NAMESPACE_RESPONSE: 33,
  GET_SCHEMA: 34,
  GET_SCHEMA_RESPONSE: 35,
  AUTH_CHALLENGE: 36,
  AUTH_RESPONSE: 37,
  ACK_RESPONSE: 38,
  GET_OR_CREATE_SCHEMA: 39,
  GET_OR_CREATE_SCHEMA_RESPONSE: 40,
  NEW_TXN: 50,
  NEW_TXN_RESPONSE: 51,
  ADD_PARTITION_TO_TXN: 52,
  ADD_PARTITION_TO_TXN_RESPONSE: 53,
  ADD_SUBSCRIPTION_TO_TXN: 54,
  ADD_SUBSCRIPTION_TO_TXN_RESPONSE: 55,
  END_TXN: 56,
  END_TXN_RESPONSE: 57,
  END_TXN_ON_PARTITION: 58,
  END_TXN_ON_PARTITION_RESPONSE: 59,
  END_TXN_ON_SUBSCRIPTION: 60,
  END_TXN_ON_SUBSCRIPTION_RESPONSE: 61,
  TC_CLIENT_CONNECT_REQUEST: 62,
  TC_CLIENT_CONNECT_RESPONSE: 63,
  WATCH_TOPIC_LIST: 64,
  WATCH_TOPIC_LIST_SUCCESS: 65,
  WATCH_TOPIC_UPDATE: 66,
  WATCH_TOPIC_LIST_CLOSE: 67,
  TOPIC_MIGRATED: 68,
  SCALABLE_TOPIC_LOOKUP: 70,
  SCALABLE_TOPIC_UPDATE: 71,
  SCALABLE_TOPIC_CLOSE: 72,
  SCALABLE_TOPIC_SUBSCRIBE: 73,
  SCALABLE_TOPIC_SUBSCRIBE_RESPONSE: 74,
  SCALABLE_TOPIC_ASSIGNMENT_UPDATE: 75,
  WATCH_SCALABLE_TOPICS: 76,
  WATCH_SCALABLE_TOPICS_UPDATE: 77,
  WATCH_SCALABLE_TOPICS_CLOSE: 78,
  WATCH_TC_ASSIGNMENTS: 79,
  WATCH_TC_ASSIGNMENTS_UPDATE: 80,
  WATCH_TC_ASSIGNMENTS_CLOSE: 81,
  SCALABLE_TOPIC_UNSUBSCRIBE: 82,
} as const;
export type CommandType = (typeof CommandType)[keyof typeof CommandType];

/** One command of the protocol: BaseCommand with its one body. */
export type Command =
  | { type: 2; body: CommandConnect }
  | { type: 3; body: CommandConnected }
  | { type: 4; body: CommandSubscribe }
  | { type: 5; body: CommandProducer }
  | { type: 6; body: CommandSend }
  | { type: 7; body: CommandSendReceipt }
  | { type: 8; body: CommandSendError }
  | { type: 9; body: CommandMessage }
  | { type: 10; body: CommandAck }
  | { type: 11; body: CommandFlow }
  | { type: 12; body: CommandUnsubscribe }
  | { type: 13; body: CommandSuccess }
  | { type: 14; body: CommandError }
  | { type: 15; body: CommandCloseProducer }
  | { type: 16; body: CommandCloseConsumer }
  | { type: 17; body: CommandProducerSuccess }
  | { type: 18; body: CommandPing }
  | { type: 19; body: CommandPong }
  | { type: 20; body: CommandRedeliverUnacknowledgedMessages }
  | { type: 21; body: CommandPartitionedTopicMetadata }
  | { type: 22; body: CommandPartitionedTopicMetadataResponse }
  | { type: 23; body: CommandLookupTopic }
  | { type: 24; body: CommandLookupTopicResponse }
  | { type: 25; body: CommandConsumerStats }
  | { type: 26; body: CommandConsumerStatsResponse }
  | { type: 27; body: CommandReachedEndOfTopic }
  | { type: 28; body: CommandSeek }
  | { type: 29; body: CommandGetLastMessageId }
  | { type: 30; body: CommandGetLastMessageIdResponse }
  | { type: 31; body: CommandActiveConsumerChange }
  | { type: 32; body: CommandGetTopicsOfNamespace }
  | { type: 33; body: CommandGetTopicsOfNamespaceResponse }
  | { type: 34; body: CommandGetSchema }
  | { type: 35; body: CommandGetSchemaResponse }
  | { type: 36; body: CommandAuthChallenge }
  | { type: 37; body: CommandAuthResponse }
  | { type: 38; body: CommandAckResponse }
  | { type: 39; body: CommandGetOrCreateSchema }
  | { type: 40; body: CommandGetOrCreateSchemaResponse }
  | { type: 50; body: CommandNewTxn }
  | { type: 51; body: CommandNewTxnResponse }
  | { type: 52; body: CommandAddPartitionToTxn }
  | { type: 53; body: CommandAddPartitionToTxnResponse }
  | { type: 54; body: CommandAddSubscriptionToTxn }
  | { type: 55; body: CommandAddSubscriptionToTxnResponse }
  | { type: 56; body: CommandEndTxn }
  | { type: 57; body: CommandEndTxnResponse }
  | { type: 58; body: CommandEndTxnOnPartition }
  | { type: 59; body: CommandEndTxnOnPartitionResponse }
  | { type: 60; body: CommandEndTxnOnSubscription }
  | { type: 61; body: CommandEndTxnOnSubscriptionResponse }
  | { type: 62; body: CommandTcClientConnectRequest }
  | { type: 63; body: CommandTcClientConnectResponse }
  | { type: 64; body: CommandWatchTopicList }
  | { type: 65; body: CommandWatchTopicListSuccess }
  | { type: 66; body: CommandWatchTopicUpdate }
  | { type: 67; body: CommandWatchTopicListClose }
  | { type: 68; body: CommandTopicMigrated }
  | { type: 70; body: CommandScalableTopicLookup }
  | { type: 71; body: CommandScalableTopicUpdate }
  | { type: 72; body: CommandScalableTopicClose }
  | { type: 73; body: CommandScalableTopicSubscribe }
  | { type: 74; body: CommandScalableTopicSubscribeResponse }
  | { type: 75; body: CommandScalableTopicAssignmentUpdate }
  | { type: 76; body: CommandWatchScalableTopics }
  | { type: 77; body: CommandWatchScalableTopicsUpdate }
  | { type: 78; body: CommandWatchScalableTopicsClose }
  | { type: 79; body: CommandWatchTcAssignments }
  | { type: 80; body: CommandWatchTcAssignmentsUpdate }
  | { type: 81; body: CommandWatchTcAssignmentsClose }
  | { type: 82; body: CommandScalableTopicUnsubscribe };

/** The body of a command by its type. */
export interface CommandBodies {
  2: CommandConnect;
  3: CommandConnected;
  4: CommandSubscribe;
  5: CommandProducer;
  6: CommandSend;
  7: CommandSendReceipt;
  8: CommandSendError;
  9: CommandMessage;
  10: CommandAck;
  11: CommandFlow;
  12: CommandUnsubscribe;
  13: CommandSuccess;
  14: CommandError;
  15: CommandCloseProducer;
  16: CommandCloseConsumer;
  17: CommandProducerSuccess;
  18: CommandPing;
  19: CommandPong;
  20: CommandRedeliverUnacknowledgedMessages;
  21: CommandPartitionedTopicMetadata;
  22: CommandPartitionedTopicMetadataResponse;
  23: CommandLookupTopic;
  24: CommandLookupTopicResponse;
  25: CommandConsumerStats;
  26: CommandConsumerStatsResponse;
  27: CommandReachedEndOfTopic;
  28: CommandSeek;
  29: CommandGetLastMessageId;
  30: CommandGetLastMessageIdResponse;
  31: CommandActiveConsumerChange;
  32: CommandGetTopicsOfNamespace;
  33: CommandGetTopicsOfNamespaceResponse;
  34: CommandGetSchema;
  35: CommandGetSchemaResponse;
  36: CommandAuthChallenge;
  37: CommandAuthResponse;
  38: CommandAckResponse;
  39: CommandGetOrCreateSchema;
  40: CommandGetOrCreateSchemaResponse;
  50: CommandNewTxn;
  51: CommandNewTxnResponse;
  52: CommandAddPartitionToTxn;
  53: CommandAddPartitionToTxnResponse;
  54: CommandAddSubscriptionToTxn;
  55: CommandAddSubscriptionToTxnResponse;
  56: CommandEndTxn;
  57: CommandEndTxnResponse;
  58: CommandEndTxnOnPartition;
  59: CommandEndTxnOnPartitionResponse;
  60: CommandEndTxnOnSubscription;
  61: CommandEndTxnOnSubscriptionResponse;
  62: CommandTcClientConnectRequest;
  63: CommandTcClientConnectResponse;
  64: CommandWatchTopicList;
  65: CommandWatchTopicListSuccess;
  66: CommandWatchTopicUpdate;
  67: CommandWatchTopicListClose;
  68: CommandTopicMigrated;
  70: CommandScalableTopicLookup;
  71: CommandScalableTopicUpdate;
  72: CommandScalableTopicClose;
  73: CommandScalableTopicSubscribe;
  74: CommandScalableTopicSubscribeResponse;
  75: CommandScalableTopicAssignmentUpdate;
  76: CommandWatchScalableTopics;
  77: CommandWatchScalableTopicsUpdate;
  78: CommandWatchScalableTopicsClose;
  79: CommandWatchTcAssignments;
  80: CommandWatchTcAssignmentsUpdate;
  81: CommandWatchTcAssignmentsClose;
  82: CommandScalableTopicUnsubscribe;
}

/** Names for logs and error messages, by type. */
export const COMMAND_NAMES: Readonly<Record<number, string>> = {
  2: "CONNECT",
  3: "CONNECTED",
  4: "SUBSCRIBE",
  5: "PRODUCER",
  6: "SEND",
  7: "SEND_RECEIPT",
  8: "SEND_ERROR",
  9: "MESSAGE",
  10: "ACK",
  11: "FLOW",
  12: "UNSUBSCRIBE",
  13: "SUCCESS",
  14: "ERROR",
  15: "CLOSE_PRODUCER",
  16: "CLOSE_CONSUMER",
  17: "PRODUCER_SUCCESS",
  18: "PING",
  19: "PONG",
  20: "REDELIVER_UNACKNOWLEDGED_MESSAGES",
  21: "PARTITIONED_METADATA",
  22: "PARTITIONED_METADATA_RESPONSE",
  23: "LOOKUP",
  24: "LOOKUP_RESPONSE",
  25: "CONSUMER_STATS",
  26: "CONSUMER_STATS_RESPONSE",
  27: "REACHED_END_OF_TOPIC",
  28: "SEEK",
  29: "GET_LAST_MESSAGE_ID",
  30: "GET_LAST_MESSAGE_ID_RESPONSE",
  31: "ACTIVE_CONSUMER_CHANGE",
  32: "GET_TOPICS_OF_NAMESPACE",
  33: "GET_TOPICS_OF_NAMESPACE_RESPONSE",
  34: "GET_SCHEMA",
  35: "GET_SCHEMA_RESPONSE",
  36: "AUTH_CHALLENGE",
  37: "AUTH_RESPONSE",
  38: "ACK_RESPONSE",
  39: "GET_OR_CREATE_SCHEMA",
  40: "GET_OR_CREATE_SCHEMA_RESPONSE",
  50: "NEW_TXN",
  51: "NEW_TXN_RESPONSE",
  52: "ADD_PARTITION_TO_TXN",
  53: "ADD_PARTITION_TO_TXN_RESPONSE",
  54: "ADD_SUBSCRIPTION_TO_TXN",
  55: "ADD_SUBSCRIPTION_TO_TXN_RESPONSE",
  56: "END_TXN",
  57: "END_TXN_RESPONSE",
  58: "END_TXN_ON_PARTITION",
  59: "END_TXN_ON_PARTITION_RESPONSE",
  60: "END_TXN_ON_SUBSCRIPTION",
  61: "END_TXN_ON_SUBSCRIPTION_RESPONSE",
  62: "TC_CLIENT_CONNECT_REQUEST",
  63: "TC_CLIENT_CONNECT_RESPONSE",
  64: "WATCH_TOPIC_LIST",
  65: "WATCH_TOPIC_LIST_SUCCESS",
  66: "WATCH_TOPIC_UPDATE",
  67: "WATCH_TOPIC_LIST_CLOSE",
  68: "TOPIC_MIGRATED",
  70: "SCALABLE_TOPIC_LOOKUP",
  71: "SCALABLE_TOPIC_UPDATE",
  72: "SCALABLE_TOPIC_CLOSE",
  73: "SCALABLE_TOPIC_SUBSCRIBE",
  74: "SCALABLE_TOPIC_SUBSCRIBE_RESPONSE",
  75: "SCALABLE_TOPIC_ASSIGNMENT_UPDATE",
  76: "WATCH_SCALABLE_TOPICS",
  77: "WATCH_SCALABLE_TOPICS_UPDATE",
  78: "WATCH_SCALABLE_TOPICS_CLOSE",
  79: "WATCH_TC_ASSIGNMENTS",
  80: "WATCH_TC_ASSIGNMENTS_UPDATE",
  81: "WATCH_TC_ASSIGNMENTS_CLOSE",
  82: "SCALABLE_TOPIC_UNSUBSCRIBE",
};

/** Writes a BaseCommand. */
export function encodeCommand(c: Command, w: Writer): Writer {
  w.uint32(8).int32(c.type);
  switch (c.type) {
    case 2:
      encodeCommandConnect(c.body, w.uint32(18).fork()).ldelim();
      break;
    case 3:
      encodeCommandConnected(c.body, w.uint32(26).fork()).ldelim();
      break;
    case 4:
      encodeCommandSubscribe(c.body, w.uint32(34).fork()).ldelim();
      break;
    case 5:
      encodeCommandProducer(c.body, w.uint32(42).fork()).ldelim();
      break;
    case 6:
      encodeCommandSend(c.body, w.uint32(50).fork()).ldelim();
      break;
    case 7:
      encodeCommandSendReceipt(c.body, w.uint32(58).fork()).ldelim();
      break;
    case 8:
      encodeCommandSendError(c.body, w.uint32(66).fork()).ldelim();
      break;
    case 9:
      encodeCommandMessage(c.body, w.uint32(74).fork()).ldelim();
      break;
    case 10:
      encodeCommandAck(c.body, w.uint32(82).fork()).ldelim();
      break;
    case 11:
      encodeCommandFlow(c.body, w.uint32(90).fork()).ldelim();
      break;
    case 12:
      encodeCommandUnsubscribe(c.body, w.uint32(98).fork()).ldelim();
      break;
    case 13:
      encodeCommandSuccess(c.body, w.uint32(106).fork()).ldelim();
      break;
    case 14:
      encodeCommandError(c.body, w.uint32(114).fork()).ldelim();
      break;
    case 15:
      encodeCommandCloseProducer(c.body, w.uint32(122).fork()).ldelim();
      break;
    case 16:
      encodeCommandCloseConsumer(c.body, w.uint32(130).fork()).ldelim();
      break;
    case 17:
      encodeCommandProducerSuccess(c.body, w.uint32(138).fork()).ldelim();
      break;
    case 18:
      encodeCommandPing(c.body, w.uint32(146).fork()).ldelim();
      break;
    case 19:
      encodeCommandPong(c.body, w.uint32(154).fork()).ldelim();
      break;
    case 20:
      encodeCommandRedeliverUnacknowledgedMessages(c.body, w.uint32(162).fork()).ldelim();
      break;
    case 21:
      encodeCommandPartitionedTopicMetadata(c.body, w.uint32(170).fork()).ldelim();
      break;
    case 22:
      encodeCommandPartitionedTopicMetadataResponse(c.body, w.uint32(178).fork()).ldelim();
      break;
    case 23:
      encodeCommandLookupTopic(c.body, w.uint32(186).fork()).ldelim();
      break;
    case 24:
      encodeCommandLookupTopicResponse(c.body, w.uint32(194).fork()).ldelim();
      break;
    case 25:
      encodeCommandConsumerStats(c.body, w.uint32(202).fork()).ldelim();
      break;
    case 26:
      encodeCommandConsumerStatsResponse(c.body, w.uint32(210).fork()).ldelim();
      break;
    case 27:
      encodeCommandReachedEndOfTopic(c.body, w.uint32(218).fork()).ldelim();
      break;
    case 28:
      encodeCommandSeek(c.body, w.uint32(226).fork()).ldelim();
      break;
    case 29:
      encodeCommandGetLastMessageId(c.body, w.uint32(234).fork()).ldelim();
      break;
    case 30:
      encodeCommandGetLastMessageIdResponse(c.body, w.uint32(242).fork()).ldelim();
      break;
    case 31:
      encodeCommandActiveConsumerChange(c.body, w.uint32(250).fork()).ldelim();
      break;
    case 32:
      encodeCommandGetTopicsOfNamespace(c.body, w.uint32(258).fork()).ldelim();
      break;
    case 33:
      encodeCommandGetTopicsOfNamespaceResponse(c.body, w.uint32(266).fork()).ldelim();
      break;
    case 34:
      encodeCommandGetSchema(c.body, w.uint32(274).fork()).ldelim();
      break;
    case 35:
      encodeCommandGetSchemaResponse(c.body, w.uint32(282).fork()).ldelim();
      break;
    case 36:
      encodeCommandAuthChallenge(c.body, w.uint32(290).fork()).ldelim();
      break;
    case 37:
      encodeCommandAuthResponse(c.body, w.uint32(298).fork()).ldelim();
      break;
    case 38:
      encodeCommandAckResponse(c.body, w.uint32(306).fork()).ldelim();
      break;
    case 39:
      encodeCommandGetOrCreateSchema(c.body, w.uint32(314).fork()).ldelim();
      break;
    case 40:
      encodeCommandGetOrCreateSchemaResponse(c.body, w.uint32(322).fork()).ldelim();
      break;
    case 50:
      encodeCommandNewTxn(c.body, w.uint32(402).fork()).ldelim();
      break;
    case 51:
      encodeCommandNewTxnResponse(c.body, w.uint32(410).fork()).ldelim();
      break;
    case 52:
      encodeCommandAddPartitionToTxn(c.body, w.uint32(418).fork()).ldelim();
      break;
    case 53:
      encodeCommandAddPartitionToTxnResponse(c.body, w.uint32(426).fork()).ldelim();
      break;
    case 54:
      encodeCommandAddSubscriptionToTxn(c.body, w.uint32(434).fork()).ldelim();
      break;
    case 55:
      encodeCommandAddSubscriptionToTxnResponse(c.body, w.uint32(442).fork()).ldelim();
      break;
    case 56:
      encodeCommandEndTxn(c.body, w.uint32(450).fork()).ldelim();
      break;
    case 57:
      encodeCommandEndTxnResponse(c.body, w.uint32(458).fork()).ldelim();
      break;
    case 58:
      encodeCommandEndTxnOnPartition(c.body, w.uint32(466).fork()).ldelim();
      break;
    case 59:
      encodeCommandEndTxnOnPartitionResponse(c.body, w.uint32(474).fork()).ldelim();
      break;
    case 60:
      encodeCommandEndTxnOnSubscription(c.body, w.uint32(482).fork()).ldelim();
      break;
    case 61:
      encodeCommandEndTxnOnSubscriptionResponse(c.body, w.uint32(490).fork()).ldelim();
      break;
    case 62:
      encodeCommandTcClientConnectRequest(c.body, w.uint32(498).fork()).ldelim();
      break;
    case 63:
      encodeCommandTcClientConnectResponse(c.body, w.uint32(506).fork()).ldelim();
      break;
    case 64:
      encodeCommandWatchTopicList(c.body, w.uint32(514).fork()).ldelim();
      break;
    case 65:
      encodeCommandWatchTopicListSuccess(c.body, w.uint32(522).fork()).ldelim();
      break;
    case 66:
      encodeCommandWatchTopicUpdate(c.body, w.uint32(530).fork()).ldelim();
      break;
    case 67:
      encodeCommandWatchTopicListClose(c.body, w.uint32(538).fork()).ldelim();
      break;
    case 68:
      encodeCommandTopicMigrated(c.body, w.uint32(546).fork()).ldelim();
      break;
    case 70:
      encodeCommandScalableTopicLookup(c.body, w.uint32(562).fork()).ldelim();
      break;
    case 71:
      encodeCommandScalableTopicUpdate(c.body, w.uint32(570).fork()).ldelim();
      break;
    case 72:
      encodeCommandScalableTopicClose(c.body, w.uint32(578).fork()).ldelim();
      break;
    case 73:
      encodeCommandScalableTopicSubscribe(c.body, w.uint32(586).fork()).ldelim();
      break;
    case 74:
      encodeCommandScalableTopicSubscribeResponse(c.body, w.uint32(594).fork()).ldelim();
      break;
    case 75:
      encodeCommandScalableTopicAssignmentUpdate(c.body, w.uint32(602).fork()).ldelim();
      break;
    case 76:
      encodeCommandWatchScalableTopics(c.body, w.uint32(610).fork()).ldelim();
      break;
    case 77:
      encodeCommandWatchScalableTopicsUpdate(c.body, w.uint32(618).fork()).ldelim();
      break;
    case 78:
      encodeCommandWatchScalableTopicsClose(c.body, w.uint32(626).fork()).ldelim();
      break;
    case 79:
      encodeCommandWatchTcAssignments(c.body, w.uint32(634).fork()).ldelim();
      break;
    case 80:
      encodeCommandWatchTcAssignmentsUpdate(c.body, w.uint32(642).fork()).ldelim();
      break;
    case 81:
      encodeCommandWatchTcAssignmentsClose(c.body, w.uint32(650).fork()).ldelim();
      break;
    case 82:
      encodeCommandScalableTopicUnsubscribe(c.body, w.uint32(658).fork()).ldelim();
      break;
  }
  return w;
}

/** Reads a BaseCommand. Throws on an unknown type, a missing body or a truncated message. */
export function decodeCommand(r: Reader, length?: number): Command {
  const end = length === undefined ? r.len : endOf(r, length);
  let type = 0;
  let bodyType = 0;
  let body: unknown;
  while (r.pos < end) {
    const tag = r.uint32();
    const field = tag >>> 3;
    if (field === 1) {
      expectWireType(tag, 0);
      type = r.int32();
      continue;
    }
    switch (field) {
      case 2:
        expectWireType(tag, 2);
        body = decodeCommandConnect(r, r.uint32());
        break;
      case 3:
        expectWireType(tag, 2);
        body = decodeCommandConnected(r, r.uint32());
        break;
      case 4:
        expectWireType(tag, 2);
        body = decodeCommandSubscribe(r, r.uint32());
        break;
      case 5:
        expectWireType(tag, 2);
        body = decodeCommandProducer(r, r.uint32());
        break;
      case 6:
        expectWireType(tag, 2);
        body = decodeCommandSend(r, r.uint32());
        break;
      case 7:
        expectWireType(tag, 2);
        body = decodeCommandSendReceipt(r, r.uint32());
        break;
      case 8:
        expectWireType(tag, 2);
        body = decodeCommandSendError(r, r.uint32());
        break;
      case 9:
        expectWireType(tag, 2);
        body = decodeCommandMessage(r, r.uint32());
        break;
      case 10:
        expectWireType(tag, 2);
        body = decodeCommandAck(r, r.uint32());
        break;
      case 11:
        expectWireType(tag, 2);
        body = decodeCommandFlow(r, r.uint32());
        break;
      case 12:
        expectWireType(tag, 2);
        body = decodeCommandUnsubscribe(r, r.uint32());
        break;
      case 13:
        expectWireType(tag, 2);
        body = decodeCommandSuccess(r, r.uint32());
        break;
      case 14:
        expectWireType(tag, 2);
        body = decodeCommandError(r, r.uint32());
        break;
      case 15:
        expectWireType(tag, 2);
        body = decodeCommandCloseProducer(r, r.uint32());
        break;
      case 16:
        expectWireType(tag, 2);
        body = decodeCommandCloseConsumer(r, r.uint32());
        break;
      case 17:
        expectWireType(tag, 2);
        body = decodeCommandProducerSuccess(r, r.uint32());
        break;
      case 18:
        expectWireType(tag, 2);
        body = decodeCommandPing(r, r.uint32());
        break;
      case 19:
        expectWireType(tag, 2);
        body = decodeCommandPong(r, r.uint32());
        break;
      case 20:
        expectWireType(tag, 2);
        body = decodeCommandRedeliverUnacknowledgedMessages(r, r.uint32());
        break;
      case 21:
        expectWireType(tag, 2);
        body = decodeCommandPartitionedTopicMetadata(r, r.uint32());
        break;
      case 22:
        expectWireType(tag, 2);
        body = decodeCommandPartitionedTopicMetadataResponse(r, r.uint32());
        break;
      case 23:
        expectWireType(tag, 2);
        body = decodeCommandLookupTopic(r, r.uint32());
        break;
      case 24:
        expectWireType(tag, 2);
        body = decodeCommandLookupTopicResponse(r, r.uint32());
        break;
      case 25:
        expectWireType(tag, 2);
        body = decodeCommandConsumerStats(r, r.uint32());
        break;
      case 26:
        expectWireType(tag, 2);
        body = decodeCommandConsumerStatsResponse(r, r.uint32());
        break;
      case 27:
        expectWireType(tag, 2);
        body = decodeCommandReachedEndOfTopic(r, r.uint32());
        break;
      case 28:
        expectWireType(tag, 2);
        body = decodeCommandSeek(r, r.uint32());
        break;
      case 29:
        expectWireType(tag, 2);
        body = decodeCommandGetLastMessageId(r, r.uint32());
        break;
      case 30:
        expectWireType(tag, 2);
        body = decodeCommandGetLastMessageIdResponse(r, r.uint32());
        break;
      case 31:
        expectWireType(tag, 2);
        body = decodeCommandActiveConsumerChange(r, r.uint32());
        break;
      case 32:
        expectWireType(tag, 2);
        body = decodeCommandGetTopicsOfNamespace(r, r.uint32());
        break;
      case 33:
        expectWireType(tag, 2);
        body = decodeCommandGetTopicsOfNamespaceResponse(r, r.uint32());
        break;
      case 34:
        expectWireType(tag, 2);
        body = decodeCommandGetSchema(r, r.uint32());
        break;
      case 35:
        expectWireType(tag, 2);
        body = decodeCommandGetSchemaResponse(r, r.uint32());
        break;
      case 36:
        expectWireType(tag, 2);
        body = decodeCommandAuthChallenge(r, r.uint32());
        break;
      case 37:
        expectWireType(tag, 2);
        body = decodeCommandAuthResponse(r, r.uint32());
        break;
      case 38:
        expectWireType(tag, 2);
        body = decodeCommandAckResponse(r, r.uint32());
        break;
      case 39:
        expectWireType(tag, 2);
        body = decodeCommandGetOrCreateSchema(r, r.uint32());
        break;
      case 40:
        expectWireType(tag, 2);
        body = decodeCommandGetOrCreateSchemaResponse(r, r.uint32());
        break;
      case 50:
        expectWireType(tag, 2);
        body = decodeCommandNewTxn(r, r.uint32());
        break;
      case 51:
        expectWireType(tag, 2);
        body = decodeCommandNewTxnResponse(r, r.uint32());
        break;
      case 52:
        expectWireType(tag, 2);
        body = decodeCommandAddPartitionToTxn(r, r.uint32());
        break;
      case 53:
        expectWireType(tag, 2);
        body = decodeCommandAddPartitionToTxnResponse(r, r.uint32());
        break;
      case 54:
        expectWireType(tag, 2);
        body = decodeCommandAddSubscriptionToTxn(r, r.uint32());
        break;
      case 55:
        expectWireType(tag, 2);
        body = decodeCommandAddSubscriptionToTxnResponse(r, r.uint32());
        break;
      case 56:
        expectWireType(tag, 2);
        body = decodeCommandEndTxn(r, r.uint32());
        break;
      case 57:
        expectWireType(tag, 2);
        body = decodeCommandEndTxnResponse(r, r.uint32());
        break;
      case 58:
        expectWireType(tag, 2);
        body = decodeCommandEndTxnOnPartition(r, r.uint32());
        break;
      case 59:
        expectWireType(tag, 2);
        body = decodeCommandEndTxnOnPartitionResponse(r, r.uint32());
        break;
      case 60:
        expectWireType(tag, 2);
        body = decodeCommandEndTxnOnSubscription(r, r.uint32());
        break;
      case 61:
        expectWireType(tag, 2);
        body = decodeCommandEndTxnOnSubscriptionResponse(r, r.uint32());
        break;
      case 62:
        expectWireType(tag, 2);
        body = decodeCommandTcClientConnectRequest(r, r.uint32());
        break;
      case 63:
        expectWireType(tag, 2);
        body = decodeCommandTcClientConnectResponse(r, r.uint32());
        break;
      case 64:
        expectWireType(tag, 2);
        body = decodeCommandWatchTopicList(r, r.uint32());
        break;
      case 65:
        expectWireType(tag, 2);
        body = decodeCommandWatchTopicListSuccess(r, r.uint32());
        break;
      case 66:
        expectWireType(tag, 2);
        body = decodeCommandWatchTopicUpdate(r, r.uint32());
        break;
      case 67:
        expectWireType(tag, 2);
        body = decodeCommandWatchTopicListClose(r, r.uint32());
        break;
      case 68:
        expectWireType(tag, 2);
        body = decodeCommandTopicMigrated(r, r.uint32());
        break;
      case 70:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicLookup(r, r.uint32());
        break;
      case 71:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicUpdate(r, r.uint32());
        break;
      case 72:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicClose(r, r.uint32());
        break;
      case 73:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicSubscribe(r, r.uint32());
        break;
      case 74:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicSubscribeResponse(r, r.uint32());
        break;
      case 75:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicAssignmentUpdate(r, r.uint32());
        break;
      case 76:
        expectWireType(tag, 2);
        body = decodeCommandWatchScalableTopics(r, r.uint32());
        break;
      case 77:
        expectWireType(tag, 2);
        body = decodeCommandWatchScalableTopicsUpdate(r, r.uint32());
        break;
      case 78:
        expectWireType(tag, 2);
        body = decodeCommandWatchScalableTopicsClose(r, r.uint32());
        break;
      case 79:
        expectWireType(tag, 2);
        body = decodeCommandWatchTcAssignments(r, r.uint32());
        break;
      case 80:
        expectWireType(tag, 2);
        body = decodeCommandWatchTcAssignmentsUpdate(r, r.uint32());
        break;
      case 81:
        expectWireType(tag, 2);
        body = decodeCommandWatchTcAssignmentsClose(r, r.uint32());
        break;
      case 82:
        expectWireType(tag, 2);
        body = decodeCommandScalableTopicUnsubscribe(r, r.uint32());
        break;
      default:
        r.skipType(tag & 7);
        continue;
    }
    bodyType = field;
  }
  if (r.pos !== end) throw overrun();
  if (type === 0 || bodyType !== type) throw unknownCommand(type, bodyType);
  return { type, body } as Command;
}
