/** Numbers as people type them. */

/**
 * Digits, and after a point at most `decimalsMax` more; undefined for all else. `1.000` is a thousand to some and one to
 * others, and `1e3` is a slip of the hand: neither is guessed at.
 */
export function readNumber(text: string, decimalsMax: number): number | undefined {
  const [whole, decimals = ""] = /^\d+(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  return whole === undefined || decimals.length > decimalsMax ? undefined : Number(whole);
}

/** What {@link readNumber} asks for, in words. */
export function numberRule(decimalsMax: number): string {
  return decimalsMax === 0 ? "Digits only." : `Digits, and at most ${decimalsMax} more after a point.`;
}
