// From startCluster() to the first acknowledged message, cold and then warm, in ms. Prints one line of JSON.
import { PulsarClient } from "@pulsewire/client";
import { startCluster } from "@pulsewire/server";

const times: number[] = [];
for (let round = 0; round < Number(process.argv[2]); round++) {
  const startMs = performance.now();
  const cluster = await startCluster();
  const client = new PulsarClient({ serviceUrl: cluster.serviceUrl });
  const producer = await client.createProducer({ topic: "first" });
  await producer.send("hello");
  times.push(performance.now() - startMs);
  await client.close();
  await cluster.close();
}
console.log(JSON.stringify(times));
