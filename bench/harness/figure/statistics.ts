/** Statistics over the numbers of several rounds. */

/** The value below which `share` (0 to 1) of the values lie, by rank. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[rank] ?? Number.NaN;
}

/** The middle value; of an even number of values the mean of the middle two. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Round by round: the two were measured one right after the other, so what the machine did to one it did to both. */
export function ratios(measured: readonly number[], floor: readonly number[]): number[] {
  return measured.map((value, round) => value / (floor[round] ?? Number.NaN));
}
