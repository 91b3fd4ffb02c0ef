/** The reports on an execution, and the facts for its owner (behaviour 13). Types only. */
import type { DoubtCode } from "./doubt.ts";
import type { Fill, OrderNotice } from "./order.ts";

/** By whom an order was ended; null if the brokerage does not state it. */
export type EndedBy = "owner" | "exchange" | "brokerage" | null;

export type Evidence =
  /** A record that the brokerage published. */
  | { readonly type: "reported"; readonly record: OrderNotice; readonly timeMs: number }
  /**
   * The answer to a look-up; `look` is the number of the look-up that `apply` asked for, null for a round of asking.
   */
  | {
      readonly type: "lookedUp";
      readonly record: OrderNotice;
      readonly look: number | null;
      readonly timeMs: number;
    }
  /** A look-up was answered with NOT_FOUND or UNKNOWN, or the brokerage can look nothing up. */
  | { readonly type: "notFound" | "unknown" | "cannotLookUp"; readonly timeMs: number }
  /** `askAtMs` has come. */
  | { readonly type: "waited"; readonly timeMs: number }
  /** A person's decision: the filled lots in all, and no more will be filled. */
  | { readonly type: "decided"; readonly fill: Fill | null; readonly timeMs: number };

/** A report that contradicts itself, as code. */
export type Contradiction =
  | "completedWithoutQuantity"
  | "completedWithoutPrice"
  | "completedInPart"
  | "impossiblePrice";

export type Fact =
  | { readonly type: "filled"; readonly quantity: number; readonly price: number | null }
  | { readonly type: "filledAfterEnd"; readonly quantity: number; readonly price: number | null }
  | {
      readonly type: "ended";
      readonly filled: number;
      readonly rest: number;
      readonly orderStatus: number;
      readonly by: EndedBy;
      readonly message: string | null;
    }
  /** `quantity` lots more than were ordered. */
  | { readonly type: "overfilled"; readonly quantity: number }
  | { readonly type: "corrected"; readonly from: number; readonly to: number }
  | { readonly type: "replaced"; readonly orderNo: string }
  | { readonly type: "inDoubt"; readonly code: DoubtCode }
  /** An order in doubt is known again. */
  | { readonly type: "found" }
  /** The record belongs to another order. */
  | { readonly type: "ignored"; readonly orderNo: string }
  | { readonly type: "contradicted"; readonly code: Contradiction }
  /** The brokerage must be asked for it now; the answer carries `look`. */
  | { readonly type: "lookUp"; readonly look: number };
