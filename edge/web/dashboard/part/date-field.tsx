/**
 * A field for date and time, and the fault that only such a field can have. It is typed in the form of the page's
 * language, as a field of the browser would be in the browser's. The calendar is the browser's.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Field } from "./field.tsx";
import { momentPattern, momentText, readMoment } from "./moment-text.ts";
import { typedMomentText } from "./words.ts";

interface DateFieldProps {
  readonly label: string;
  /** The field in the faults of its form. */
  readonly name: string;
  /** `2026-03-02T17:50`; empty: none, also while a part of it is typed. */
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

export function DateField({ label, name, value, fault, onChange }: DateFieldProps) {
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  // What is typed gives way to a value that comes from elsewhere.
  const text = (readMoment(typed) ?? "") === value ? typed : momentText(value);
  const isPart = readMoment(text) === undefined;
  useEffect(() => field.current?.setCustomValidity(isPart ? momentPattern() : ""), [isPart]);
  const type = (next: string): void => {
    setTyped(next);
    onChange(readMoment(next) ?? "");
  };
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <>
          <span class="moment">
            <input
              {...attributes}
              ref={field}
              name={name}
              value={text}
              placeholder={momentPattern()}
              autocomplete="off"
              onInput={(event) => type(event.currentTarget.value)}
            />
            <button
              type="button"
              class="quiet"
              aria-label={say("Choose from a calendar")}
              onClick={() => calendar.current?.showPicker()}
            >
              <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path d="M2 3.5h12v10.5H2zM2 6.5h12M5 1.5v3M11 1.5v3" fill="none" stroke="currentColor" />
              </svg>
            </button>
            <input
              type="datetime-local"
              ref={calendar}
              tabIndex={-1}
              aria-hidden="true"
              value={value}
              onInput={(event) => type(momentText(event.currentTarget.value))}
            />
          </span>
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
  const name = form?.querySelector<HTMLInputElement>(".moment > :invalid")?.name;
  const rule = say("Give the whole date and time, or none: {form}.", { form: momentPattern() });
  return name === undefined ? undefined : { [name]: rule };
}
