/** A value that changes often, followed at a pace: its state `settleMs` after the first change not seen yet. */
import { useEffect, useRef, useState } from "preact/hooks";

/** The wait begins with the first change, so that a value which never rests is followed too. */
export function useSettled<T>(value: T, settleMs: number): T {
  const [settled, setSettled] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const isStale = value !== settled;
  useEffect(() => {
    if (!isStale) return;
    const timer = setTimeout(() => setSettled(() => latest.current), settleMs);
    return () => clearTimeout(timer);
  }, [isStale, settled]);
  return settled;
}
