/** Money, positions and the day's orders of the account, as the brokerage reports them. */

import { say } from "../language/say.ts";
import { Profit, Share } from "../part/profit.tsx";
import { type Column, Table } from "../part/table.tsx";
import { usePortfolio } from "../part/use-portfolio.ts";
import { averageText, moneyText, priceText, quantityText } from "../part/words.ts";
import { marketValueOf, profitShareOf } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Holding, type Position, protectionOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { Orders } from "../trade/orders.tsx";
import { Doubts } from "./doubts.tsx";
import { Reset } from "./reset.tsx";
import { Totals } from "./totals.tsx";
import { Trading } from "./trading.tsx";

const POSITION_COLUMNS: readonly Column<Position>[] = [
  { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
  { title: say("Lots"), isNumber: true, view: ({ quantity }) => quantityText(quantity) },
  {
    title: say("Free to sell"),
    isNumber: true,
    isMinor: true,
    view: ({ availableQuantity }) => quantityText(availableQuantity),
  },
  { title: say("Average price"), isNumber: true, isMinor: true, view: ({ averagePrice }) => averageText(averagePrice) },
  { title: say("Last price"), isNumber: true, view: ({ lastPrice }) => priceText(lastPrice) },
  { title: say("Value"), isNumber: true, isMinor: true, view: (position) => amountText(marketValueOf(position)) },
  { title: say("Profit"), isNumber: true, view: ({ profit }) => <Profit amount={profit} /> },
  {
    title: say("Profit %"),
    isNumber: true,
    isMinor: true,
    view: (position) => <Share share={profitShareOf(position)} />,
  },
];

function amountText(amount: number | undefined): string {
  return amount === undefined ? "–" : moneyText(amount);
}

interface PortfolioProps {
  readonly dashboard: DashboardState;
  /** Opens a new group for what is held. */
  readonly onProtect: (holding: Holding) => void;
}

export function Portfolio({ dashboard, onProtect }: PortfolioProps) {
  const { positions, orders, balance, fault } = usePortfolio(dashboard);
  const groups = useStore(dashboard.groups);
  const protection: Column<Position> = {
    title: say("Protection"),
    view: ({ symbol, quantity, availableQuantity }) => {
      const found = protectionOf(groups, symbol);
      return (
        <div class="tools">
          {availableQuantity > 0 && (
            <button
              type="button"
              aria-label={say("Protect {symbol}", { symbol })}
              onClick={() => onProtect({ symbol, quantity: availableQuantity })}
            >
              {say("Protect")}
            </button>
          )}
          {found !== undefined && (
            <a href={`#/groups/${found.groupId}`}>
              {say("{lots} of {all} protected", { lots: quantityText(found.lots), all: quantityText(quantity) })}
            </a>
          )}
        </div>
      );
    },
  };
  return (
    <>
      <Doubts dashboard={dashboard} />
      <Totals {...{ dashboard, balance, positions, orders }} />
      <Table
        title={say("Positions")}
        columns={[...POSITION_COLUMNS, protection]}
        items={positions}
        keyOf={({ symbol }) => symbol}
        empty={say("No position.")}
        fault={fault}
      />
      <Orders dashboard={dashboard} title={say("Orders of the day")} orders={orders} empty={say("No order today.")} />
      <Trading dashboard={dashboard} />
      <Reset dashboard={dashboard} />
    </>
  );
}
