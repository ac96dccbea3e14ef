import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PLANS, type TopicHistory } from "./workload.ts";

const program = join(import.meta.dirname, "workload.py");

/** The same as `Workload`, by the official Python client: it has no receipts for acknowledgements. */
export class PythonWorkload {
  readonly histories: TopicHistory[];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #ready: Promise<void>;
  readonly #sizes: ReadonlyMap<string, number>;

  /** @param round Part of the topics' names. */
  constructor(python: string, serviceUrl: string, round: number) {
    this.#sizes = new Map(PLANS.map(({ topic, size }) => [`${topic}-${round}`, size]));
    this.histories = PLANS.map(({ topic }) => ({
      topic: `${topic}-${round}`,
      sent: [],
      stored: new Set(),
      acknowledging: new Set(),
      acknowledged: new Set(),
    }));
    this.#child = spawn(python, [program, serviceUrl, String(round)], { stdio: ["pipe", "pipe", "inherit"] });
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
    // it tells nobody of what fails
  }

  /** After the server is gone. Resolves when everything it was told is known. */
  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #take(line: string): void {
    const [event, topic, number] = line.split(" ");
    const history = this.histories.find((one) => one.topic === topic);
    if (history === undefined) return;
    const text = `${number}:`.padEnd(this.#sizes.get(history.topic) ?? 0, "x");
    if (event === "sent") history.sent.push(text);
    else if (event === "stored") history.stored.add(text);
    else if (event === "acknowledging") history.acknowledging.add(text);
  }
}
