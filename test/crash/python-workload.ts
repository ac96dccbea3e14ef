import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { IN_FLIGHT, KEEPER, newHistories, PLANS, type TopicHistory, textOf, WORKER } from "./workload.ts";

const program = join(import.meta.dirname, "workload.py");

/** The same as `Workload`, by the official Python client: it has no receipts for acknowledgements. */
export class PythonWorkload {
  readonly histories: TopicHistory[];
  readonly wrong: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #ready: Promise<void>;
  readonly #sizes: ReadonlyMap<string, number>;
  #stopped = false;

  /** @param round Part of the topics' names. */
  constructor(python: string, serviceUrl: string, round: number) {
    this.#sizes = new Map(PLANS.map(({ topic, size }) => [`${topic}-${round}`, size]));
    this.histories = newHistories(round);
    const topics = PLANS.map(({ batching, size }, i) => ({ topic: this.histories[i]?.topic, batching, size }));
    const plan = JSON.stringify({ topics, worker: WORKER, keeper: KEEPER, in_flight: IN_FLIGHT });
    this.#child = spawn(python, [program, serviceUrl, plan], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    this.#ended = new Promise((resolve) => lines.once("close", resolve));
    this.#ready = new Promise((resolve, reject) => {
      lines.on("line", (line) => {
        if (line === "ready") resolve();
        else this.#take(line);
      });
      lines.once("close", () => reject(new Error("the Python workload ended before everybody was at work")));
    });
  }

  /** Resolves when everybody is at work. */
  start(): Promise<void> {
    return this.#ready;
  }

  expectEnd(): void {
    this.#stopped = true;
  }

  /** After the server is gone. Resolves when everything it was told is known. */
  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #take(line: string): void {
    const [event, topic, number = ""] = line.split(" ");
    if (event === "ended" && !this.#stopped) this.wrong.push(`while the server ran: ${line}`);
    const history = this.histories.find((one) => one.topic === topic);
    if (history === undefined) return;
    const text = textOf(number, this.#sizes.get(history.topic) ?? 0);
    if (event === "sent") history.sent.push(text);
    else if (event === "stored") history.stored.add(text);
    else if (event === "acknowledging") history.acknowledging.add(text);
  }
}
