import { Counter, Gauge, Registry } from "prom-client";

export type Labels = Record<string, string>;

/** One scrape: its metrics are made for it, so that a topic that went leaves no series behind. */
export class Scrape {
  readonly registry: Registry = new Registry();

  gauge(name: string, help: string, labelNames: readonly string[]): (labels: Labels, value: number) => void {
    const gauge = new Gauge({ name, help, labelNames, registers: [this.registry] });
    return (labels, value) => gauge.set(labels, value);
  }

  counter(name: string, help: string, labelNames: readonly string[]): (labels: Labels, value: number) => void {
    const counter = new Counter({ name, help, labelNames, registers: [this.registry] });
    return (labels, value) => counter.inc(labels, value);
  }
}
