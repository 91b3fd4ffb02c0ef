/** The form that makes or changes a price alert (behaviour 29). */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Faults } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { DateField, findHalfDate } from "../part/date-field.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { Select } from "../part/select.tsx";
import { SymbolField } from "../part/symbol-field.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { distanceText, priceText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import {
  alertBody,
  alertChange,
  alertFaults,
  alertPriceOf,
  DIRECTIONS,
  type Direction,
  draftOfAlert,
  EMPTY_ALERT,
  isReached,
  type PriceAlert,
  type PriceAlertDraft,
} from "./price-alert-draft.ts";

const NOTE_LENGTH_MAX = 200;
const EXAMPLE_SYMBOL = "THYAO";
const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  atOrAbove: say("rises to"),
  atOrBelow: say("falls to"),
};
const REPEATS = ["once", "eachTime"] as const;
const REPEAT_WORDS: Readonly<Record<(typeof REPEATS)[number], string>> = {
  once: say("Once"),
  eachTime: say("Every time it crosses"),
};

/** The last price, and how far the typed price is from it. */
function lastNote(draft: PriceAlertDraft, last: number | undefined): string | undefined {
  if (last === undefined) return undefined;
  const price = alertPriceOf(draft) ?? 0;
  const text = say("Last {price}", { price: priceText(last) });
  return price > 0 ? `${text}, ${distanceText(price, last)}` : text;
}

interface PriceAlertFormProps {
  readonly dashboard: DashboardState;
  /** The symbol at first; empty: the user chooses. */
  readonly symbol: string;
  /** The alert that is changed; absent: a new one is made. */
  readonly changed?: PriceAlert | undefined;
  /** Returns the refusal of the service, which begins with the field. */
  readonly onSend: (body: object) => Promise<string | undefined>;
  /** Of a change: closes the form. */
  readonly onBack?: () => void;
}

export function PriceAlertForm({ dashboard, symbol, changed, onSend, onBack }: PriceAlertFormProps) {
  const symbols = useStore(dashboard.symbols);
  const [before] = useState<PriceAlertDraft>(
    changed === undefined ? { ...EMPTY_ALERT, symbol } : draftOfAlert(changed),
  );
  const [draft, setDraft] = useState(before);
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  /** Of the service, which begins with the field. */
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [halfDate, setHalfDate] = useState<string | undefined>(undefined);
  const box = useRef<HTMLFormElement>(null);
  useFaultFocus(box, tryCount);
  useFilled(dashboard.addressBar, box);
  // The press that opened a change was below.
  useEffect(() => {
    if (changed === undefined) return;
    box.current?.scrollIntoView({ block: "nearest" });
    box.current?.querySelector<HTMLElement>("input")?.focus();
  }, []);
  const last = useStore(dashboard.price(draft.symbol))?.price;
  const faults = isTried ? { ...alertFaults(draft), ...refusedField(refusal) } : {};
  const change = (part: Partial<typeof draft>): void => {
    setRefusal(undefined);
    setHalfDate(undefined);
    setDraft({ ...draft, ...part });
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsTried(true);
    setTryCount((count) => count + 1);
    const half = findHalfDate(box.current);
    setHalfDate(half?.until);
    if (half !== undefined || Object.keys(alertFaults(draft)).length > 0) return;
    setIsBusy(true);
    const said = await onSend(changed === undefined ? alertBody(draft) : alertChange(draft, before));
    if (said === undefined) return;
    setIsBusy(false);
    setRefusal(said);
    setTryCount((count) => count + 1);
  };
  // Another price or direction arms an alert again.
  const isMoved =
    changed === undefined || draft.direction !== before.direction || alertPriceOf(draft) !== alertPriceOf(before);
  const title =
    changed === undefined
      ? say("New price alert")
      : say("Change the price alert on {symbol}", { symbol: changed.symbol });
  return (
    <form class="change" noValidate ref={box} aria-label={title} onSubmit={(event) => void submit(event)}>
      {changed !== undefined && <h3>{title}</h3>}
      <div class="fields">
        {changed === undefined && (
          <SymbolField
            label={say("Symbol")}
            value={draft.symbol}
            symbols={symbols}
            placeholder={EXAMPLE_SYMBOL}
            fault={faults.symbol}
            onChange={(symbol) => change({ symbol })}
          />
        )}
        <Field label={say("When the price")} fault={undefined}>
          {(attributes) => (
            <Select
              title={say("When the price")}
              attributes={attributes}
              of={DIRECTIONS}
              words={DIRECTION_WORDS}
              chosen={draft.direction}
              onChoose={(direction) => change({ direction })}
            />
          )}
        </Field>
        <Field label={say("Price")} fault={faults.price} note={lastNote(draft, last)}>
          {(attributes) => (
            <input
              {...attributes}
              inputMode="decimal"
              autocomplete="off"
              value={draft.price}
              onInput={(event) => change({ price: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={say("How often")} fault={undefined}>
          {(attributes) => (
            <Select
              title={say("How often")}
              attributes={attributes}
              of={REPEATS}
              words={REPEAT_WORDS}
              chosen={draft.repeat ? "eachTime" : "once"}
              onChoose={(chosen) => change({ repeat: chosen === "eachTime" })}
            />
          )}
        </Field>
        <DateField
          label={say("Watched until (optional)")}
          name="until"
          value={draft.until}
          fault={halfDate ?? faults.until}
          onChange={(until) => change({ until })}
        />
        <Field label={say("Note (optional)")} fault={undefined}>
          {(attributes) => (
            <input
              {...attributes}
              autocomplete="off"
              maxLength={NOTE_LENGTH_MAX}
              value={draft.note}
              onInput={(event) => change({ note: event.currentTarget.value })}
            />
          )}
        </Field>
        <div class="tools">
          <button type="submit" class="primary" disabled={isBusy}>
            {changed === undefined ? say("Create price alert") : say("Save price alert")}
          </button>
          {onBack !== undefined && (
            <button type="button" class="quiet" onClick={onBack}>
              {say("Back")}
            </button>
          )}
        </div>
      </div>
      {isMoved && isReached(draft, last) && (
        <p class="caution">{say("The last price has reached this price: the alert would notify you immediately.")}</p>
      )}
      {Object.keys(refusedField(refusal)).length === 0 && <Fault text={refusal && serviceText(refusal)} />}
    </form>
  );
}

/** A refusal of the service at the field that it begins with; none if it begins with no field of the form. */
function refusedField(refusal: string | undefined): Faults {
  const [name] = /^(symbol|price(?! alert)|until)\b/.exec(refusal ?? "") ?? [];
  return name === undefined || refusal === undefined ? {} : { [name]: serviceText(refusal) };
}
