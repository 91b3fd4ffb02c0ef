/** The place in the tick stream at which levels of an actor were armed after its others (behaviour 15.5). */
import type { StreamPlace } from "../ports/stream.ts";

export interface LaterPlace {
  readonly armedSinceMs: number;
  readonly place: StreamPlace;
}

export const NO_LATER_PLACES: readonly LaterPlace[] = [];
