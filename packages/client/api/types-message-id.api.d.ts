interface ChunkPlace {
    readonly ledgerId: number;
    readonly entryId: number;
}
interface MessageIdFields {
    ledgerId: number;
    entryId: number;
    partition?: number;
    batchIndex?: number;
    batchSize?: number;
    topic?: string;
}
declare class MessageId {
    #private;
    static readonly earliest: MessageId;
    static readonly latest: MessageId;
    readonly ledgerId: number;
    readonly entryId: number;
    readonly partition: number;
    readonly batchIndex: number;
    readonly batchSize: number;
    readonly topic: string | undefined;
    readonly chunks: readonly ChunkPlace[] | undefined;
    constructor(ledgerId: number, entryId: number, partition: number, batchIndex: number, batchSize: number, topic: string | undefined, chunks?: readonly ChunkPlace[]);
    static of(fields: MessageIdFields): MessageId;
    toBytes(): Uint8Array;
    static fromBytes(bytes: Uint8Array): MessageId;
    equals(other: MessageId): boolean;
    compareTo(other: MessageId): number;
    toString(): string;
}
export { MessageId as M };
export type { ChunkPlace as C, MessageIdFields as a };
