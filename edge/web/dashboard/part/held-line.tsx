/** The lots held of a symbol, and their profit at the last price. */
import { say } from "../language/say.ts";
import type { Position } from "../state/model.ts";
import { Profit, Share } from "./profit.tsx";
import { averageText, quantityText } from "./words.ts";
import { profitShareOf } from "./worth.ts";

interface HeldLineProps {
  /** At the last price. */
  readonly position: Position;
  readonly currency: string | undefined;
}

export function HeldLine({ position, currency = "" }: HeldLineProps) {
  const { quantity, averagePrice, profit } = position;
  const share = profitShareOf(position);
  return (
    <p class="hint held-line">
      <span>
        {averagePrice > 0
          ? say("Held: {lots} at {price}", {
              lots: quantityText(quantity),
              price: averageText(averagePrice),
            })
          : say("Held: {lots} lots", { lots: quantityText(quantity) })}
      </span>{" "}
      {profit !== null && (
        <span class="whole">
          <Profit amount={profit} /> {currency} {share !== undefined && <Share share={share} />}
        </span>
      )}
    </p>
  );
}
