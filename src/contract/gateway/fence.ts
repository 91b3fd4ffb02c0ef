/**
 * The fence: it lets a connector distinguish a present request from a past one.
 *
 * A request can arrive long after it was written: a frozen message server delivers it when it wakes, a stopped engine
 * sends it when it continues. By then the order can have been looked up, reported as missing, and sent again.
 */
import { z } from "zod";

const naturalNumber = z.number().int().nonnegative();

export const fenceSchema = z.object({
  /** The partition that sends. */
  partition: naturalNumber,
  /** The number of the leader of that partition; a later leader's is higher. 0 if only one engine can run it. */
  epoch: naturalNumber,
  /**
   * `place`, `chain`: the number of this attempt to send the order, from 1; durable before it is used, never given
   * twice. `findOrder` by `clientOrderId`: the highest attempt that can have been sent. In other requests 0.
   */
  attempt: naturalNumber,
});
export type Fence = Readonly<z.infer<typeof fenceSchema>>;

/** Request and answer of `fence`: the highest received epoch of a partition, the request's own included. */
export const fencedEpochSchema = fenceSchema.omit({ attempt: true });
export type FencedEpoch = Readonly<z.infer<typeof fencedEpochSchema>>;

/** True if `left` is at or under `right`: of an earlier leader, or of the same leader and no later attempt. */
export function isAtOrUnder(left: FencePoint, right: FencePoint): boolean {
  return left.epoch < right.epoch || (left.epoch === right.epoch && left.attempt <= right.attempt);
}

/** A place in the order of leaders and attempts. */
export type FencePoint = Pick<Fence, "epoch" | "attempt">;
