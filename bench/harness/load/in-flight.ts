/** Does `work` for each index under `count`, `inFlight` of them at a time. Rejects with the first that fails. */
export async function eachInFlight(
  count: number,
  inFlight: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}
