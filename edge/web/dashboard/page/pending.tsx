/** Pending OCOs: setups that wait for a buy to fill, and the forms that make and change one. */

import { useState } from "preact/hooks";
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { ChartLink } from "../part/chart-link.tsx";
import { Confirm } from "../part/confirm.tsx";
import { currencyOf } from "../part/currency.ts";
import { useNarrow } from "../part/narrow.ts";
import { Profit } from "../part/profit.tsx";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { type Band, useDayBases } from "../part/use-day-bases.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import { distanceText, moneyText, priceText, quantityText } from "../part/words.ts";
import { nextStepText } from "../setup/next-step.ts";
import { SetupChange } from "../setup/setup-change.tsx";
import { SetupChart } from "../setup/setup-chart.tsx";
import { buyPriceOf, levelTexts, setupWorth, waitsForTrigger } from "../setup/setup-draft.ts";
import { SetupForm } from "../setup/setup-form.tsx";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, queryOf, type Setup } from "../state/model.ts";
import { useStore } from "../state/store.ts";

const PAGE = "pending";
const NEW = "new";
const BUY_PART = "buy-";
const SETTLE_MS = 3_000;

/** The part of this page that protects an order. */
export function partOfBuy(orderNo: string): string {
  return `${BUY_PART}${orderNo}`;
}

export function Pending({ dashboard }: { readonly dashboard: DashboardState }) {
  const account = useStore(dashboard.account);
  const isNarrow = useNarrow();
  const changes = useStore(dashboard.setupChanges);
  // Of an entry each fill is shown.
  const fills = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const { addressBar } = dashboard;
  const { part } = useStore(addressBar.address);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const setups = useReading(
    dashboard,
    async () =>
      account === undefined
        ? []
        : dashboard.session.get<readonly Setup[]>(`/api/v1/oco-orders/pending?${queryOf(account)}`),
    [account, changes, fills],
  );
  const [first, ...others] = setups.data ?? [];
  const { bandOf } = useDayBases(dashboard, [...new Set(setups.data?.map(({ symbol }) => symbol))]);
  const remove = async (setupId: number): Promise<void> => {
    const query = new URLSearchParams({ brokerageCode: account?.brokerageCode ?? "" });
    setFault(
      await dashboard.attempt(() => dashboard.session.send("DELETE", `/api/v1/oco-orders/pending/${setupId}?${query}`)),
    );
    setups.readAgain();
  };
  const open = (next: string): void => {
    setSaid(undefined);
    addressBar.go(PAGE, next);
  };
  const finish = (message: string | undefined): void => {
    setSaid(message);
    setups.readAgain();
    if (message === undefined) addressBar.go(PAGE);
    else addressBar.name(PAGE, "");
  };
  const waitsFor = (setup: Setup) => <WaitsFor {...{ dashboard, setup }} band={bandOf(setup.symbol)} />;
  const buttonsOf = (setup: Setup) => (
    <div class="tools">
      <button type="button" onClick={() => open(String(setup.setupId))}>
        {say("Change levels")}
      </button>
      {canRemove(setup) && <Confirm {...removalOf(setup)} onConfirm={() => void remove(setup.setupId)} />}
    </div>
  );
  return (
    <>
      <Table
        title={say("Pending OCOs")}
        items={setups.data}
        keyOf={({ setupId }) => setupId}
        empty={say("No pending OCO. Protect an open buy here, or place a buy with exits in Trade.")}
        fault={fault ?? setups.fault}
        tools={
          <button type="button" class="primary" onClick={() => open(NEW)}>
            {say("New pending OCO")}
          </button>
        }
        above={
          said !== undefined && (
            <p role="status" class="said">
              {said}
            </p>
          )
        }
        columns={[
          { title: say("Symbol"), view: ({ symbol }) => <ChartLink symbol={symbol} /> },
          {
            title: say("Last price"),
            isNumber: true,
            view: ({ symbol }) => <LastPrice dashboard={dashboard} symbol={symbol} />,
          },
          {
            title: say("To the buy"),
            isNumber: true,
            view: (setup) => <ToBuy dashboard={dashboard} setup={setup} />,
          },
          { title: say("Buy"), view: waitsFor },
          { title: say("Stop-loss"), view: (setup) => <StopLossOf dashboard={dashboard} setup={setup} /> },
          { title: say("Take-profit"), view: (setup) => <TakeProfitsOf dashboard={dashboard} setup={setup} /> },
          { title: say("Valid"), view: (setup) => <Until setup={setup} /> },
          { title: say("Actions"), isAction: true, view: buttonsOf },
        ]}
        brief={(setup) => (
          <>
            <span>
              <ChartLink symbol={setup.symbol} /> <LastPrice dashboard={dashboard} symbol={setup.symbol} />
            </span>
            <span>
              <span class="hint">{say("To the buy")}</span> <ToBuy dashboard={dashboard} setup={setup} />
            </span>
            <div class="whole-line">{waitsFor(setup)}</div>
            <div class="whole-line named">
              <span class="hint">{say("Stop-loss")}</span>
              <div>
                <StopLossOf dashboard={dashboard} setup={setup} />
              </div>
            </div>
            <div class="whole-line named">
              <span class="hint">{say("Take-profit")}</span>
              <div>
                <TakeProfitsOf dashboard={dashboard} setup={setup} />
              </div>
            </div>
            <div class="whole-line named">
              <span class="hint">{say("Valid")}</span>
              <div>
                <Until setup={setup} />
              </div>
            </div>
            <div class="whole-line">
              <NextStep dashboard={dashboard} setup={setup} />
            </div>
            <div class="whole-line">{buttonsOf(setup)}</div>
          </>
        )}
        {...(!isNarrow && { below: (setup: Setup) => <NextStep dashboard={dashboard} setup={setup} /> })}
      />
      {!isNarrow && first !== undefined && part === "" && (
        <SetupChart dashboard={dashboard} setups={[first, ...others]} />
      )}
      {account !== undefined && setups.data !== undefined && part !== "" && (
        <Opened key={part} dashboard={dashboard} account={account} part={part} setups={setups.data} onDone={finish} />
      )}
    </>
  );
}

