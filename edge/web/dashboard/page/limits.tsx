/**
 * The limits of the account: what is set, what is used, and the form that changes them (behaviour 27). A change that
 * raises or removes a limit takes a typed word.
 */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceRemark, serviceText } from "../language/service-text.ts";
import { Changes } from "../part/changes.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { Profit } from "../part/profit.tsx";
import { Term } from "../part/term.tsx";
import { Time } from "../part/time.tsx";
import { Typed } from "../part/typed.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReadAgain } from "../part/use-read-again.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import { moneyText, quantityText, shareText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, queryOf } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { resumption, TRADING_STATE_PATH, type TradingState } from "../state/trading-state.ts";
import {
  changedLimits,
  draftOfLimits,
  isLooser,
  LIMIT_NAMES,
  type LimitName,
  type Limits,
  type LimitsDraft,
  limitFault,
  limitsOfDraft,
  type UsedLimits,
  usedShareOf,
} from "./limits-draft.ts";

const PATH = "/api/v1/limits";
/** Fills and changes are events: this long after one, the limits are read again. */
const SETTLE_MS = 4_000;
const NAMES: Readonly<Record<LimitName, string>> = {
  maxDailyLoss: say("Loss of a day"),
  maxOrdersPerMinute: say("Orders in a minute"),
  maxOrderValue: say("Value of an order"),
};

interface LimitsProps {
  readonly dashboard: DashboardState;
  /** Undefined while it is not known. */
  readonly currency: string | undefined;
}

export function LimitsCard({ dashboard, currency }: LimitsProps) {
  const account = useStore(dashboard.account);
  if (account === undefined) return null;
  return <LimitsOf key={queryOf(account)} {...{ dashboard, account, currency }} />;
}

interface LimitsOfProps extends LimitsProps {
  readonly account: Account;
}

function LimitsOf({ dashboard, account, currency }: LimitsOfProps) {
  const { session } = dashboard;
  const events = useSettled(useStore(dashboard.events), SETTLE_MS);
  const limits = useReading(dashboard, () => session.get<UsedLimits>(`${PATH}?${queryOf(account)}`), [events]);
  const states = useReading(dashboard, () => session.get<readonly TradingState[]>(TRADING_STATE_PATH), [events]);
  useReadAgain((limits.data?.ordersLastMinute ?? 0) > 0, limits.data, limits.readAgain);
  const [isChanging, setIsChanging] = useState(false);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const state = states.data?.find((one) => one.scope === "account" && isOf(account, one));
  const { brokerageCode, accountNumber } = account;
  const resume = async (): Promise<void> => {
    const body = resumption({ scope: "account", brokerageCode, accountNumber });
    const refusal = await dashboard.attempt(() => session.send("POST", TRADING_STATE_PATH, body));
    setSaid(refusal ?? say("The account buys again."));
    states.readAgain();
  };
  const send = async (next: Limits): Promise<string | undefined> => {
    const refusal = await dashboard.attemptForm(() =>
      session.send("PUT", PATH, { brokerageCode, accountNumber, ...next }),
    );
    limits.readAgain();
    if (refusal !== undefined) return refusal;
    setIsChanging(false);
    setSaid(say("The limits are set."));
    return undefined;
  };
  const canTrade = session.has("trade");
  return (
    <section class="card" aria-label={say("Limits")}>
      <div class="heading">
        <h2>{say("Limits")}</h2>
        <span class="grow" />
        {canTrade && limits.data !== undefined && !isChanging && (
          <button
            type="button"
            onClick={() => {
              setSaid(undefined);
              setIsChanging(true);
            }}
          >
            {say("Change limits")}
          </button>
        )}
      </div>
      <Fault text={limits.fault ?? states.fault} />
      {state !== undefined && <Restricted state={state} onResume={canTrade ? () => void resume() : undefined} />}
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      <dl class="totals">
        {LIMIT_NAMES.map((name) => (
          <LimitTerm key={name} {...{ name, currency }} limits={limits.data} />
        ))}
      </dl>
      <p class="hint">
        {say(
          "Orders by hand, entries and buys of bots are limited. Stop-losses, take-profits and sells of bots always pass.",
        )}
      </p>
      {isChanging && limits.data !== undefined && (
        <LimitsForm
          {...{ dashboard, currency }}
          limits={limits.data}
          onSend={send}
          onBack={() => dashboard.addressBar.leave(() => setIsChanging(false))}
        />
      )}
    </section>
  );
}

function isOf(account: Account, { brokerageCode, accountNumber }: TradingState): boolean {
  return brokerageCode === account.brokerageCode && accountNumber === account.accountNumber;
}

interface RestrictedProps {
  readonly state: TradingState;
  /** Undefined: the user cannot change it. */
  readonly onResume: (() => void) | undefined;
}

/** Why the account does not buy, and the way back. */
function Restricted({ state: { state, since, reason }, onResume }: RestrictedProps) {
  return (
    <div class="warning">
      <p>
        <strong>{state === "reducing" ? say("The account only sells") : say("The account is halted")}</strong>{" "}
        {say("since")} <Time at={since} />: {serviceRemark(reason)}
      </p>
      {onResume !== undefined && <Typed word="RESUME" title={say("Let the account buy again")} onConfirm={onResume} />}
    </div>
  );
}

