/** Due date, trailing distance, note and exit of a group or pending OCO in the making. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { DateField } from "../part/date-field.tsx";
import { Field } from "../part/field.tsx";
import { ExitFields } from "./exit-fields.tsx";
import { ownZone, type TermsDraft } from "./terms.ts";

interface TermsFieldsProps {
  readonly draft: TermsDraft;
  /** The zone of the exchange. */
  readonly zone: string;
  /** True: its exit names a policy already. */
  readonly hasPolicy?: boolean;
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (changes: Partial<TermsDraft>) => void;
}

export function TermsFields({ draft, zone, hasPolicy = false, faultOf, onChange }: TermsFieldsProps) {
  // What a fault has opened stays open once it is mended.
  const [isOpen, setIsOpen] = useState(Object.values(draft.exit).some((text) => text !== ""));
  const hasExitFault = ["exit.stopLoss", "exit.at", "exit.beforeCloseMinutes"].some(
    (field) => faultOf(field) !== undefined,
  );
  return (
    <>
      <div class="fields">
        <DateField
          label={say("Watched until (optional)")}
          name="dueDate"
          value={draft.dueDate}
          fault={faultOf("dueDate")}
          onChange={(dueDate) => onChange({ dueDate })}
        />
        <Field label={say("Trailing distance (optional)")} fault={faultOf("trailingDistance")}>
          {(attributes) => (
            <input
              {...attributes}
              value={draft.trailingDistance}
              placeholder={say("5 or 3%")}
              onInput={(event) => onChange({ trailingDistance: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={say("Note (optional)")} fault={faultOf("notes")}>
          {(attributes) => (
            <input
              {...attributes}
              value={draft.notes}
              onInput={(event) => onChange({ notes: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {zone !== ownZone() && (
        <p class="hint">{say("“Watched until” is the time of this browser: {zone}.", { zone: ownZone() })}</p>
      )}
      <details open={isOpen || hasExitFault} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{say("Sell at a set time, and what follows an order that leaves lots unsold")}</summary>
        <ExitFields
          draft={draft.exit}
          zone={zone}
          hasPolicy={hasPolicy}
          faultOf={faultOf}
          onChange={(exit) => onChange({ exit })}
        />
      </details>
    </>
  );
}
