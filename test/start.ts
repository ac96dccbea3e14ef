// `npm start`: a cluster, one message through it, and it stays up until Ctrl-C. Takes the command line's flags.
import { PulsarClient } from "@pulsewire/client";
import { main } from "@pulsewire/server/cli";

process.exitCode = await main(process.argv.slice(2), async ({ serviceUrl }) => {
  await using client = new PulsarClient({ serviceUrl });
  const topic = "persistent://public/default/hello";
  const consumer = await client.subscribe({ topic, subscription: "hello" });
  const producer = await client.createProducer({ topic });
  const id = await producer.send("Hello from Pulsewire");
  const message = await consumer.receive();
  await consumer.acknowledge(message);
  console.log(`Sent and received "${message.text()}" on ${topic} as message ${id}.`);
});
