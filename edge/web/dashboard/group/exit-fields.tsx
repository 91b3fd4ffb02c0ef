/** How and when a stop-loss is sold: fields of a new group, of a pending OCO, and of a change of either. */
import { say } from "../language/say.ts";
import { DateField } from "../part/date-field.tsx";
import { Field } from "../part/field.tsx";
import { Select } from "../part/select.tsx";
import { type ExitDraft, POLICIES, POLICY_WORDS } from "./terms.ts";

/** All words of the fields, in one place. */
const TEXT = {
  policy: say("If an order leaves lots unsold"),
  at: say("Sell at (optional)"),
  minutes: say("Minutes before the close (optional)"),
} as const;

interface ExitFieldsProps {
  readonly draft: ExitDraft;
  /** The zone of the exchange. */
  readonly zone: string;
  /** True: a policy was given before, and one always is from then on. */
  readonly hasPolicy: boolean;
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (draft: ExitDraft) => void;
}

export function ExitFields({ draft, zone, hasPolicy, faultOf, onChange }: ExitFieldsProps) {
  return (
    <>
      <div class="fields">
        <Field label={TEXT.policy} fault={faultOf("exit.stopLoss")}>
          {(attributes) => (
            <Select
              attributes={attributes}
              title={TEXT.policy}
              of={POLICIES.filter((policy) => policy !== "" || !hasPolicy)}
              words={POLICY_WORDS}
              chosen={draft.policy}
              onChoose={(policy) => onChange({ ...draft, policy })}
            />
          )}
        </Field>
        <DateField
          label={TEXT.at}
          name="exit.at"
          value={draft.at}
          fault={faultOf("exit.at")}
          onChange={(at) => onChange({ ...draft, at })}
        />
        <Field label={TEXT.minutes} fault={faultOf("exit.beforeCloseMinutes")}>
          {(attributes) => (
            <input
              {...attributes}
              inputMode="numeric"
              autocomplete="off"
              value={draft.beforeCloseMinutes}
              onInput={(event) => onChange({ ...draft, beforeCloseMinutes: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <p class="hint">
        {say(
          "The stop-loss sells at that time, regardless of the price. “Sell at” is the time of the exchange: {zone}. If both are given, the earlier one counts.",
          { zone },
        )}
      </p>
    </>
  );
}
