import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a program printed of one case. */
export interface CaseResult {
  name: string;
  passed: boolean;
  detail: string;
}

/** Cases known not to pass yet, each with its reason. The list may only shrink. */
export type NotYet = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function loadNotYet(): NotYet {
  return JSON.parse(readFileSync(join(import.meta.dirname, "not-yet.json"), "utf8")) as NotYet;
}

/** Reads `ok NAME (0.1s)` and `FAIL NAME reason (0.1s)`. */
export function parseLine(line: string): CaseResult | undefined {
  const match = /^(ok|FAIL) (\S+)(.*)$/.exec(line);
  if (match === null) return undefined;
  return { name: match[2] as string, passed: match[1] === "ok", detail: (match[3] as string).trim() };
}

export interface Verdict {
  passed: number;
  failed: number;
  expected: number;
  problems: string[];
}

/** Compares results with the list: an unlisted failure is a problem, and so is a listed case that passes. */
export function judge(program: string, results: readonly CaseResult[], notYet: NotYet, complete: boolean): Verdict {
  const listed = notYet[program] ?? {};
  const verdict: Verdict = { passed: 0, failed: 0, expected: 0, problems: [] };
  for (const { name, passed, detail } of results) {
    const known = Object.hasOwn(listed, name);
    if (passed) verdict.passed++;
    if (passed && known) verdict.problems.push(`${program}: ${name} passes now: take it off the list`);
    else if (!passed && known) verdict.expected++;
    else if (!passed) {
      verdict.failed++;
      verdict.problems.push(`${program}: ${name} failed: ${detail}`);
    }
  }
  if (complete) {
    const names = new Set(results.map((r) => r.name));
    for (const name of Object.keys(listed)) {
      if (!names.has(name)) verdict.problems.push(`${program}: ${name} is on the list and is no case`);
    }
    if (results.length === 0) verdict.problems.push(`${program}: no case ran`);
  }
  return verdict;
}