function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  return <>{priceText(useStore(dashboard.price(symbol))?.price)}</>;
}

interface OfSetupProps {
  readonly dashboard: DashboardState;
  readonly setup: Setup;
}

/** How far the last price is from the limit or the trigger of the buy; a dash for a buy that waits for neither. */
function ToBuy({ dashboard, setup }: OfSetupProps) {
  const { entry, symbol } = setup;
  const last = useStore(dashboard.price(symbol))?.price;
  const price = buyPriceOf(entry);
  const waits = entry?.isEnding !== true && (entry?.orderType === LIMIT || waitsForTrigger(setup));
  return <>{waits && price !== undefined ? distanceText(price, last) : "–"}</>;
}

function StopLossOf({ dashboard, setup }: OfSetupProps) {
  const { stopLossQuantity: quantity, stopLossPercent: percent, stopLossPrice: price, symbol } = setup;
  const table = dashboard.tickTableOf(symbol);
  const worth = setupWorth(setup, table);
  return (
    <>
      <Lines texts={levelTexts([{ quantity, percent, price }], "below", setup, table)} />
      {worth !== undefined && (
        <div class="hint">
          <Profit amount={worth.loss} /> {currencyOf(table)}
        </div>
      )}
    </>
  );
}

function TakeProfitsOf({ dashboard, setup }: OfSetupProps) {
  const table = dashboard.tickTableOf(setup.symbol);
  const worth = setupWorth(setup, table);
  if (setup.takeProfitItems.length === 0) return <>–</>;
  return (
    <>
      <Lines texts={levelTexts(setup.takeProfitItems, "above", setup, table)} />
      {worth !== undefined && (
        <div class="hint">
          <Profit amount={worth.gain} /> {currencyOf(table)}
        </div>
      )}
    </>
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text, index) => (
        <div key={index} class="level">
          {text}
        </div>
      ))}
    </>
  );
}

/** What the pending OCO waits for, and what follows; what its exits bring for the risk, and its note. */
function NextStep({ dashboard, setup }: OfSetupProps) {
  const last = useStore(dashboard.price(setup.symbol))?.price;
  const { loss, gain } = setupWorth(setup, dashboard.tickTableOf(setup.symbol)) ?? { loss: 0, gain: 0 };
  const notes = setup.notes ?? "";
  return (
    <dl class="terms">
      <div>
        <dt>{say("Next")}</dt>
        <dd>{nextStepText(setup, last)}</dd>
      </div>
      {loss < 0 && gain > 0 && (
        <div>
          <dt>{say("Risk to reward")}</dt>
          <dd>{say("1 : {ratio}", { ratio: moneyText(gain / -loss) })}</dd>
        </div>
      )}
      {notes !== "" && (
        <div>
          <dt>{say("Note")}</dt>
          <dd>{notes}</dd>
        </div>
      )}
    </dl>
  );
}

/** How long the pending OCO waits, and the moment at which what is not filled of its buy is cancelled. */
function Until({ setup: { createdDate, dueDate, entry } }: { readonly setup: Setup }) {
  return (
    <>
      {dueDate === null && entry?.expiresAt == null && say("until cancelled")}
      {dueDate !== null && <Time at={dueDate} />}
      {entry?.expiresAt != null && (
        <div class="hint">
          {say("Buy until")} <Time at={entry.expiresAt} />
        </div>
      )}
      <div class="hint level">
        {say("since")} <Time at={createdDate} />
      </div>
    </>
  );
}

