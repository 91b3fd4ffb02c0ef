/** What a pending OCO waits for, and what follows, as text (behaviour 5.4, 24). */
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { distanceText, priceText } from "../part/words.ts";
import type { Setup } from "../state/model.ts";
import { waitsForTrigger } from "./setup-draft.ts";

/** `last`: the last price of the symbol, if it is known. */
export function nextStepText(setup: Pick<Setup, "entry">, last: number | undefined): string {
  const { entry } = setup;
  if (entry === null) return say("Once the whole order is filled, its stop-loss and take-profits are under watch.");
  const then = say("Filled lots are protected by the stop-loss and take-profits immediately.");
  if (entry.isEnding) return then;
  return `${waitText(setup, entry, last)} ${then}`;
}

function waitText(
  setup: Pick<Setup, "entry">,
  { orderType, price, triggerPrice }: NonNullable<Setup["entry"]>,
  last: number | undefined,
): string {
  const at = (level: number): { readonly price: string } => {
    const distance = last === undefined ? "" : ` (${distanceText(level, last)})`;
    return { price: `${priceText(level)}${distance}` };
  };
  if (triggerPrice != null && waitsForTrigger(setup))
    return say("The buy is sent when the price rises to {price}.", at(triggerPrice));
  if (orderType !== LIMIT) return say("The buy fills at the market price.");
  if (last !== undefined && last <= price) return say("The price has reached the limit: the buy can fill now.");
  return say("The buy fills when the price falls to {price}.", at(price));
}
