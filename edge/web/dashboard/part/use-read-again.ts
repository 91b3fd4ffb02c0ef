/** Repeats a reading while the orders that it is about are not over: no event reports a fill. */
import { useEffect, useRef } from "preact/hooks";

const READ_AGAIN_MS = 5_000;
/** An order that has no fill by then may have ended without one. */
const READ_AGAIN_MAX = 24;

/** `reading`: what was read last; the next pause begins when it changes. */
export function useReadAgain(isGoingOn: boolean, reading: unknown, readAgain: () => void): void {
  const readCount = useRef(0);
  useEffect(() => {
    if (!isGoingOn || readCount.current >= READ_AGAIN_MAX) return;
    const timer = setTimeout(() => {
      readCount.current += 1;
      readAgain();
    }, READ_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [reading, isGoingOn, readAgain]);
}