/** The words of the button that removes a pending OCO: what that does with the buy (behaviour 5.4a, 24.3). */
function removalOf(setup: Setup): { readonly title: string; readonly yes: string } {
  const { entry, orderMessage } = setup;
  if (entry === null)
    return { title: say("Remove protection"), yes: say("Yes, the buy stays open without protection") };
  // The brokerage does not know a buy that is being cancelled.
  if (entry.isEnding && orderMessage !== null)
    return { title: say("Forget the buy"), yes: say("Yes, forget it without knowing its outcome") };
  const title = say("Cancel the buy");
  if (waitsForTrigger(setup)) return { title, yes: say("Yes, cancel it before it is sent") };
  const { filledQuantity: filled } = entry;
  if (filled === 0) return { title, yes: say("Yes, cancel the buy") };
  return { title, yes: say("Yes, cancel the rest and protect {lots} bought lots", { lots: quantityText(filled) }) };
}

/** The service repeats the cancel of an entry's buy that is being cancelled; a lost buy can be given up. */
function canRemove({ entry, orderMessage }: Setup): boolean {
  return entry?.isEnding !== true || orderMessage !== null;
}

interface WaitsForProps extends OfSetupProps {
  /** Of today; undefined: not known. */
  readonly band: Band | undefined;
}

/** The buy that is waited for: what is filled of it, its amount and its number, and what is wrong with it. */
function WaitsFor({ dashboard, setup, band }: WaitsForProps) {
  const { brokerOrderNo, entry, orderMessage, symbol } = setup;
  const number =
    brokerOrderNo === null ? (
      waitsForTrigger(setup) ? (
        say("order not sent yet")
      ) : (
        say("order not answered yet")
      )
    ) : (
      <span class="order-number">{brokerOrderNo}</span>
    );
  const buyPrice = buyPriceOf(entry);
  if (entry === null)
    return (
      <>
        {number}
        {orderMessage !== null && <span class="fault"> {serviceText(orderMessage)}</span>}
      </>
    );
  const filled = { filled: quantityText(entry.filledQuantity), lots: quantityText(entry.quantity) };
  return (
    <>
      <div title={brokerOrderNo ?? undefined}>{entryText(entry)}</div>
      <div class="hint held-line">
        <span>{say("{filled} of {lots} filled", filled)}</span>
        {buyPrice !== undefined && (
          <span>
            {moneyText(buyPrice * entry.quantity)} {currencyOf(dashboard.tickTableOf(symbol))}
          </span>
        )}
      </div>
      <div class={brokerOrderNo === null ? "hint" : "hint narrow-only"}>{number}</div>
      {buyPrice !== undefined && band !== undefined && isOutside(buyPrice, band) && (
        <div class="caution">
          {say("Outside today’s limits, {floor} to {ceiling}", {
            floor: priceText(band.floorPrice),
            ceiling: priceText(band.ceilingPrice),
          })}
        </div>
      )}
      {entry.isEnding && <strong> {say("The buy is being cancelled.")}</strong>}
      {orderMessage !== null && <span class="fault"> {serviceText(orderMessage)}</span>}
    </>
  );
}

function isOutside(price: number, { floorPrice, ceilingPrice }: Band): boolean {
  return price < floorPrice || price > ceilingPrice;
}

function entryText({ orderType, price, triggerPrice, quantity }: NonNullable<Setup["entry"]>): string {
  const lots = quantityText(quantity);
  if (orderType === LIMIT) return say("Buy {lots} at {price} or better", { lots, price: priceText(price) });
  return triggerPrice == null
    ? say("Buy {lots} at market", { lots })
    : say("Buy {lots} at market from {price} on", { lots, price: priceText(triggerPrice) });
}

interface OpenedProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  readonly part: string;
  readonly setups: readonly Setup[];
  readonly onDone: (message: string | undefined) => void;
}

/** The form that the address names. An order that has a pending OCO already leads to that. */
function Opened({ dashboard, account, part, setups, onDone }: OpenedProps) {
  const orderNo = part.startsWith(BUY_PART) ? part.slice(BUY_PART.length) : undefined;
  // The opened form remains: a pending OCO of the order may appear, or be over, while the user types.
  const [setupId] = useState(
    () => setups.find((setup) => orderNo !== undefined && setup.brokerOrderNo === orderNo)?.setupId ?? Number(part),
  );
  if (Number.isInteger(setupId)) return <SetupChange dashboard={dashboard} setupId={setupId} onDone={onDone} />;
  if (part !== NEW && orderNo === undefined) return null;
  const taken = new Set(setups.map(({ brokerOrderNo }) => brokerOrderNo));
  return <SetupForm dashboard={dashboard} account={account} orderNo={orderNo} taken={taken} onDone={onDone} />;
}
