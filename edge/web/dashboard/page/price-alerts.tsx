/** Price alerts: the prices of which the user wants to be notified, and the form that makes one (behaviour 29). */
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { Confirm } from "../part/confirm.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { readSymbol } from "../part/number-text.ts";
import { Select } from "../part/select.tsx";
import { SymbolField } from "../part/symbol-field.tsx";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReading } from "../part/use-reading.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import { distanceText, priceText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import {
  alertFaults,
  alertPriceOf,
  DIRECTIONS,
  type Direction,
  EMPTY_ALERT,
  isReached,
  type PriceAlertDraft,
} from "./price-alert-draft.ts";

interface PriceAlert {
  readonly id: number;
  readonly symbol: string;
  readonly direction: Direction;
  readonly price: number;
  readonly note: string | null;
  readonly createdDate: string;
}

const PATH = "/api/v1/price-alerts";
const REACHED = "price.reached";
const NOTE_LENGTH_MAX = 200;
const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  atOrAbove: say("at or above"),
  atOrBelow: say("at or below"),
};

interface PriceAlertsProps {
  readonly dashboard: DashboardState;
  /** Whether a channel sends reached alerts on; undefined: not known yet. */
  readonly isSent: boolean | undefined;
}

export function PriceAlerts({ dashboard, isSent }: PriceAlertsProps) {
  const { session } = dashboard;
  const reached = useStore(dashboard.events).find(({ type }) => type === REACHED)?.id;
  const alerts = useReading(dashboard, () => session.get<readonly PriceAlert[]>(PATH), [reached]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState<string | undefined>(undefined);
  /** Counts the forms that were sent: the next one begins empty. */
  const [sentCount, setSentCount] = useState(0);
  const sendOnce = useSendOnce(session);
  const remove = async (id: number): Promise<void> => {
    setSaid(undefined);
    setFault(await dashboard.attempt(() => session.send("DELETE", `${PATH}/${id}`)));
    alerts.readAgain();
  };
  const create = async (body: object): Promise<string | undefined> => {
    setSaid(undefined);
    const refusal = await dashboard.attemptForm(async () => setSaid((await sendOnce<PriceAlert>(PATH, body)).message));
    alerts.readAgain();
    if (refusal === undefined) setSentCount((count) => count + 1);
    return refusal;
  };
  const canTrade = session.has("trade");
  // A chart leads here with its symbol.
  const symbol = readSymbol(useStore(dashboard.addressBar.address).part);
  return (
    <Table
      title={say("Price alerts")}
      items={alerts.data}
      keyOf={({ id }) => id}
      empty={say("No price alert yet. An alert notifies you once when a symbol reaches a price; it sends no order.")}
      fault={fault ?? alerts.fault}
      above={
        <>
          {canTrade && <PriceAlertForm key={`${sentCount} ${symbol}`} {...{ dashboard, symbol }} onSend={create} />}
          {isSent === false && (
            <p class="caution">
              {say("No channel sends price alerts yet. You see them in Activity and in this browser only.")}
            </p>
          )}
          {said !== undefined && (
            <p role="status" class="said">
              {said}
            </p>
          )}
        </>
      }
      columns={[
        { title: say("Symbol"), view: ({ symbol }) => <strong>{symbol}</strong> },
        {
          title: say("Notify at"),
          view: ({ direction, price }) => (
            <>
              {DIRECTION_WORDS[direction]} <strong class="whole">{priceText(price)}</strong>
            </>
          ),
        },
        {
          title: say("Last price"),
          isNumber: true,
          view: (alert) => <LastPrice dashboard={dashboard} symbol={alert.symbol} />,
        },
        { title: say("Distance"), isNumber: true, view: (alert) => <Distance dashboard={dashboard} alert={alert} /> },
        { title: say("Note"), isMinor: true, view: ({ note }) => note ?? "" },
        { title: say("Since"), isMinor: true, view: ({ createdDate }) => <Time at={createdDate} /> },
        {
          title: say("Actions"),
          isAction: true,
          view: ({ id }) =>
            canTrade && (
              <div class="tools">
                <Confirm title={say("Remove")} yes={say("Yes, remove it")} onConfirm={() => void remove(id)} />
              </div>
            ),
        },
      ]}
    />
  );
}

function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  return <>{priceText(useStore(dashboard.price(symbol))?.price)}</>;
}

/** How far the last price must move. */
function Distance({ dashboard, alert }: { readonly dashboard: DashboardState; readonly alert: PriceAlert }) {
  return <>{distanceText(alert.price, useStore(dashboard.price(alert.symbol))?.price)}</>;
}

/** The last price, and how far the typed price is from it. */
function lastNote(draft: PriceAlertDraft, last: number | undefined): string | undefined {
  if (last === undefined) return undefined;
  const price = alertPriceOf(draft) ?? 0;
  const text = say("The last price is {price}.", { price: priceText(last) });
  return price > 0 ? `${text} ${distanceText(price, last)}` : text;
}

interface PriceAlertFormProps {
  readonly dashboard: DashboardState;
  /** The symbol at first; empty: the user chooses. */
  readonly symbol: string;
  /** Returns the refusal of the service, which begins with the field. */
  readonly onSend: (body: object) => Promise<string | undefined>;
}

function PriceAlertForm({ dashboard, symbol, onSend }: PriceAlertFormProps) {
  const symbols = useStore(dashboard.symbols);
  const [draft, setDraft] = useState<PriceAlertDraft>({ ...EMPTY_ALERT, symbol });
  const [isTried, setIsTried] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const box = useRef<HTMLFormElement>(null);
  useFaultFocus(box, tryCount);
  useFilled(dashboard.addressBar, box);
  const last = useStore(dashboard.price(draft.symbol))?.price;
  const faults = isTried ? alertFaults(draft) : {};
  const change = (part: Partial<typeof draft>): void => {
    setRefusal(undefined);
    setDraft({ ...draft, ...part });
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsTried(true);
    setTryCount((count) => count + 1);
    if (Object.keys(alertFaults(draft)).length > 0) return;
    setIsBusy(true);
    const { symbol, direction } = draft;
    const note = draft.note.trim();
    const said = await onSend({ symbol, direction, price: alertPriceOf(draft), ...(note !== "" && { note }) });
    if (said === undefined) return;
    setIsBusy(false);
    setRefusal(serviceText(said));
    setTryCount((count) => count + 1);
  };
  return (
    <form class="change" ref={box} aria-label={say("New price alert")} onSubmit={(event) => void submit(event)}>
      <div class="fields with-button">
        <SymbolField
          label={say("Symbol")}
          value={draft.symbol}
          symbols={symbols}
          fault={faults.symbol}
          onChange={(symbol) => change({ symbol })}
        />
        <Field label={say("Notify when it is")} fault={undefined}>
          {(attributes) => (
            <Select
              title={say("Notify when it is")}
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
        <button type="submit" class="primary" disabled={isBusy}>
          {say("Create price alert")}
        </button>
      </div>
      {isReached(draft, last) && (
        <p class="caution">{say("The last price has reached this price: the alert would notify you immediately.")}</p>
      )}
      <Fault text={refusal} />
    </form>
  );
}
