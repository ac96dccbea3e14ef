import { type Decoded, type MessageMetadata, murmur3Hash } from "@pulsewire/protocol";

/** Key hashes are in [1, 65535]: 0 is kept for "none", as in Pulsar. */
export const HASH_RANGE_SIZE: number = 65536;

function keyBytes(metadata: Decoded<MessageMetadata>): Uint8Array | string {
  if (metadata.orderingKey !== undefined) return metadata.orderingKey;
  if (metadata.partitionKey !== undefined) {
    return metadata.partitionKeyB64Encoded === true ? fromBase64(metadata.partitionKey) : metadata.partitionKey;
  }
  // a message without a key is its own key
  return `${metadata.producerName}-${metadata.sequenceId}`;
}

function fromBase64(text: string): Uint8Array {
  try {
    const binary = atob(text);
    return Uint8Array.from(binary, (c) => c.charCodeAt(0));
  } catch {
    // what claims to be base64 and is not still has to go to one consumer: its text is the key
    return new TextEncoder().encode(text);
  }
}

/** The hash that decides which Key_Shared consumer gets an entry. */
export function stickyKeyHash(metadata: Decoded<MessageMetadata>): number {
  const hash = murmur3Hash(keyBytes(metadata)) % HASH_RANGE_SIZE;
  return hash === 0 ? 1 : hash;
}
