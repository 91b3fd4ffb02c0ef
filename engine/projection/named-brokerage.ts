/** The brokerage that a request may name. */
import { type Refusal, refuse } from "../../src/domain/refusal.ts";
import type { Brokerages } from "../ports/brokerage.ts";

/** Refuses an unknown brokerage (INVALID); undefined if the brokerage is known, or absent from the request. */
export function refuseUnknownBrokerage(
  { brokerages }: { readonly brokerages: Pick<Brokerages, "find"> },
  brokerageCode: string | undefined,
): Refusal | undefined {
  const isKnown = brokerageCode === undefined || brokerages.find(brokerageCode) !== undefined;
  return isKnown ? undefined : refuse("INVALID", "brokerageCode is not known");
}
