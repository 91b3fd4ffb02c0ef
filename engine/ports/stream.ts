/** Places in the tick stream, as the parts of the engine pass them on. */

import type { StreamSequence } from "../../src/domain/price/price.ts";

/** A message of the tick stream; `stream` distinguishes streams of the same name. */
export interface StoredAt extends StreamSequence {
  /** When the stream took it in, by the stream's own clock. */
  readonly timeMs: number;
}

/** The position of the tick stream at a moment of ours. */
export interface StreamPlace {
  readonly stream: string;
  /** Messages with this sequence or a lower one were stored before; later ones are not known. */
  readonly sequence: number;
  /** How far the stream's clock was ahead of ours. */
  readonly aheadMs: number;
}
