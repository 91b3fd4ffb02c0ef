/** Waiting for a condition in a test. */

/** A bound for what never comes, not a measure: a busy machine takes its time. */
const WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 5;

/** Looks every few milliseconds until `isSo`. Rejects with the text of the condition when it does not come true. */
export async function untilTrue(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`it never came true: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
