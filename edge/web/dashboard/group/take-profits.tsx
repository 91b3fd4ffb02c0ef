/** The take-profits of a group or pending OCO in the making: each a level, which the form gives, and its lots. */
import type { ComponentChildren } from "preact";
import { say } from "../language/say.ts";
import { Field } from "../part/field.tsx";
import type { DraftLots } from "./levels.ts";

const TAKE_PROFITS_MAX = 50;

interface TakeProfitsProps<T extends DraftLots> {
  readonly items: readonly T[];
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (items: readonly T[]) => void;
  /** The fields of the level of an item; `number` counts from 1. */
  readonly level: (item: T, number: number, change: (changes: Partial<T>) => void) => ComponentChildren;
  /** One more item, given the last one. */
  readonly next: (last: T | undefined, lots: DraftLots) => T;
}

export function TakeProfits<T extends DraftLots>({ items, faultOf, onChange, level, next }: TakeProfitsProps<T>) {
  const changeOne = (key: number, changes: Partial<T> | Partial<DraftLots>): void =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const add = (event: MouseEvent): void => {
    // The button moves down by a row, and the buttons of a form that stay in view can cover it.
    const button = event.currentTarget;
    if (button instanceof HTMLElement) requestAnimationFrame(() => button.scrollIntoView({ block: "nearest" }));
    const key = Math.max(0, ...items.map((item) => item.key)) + 1;
    onChange([...items, next(items.at(-1), { key, quantity: "" })]);
  };
  return (
    <fieldset>
      <legend>{say("Take-profits")}</legend>
      {items.map((item, index) => (
        <div key={item.key} class="fields">
          {level(item, index + 1, (changes) => changeOne(item.key, changes))}
          <Field label={say("Lots {number}", { number: index + 1 })} fault={faultOf(`quantity${item.key}`)}>
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
              aria-label={say("Remove take-profit {number}", { number: index + 1 })}
              onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
            >
              {say("Remove")}
            </button>
          )}
        </div>
      ))}
      {items.length < TAKE_PROFITS_MAX && (
        <button type="button" class="quiet" onClick={add}>
          {say("Add a take-profit")}
        </button>
      )}
    </fieldset>
  );
}
