import { type Consumer, MessageId, PulsarClient, PulsarError } from "@pulsewire/client";
import { KEEPER, type TopicHistory, WORKER } from "./workload.ts";

/** How long to wait for a message that has to come, in ms. */
const PATIENCE_MS = 20_000;
/** How long nothing more has to come after that, in ms. */
const QUIET_MS = 300;

/**
 * Compares what a server has with what was promised. Answers what is wrong, in words.
 * @param earlier Topics that were compared before: their messages are still there, in order.
 */
export async function check(
  serviceUrl: string,
  histories: readonly TopicHistory[],
  earlier: readonly TopicHistory[],
): Promise<string[]> {
  await using client = new PulsarClient({ serviceUrl });
  const before = earlier.map(async (history) => checkLog(await readLog(client, history.topic), history));
  const wrong = await Promise.all([
    ...before,
    ...histories.map(async (history) => {
      const log = await readLog(client, history.topic);
      return [
        ...checkLog(log, history),
        ...(await checkWorker(client, log, history)),
        ...(await checkKeeper(client, log, history)),
      ];
    }),
  ]);
  return wrong.flat();
}

async function readLog(client: PulsarClient, topic: string): Promise<string[]> {
  const reader = await client.createReader({ topic, startMessageId: MessageId.earliest });
  const texts: string[] = [];
  while (await reader.hasMessageAvailable()) texts.push((await reader.readNext(10_000)).text());
  await reader.close();
  return texts;
}

/** Everything confirmed is there, in the order it was sent, once, and nothing else but what was under way. */
function checkLog(log: readonly string[], { topic, sent, stored }: TopicHistory): string[] {
  const wrong: string[] = [];
  const there = new Set(log);
  const lost = [...stored].filter((text) => !there.has(text));
  if (lost.length > 0)
    wrong.push(`${topic}: ${lost.length} of ${stored.size} stored messages are lost, first ${label(lost[0])}`);
  const order = new Map(sent.map((text, i) => [text, i]));
  let last = -1;
  for (const text of log) {
    const at = order.get(text);
    if (at === undefined) wrong.push(`${topic}: ${label(text)} was never sent`);
    else if (at <= last) wrong.push(`${topic}: ${label(text)} comes after ${last}`);
    else last = at;
  }
  return wrong;
}

/** What was acknowledged with a receipt does not come again; what nobody acknowledged does. */
async function checkWorker(client: PulsarClient, log: readonly string[], history: TopicHistory): Promise<string[]> {
  const { topic, acknowledging, acknowledged } = history;
  const consumer = await client.subscribe({ topic, subscription: WORKER, type: "Shared" });
  const due = log.filter((text) => !acknowledging.has(text));
  const again = new Set(await drain(consumer, due));
  await consumer.close();
  const twice = [...acknowledged].filter((text) => again.has(text));
  const missing = due.filter((text) => !again.has(text));
  return [
    ...twice.map((text) => `${topic}: ${label(text)} was acknowledged and came again`),
    ...missing.map((text) => `${topic}: ${label(text)} was not acknowledged and did not come`),
  ];
}

/** A subscription that acknowledged nothing gets everything. */
async function checkKeeper(client: PulsarClient, log: readonly string[], { topic }: TopicHistory): Promise<string[]> {
  const consumer = await client.subscribe({ topic, subscription: KEEPER });
  const texts = await drain(consumer, log);
  await consumer.close();
  return texts.length === log.length ? [] : [`${topic}: ${KEEPER} got ${texts.length} of ${log.length} messages`];
}

/** What a subscription gets: what is due, and whatever comes soon after. */
async function drain(consumer: Consumer, due: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  const missing = new Set(due);
  for (;;) {
    try {
      const text = (await consumer.receive(missing.size > 0 ? PATIENCE_MS : QUIET_MS)).text();
      texts.push(text);
      missing.delete(text);
    } catch (error) {
      if (error instanceof PulsarError && error.code === "Timeout") return texts;
      throw error;
    }
  }
}

function label(text: string | undefined): string {
  return `message ${text?.slice(0, text.indexOf(":"))}`;
}
