/** A symbol, with the known ones proposed. */
import { useId } from "preact/hooks";
import { Field } from "./field.tsx";
import { readSymbol } from "./number-text.ts";

interface SymbolFieldProps {
  readonly label: string;
  readonly value: string;
  readonly symbols: readonly string[];
  readonly placeholder?: string;
  readonly fault: string | undefined;
  readonly onChange: (symbol: string) => void;
}

export function SymbolField({ label, value, symbols, placeholder = "", fault, onChange }: SymbolFieldProps) {
  const listId = useId();
  return (
    <>
      <Field label={label} fault={fault}>
        {(attributes) => (
          <input
            {...attributes}
            list={listId}
            placeholder={placeholder}
            value={value}
            autocomplete="off"
            onInput={(event) => onChange(readSymbol(event.currentTarget.value))}
          />
        )}
      </Field>
      <datalist id={listId}>
        {symbols.map((symbol) => (
          <option key={symbol} value={symbol} />
        ))}
      </datalist>
    </>
  );
}
