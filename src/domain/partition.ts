/**
 * Which partition a user lives on (behaviour 12.5).
 */
import { assert } from "../assert.ts";

/** The partition of `userId` among `partitions`: a hash, so that ids given out by one partition spread over all. */
export function partitionOf(userId: number, partitions: number): number {
  assert(Number.isSafeInteger(userId) && userId > 0 && partitions > 0, "a user id and a number of partitions");
  let hash = (userId % 0x1_0000_0000) ^ Math.floor(userId / 0x1_0000_0000);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions;
}
