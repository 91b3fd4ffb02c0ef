/**
 * A field for date and time, and the faults that only such a field can have. The field is in the language of the
 * browser, so the chosen moment is repeated in the language of the page.
 */
import { say } from "../language/say.ts";
import { Field } from "./field.tsx";
import { typedMomentText } from "./words.ts";

interface DateFieldProps {
  readonly label: string;
  /** The field in the faults of its form. */
  readonly name: string;
  /** `2026-03-02T17:50`; empty: none. */
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

export function DateField({ label, name, value, fault, onChange }: DateFieldProps) {
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="datetime-local"
            name={name}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
          {value !== "" && <span class="hint">{typedMomentText(value)}</span>}
        </>
      )}
    </Field>
  );
}

/**
 * The fault of the first field for date and time that is typed in part, by its name: it has no value, and looks as if it
 * had one. Undefined: every field is whole or empty.
 */
export function findHalfDate(form: HTMLFormElement | null): Readonly<Record<string, string>> | undefined {
  const name = form?.querySelector<HTMLInputElement>("[type=datetime-local]:invalid")?.name;
  return name === undefined ? undefined : { [name]: say("Give the whole date and time, or none.") };
}
