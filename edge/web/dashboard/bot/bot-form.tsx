/** Makes a level bot or a webhook bot. What breaks a rule is told at its field. */
import { useRef, useState } from "preact/hooks";
import { Field } from "../part/field.tsx";
import { readSymbol } from "../part/number-text.ts";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Account, Bot } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import {
  type BotDraft,
  type BotFaults,
  type BotKind,
  botBody,
  DETAIL_FIELDS,
  type DetailField,
  type DraftDetail,
  emptyBot,
  emptyDetail,
  faultKey,
  findBotFaults,
  LIMIT_FIELDS,
  placeFault,
} from "./draft.ts";

const DETAILS_MAX = 100;
const NAME_LENGTH_MAX = 100;

interface BotFormProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly kind: BotKind;
  /** The new bot; undefined: nothing was made. */
  readonly onDone: (bot: Bot | undefined) => void;
}

export function BotForm({ dashboard, account, kind, onDone }: BotFormProps) {
  const [draft, setDraft] = useState<BotDraft>(() => emptyBot(kind));
  const [faults, setFaults] = useState<BotFaults>({});
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const refuse = (found: BotFaults): void => {
    setFaults(found);
    setTryCount((count) => count + 1);
  };
  const sendOnce = useSendOnce(dashboard.session);
  const symbols = useStore(dashboard.symbols);
  const changeDetail = (key: number, values: Readonly<Record<string, string>>): void =>
    setDraft({ ...draft, details: draft.details.map((detail) => (detail.key === key ? { key, values } : detail)) });
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const found = findBotFaults(kind, draft, (symbol) => dashboard.tickTableOf(symbol));
    if (Object.keys(found).length > 0) return refuse(found);
    setFaults({});
    setIsBusy(true);
    let made: Bot | undefined;
    const refusal = await dashboard.attempt(async () => {
      made = (await sendOnce<Bot>(`/api/v1/${kind}`, botBody(kind, draft, account))).data;
    });
    setIsBusy(false);
    if (refusal === undefined) {
      if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
      onDone(made);
    } else refuse(placeFault(draft, refusal));
  };
  const title = kind === "level-bots" ? "New level bot" : "New webhook bot";
  return (
    <form class="card" ref={form} onSubmit={(event) => void create(event)} noValidate aria-label={title}>
      <h2>{title}</h2>
      <p class="hint">{EXPLAINED[kind]}</p>
      <div class="fields">
        <Field label="Name" fault={faults.name}>
          {(attributes) => (
            <input
              {...attributes}
              value={draft.name}
              maxLength={NAME_LENGTH_MAX}
              autocomplete="off"
              onInput={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <datalist id="bot-symbols">
        {symbols.map((symbol) => (
          <option key={symbol} value={symbol} />
        ))}
      </datalist>
      {draft.details.map((detail, index) => (
        <Detail
          key={detail.key}
          kind={kind}
          detail={detail}
          number={index + 1}
          faults={faults}
          onChange={(values) => changeDetail(detail.key, values)}
          onRemove={
            draft.details.length === 1
              ? undefined
              : () => setDraft({ ...draft, details: draft.details.filter(({ key }) => key !== detail.key) })
          }
        />
      ))}
      {faults[""] !== undefined && (
        <p class="fault" role="alert">
          {faults[""]}
        </p>
      )}
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          Create bot
        </button>
        {draft.details.length < DETAILS_MAX && (
          <button
            type="button"
            onClick={() => setDraft({ ...draft, details: [...draft.details, emptyDetail(kind, nextKey(draft))] })}
          >
            Add a symbol
          </button>
        )}
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          Back
        </button>
      </div>
    </form>
  );
}

const EXPLAINED: Readonly<Record<BotKind, string>> = {
  "level-bots": "It buys at each fall of the price by the given amount, and sells each buy at its own gain.",
  "webhook-bots": "It buys and sells when a signal comes to its address, from TradingView or any other sender.",
};

function nextKey({ details }: BotDraft): number {
  return Math.max(...details.map(({ key }) => key)) + 1;
}

interface DetailProps {
  readonly kind: BotKind;
  readonly detail: DraftDetail;
  readonly number: number;
  readonly faults: BotFaults;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
  /** Undefined: it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

function Detail({ kind, detail, number, faults, onChange, onRemove }: DetailProps) {
  const input = (field: DetailField) => (
    <Field key={field.name} label={field.label} fault={faults[faultKey(detail, field.name)]}>
      {(attributes) => (
        <input
          {...attributes}
          value={detail.values[field.name] ?? ""}
          autocomplete="off"
          placeholder={field.isOptional ? "optional" : ""}
          inputMode={field.decimalsMax === undefined ? "text" : "decimal"}
          list={field.name === "symbol" ? "bot-symbols" : ""}
          onInput={({ currentTarget: { value } }) =>
            onChange({ ...detail.values, [field.name]: field.name === "symbol" ? readSymbol(value) : value })
          }
        />
      )}
    </Field>
  );
  const isLimited = LIMIT_FIELDS.some(({ name }) => faults[faultKey(detail, name)] !== undefined);
  return (
    <fieldset>
      <legend>{`Symbol ${number}`}</legend>
      <div class="fields">{DETAIL_FIELDS[kind].map(input)}</div>
      <details open={isLimited}>
        <summary>Price limits</summary>
        <div class="fields">{LIMIT_FIELDS.map(input)}</div>
      </details>
      {onRemove !== undefined && (
        <button type="button" class="quiet" onClick={onRemove}>
          Remove symbol {number}
        </button>
      )}
    </fieldset>
  );
}
