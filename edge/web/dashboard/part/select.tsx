/** A choice of one among a few named values. */
import type { FieldAttributes } from "./field.tsx";

interface SelectProps<T extends string> {
  /** Its accessible name, except within a field, whose label names it. */
  readonly title: string;
  /** Of the field that it is in. */
  readonly attributes?: FieldAttributes;
  readonly of: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (next: T) => void;
}

export function Select<T extends string>({ title, attributes, of, words, chosen, onChoose }: SelectProps<T>) {
  const name = attributes ?? { "aria-label": title };
  return (
    <select {...name} value={chosen} onChange={(event) => onChoose(event.currentTarget.value as T)}>
      {of.map((one) => (
        <option key={one} value={one}>
          {words[one]}
        </option>
      ))}
    </select>
  );
}
