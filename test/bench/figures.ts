/** One measured number. */
export interface Figure {
  /** What was measured, as in `produced, 1 KiB`. */
  what: string;
  /** Who was measured, as in `pulsewire` or `Go`. */
  who: string;
  value: number;
  unit: string;
  /** Whether more is better. Default true. */
  more?: boolean;
  /** What it should reach. */
  target?: number;
}

/** What a suite has found out. */
export interface Findings {
  figures: Figure[];
  /** What was not measured and why, and what a reader has to know. */
  notes: string[];
}

/** Our own column. Others are peers, and what starts with it and a space is another shape of it. */
export const OURS = "pulsewire";
/** The column of a physical limit; no peer. Every limit's name starts with `bare`. */
export const LIMIT = "bare socket";

function isLimit({ who }: Figure): boolean {
  return who.startsWith("bare ");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function rounded(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)} M`;
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)} k`;
  if (value >= 100) return value.toFixed(0);
  return value.toPrecision(value < 1 ? 2 : 3);
}

function verdict({ value, target, more = true }: Figure): string {
  if (target === undefined) return "";
  const reached = more ? value >= target : value <= target;
  return `${more ? "≥" : "≤"} ${rounded(target)}: ${reached ? "reached" : "short"}`;
}

/** Ours over the best peer, turned round where less is better: above 1 we are ahead. */
function ratio(row: readonly Figure[]): string {
  const ours = row.find((f) => f.who === OURS);
  const peers = row.filter((f) => !f.who.startsWith(OURS) && !isLimit(f));
  if (ours === undefined || peers.length === 0) return "";
  const more = ours.more ?? true;
  const best = more ? Math.max(...peers.map((f) => f.value)) : Math.min(...peers.map((f) => f.value));
  return `${(more ? ours.value / best : best / ours.value).toFixed(2)} ×`;
}

function ofLimit(row: readonly Figure[]): string {
  const ours = row.find((f) => f.who === OURS);
  const limit = row.find(isLimit);
  return ours === undefined || limit === undefined ? "" : `${((100 * ours.value) / limit.value).toFixed(0)} %`;
}

function line(cells: readonly string[], widths: readonly number[]): string {
  return `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
}

/** The figures as a Markdown table: a row for each thing measured, a column for each who. */
export function table(figures: readonly Figure[]): string {
  const whats = [...new Set(figures.map((f) => f.what))];
  const whos = [...new Set(figures.map((f) => f.who))];
  const rows = whats.map((what) => {
    const row = figures.filter((f) => f.what === what);
    const values = whos.map((who) => row.find((f) => f.who === who)).map((f) => (f ? rounded(f.value) : ""));
    const verdicts = row.map(verdict).filter((text) => text !== "");
    return [what, row[0]?.unit ?? "", ...values, ratio(row), ofLimit(row), verdicts[0] ?? ""];
  });
  const heads = ["", "unit", ...whos, "ours : best peer", "of the limit", "target"];
  const kept = heads.map((_, i) => i < 2 || rows.some((row) => row[i] !== ""));
  const cells = [heads, ...rows].map((row) => row.filter((_, i) => kept[i]));
  const widths = (cells[0] ?? []).map((_, i) => Math.max(3, ...cells.map((row) => (row[i] ?? "").length)));
  const rule = `|${widths.map((w, i) => (i === 0 ? "-".repeat(w + 2) : `${"-".repeat(w + 1)}:`)).join("|")}|`;
  const [head = [], ...body] = cells;
  return [line(head, widths), rule, ...body.map((row) => line(row, widths))].join("\n");
}
