import { type Consumer, type Message, type Producer, PulsarClient, PulsarError } from "@pulsewire/client";

/** Messages of one session, in halves: the second is sent one by one. */
export const MESSAGES = 120;
/** How long a session may take in all, in ms. */
const SESSION_MS = 25_000;

/** A session of a client with everything a program does, and what came of it. */
export interface SessionResult {
  /** What went against a promise of the client; none when all is well. */
  readonly wrong: string[];
  readonly refused: number;
}

interface Sent {
  resolved: number;
  settled: number;
  readonly refused: Map<number, string>;
}

/** Produces, consumes, acknowledges and closes through `serviceUrl`, where anything may happen to the connection. */
export async function playSession(serviceUrl: string, topic: string): Promise<SessionResult> {
  const wrong: string[] = [];
  const client = new PulsarClient({
    serviceUrl,
    keepAliveIntervalMs: 400,
    connectionTimeoutMs: 1500,
    operationTimeoutMs: 10_000,
  });
  const sent: Sent = { resolved: 0, settled: 0, refused: new Map() };
  const got: number[] = [];
  try {
    await within("the session", SESSION_MS, async () => {
      const consumer = await client.subscribe({
        topic,
        subscription: "s",
        initialPosition: "Earliest",
        ackReceiptEnabled: true,
        acknowledgmentGroupTimeMs: 5,
        receiverQueueSize: 20,
      });
      const producer = await client.createProducer({ topic, producerName: "p", sendTimeoutMs: 0 });
      const receiving = receiveAll(consumer, got);
      await sendAll(producer, sent);
      await receiving;
      await consumer.getLastMessageId();
      await producer.close();
      await consumer.close();
    });
  } catch (error) {
    const code = error instanceof PulsarError ? ` (${error.code})` : "";
    wrong.push(
      `it did not come to its end: ${String(error)}${code}; ${got.length} received, ${sent.resolved} confirmed`,
    );
  }
  await within("closing the client", 12_000, () => client.close()).catch((e: unknown) => wrong.push(String(e)));
  judge(sent, got, client.pendingBytes, wrong);
  return { wrong, refused: sent.refused.size };
}

function judge(sent: Sent, got: readonly number[], pendingBytes: number, wrong: string[]): void {
  if (sent.settled !== MESSAGES) wrong.push(`${MESSAGES - sent.settled} sends never settled`);
  for (const [n, reason] of sent.refused) wrong.push(`send ${n} was refused: ${reason}`);
  if (pendingBytes !== 0) wrong.push(`${pendingBytes} bytes are still counted as pending`);
  const firsts = [...new Set(got)];
  if (firsts.some((n, i) => i > 0 && n < (firsts[i - 1] as number))) wrong.push(`out of order: ${firsts.join(" ")}`);
}

async function sendAll(producer: Producer, sent: Sent): Promise<void> {
  const send = async (n: number): Promise<void> => {
    try {
      await producer.send({ data: String(n), sequenceId: n });
      sent.resolved++;
    } catch (error) {
      sent.refused.set(n, String(error));
    }
    sent.settled++;
  };
  const half = MESSAGES / 2;
  const first: Promise<void>[] = [];
  for (let n = 0; n < half; n++) {
    first.push(send(n));
    if (n % 10 === 9) await producer.flush();
  }
  await Promise.all(first);
  for (let n = half; n < MESSAGES; n++) await send(n);
}

/** Every message at least once; a repeated one is acknowledged like the first. */
async function receiveAll(consumer: Consumer, got: number[]): Promise<void> {
  const missing = new Set(Array.from({ length: MESSAGES }, (_, n) => n));
  while (missing.size > 0) {
    const message: Message = await consumer.receive();
    const n = Number(message.text());
    got.push(n);
    missing.delete(n);
    // an acknowledgement may fail with its connection; the message comes again then
    await consumer.acknowledge(message).catch(() => undefined);
  }
}

async function within<T>(what: string, ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
