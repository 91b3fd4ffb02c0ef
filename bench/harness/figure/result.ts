/** The result of a scenario, as plain data: it crosses a process and is stored. */
import type { Chart } from "./chart.ts";
import { ratios } from "./statistics.ts";

/** One measured quantity, one number a round. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly number[];
}

/** The project's target for a number, and the number in each round. */
export interface Target {
  readonly name: string;
  readonly bound: "atMost" | "atLeast";
  readonly limit: number;
  readonly unit: string;
  readonly rounds: readonly number[];
  /** The figure that the target is about, and the baseline that it has: both are in the table of promises. */
  readonly measured: Figure;
  readonly floor?: Figure | undefined;
}

export interface ScenarioResult {
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly targets: readonly Target[];
  readonly charts: readonly Chart[];
  /** Facts that a reader needs to read the numbers right. */
  readonly notes: readonly string[];
}

interface ScenarioOptions {
  /** Small sizes and short rounds: shows that everything runs, not how fast. */
  readonly isQuick: boolean;
  /** A git revision to measure next to this checkout, if a scenario can. */
  readonly against?: string | undefined;
  /** Reports progress to the waiting user. */
  readonly say: (text: string) => void;
}

export type Scenario = (options: ScenarioOptions) => Promise<ScenarioResult>;

/** Makes a target on the ratio of a figure to its floor, round by round. */
export function againstFloor(
  name: string,
  measured: Figure,
  floor: Figure,
  bound: Target["bound"],
  limit: number,
): Target {
  return { name, bound, limit, unit: "x floor", rounds: ratios(measured.rounds, floor.rounds), measured, floor };
}

/** A target on a figure itself. The floor is only shown next to it. */
export function absolute(
  name: string,
  measured: Figure,
  bound: Target["bound"],
  limit: number,
  floor?: Figure,
): Target {
  return { name, bound, limit, unit: measured.unit, rounds: measured.rounds, measured, floor };
}
