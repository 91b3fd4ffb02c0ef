/**
 * Makes a level bot or a webhook bot, or changes one after a question with the old and the new values. A broken rule is
 * shown at its field.
 */
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Changes } from "../part/changes.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { readSymbol } from "../part/number-text.ts";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Account, Bot } from "../state/model.ts";
import { RequestFailed, VERSION_DIFFERS } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import {
  type BotChange,
  type BotDraft,
  type BotFaults,
  type BotKind,
  botBody,
  botChanges,
  DETAIL_FIELDS,
  type DetailField,
  type DraftDetail,
  draftOfBot,
  emptyBot,
  emptyDetail,
  faultKey,
  findBotFaults,
  LIMIT_FIELDS,
  placeFault,
} from "./draft.ts";
import { readBot } from "./read-bot.ts";

const DETAILS_MAX = 100;
const NAME_LENGTH_MAX = 100;

interface BotFormProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly kind: BotKind;
  /** Set: the bot that is changed. */
  readonly bot?: Bot | undefined;
  /** The bot as it was made or changed; undefined: nothing was. */
  readonly onDone: (bot: Bot | undefined) => void;
}

/** A change of a bot, to be confirmed, of the version that it was asked about. */
interface AskedChange {
  readonly changes: readonly BotChange[];
  readonly isActive: boolean;
  readonly version: string;
}

/** All words of a change, in one place. */
const TEXT = {
  check: say("Check the change"),
  yes: say("Change the bot"),
  no: say("Leave it as it is"),
  same: say("Nothing of the bot is changed yet."),
  stale: say("The bot has changed in the meantime: nothing was changed. These are its values now."),
  leftOut: say("What a symbol that is left out has bought is still sold."),
} as const;

export function BotForm({ dashboard, account, kind, bot, onDone }: BotFormProps) {
  const [draft, setDraft] = useState<BotDraft>(() => (bot === undefined ? emptyBot(kind) : draftOfBot(kind, bot)));
  /** What the bot was like when the draft began. */
  const [before, setBefore] = useState(draft);
  const [asked, setAsked] = useState<AskedChange | undefined>(undefined);
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
    if (bot !== undefined) return ask(bot);
    setIsBusy(true);
    let made: Bot | undefined;
    const refusal = await dashboard.attemptForm(async () => {
      made = (await sendOnce<Bot>(`/api/v1/${kind}`, botBody(kind, draft, account))).data;
    });
    setIsBusy(false);
    if (refusal === undefined) {
      if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
      onDone(made);
    } else refuse(placeFault(draft, refusal));
  };
  /** Asks with the bot as it is now: a change is of the whole bot, and would undo what was changed in the meantime. */
  const ask = async ({ id }: Bot): Promise<void> => {
    const changes = botChanges(kind, before, draft);
    if (changes.length === 0) return refuse({ "": TEXT.same });
    setIsBusy(true);
    const refusal = await dashboard.attempt(async () => {
      const { data: now, version } = await readBot(dashboard.session, kind, id, account);
      if (botChanges(kind, before, draftOfBot(kind, now)).length > 0) return beginAnew(now);
      setAsked({ changes, isActive: now.isActive, version });
    });
    setIsBusy(false);
    if (refusal !== undefined) refuse({ "": refusal });
  };
  /** What was typed was for the bot of before. */
  const beginAnew = (now: Bot): void => {
    const found = draftOfBot(kind, now);
    setBefore(found);
    setDraft(found);
    refuse({ "": TEXT.stale });
  };
  const change = async ({ id }: Bot, { isActive, version }: AskedChange): Promise<void> => {
    setAsked(undefined);
    setIsBusy(true);
    let changed: Bot | undefined;
    const refusal = await dashboard.attemptForm(async () => {
      const body = botBody(kind, draft, account, isActive);
      try {
        changed = (await dashboard.session.send<Bot>("PUT", `/api/v1/${kind}/${id}`, body, { version })).data;
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.status !== VERSION_DIFFERS) throw error;
        beginAnew((await readBot(dashboard.session, kind, id, account)).data);
      }
    });
    setIsBusy(false);
    if (refusal !== undefined) return refuse(placeFault(draft, refusal));
    if (changed === undefined) return;
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    onDone(changed);
  };
  const title = bot === undefined ? TITLES[kind] : say("Change {name}", { name: bot.name });
  return (
    <form class="card" ref={form} onSubmit={(event) => void create(event)} noValidate aria-label={title}>
      <h2>{title}</h2>
      <p class="hint">{EXPLAINED[kind]}</p>
      <div class="fields">
        <Field label={say("Name")} fault={faults.name}>
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
      <Fault text={faults[""]} />
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          {bot === undefined ? say("Create bot") : TEXT.check}
        </button>
        {draft.details.length < DETAILS_MAX && (
          <button
            type="button"
            onClick={() => setDraft({ ...draft, details: [...draft.details, emptyDetail(kind, nextKey(draft))] })}
          >
            {say("Add a symbol")}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {say("Back")}
        </button>
      </div>
      {bot !== undefined && asked !== undefined && (
        <Dialog
          title={say("Change {name}?", { name: bot.name })}
          yes={TEXT.yes}
          no={TEXT.no}
          onYes={() => void change(bot, asked)}
          onNo={() => setAsked(undefined)}
        >
          <Changes of={asked.changes} />
          {draft.details.length < before.details.length && <p>{TEXT.leftOut}</p>}
        </Dialog>
      )}
    </form>
  );
}

const TITLES: Readonly<Record<BotKind, string>> = {
  "level-bots": say("New level bot"),
  "webhook-bots": say("New webhook bot"),
};
const EXPLAINED: Readonly<Record<BotKind, string>> = {
  "level-bots": say("It buys at each fall of the price by the given amount, and sells each buy at its own gain."),
  "webhook-bots": say("It buys and sells when a signal comes to its address, from TradingView or any other sender."),
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
          placeholder={field.isOptional ? say("optional") : ""}
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
      <legend>{say("Symbol {number}", { number })}</legend>
      <div class="fields">{DETAIL_FIELDS[kind].map(input)}</div>
      <details open={isLimited}>
        <summary>{say("Price limits")}</summary>
        <div class="fields">{LIMIT_FIELDS.map(input)}</div>
      </details>
      {onRemove !== undefined && (
        <button type="button" class="quiet" onClick={onRemove}>
          {say("Remove symbol {number}", { number })}
        </button>
      )}
    </fieldset>
  );
}
