/** Pending OCOs: setups that wait for a buy to fill. */

import { useState } from "preact/hooks";
import { Confirm } from "../part/confirm.tsx";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { queryOf, type Setup, type SetupLevel } from "../state/model.ts";
import { useStore } from "../state/store.ts";

export function Pending({ dashboard }: { readonly dashboard: DashboardState }) {
  const account = useStore(dashboard.account);
  const changes = useStore(dashboard.setupChanges);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const setups = useReading(
    dashboard,
    async () =>
      account === undefined
        ? []
        : dashboard.session.get<readonly Setup[]>(`/api/v1/oco-orders/pending?${queryOf(account)}`),
    [account, changes],
  );
  const remove = async (setupId: number): Promise<void> => {
    const query = new URLSearchParams({ brokerageCode: account?.brokerageCode ?? "" });
    setFault(
      await dashboard.attempt(() => dashboard.session.send("DELETE", `/api/v1/oco-orders/pending/${setupId}?${query}`)),
    );
    setups.readAgain();
  };
  return (
    <Table
      title="Pending OCOs"
      items={setups.data}
      keyOf={({ setupId }) => setupId}
      empty="No buy order is waited for."
      fault={fault ?? setups.fault}
      columns={[
        { title: "Symbol", view: ({ symbol }) => <strong>{symbol}</strong> },
        { title: "Waits for order", view: ({ brokerOrderNo }) => brokerOrderNo ?? "not answered yet" },
        {
          title: "Stop-loss",
          view: ({ stopLossQuantity: quantity, stopLossPercent: percent, stopLossPrice: price }) =>
            levelText({ quantity, percent, price }, "below"),
        },
        {
          title: "Take-profit",
          view: ({ takeProfitItems }) => takeProfitItems.map((item) => levelText(item, "above")).join(", "),
        },
        { title: "Since", isMinor: true, view: ({ createdDate }) => <Time at={createdDate} /> },
        { title: "Until", isMinor: true, view: ({ dueDate }) => <Time at={dueDate} /> },
        { title: "Note", isMinor: true, view: ({ notes }) => notes ?? "" },
        {
          title: "Remove",
          view: ({ setupId }) => <Confirm title="Remove" yes="Yes, remove it" onConfirm={() => void remove(setupId)} />,
        },
      ]}
    />
  );
}

function levelText({ quantity, percent, price }: SetupLevel, side: "above" | "below"): string {
  const level = percent === null ? priceText(price) : `${percent} % ${side} the fill`;
  return `${quantityText(quantity)} at ${level}`;
}
