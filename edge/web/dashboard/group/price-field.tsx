/** A price of the tick table: the arrow keys go to the next one. */
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { Field } from "../part/field.tsx";
import { stepPrice } from "./levels.ts";

const PRICE_INPUT_MODE = "decimal";

/** Of the fields for lots. */
export const LOTS_INPUT_MODE = "numeric";

export function isLotsInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.inputMode === LOTS_INPUT_MODE;
}

export function isPriceInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.inputMode === PRICE_INPUT_MODE;
}

interface PriceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly note?: string | undefined;
  readonly table: TickTable;
  readonly onChange: (text: string) => void;
}

export function PriceField({ label, value, fault, note, table, onChange }: PriceFieldProps) {
  const step = (event: KeyboardEvent): void => {
    const direction = event.key === "ArrowUp" ? "up" : event.key === "ArrowDown" ? "down" : undefined;
    if (direction === undefined) return;
    event.preventDefault();
    onChange(stepPrice(value, direction, table));
  };
  return (
    <Field label={label} fault={fault} note={note}>
      {(attributes) => (
        <input
          {...attributes}
          inputMode={PRICE_INPUT_MODE}
          value={value}
          onKeyDown={step}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
