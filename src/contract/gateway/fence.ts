/**
 * The fence: by what a connector tells a request of now from one of the past.
 *
 * A request may arrive long after it was written: a frozen message server delivers it when it wakes, a stopped engine
 * sends it when it goes on. By then the order may have been looked up, said not to exist, and sent again.
 */
import { z } from "zod";

const naturalNumber = z.number().int().nonnegative();

export const fenceSchema = z.object({
  /** The partition that sends. */
  partition: naturalNumber,
  /** Which leader of that partition sends; a later leader's is higher. 0 where only one engine can run it. */
  epoch: naturalNumber,
  /**
   * `place`, `chain`: which attempt to send this order, from 1; durable before it is used, never given twice.
   * `findOrder` by `clientOrderId`: the highest attempt that may have been sent. Elsewhere 0.
   */
  attempt: naturalNumber,
});
export type Fence = Readonly<z.infer<typeof fenceSchema>>;

/** Asked and answered by `fence`: the highest epoch of a partition that is heard, the asked one included. */
export const fencedEpochSchema = fenceSchema.omit({ attempt: true });
export type FencedEpoch = Readonly<z.infer<typeof fencedEpochSchema>>;

/** True where `left` is at or under `right`: of an earlier leader, or of the same one and no later attempt. */
export function isAtOrUnder(left: FencePoint, right: FencePoint): boolean {
  return left.epoch < right.epoch || (left.epoch === right.epoch && left.attempt <= right.attempt);
}

/** A place in the order of leaders and attempts. */
export type FencePoint = Pick<Fence, "epoch" | "attempt">;
