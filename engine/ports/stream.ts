/** Places in the tick stream, as the parts of the engine hand them on. */

import type { StreamSequence } from "../../src/domain/price/price.ts";

/** A message of the tick stream; `stream` tells one stream from another of the same name. */
export interface StoredAt extends StreamSequence {
  /** When the stream took it in, by the stream's own clock. */
  readonly timeMs: number;
}

/** Where the tick stream stood at a moment of ours. */
export interface StreamPlace {
  readonly stream: string;
  /** What has this sequence or a lower one was stored before; of later ones nothing is said. */
  readonly sequence: number;
  /** How far the stream's clock was ahead of ours. */
  readonly aheadMs: number;
}
