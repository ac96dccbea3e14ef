import { CompressionType, parseEntry } from "@pulsewire/protocol";
import type { CompressionName } from "@pulsewire/runtime";
import type { Entry } from "../managed-ledger/index.ts";
import type { AdminContext } from "./admin-context.ts";

function compressionName(type: number | undefined): CompressionName {
  const found = Object.entries(CompressionType).find(([, value]) => value === (type ?? CompressionType.NONE));
  return (found?.[0] ?? "NONE") as CompressionName;
}

/** Header values are Latin-1; anything else goes as percent escapes. */
const headerText = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text));

/** One stored entry as Pulsar's REST shows it: the payload as the body, the metadata as headers. */
export async function messageResponse(context: AdminContext, entry: Entry): Promise<Response> {
  const { metadata, payload } = parseEntry(entry.data);
  const headers = new Headers({
    "content-type": "application/octet-stream",
    "X-Pulsar-Message-ID": `${entry.ledgerId}:${entry.entryId}`,
    "X-Pulsar-producer-name": headerText(metadata.producerName),
    "X-Pulsar-sequence-id": String(metadata.sequenceId),
    "X-Pulsar-publish-time": new Date(metadata.publishTime).toISOString(),
  });
  for (const { key, value } of metadata.properties)
    headers.set(`X-Pulsar-PROPERTY-${headerText(key)}`, headerText(value));
  if (metadata.eventTime !== undefined) headers.set("X-Pulsar-event-time", new Date(metadata.eventTime).toISOString());
  if (metadata.partitionKey !== undefined) headers.set("X-Pulsar-partition-key", headerText(metadata.partitionKey));
  if (metadata.numMessagesInBatch !== undefined) {
    headers.set("X-Pulsar-num-batch-message", String(metadata.numMessagesInBatch));
    headers.set("X-Pulsar-batch-size", String(payload.length));
  }
  if (metadata.nullValue === true) headers.set("X-Pulsar-null-value", "true");
  // what is encrypted can be decompressed only by who can decrypt it
  const readable = metadata.encryptionKeys.length === 0;
  const body = readable
    ? await context.codec.decompress(compressionName(metadata.compression), payload, metadata.uncompressedSize ?? 0)
    : payload;
  return new Response(body as Uint8Array<ArrayBuffer>, { headers });
}
