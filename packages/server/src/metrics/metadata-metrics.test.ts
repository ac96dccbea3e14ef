import { ManualClock } from "@pulsewire/runtime";
import { expect, it } from "vitest";
import { createMemoryMetadata, MetadataStatistics, MeteredMetadata, RenewingMetadata } from "../metadata/index.ts";
import { metadataMetrics } from "./metadata-metrics.ts";

const OWN = 'cluster="c",name="metadata-store"';

it("the metadata store's metrics tell requests by kind, outcome and time, bytes put and sessions that expired", async () => {
  const clock = new ManualClock();
  const statistics = new MetadataStatistics();
  const metadata = createMemoryMetadata({ clock });
  let session = metadata.session();
  const node = new RenewingMetadata(() => {
    session = metadata.session();
    return new MeteredMetadata(session, clock, statistics);
  });
  await node.put("/a", new Uint8Array(7));
  await node.get("/a");
  await node.children("/");
  await expect(node.delete("/none")).rejects.toThrow("NotFound");
  statistics.observe("put", true, 4);
  metadata.expire(session);
  await node.put("/b", new Uint8Array(1));

  const text = metadataMetrics("c", statistics);
  const value = (series: string): string | undefined =>
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1);
  const latency = "pulsar_metadata_store_ops_latency_ms";
  expect(value(`${latency}_count{${OWN},type="get",status="success"}`)).toBe("2");
  expect(value(`${latency}_count{${OWN},type="del",status="fail"}`)).toBe("1");
  expect(value(`${latency}_bucket{${OWN},type="put",status="success",le="3.0"}`)).toBe("2");
  expect(value(`${latency}_bucket{${OWN},type="put",status="success",le="5.0"}`)).toBe("3");
  expect(value(`${latency}_bucket{${OWN},type="put",status="success",le="+Inf"}`)).toBe("3");
  expect(value(`${latency}_sum{${OWN},type="put",status="success"}`)).toBe("4");
  expect(value(`pulsar_metadata_store_put_bytes_total{${OWN}}`)).toBe("8");
  expect(value(`pulsar_metadata_store_sessions_expired_total{${OWN}}`)).toBe("1");
});
