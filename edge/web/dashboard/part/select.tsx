/** A choice of one among a few named values. */

interface SelectProps<T extends string> {
  /** Its accessible name. */
  readonly title: string;
  readonly of: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (next: T) => void;
}

export function Select<T extends string>({ title, of, words, chosen, onChoose }: SelectProps<T>) {
  return (
    <select aria-label={title} value={chosen} onChange={(event) => onChoose(event.currentTarget.value as T)}>
      {of.map((one) => (
        <option key={one} value={one}>
          {words[one]}
        </option>
      ))}
    </select>
  );
}
