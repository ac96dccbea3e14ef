import { decodeBatch } from "@pulsewire/protocol";
import { toPulsarError } from "../errors.ts";
import { MessageId } from "../message-id.ts";

/** A message as it is stored, for looking at. */
export interface StoredMessage {
  readonly messageId: MessageId;
  readonly data: Uint8Array;
  readonly properties: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  /** In ms since 1970; 0 where the producer gave none. */
  readonly eventTime: number;
  /** In ms since 1970. */
  readonly publishTime: number;
  readonly producerName: string | undefined;
  readonly hasNullValue: boolean;
}

const PROPERTY = "x-pulsar-property-";

/** An answer of the admin REST that holds an entry: its payload as the body, its metadata as headers. */
export async function storedMessages(response: Response): Promise<StoredMessage[]> {
  const { headers } = response;
  const payload = new Uint8Array(await response.arrayBuffer());
  const [ledgerId = -1, entryId = -1] = (headers.get("x-pulsar-message-id") ?? "").split(":").map(Number);
  const entry = {
    publishTime: timeFrom(headers.get("x-pulsar-publish-time")),
    producerName: headers.get("x-pulsar-producer-name") ?? undefined,
  };
  const count = headers.get("x-pulsar-num-batch-message");
  if (count !== null) return batched(payload, Number(count), { ledgerId, entryId }, entry);
  return [
    {
      ...entry,
      messageId: MessageId.of({ ledgerId, entryId }),
      data: payload,
      properties: propertiesFrom(headers),
      key: headers.get("x-pulsar-partition-key") ?? undefined,
      eventTime: timeFrom(headers.get("x-pulsar-event-time")),
      hasNullValue: headers.get("x-pulsar-null-value") === "true",
    },
  ];
}

function batched(
  payload: Uint8Array,
  batchSize: number,
  place: { ledgerId: number; entryId: number },
  entry: Pick<StoredMessage, "publishTime" | "producerName">,
): StoredMessage[] {
  try {
    return decodeBatch(payload, batchSize).map(({ metadata, payload: data }, batchIndex) => ({
      ...entry,
      messageId: MessageId.of({ ...place, batchIndex, batchSize }),
      data,
      properties: Object.fromEntries((metadata.properties ?? []).map((p) => [p.key, p.value])),
      key: metadata.partitionKey,
      eventTime: Number(metadata.eventTime ?? 0),
      hasNullValue: metadata.nullValue ?? false,
    }));
  } catch (error) {
    throw toPulsarError(error);
  }
}

function propertiesFrom(headers: Headers): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name.startsWith(PROPERTY)) properties[name.slice(PROPERTY.length)] = value;
  }
  // Pulsar sends all of them in one header too, where their names keep their case
  const all = headers.get("x-pulsar-property");
  return all === null ? properties : { ...properties, ...(JSON.parse(all) as Record<string, string>) };
}

function timeFrom(text: string | null): number {
  if (text === null) return 0;
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? Number(text) || 0 : parsed;
}
