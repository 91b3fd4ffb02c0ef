/**
 * A moment by both clocks of the page. The steady clock stops while the machine sleeps; the wall clock does not, and
 * may be set.
 */
export interface Moment {
  readonly steadyMs: number;
  readonly wallMs: number;
}

/** The moment `agoMs` before now. */
export function momentBefore(agoMs = 0): Moment {
  return { steadyMs: performance.now() - agoMs, wallMs: Date.now() - agoMs };
}

/** How long ago a moment was, by the clock that went further since: nothing is called younger than it is. */
export function ageOf({ steadyMs, wallMs }: Moment): number {
  return Math.max(0, performance.now() - steadyMs, Date.now() - wallMs);
}
