import type { Producer } from "@pulsewire/client";
import { expect, test } from "vitest";
import { KEEP_ALL, numbered, readLog, textsOf } from "../simulation/read-log.ts";
import { startSimulatedCluster } from "../simulation/simulated-cluster.ts";

const faults = { network: { delayMsMin: 0.2, delayMsMax: 1 }, messenger: { delayMsMin: 0.1, delayMsMax: 1 } };

test("a zone is lost: every entry has a copy elsewhere, and writes go on in the zones that are left", async () => {
  const cluster = { bookies: 6, zones: 3, ensembleSize: 3, writeQuorum: 3, ackQuorum: 2, settings: KEEP_ALL };
  const { simulation, cluster: running, client, close } = await startSimulatedCluster({ seed: 3, faults, cluster });
  const user = client("client");
  const producers: Producer[] = [];
  for (const topic of ["t", "u", "v"]) {
    producers.push(await simulation.finish(user.createProducer({ topic, batchingEnabled: false })));
  }
  for (const text of numbered(20)) for (const producer of producers) await simulation.finish(producer.send(text));
  // bookies are dealt out to zones in turn: the first and the fourth stand in one
  for (const index of [0, 3]) running.faults.bookie(index).kill();
  for (const producer of producers) {
    await simulation.finish(
      Promise.all(
        numbered(40)
          .slice(20)
          .map((text) => producer.send(text)),
      ),
    );
  }
  await simulation.finish(running.admin.unloadNamespace("public/default"));
  for (const topic of ["t", "u", "v"]) expect(textsOf(await readLog(simulation, user, topic))).toEqual(numbered(40));
  await close();
});
