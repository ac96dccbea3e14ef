/** What several runs did, for the last lines. */
export class Totals {
  readonly #faults: Record<string, number> = {};
  simulatedMs = 0;

  add(faults: Readonly<Record<string, number>>, simulatedMs: number): void {
    for (const [what, count] of Object.entries(faults)) this.#faults[what] = (this.#faults[what] ?? 0) + count;
    this.simulatedMs += simulatedMs;
  }

  /** One line that `addLine` takes apart again. */
  get line(): string {
    const faults = Object.entries(this.#faults).sort(([a], [b]) => (a < b ? -1 : 1));
    const sum = faults.reduce((all, [, count]) => all + count, 0);
    const seconds = (this.simulatedMs / 1000).toFixed(0);
    return `${seconds} s simulated, ${sum} faults: ${faults.map(([what, count]) => `${what} ${count}`).join(", ")}`;
  }

  /** False where the line tells something else. */
  addLine(line: string): boolean {
    const found = /^(\d+) s simulated, \d+ faults: (.*)$/.exec(line);
    if (found === null) return false;
    const faults = (found[2] as string).split(", ").filter((part) => part !== "");
    this.add(
      Object.fromEntries(faults.map((f) => [f.split(" ")[0], Number(f.split(" ")[1])])),
      Number(found[1]) * 1000,
    );
    return true;
  }
}
