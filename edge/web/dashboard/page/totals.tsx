/** The money of the account, and the sums of its positions. */
import { Profit } from "../part/profit.tsx";
import { moneyText } from "../part/words.ts";
import { marketValueOf, sumOf } from "../part/worth.ts";
import type { Balance, Position } from "../state/model.ts";

interface TotalsProps {
  /** Null: the brokerage states none. Undefined: not read yet. */
  readonly balance: Balance | null | undefined;
  readonly positions: readonly Position[] | undefined;
}

export function Totals({ balance, positions }: TotalsProps) {
  const value = sumOf(positions ?? [], marketValueOf);
  const profit = sumOf(positions ?? [], (position) => position.profit ?? undefined);
  return (
    <section class="card" aria-label="Totals">
      <div class="heading">
        <h2>Totals</h2>
      </div>
      {balance === null && <p class="hint">The brokerage does not state the money of the account.</p>}
      <dl class="terms">
        <Term name="Cash" text={amountText(balance?.cash, balance?.currency)} />
        <Term name="Buying power" text={amountText(balance?.buyingPower, balance?.currency)} />
        <Term name="Equity" text={amountText(balance?.equity, balance?.currency)} />
        <Term
          name="Value of positions"
          text={positions === undefined ? "–" : `${moneyText(value.sum)}${leftOutText(value.missing)}`}
        />
        <dt>Profit of positions</dt>
        <dd class="number">
          <Profit amount={positions === undefined ? undefined : profit.sum} />
          {leftOutText(profit.missing)}
        </dd>
      </dl>
    </section>
  );
}

function Term({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class="number">{text}</dd>
    </>
  );
}

function amountText(amount: number | undefined, currency = ""): string {
  return amount === undefined ? "–" : `${moneyText(amount)} ${currency}`;
}

function leftOutText(missing: number): string {
  return missing === 0 ? "" : ` without ${missing} of unknown price`;
}
