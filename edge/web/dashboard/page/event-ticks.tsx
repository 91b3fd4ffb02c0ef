/** A choice of events by their names, as the patterns that a notification target takes. */
import { useId, useState } from "preact/hooks";
import { BROAD_PATTERNS, isCovered, isNamedType, NAMED_TYPES } from "../../../../src/event/event-names.ts";
import { FAMILIES, familyOf } from "../../../../src/event/family.ts";
import { patternText } from "../language/event-text.ts";
import { say } from "../language/say.ts";
import { FAMILY_WORDS } from "../part/words.ts";

interface EventTicksProps {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: readonly string[]) => void;
  readonly fault?: string | undefined;
}

const BROAD: ReadonlySet<string> = new Set(BROAD_PATTERNS);

/** A pattern that another one covers is shown as ticked, and cannot be unticked by itself. */
export function EventTicks({ patterns, onChange, fault }: EventTicksProps) {
  const faultId = useId();
  // They stay in view once they are unticked: nothing else brings them back.
  const [others] = useState(() => patterns.filter((pattern) => !isNamedType(pattern) && !BROAD.has(pattern)));
  const isTicked = (pattern: string): boolean => patterns.includes(pattern) || isCovered(pattern, patterns);
  const tick = (pattern: string, isFaulty = false) => (
    <label class="tick" key={pattern}>
      <input
        type="checkbox"
        checked={isTicked(pattern)}
        disabled={isCovered(pattern, patterns)}
        onChange={(event) => {
          const left = patterns.filter((one) => one !== pattern);
          onChange(event.currentTarget.checked ? [...left, pattern] : left);
        }}
        {...(isFaulty ? { "aria-invalid": true, "aria-describedby": faultId } : {})}
      />{" "}
      {patternText(pattern)}
    </label>
  );
  return (
    <fieldset>
      <legend>{say("Events")}</legend>
      {fault !== undefined && (
        <p id={faultId} class="fault">
          {fault}
        </p>
      )}
      {[...BROAD_PATTERNS, ...others].map((pattern, index) => tick(pattern, index === 0 && fault !== undefined))}
      {FAMILIES.map((family) => {
        const types = NAMED_TYPES.filter((type) => familyOf(type) === family);
        return (
          <details key={family}>
            <summary>
              {say("{family}: {ticked} of {count}", {
                family: FAMILY_WORDS[family],
                ticked: types.filter(isTicked).length,
                count: types.length,
              })}
            </summary>
            <div class="ticks">{types.map((type) => tick(type))}</div>
          </details>
        );
      })}
    </fieldset>
  );
}
