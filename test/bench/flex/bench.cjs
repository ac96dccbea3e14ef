// pulsar-flex as a peer of the benchmark: bench.cjs PACKAGE_FOLDER URL MESSAGES BYTES [single]
const [folder, url, messagesText, bytesText, mode] = process.argv.slice(2);
const { Producer, Consumer, logLevel } = require(require.resolve("pulsar-flex", { paths: [folder] }));

/** Messages of one batch, and batches on their way. */
const BATCH = 1000;
/** With nothing received for so long, in ms, it has stopped: what came until then counts. */
const STALLED_MS = 3000;
const messages = Number(messagesText);
const payload = "a".repeat(Number(bytesText));
const topic = `persistent://public/default/bench-flex-${process.pid}-${Date.now()}`;
const common = { topic, discoveryServers: [url.replace("pulsar://", "")], logLevel: logLevel.ERROR };
const perSecond = (count, startMs) => count / ((performance.now() - startMs) / 1000);

async function single(producer) {
  const startMs = performance.now();
  for (let i = 0; i < messages; i++) await producer.sendMessage({ properties: {}, payload });
  return { single_per_s: perSecond(messages, startMs) };
}

async function produce(producer) {
  const batch = Array.from({ length: BATCH }, () => ({ properties: {}, payload }));
  const startMs = performance.now();
  for (let sent = 0; sent < messages; sent += BATCH) await producer.sendBatch({ messages: batch });
  return perSecond(messages, startMs);
}

function consume(consumer) {
  const startMs = performance.now();
  let [received, lastMs] = [0, startMs];
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(watch);
      resolve(received === 0 ? undefined : received / ((lastMs - startMs) / 1000));
    };
    const watch = setInterval(() => performance.now() - lastMs > STALLED_MS && end(), 100);
    const onMessage = async () => {
      received++;
      lastMs = performance.now();
      if (received === messages) end();
    };
    consumer.run({ onMessage, autoAck: true });
  });
}

async function run() {
  const producer = new Producer(common);
  await producer.create();
  if (mode === "single") return single(producer);
  const consumer = new Consumer({
    ...common,
    subscription: "s",
    subType: Consumer.SUB_TYPES.EXCLUSIVE,
    consumerName: "c",
    receiveQueueSize: 1000,
  });
  await consumer.subscribe();
  const produced = await produce(producer);
  return { produced_per_s: produced, consumed_per_s: await consume(consumer) };
}

run().then((figures) => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ...figures, cpu_s: (user + system) / 1e6 }));
  process.exit(0);
});
