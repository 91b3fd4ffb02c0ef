/** The take-profits of a group in the making. */
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { Field } from "../part/field.tsx";
import { type DraftTakeProfit, stepPrice } from "./levels.ts";
import { PriceField } from "./price-field.tsx";

const TAKE_PROFITS_MAX = 50;

interface TakeProfitsProps {
  readonly items: readonly DraftTakeProfit[];
  readonly table: TickTable;
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (items: readonly DraftTakeProfit[]) => void;
}

export function TakeProfits({ items, table, faultOf, onChange }: TakeProfitsProps) {
  const changeOne = (key: number, changes: Partial<DraftTakeProfit>): void =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const add = (): void => {
    const last = items.at(-1);
    onChange([
      ...items,
      {
        key: Math.max(0, ...items.map(({ key }) => key)) + 1,
        price: stepPrice(last?.price ?? "", "up", table),
        quantity: "",
      },
    ]);
  };
  return (
    <fieldset>
      <legend>Take-profits</legend>
      {items.map((item, index) => (
        <div key={item.key} class="fields">
          <PriceField
            table={table}
            label={`Price ${index + 1}`}
            value={item.price}
            fault={faultOf(`price${item.key}`)}
            onChange={(price) => changeOne(item.key, { price })}
          />
          <Field label={`Lots ${index + 1}`} fault={faultOf(`quantity${item.key}`)}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode="numeric"
                value={item.quantity}
                onInput={(event) => changeOne(item.key, { quantity: event.currentTarget.value })}
              />
            )}
          </Field>
          {items.length > 1 && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove take-profit ${index + 1}`}
              onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {items.length < TAKE_PROFITS_MAX && (
        <button type="button" class="quiet" onClick={add}>
          Add a take-profit
        </button>
      )}
    </fieldset>
  );
}
