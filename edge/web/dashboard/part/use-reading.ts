/** Something read from the service, read again when one of its reasons changes, and as long as it is not answered. */
import { useCallback, useEffect, useState } from "preact/hooks";
import type { DashboardState } from "../state/dashboard-state.ts";
import { whenInView } from "../state/visibility.ts";

interface Reading<T> {
  readonly data: T | undefined;
  readonly fault: string | undefined;
  readonly readAgain: () => void;
}

/** `read` is called at first and whenever a value of `reasons` differs from before; out of view, once the page is in view. */
export function useReading<T>(
  dashboard: DashboardState,
  read: () => Promise<T>,
  reasons: readonly unknown[],
): Reading<T> {
  const [data, setData] = useState<T | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [count, setCount] = useState(0);
  const readAgain = useCallback(() => setCount((before) => before + 1), []);
  useEffect(() => {
    let isWanted = true;
    const stop = whenInView(() => {
      void dashboard.ask(read, { isWanted: () => isWanted, onFault: setFault }).then((found) => {
        if (isWanted && found !== undefined) setData(() => found);
      });
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, [...reasons, count]);
  return { data, fault, readAgain };
}
