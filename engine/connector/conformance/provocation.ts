/** Events at a brokerage that the engine does not cause, and that can be caused while a connector is tried. */

/**
 * - `fill`: one lot of the order is filled.
 * - `replace`: the order is replaced by another one, which gets a new number if the brokerage gives one.
 * - `exchangeEnd`, `dayEnd`, `brokerageEnd`: the exchange, the end of its day or the brokerage ends the order.
 * - `cutDown`: the rest of the order is taken away, so that it is complete with the filled lots.
 * - `correct`: the last fill of the order is taken back.
 * - `close`, `open`: the market takes no orders from now on, or takes them again. Of no order.
 */
export const provocations = [
  "fill",
  "replace",
  "exchangeEnd",
  "dayEnd",
  "brokerageEnd",
  "cutDown",
  "correct",
  "close",
  "open",
] as const;
export type Provocation = (typeof provocations)[number];

/** The order that is meant; both texts are empty for `close` and `open`. */
export interface ProvokedOrder {
  readonly orderNo: string;
  readonly clientOrderId: string;
}

/** Makes it happen at the brokerage. Resolves with false if that is not possible there. */
export type Provoke = (what: Provocation, order: ProvokedOrder) => Promise<boolean>;
