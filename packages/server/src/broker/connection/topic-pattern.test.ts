import { describe, expect, it } from "vitest";
import { compileTopicPattern } from "./topic-pattern.ts";

const t = (name: string): string => `persistent://public/default/${name}`;

describe("topic patterns", () => {
  it.each([
    ["persistent://public/default/a.*", t("abc"), true],
    ["public/default/a.*", t("abc"), true],
    ["public/default/a.*", t("xabc"), false],
    ["public/default/a", t("abc"), false],
    ["public/default/a", t("a-partition-3"), true],
    ["public/default/(a|b)\\d?", t("b7"), true],
    [".*", t("anything"), true],
    ["public/default/t1:t1", t("t1:t1"), true],
  ])("%s over %s: %s", (pattern, topic, expected) => {
    expect(compileTopicPattern(pattern, 50)?.(topic)).toBe(expected);
  });

  it.each(["(a+)+", "(a|a)*b", ".*.*.*.*", "(a{1,9}){1,9}", "(a)\\1", "a(", "x".repeat(51)])(
    "leaves %s to the client",
    (pattern) => {
      expect(compileTopicPattern(pattern, 50)).toBeUndefined();
    },
  );
});
