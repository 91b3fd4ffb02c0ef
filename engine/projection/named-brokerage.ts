/** The brokerage that a request may name. */
import { type Refusal, refuse } from "../../src/domain/refusal.ts";
import type { Brokerages } from "../ports/brokerage.ts";

/** INVALID where a brokerage is named that there is none of; undefined where none is named, or it is known. */
export function refuseUnknownBrokerage(
  { brokerages }: { readonly brokerages: Pick<Brokerages, "find"> },
  brokerageCode: string | undefined,
): Refusal | undefined {
  const isKnown = brokerageCode === undefined || brokerages.find(brokerageCode) !== undefined;
  return isKnown ? undefined : refuse("INVALID", "brokerageCode is not known");
}