interface LimitTermProps {
  readonly name: LimitName;
  /** Undefined: not read yet. */
  readonly limits: UsedLimits | undefined;
  readonly currency: string | undefined;
}

/** A limit, and what is used of it. */
function LimitTerm({ name, limits, currency }: LimitTermProps) {
  if (limits === undefined) return <Term name={NAMES[name]} />;
  const share = usedShareOf(limits, name);
  return (
    <Term
      name={NAMES[name]}
      below={
        <>
          {share !== undefined && (
            <meter
              aria-label={say("{name}: used", { name: NAMES[name] })}
              value={share}
              high={0.75}
              optimum={0}
              title={shareText(share)}
            />
          )}
          {usedOf(limits, name, currency)}
        </>
      }
    >
      {limits[name] === null ? <span class="hint">{say("no limit")}</span> : limitText(limits[name], name, currency)}
    </Term>
  );
}

/** What is used of a limit, or what it counts. */
function usedOf(limits: UsedLimits, name: LimitName, currency = ""): ComponentChildren {
  const { realisedToday, ordersLastMinute } = limits;
  if (name === "maxDailyLoss")
    return realisedToday === null ? (
      say("then only sells are taken")
    ) : (
      <>
        {say("realised today:")}{" "}
        <span class="whole">
          <Profit amount={realisedToday} /> {currency}
        </span>
      </>
    );
  if (name === "maxOrdersPerMinute" && ordersLastMinute !== null)
    return say("in the last minute: {count}", { count: quantityText(ordersLastMinute) });
  return name === "maxOrdersPerMinute" ? say("further ones are refused") : say("lots times price");
}

function limitText(value: number | null, name: LimitName, currency = ""): string {
  if (value === null) return say("no limit");
  return name === "maxOrdersPerMinute" ? quantityText(value) : `${moneyText(value)} ${currency}`.trim();
}

interface LimitsFormProps extends LimitsProps {
  readonly limits: Limits;
  /** Returns the refusal of the service. */
  readonly onSend: (limits: Limits) => Promise<string | undefined>;
  readonly onBack: () => void;
}

function LimitsForm({ dashboard, limits, currency, onSend, onBack }: LimitsFormProps) {
  /** The limits that the form began with: a change of another window is compared with them. */
  const [before] = useState(limits);
  const [draft, setDraft] = useState<LimitsDraft>(() => draftOfLimits(limits));
  const [isTried, setIsTried] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const [checked, setChecked] = useState<Limits | undefined>(undefined);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const box = useRef<HTMLFormElement>(null);
  useFaultFocus(box, tryCount);
  useFilled(dashboard.addressBar, box);
  const next = limitsOfDraft(draft);
  const check = (event: Event): void => {
    event.preventDefault();
    setIsTried(true);
    const isFaulty = LIMIT_NAMES.some((name) => limitFault(draft, name) !== undefined);
    if (isFaulty) setTryCount((count) => count + 1);
    const isSame = changedLimits(before, next).length === 0;
    setRefusal(!isFaulty && isSame ? say("No limit is changed yet.") : undefined);
    setChecked(isFaulty || isSame ? undefined : next);
  };
  const send = async (): Promise<void> => {
    if (checked === undefined) return;
    const answer = await onSend(checked);
    setRefusal(answer && serviceText(answer));
  };
  return (
    <>
      <form class="change" ref={box} onSubmit={check} aria-label={say("Change limits")}>
        <div class="fields">
          {LIMIT_NAMES.map((name) => (
            <Field
              key={name}
              label={
                name === "maxOrdersPerMinute" || currency === undefined ? NAMES[name] : `${NAMES[name]}, ${currency}`
              }
              fault={isTried ? limitFault(draft, name) : undefined}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  value={draft[name]}
                  inputMode="decimal"
                  autocomplete="off"
                  placeholder={say("no limit")}
                  onInput={(event) => {
                    setChecked(undefined);
                    setRefusal(undefined);
                    setDraft({ ...draft, [name]: event.currentTarget.value });
                  }}
                />
              )}
            </Field>
          ))}
        </div>
        <div class="tools">
          <button type="submit" class="primary">
            {say("Check the change")}
          </button>
          <button type="button" class="quiet" onClick={onBack}>
            {say("Back")}
          </button>
        </div>
        <Fault text={refusal} />
      </form>
      {checked !== undefined && (
        <section aria-label={say("The change")} class="change">
          <Changes
            of={changedLimits(before, checked).map((name) => ({
              what: NAMES[name],
              before: limitText(before[name], name, currency),
              after: limitText(checked[name], name, currency),
            }))}
          />
          {isLooser(before, checked) ? (
            <>
              <p class="caution">{say("This raises or removes a limit.")}</p>
              <Typed word="LOOSEN" title={say("Loosen the limits")} onConfirm={() => void send()} />
            </>
          ) : (
            <div class="tools">
              <button type="button" class="primary" onClick={() => void send()}>
                {say("Set the limits")}
              </button>
            </div>
          )}
        </section>
      )}
    </>
  );
}
