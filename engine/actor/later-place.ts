/** Where the tick stream stood when levels of an actor were armed after its others (behaviour 15.5). */
import type { StreamPlace } from "../ports/stream.ts";

export interface LaterPlace {
  readonly armedSinceMs: number;
  readonly place: StreamPlace;
}

export const NO_LATER_PLACES: readonly LaterPlace[] = [];
