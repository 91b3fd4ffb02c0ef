/** Pending OCOs: setups that wait for a buy to fill, and the forms that make and change one. */

import { useState } from "preact/hooks";
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { ChartLink } from "../part/chart-link.tsx";
import { Confirm } from "../part/confirm.tsx";
import { currencyOf } from "../part/currency.ts";
import { Profit } from "../part/profit.tsx";
import { type Column, Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { type Band, useDayBases } from "../part/use-day-bases.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import { distanceText, moneyText, priceText, quantityText } from "../part/words.ts";
import { SetupChange } from "../setup/setup-change.tsx";
import { buyPriceOf, levelTexts, setupWorth, waitsForTrigger } from "../setup/setup-draft.ts";
import { SetupForm } from "../setup/setup-form.tsx";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, queryOf, type Setup } from "../state/model.ts";
import { useStore } from "../state/store.ts";

const PAGE = "pending";
const NEW = "new";
const BUY_PART = "buy-";
const SETTLE_MS = 3_000;

/** Left out while it is empty in each row. */
const NOTE: Column<Setup> = { title: say("Note"), isMinor: true, view: ({ notes }) => notes ?? "" };

/** The part of this page that protects an order. */
export function partOfBuy(orderNo: string): string {
  return `${BUY_PART}${orderNo}`;
}

export function Pending({ dashboard }: { readonly dashboard: DashboardState }) {
  const account = useStore(dashboard.account);
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
            {say("Protect a buy")}
          </button>
        }
        above={
          <>
            {setups.data !== undefined && setups.data.length > 0 && (
              <p class="hint">{say("The stop-loss and take-profits are under watch once the buy fills.")}</p>
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
            title: say("Last price"),
            isNumber: true,
            view: ({ symbol }) => <LastPrice dashboard={dashboard} symbol={symbol} />,
          },
          {
            title: say("Waits for order"),
            view: (setup) => <WaitsFor dashboard={dashboard} setup={setup} band={bandOf(setup.symbol)} />,
          },
          {
            title: say("Stop-loss"),
            view: (setup) => {
              const { stopLossQuantity: quantity, stopLossPercent: percent, stopLossPrice: price, symbol } = setup;
              const table = dashboard.tickTableOf(symbol);
              const worth = setupWorth(setup, table);
              return (
                <>
                  {levelTexts([{ quantity, percent, price }], "below", setup, table)}
                  {worth !== undefined && (
                    <div>
                      <Profit amount={worth.loss} /> {currencyOf(table)}
                    </div>
                  )}
                </>
              );
            },
          },
          {
            title: say("Take-profit"),
            view: (setup) => {
              const table = dashboard.tickTableOf(setup.symbol);
              const worth = setupWorth(setup, table);
              return (
                <>
                  {levelTexts(setup.takeProfitItems, "above", setup, table)}
                  {worth !== undefined && setup.takeProfitItems.length > 0 && (
                    <div>
                      <Profit amount={worth.gain} /> {currencyOf(table)}
                      {worth.loss < 0 && worth.gain > 0 && (
                        <div class="hint">
                          {say("Risk to reward 1 : {ratio}", { ratio: moneyText(worth.gain / -worth.loss) })}
                        </div>
                      )}
                    </div>
                  )}
                </>
              );
            },
          },
          { title: say("Since"), view: ({ createdDate }) => <Time at={createdDate} /> },
          { title: say("Until"), view: (setup) => <Until setup={setup} /> },
          ...(setups.data?.some(({ notes }) => (notes ?? "") !== "") === true ? [NOTE] : []),
          {
            title: say("Actions"),
            isAction: true,
            view: (setup) => (
              <div class="tools">
                <button type="button" onClick={() => open(String(setup.setupId))}>
                  {say("Change")}
                </button>
                {canRemove(setup) && <Confirm {...removalOf(setup)} onConfirm={() => void remove(setup.setupId)} />}
              </div>
            ),
          },
        ]}
      />
      {account !== undefined && setups.data !== undefined && part !== "" && (
        <Opened key={part} dashboard={dashboard} account={account} part={part} setups={setups.data} onDone={finish} />
      )}
    </>
  );
}

function LastPrice({ dashboard, symbol }: { readonly dashboard: DashboardState; readonly symbol: string }) {
  return <>{priceText(useStore(dashboard.price(symbol))?.price)}</>;
}

/** How long the pending OCO waits, and the moment at which what is not filled of its buy is cancelled. */
function Until({ setup: { dueDate, entry } }: { readonly setup: Setup }) {
  if (dueDate === null && entry?.expiresAt == null) return <span class="hint whole">{say("until cancelled")}</span>;
  return (
    <>
      {dueDate !== null && <Time at={dueDate} />}
      {entry?.expiresAt != null && (
        <div class="hint">
          {say("Buy until")} <Time at={entry.expiresAt} />
        </div>
      )}
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

interface WaitsForProps {
  readonly dashboard: DashboardState;
  readonly setup: Setup;
  /** Of today; undefined: not known. */
  readonly band: Band | undefined;
}

function WaitsFor({ dashboard, setup, band }: WaitsForProps) {
  const { brokerOrderNo, entry, orderMessage, symbol } = setup;
  const last = useStore(dashboard.price(symbol))?.price;
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
  return (
    <>
      {entry !== null && (
        <>
          <span class="whole">{entryText(entry)}</span>
          {buyPrice !== undefined && (
            <div class="hint">
              {say("Amount")} {moneyText(buyPrice * entry.quantity)} {currencyOf(dashboard.tickTableOf(symbol))}
            </div>
          )}
          <div class="hint">
            {say("{filled} of {lots} filled", {
              filled: quantityText(entry.filledQuantity),
              lots: quantityText(entry.quantity),
            })}
          </div>
        </>
      )}
      <div class={entry === null ? "" : "hint"}>{number}</div>
      {buyPrice !== undefined && last !== undefined && entry !== null && !entry.isEnding && (
        <div class="hint">{say("{share} from the last price", { share: distanceText(buyPrice, last) })}</div>
      )}
      {buyPrice !== undefined && band !== undefined && isOutside(buyPrice, band) && (
        <div class="caution">
          {say("Outside today’s limits, {floor} to {ceiling}", {
            floor: priceText(band.floorPrice),
            ceiling: priceText(band.ceilingPrice),
          })}
        </div>
      )}
      {entry?.isEnding === true && <strong> {say("The buy is being cancelled.")}</strong>}
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
