import { expect, test } from "vitest";
import { type Appended, append, entriesOf, placeOf, startSimulatedStorage } from "../simulation/simulated-storage.ts";

const NAME = "public/default/persistent/t";
const faults = {
  messenger: { delayMsMin: 0.5, delayMsMax: 4 },
  remote: { delayMsMin: 0.5, delayMsMax: 4 },
};

test("an owner stands still, another takes over: the first gets nothing acknowledged that is not in the log", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { simulation, owner } = await startSimulatedStorage({ seed, bookies: 4, faults });
    const first = await simulation.finish(owner("zombie").open(NAME));
    const before: Appended[] = [];
    for (let i = 0; i < 50; i++) {
      before.push(append(simulation, first, `before-${i}`));
      await simulation.run(0.5);
    }
    simulation.pause("zombie");
    const second = await simulation.finish(owner("successor").open(NAME));
    const taken = append(simulation, second, "successor-0");
    await simulation.until(() => taken.position !== undefined);
    simulation.resume("zombie");
    const late = Array.from({ length: 10 }, (_, i) => append(simulation, first, `late-${i}`));
    await simulation.until(() => [...before, ...late].every((a) => a.settledMs !== undefined));

    const log = await simulation.finish(entriesOf(second));
    for (const appended of late) expect(appended.error?.code, `seed ${seed}: ${appended.text}`).toBe("Fenced");
    for (const appended of before.filter((a) => a.position !== undefined)) {
      expect(log.get(placeOf(appended)), `seed ${seed}`).toBe(appended.text);
    }
    expect(before.some((a) => a.position !== undefined)).toBe(true);
    const texts = [...log.values()];
    expect(texts).toEqual([...before.slice(0, texts.length - 1).map((a) => a.text), "successor-0"]);
  }
});
