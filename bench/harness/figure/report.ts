/** A scenario's result as a person reads it. */
import { type BarChart, readable } from "./chart.ts";
import type { Figure, ScenarioResult, Target } from "./result.ts";
import { median } from "./statistics.ts";

const NAME_WIDTH = 62;

/** Whether the median of the rounds keeps the promise. */
export function isMet({ bound, limit, rounds }: Pick<Target, "bound" | "limit" | "rounds">): boolean {
  const value = median(rounds);
  return bound === "atMost" ? value <= limit : value >= limit;
}

/** Renders lines of text: figures with their spread, then the promises and their results. */
export function describe({ title, figures, targets, notes }: ScenarioResult): string {
  const lines = [`\n${title}`];
  for (const { name, unit, rounds } of figures) lines.push(`  ${pad(name)} ${spread(rounds)} ${unit}`);
  for (const target of targets) {
    const sign = target.bound === "atMost" ? "<=" : ">=";
    const verdict = isMet(target) ? "met   " : "MISSED";
    lines.push(
      `  ${verdict} ${pad(target.name, NAME_WIDTH - 7)} ${spread(target.rounds)} ${target.unit}, promised ${sign} ${readable(target.limit)}`,
    );
  }
  for (const note of notes) lines.push(`  - ${note}`);
  return lines.join("\n");
}

/** Median and, of several rounds, the lowest and the highest. */
function spread(rounds: readonly number[]): string {
  const middle = readable(median(rounds)).padStart(12);
  if (rounds.length < 2) return `${middle}${" ".repeat(20)}`;
  return `${middle}${` (${readable(Math.min(...rounds))} .. ${readable(Math.max(...rounds))})`.padEnd(20)}`;
}

function pad(name: string, width = NAME_WIDTH): string {
  return name.padEnd(width);
}

/** Figures of one unit side by side. */
export function barsOf(title: string, figures: readonly Figure[]): BarChart {
  return {
    kind: "bars",
    title,
    unit: figures[0]?.unit ?? "",
    bars: figures.map(({ name, rounds }) => ({
      label: name,
      value: median(rounds),
      low: Math.min(...rounds),
      high: Math.max(...rounds),
    })),
  };
}
