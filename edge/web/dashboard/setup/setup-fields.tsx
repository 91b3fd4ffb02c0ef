/** The exits of a buy: levels in percent of the fill price or as prices, and the terms of the group that it becomes. */
import { type ComponentChildren, Fragment } from "preact";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { PriceField } from "../group/price-field.tsx";
import { Risk } from "../group/risk.tsx";
import { TakeProfits } from "../group/take-profits.tsx";
import { saleText } from "../group/terms.ts";
import { TermsFields } from "../group/terms-fields.tsx";
import { say } from "../language/say.ts";
import { DateField } from "../part/date-field.tsx";
import { Field } from "../part/field.tsx";
import { typedText } from "../part/number-text.ts";
import { Select } from "../part/select.tsx";
import { type DraftLevel, describeSetup, type SetupDraft, withSetupLots } from "./setup-draft.ts";

interface ExpiryFieldProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (expires: string) => void;
}

/** When what is not filled of an entry's buy is cancelled. */
export function ExpiryField(props: ExpiryFieldProps) {
  return <DateField label={say("Cancel the buy at (optional)")} name="expiresAt" {...props} />;
}

interface SetupFieldsProps {
  readonly draft: SetupDraft;
  /** The lots of the stop-loss, if they are typed here. */
  readonly lots?: ComponentChildren;
  /** What the buy is expected to fill at, and what that price is. */
  readonly price: number | undefined;
  readonly priceName: string;
  readonly table: TickTable;
  /** The zone of the exchange. */
  readonly zone: string;
  /** False: its lots cannot be changed. */
  readonly hasRisk?: boolean;
  /** True: its exit names a policy already. */
  readonly hasPolicy?: boolean;
  readonly faultOf: (field: string) => string | undefined;
  /** What a level comes to: of the stop-loss under `stopLoss`, of a take-profit under its key. */
  readonly notes?: ReadonlyMap<string, string>;
  readonly onChange: (changes: Partial<SetupDraft>) => void;
}

export function SetupFields(props: SetupFieldsProps) {
  const {
    draft,
    lots,
    price,
    priceName,
    table,
    zone,
    hasRisk = true,
    hasPolicy = false,
    faultOf,
    notes,
    onChange,
  } = props;
  const hasPercent = [draft.stopLoss, ...draft.takeProfits].some(({ unit }) => unit === "percent");
  return (
    <>
      <div class="fields">
        <LevelField
          label={say("Stop-loss")}
          side="below"
          level={draft.stopLoss}
          table={table}
          fault={faultOf("stopLoss")}
          note={notes?.get("stopLoss")}
          onChange={(stopLoss) => onChange({ stopLoss })}
        />
        {lots}
      </div>
      <TakeProfits
        items={draft.takeProfits}
        faultOf={faultOf}
        onChange={(takeProfits) => onChange({ takeProfits })}
        level={(item, number, change) => (
          <LevelField
            label={say("Take-profit {number}", { number })}
            side="above"
            level={item}
            table={table}
            fault={faultOf(`price${item.key}`)}
            note={notes?.get(String(item.key))}
            onChange={change}
          />
        )}
        next={(last, item) => ({ ...item, unit: last?.unit ?? "percent", text: "" })}
      />
      {hasRisk && (
        <Risk
          price={price}
          of={priceName}
          table={table}
          onPropose={({ stopLossPercent, takeProfitPercent, lots: sized }) => {
            const next = sized === undefined ? draft : withSetupLots(draft, String(sized));
            const [first, ...more] = next.takeProfits;
            const proposed = { unit: "percent", text: typedText(takeProfitPercent) } as const;
            onChange({
              stopLoss: { unit: "percent", text: typedText(stopLossPercent) },
              stopLossQuantity: next.stopLossQuantity,
              takeProfits: first === undefined ? [] : [{ ...first, ...proposed }, ...more],
            });
          }}
        />
      )}
      <p class="hint">
        {hasPercent && `${say("Percentages count from the price of the fill.")} `}
        {saleText(draft.exit.policy)}
      </p>
      <TermsFields draft={draft} zone={zone} hasPolicy={hasPolicy} faultOf={faultOf} onChange={onChange} />
    </>
  );
}

/** A draft without faults as text. `zone`: the exchange's. */
export function SetupTerms({ draft, zone }: { readonly draft: SetupDraft; readonly zone: string }) {
  return (
    <dl class="terms">
      {describeSetup(draft, zone).map(({ what, text }) => (
        <Fragment key={what}>
          <dt>{what}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

interface LevelFieldProps {
  readonly label: string;
  readonly side: "above" | "below";
  readonly level: DraftLevel;
  readonly table: TickTable;
  readonly fault: string | undefined;
  readonly note: string | undefined;
  readonly onChange: (level: DraftLevel) => void;
}

const UNITS = ["percent", "price"] as const;

function LevelField({ label, side, level, table, fault, note, onChange }: LevelFieldProps) {
  const { unit, text } = level;
  return (
    <>
      {unit === "price" ? (
        <PriceField
          table={table}
          label={label}
          value={text}
          fault={fault}
          note={note}
          onChange={(typed) => onChange({ unit, text: typed })}
        />
      ) : (
        <Field label={label} fault={fault} note={note}>
          {(attributes) => (
            <input
              {...attributes}
              inputMode="decimal"
              autocomplete="off"
              value={text}
              onInput={(event) => onChange({ unit, text: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field
        label={
          <>
            <span class="hidden">{label}: </span>
            {say("Unit")}
          </>
        }
        fault={undefined}
      >
        {(attributes) => (
          <Select
            attributes={attributes}
            title={label}
            of={UNITS}
            words={{
              percent: side === "below" ? say("% below") : say("% above"),
              price: say("price"),
            }}
            chosen={unit}
            // A 3 that means percent is not a price of 3.
            onChoose={(chosen) => onChange({ unit: chosen, text: "" })}
          />
        )}
      </Field>
    </>
  );
}
