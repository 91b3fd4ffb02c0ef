/** A hold as clients see it. */
import type { StoredHold } from "../../src/contract/operator/hold.ts";
import { formatTime } from "../../src/domain/time.ts";

export function holdView({ sinceMs, by, reason, fromPrice: from, toPrice: to }: StoredHold) {
  return { since: formatTime(sinceMs), by, reason, from, to };
}
