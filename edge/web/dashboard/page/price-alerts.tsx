/** Price alerts: the prices under watch, the form that makes or changes one, and the alerts that ended (behaviour 29). */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { ChartLink } from "../part/chart-link.tsx";
import { Confirm } from "../part/confirm.tsx";
import { Dash } from "../part/dash.tsx";
import { readSymbol } from "../part/number-text.ts";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import { distanceText, priceText, timeText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import { PRICE_ALERTS_PATH as PATH, type PriceAlert } from "./price-alert-draft.ts";
import { PriceAlertForm } from "./price-alert-form.tsx";

/** Left out while they are empty in each row. */
const LAST_FIRED: Column<PriceAlert> = { title: say("Last fired"), view: (alert) => <LastFired alert={alert} /> };
const NOTE: Column<PriceAlert> = { title: say("Note"), view: ({ note }) => note ?? "" };

interface PriceAlertsProps {
  readonly dashboard: DashboardState;
  /** Whether a channel sends reached alerts on; undefined: not known yet. */
  readonly isSent: boolean | undefined;
}

export function PriceAlerts({ dashboard, isSent }: PriceAlertsProps) {
  const { session, addressBar } = dashboard;
  const changes = useStore(dashboard.priceAlertChanges);
  const alerts = useReading(dashboard, () => session.get<readonly PriceAlert[]>(PATH), [changes]);
  const ended = useReading(dashboard, () => session.get<readonly PriceAlert[]>(`${PATH}?status=ended`), [changes]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState<string | undefined>(undefined);
  /** Counts the forms that were sent: the next one begins empty. */
  const [sentCount, setSentCount] = useState(0);
  const [changed, setChanged] = useState<PriceAlert | undefined>(undefined);
  const sendOnce = useSendOnce(session);
  const remove = async (id: number): Promise<void> => {
    setSaid(undefined);
    setFault(await dashboard.attempt(() => session.send("DELETE", `${PATH}/${id}`)));
    if (changed?.id === id) setChanged(undefined);
    dashboard.notePriceAlerts();
  };
  const send = async (body: object): Promise<string | undefined> => {
    setSaid(undefined);
    const refusal = await dashboard.attemptForm(async () => {
      const answer =
        changed === undefined ? sendOnce<PriceAlert>(PATH, body) : session.send("PATCH", `${PATH}/${changed.id}`, body);
      setSaid((await answer).message);
    });
    dashboard.notePriceAlerts();
    if (refusal !== undefined) return refusal;
    setChanged(undefined);
    setSentCount((count) => count + 1);
    return undefined;
  };
  const open = (alert: PriceAlert | undefined): void => addressBar.leave(() => setChanged(alert));
  const has = (isSo: (alert: PriceAlert) => boolean): boolean => alerts.data?.some(isSo) === true;
  const canTrade = session.has("trade");
  // A chart leads here with its symbol.
  const symbol = readSymbol(useStore(addressBar.address).part);
  const buttons = (alert: PriceAlert) =>
    canTrade && (
      <div class="tools">
        <button type="button" onClick={() => open(alert)}>
          {say("Change")}
        </button>
        <Confirm title={say("Remove")} yes={say("Yes, remove it")} onConfirm={() => void remove(alert.id)} />
      </div>
    );
  return (
    <>
      <Table
        title={say("Price alerts")}
        items={alerts.data}
        keyOf={({ id }) => id}
        empty={say("No price alert yet. An alert notifies you when a symbol reaches a price; it sends no order.")}
        fault={fault ?? alerts.fault}
        above={
          <>
            {canTrade && (
              <PriceAlertForm
                key={changed === undefined ? `${sentCount} ${symbol}` : `change ${changed.id}`}
                {...{ dashboard, symbol, changed }}
                onSend={send}
                {...(changed !== undefined && { onBack: () => open(undefined) })}
              />
            )}
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
          { title: say("Symbol"), view: ({ symbol }) => <ChartLink symbol={symbol} /> },
          {
            title: say("Alert when"),
            view: (alert) => <Level alert={alert} texts={[oftenText(alert), untilText(alert)]} />,
          },
          {
            title: say("Last price"),
            isNumber: true,
            view: (alert) => <LastPrice dashboard={dashboard} symbol={alert.symbol} />,
          },
          { title: say("Distance"), isNumber: true, view: (alert) => <Distance {...{ dashboard, alert }} /> },
          ...(has(({ reachedCount }) => reachedCount > 0) ? [LAST_FIRED] : []),
          ...(has(({ note }) => note !== null) ? [NOTE] : []),
          { title: say("Actions"), isAction: true, view: buttons },
        ]}
        brief={(alert) => (
          <>
            <span>
              <ChartLink symbol={alert.symbol} /> <Condition alert={alert} />
            </span>
            <span>
              <Distance {...{ dashboard, alert }} />
            </span>
            <span class="whole-line hint">
              {oftenText(alert)}, {untilText(alert)} · {say("Last price")}{" "}
              <LastPrice dashboard={dashboard} symbol={alert.symbol} />
              {alert.note !== null && ` · ${alert.note}`}
            </span>
            {alert.reachedCount > 0 && (
              <span class="whole-line hint">
                {say("Last fired")} <LastFired alert={alert} />
              </span>
            )}
            <span class="whole-line">{buttons(alert)}</span>
          </>
        )}
      />
      {ended.data !== undefined && (alerts.data?.length ?? 0) + ended.data.length > 0 && (
        <EndedAlerts alerts={ended.data} />
      )}
    </>
  );
}

/** The alerts of the last days that were reached or expired, the newest first. */
function EndedAlerts({ alerts }: { readonly alerts: readonly PriceAlert[] }) {
  const items = [...alerts].sort((one, other) => (other.endedDate ?? "").localeCompare(one.endedDate ?? ""));
  return (
    <Table
      title={say("Price alerts of the last seven days")}
      items={items}
      keyOf={({ id }) => id}
      empty={say("No alert has fired in the last seven days.")}
      isLong
      columns={[
        { title: say("Fired or expired"), view: ({ endedDate }) => <Time at={endedDate} /> },
        { title: say("Symbol"), view: ({ symbol }) => <ChartLink symbol={symbol} /> },
        { title: say("Alert when"), view: (alert) => <Level alert={alert} texts={[oftenText(alert)]} /> },
        { title: say("Outcome"), view: (alert) => <Outcome alert={alert} /> },
        ...(items.some(({ note }) => note !== null) ? [NOTE] : []),
      ]}
      brief={(alert) => (
        <>
          <span>
            <ChartLink symbol={alert.symbol} /> <Condition alert={alert} />
          </span>
          <span>
            <Time at={alert.endedDate} />
          </span>
          <span class="whole-line">
            <Outcome alert={alert} />
            {alert.note !== null && <span class="hint"> · {alert.note}</span>}
          </span>
        </>
      )}
    />
  );
}

/** The condition, and how often and how long it is watched. */
function Level({ alert, texts }: { readonly alert: PriceAlert; readonly texts: readonly string[] }) {
  return (
    <>
      <Condition alert={alert} />
      <span class="hint">, {texts.join(", ")}</span>
    </>
  );
}

function Condition({ alert: { direction, price } }: { readonly alert: PriceAlert }) {
  const values = { price: priceText(price) };
  return (
    <strong class="whole">
      {direction === "atOrAbove" ? say("rises to {price}", values) : say("falls to {price}", values)}
    </strong>
  );
}

function oftenText({ repeat }: PriceAlert): string {
  return repeat ? say("each time") : say("once");
}

function untilText({ until }: PriceAlert): string {
  return until === null ? say("until cancelled") : say("until {time}", { time: timeText(until) });
}

/** When an alert that remains under watch fired last, at which price and how often, and what it waits for. */
function LastFired({ alert }: { readonly alert: PriceAlert }) {
  const { reachedDate, reachedPrice, reachedCount } = alert;
  if (reachedDate === null) return <Dash why={say("Not fired yet")} />;
  return (
    <>
      <Time at={reachedDate} /> {say("at {price}", { price: priceText(reachedPrice) })}
      {reachedCount > 1 && ` (${say("{count} times", { count: reachedCount })})`}
      {!alert.armed && <span class="hint">; {againText(alert)}</span>}
    </>
  );
}

function againText(alert: PriceAlert): string {
  const price = priceText(alert.price);
  return alert.direction === "atOrAbove"
    ? say("again after a price below {price}", { price })
    : say("again after a price above {price}", { price });
}

function Outcome({ alert: { status, reachedPrice, reachedDate } }: { readonly alert: PriceAlert }) {
  const reached = reachedDate !== null && say("fired at {price}", { price: priceText(reachedPrice) });
  if (status === "reached") return <span class="good">{reached}</span>;
  return (
    <>
      {say("expired")}
      {reached !== false && (
        <>
          , {reached} <Time at={reachedDate} />
        </>
      )}
    </>
  );
}

function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  return <>{priceText(useStore(dashboard.price(symbol))?.price)}</>;
}

/** How far the last price must move. */
function Distance({ dashboard, alert }: { readonly dashboard: DashboardState; readonly alert: PriceAlert }) {
  return <>{distanceText(alert.price, useStore(dashboard.price(alert.symbol))?.price)}</>;
}
