import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { exitCodeOf, readArguments } from "./run-arguments.ts";
import { parseOptions } from "./simulation/run-options.ts";

class Ended extends Error {}

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, "error").mockImplementation((text) => void said.push(String(text)));
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Ended(String(code));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [["--sed", "3"], /^Unknown option '--sed'/],
  [["--trcae"], /^Unknown option '--trcae'/],
  [["3"], /^Unexpected argument '3'/],
  [["--seed", "-1"], /--seed/],
  [["--seed", "x"], /^--seed takes a whole number from 0 on, not "x"/],
  [["--seeds=-1"], /^--seeds takes a whole number from 1 on, not "-1"/],
  [["--seeds", "0"], /^--seeds takes a whole number from 1 on, not "0"/],
  [["--seeds", ""], /^--seeds takes a whole number from 1 on, not ""/],
  [["--seconds", "0"], /^--seconds takes a whole number from 1 on/],
  [["--jobs", "0"], /^--jobs takes a whole number from 1 on/],
  [["--hours", "0"], /^--hours takes a number above 0, not "0"/],
  [["--of", "bookies"], /^--of takes one of cluster, storage, both, not "bookies"/],
  [["--storage", "tape"], /^--storage takes one of memory, disks, not "tape"/],
])("a search with %o ends with 2, and says what is wrong and what there is", (args, told) => {
  expect(() => parseOptions(args)).toThrow(new Ended("2"));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(told);
  expect(said[0]).toContain("npm run sim -- [options]");
});

test("what is right is taken", () => {
  expect(parseOptions(["--seed", "3", "--seeds", "2", "--of", "storage", "--stop"])).toMatchObject({
    seed: 3,
    seeds: 2,
    what: ["storage"],
    stop: true,
  });
  expect(readArguments("usage", { args: [], options: {} }).values).toEqual({});
  expect(said).toEqual([]);
});

test("a run of nothing did not pass", () => {
  expect([exitCodeOf(0, 0), exitCodeOf(1, 0), exitCodeOf(1, 1)]).toEqual([1, 0, 1]);
  expect(said).toEqual(["nothing was run"]);
});
