/** Makes an order: checked in the form, shown as it will be sent, and sent once. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BUY, LIMIT, MARKET, SELL } from "../../../../src/domain/order/order.ts";
import { STOP_ENTRY } from "../../../../src/domain/setup.ts";
import { PriceField } from "../group/price-field.tsx";
import { protectionOf } from "../group/row-worth.ts";
import type { Faults } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { Commitments, Free, rowOfPosition } from "../part/commitments.tsx";
import { currencyOf } from "../part/currency.ts";
import { findHalfDate } from "../part/date-field.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { HeldLine } from "../part/held-line.tsx";
import { useNarrow } from "../part/narrow.ts";
import { readNumber, typedPrice } from "../part/number-text.ts";
import { atPrice } from "../part/portfolio-worth.ts";
import { Profit } from "../part/profit.tsx";
import { SymbolField } from "../part/symbol-field.tsx";
import { Time } from "../part/time.tsx";
import type { Band } from "../part/use-day-bases.ts";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { moneyText, priceText } from "../part/words.ts";
import { crossedText, riskText, type SetupDraft } from "../setup/setup-draft.ts";
import { ExpiryField, SetupFields, SetupTerms } from "../setup/setup-fields.tsx";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Balance, isOpen, type LedgerRow, type Order, type Position } from "../state/model.ts";
import type { OrderPlan, PlanOutcome } from "../state/order-plan.ts";
import { useStore } from "../state/store.ts";
import { countedPrice } from "./counted-price.ts";
import { DayLine } from "./day-line.tsx";
import { exitWorth } from "./exit-levels.ts";
import { Size } from "./size.tsx";
import {
  affordableText,
  amountText,
  checkText,
  copyText,
  countedText,
  excessText,
  expiryText,
  heldSymbolText,
  heldText,
  orderText,
  overBuyingPowerText,
  TEXT,
  totalText,
  watchedText,
} from "./texts.ts";
import {
  exitsOf,
  expectedPrice,
  fillsNowText,
  findTicketFaults,
  isProtectedBuy,
  orderOf,
  placeTicketRefusal,
  type TicketDraft,
  withSide,
  withTicketAmount,
} from "./ticket-draft.ts";

interface TicketProps {
  readonly dashboard: DashboardState;
  readonly draft: TicketDraft;
  readonly positions: readonly Position[] | undefined;
  /** Of the day. */
  readonly orders: readonly Order[] | undefined;
  /** The sell ledger by symbol; undefined: not read yet. */
  readonly ledger: ReadonlyMap<string, LedgerRow> | undefined;
  readonly balance: Balance | null | undefined;
  /** How far the last price is from the base price of the day; undefined: not known, as with `band`. */
  readonly dayShare: number | undefined;
  readonly band: Band | undefined;
  /** Below the symbol: on a narrow screen the chart, which would be out of view behind the form. */
  readonly children: ComponentChildren;
  readonly onChange: (changes: Partial<TicketDraft>) => void;
  readonly onOutcome: (outcome: PlanOutcome) => void;
}

interface Asked {
  readonly plan: OrderPlan;
  readonly last: number | undefined;
}

export function Ticket(props: TicketProps) {
  const { dashboard, draft, positions, orders, ledger, balance, dayShare, band, children, onChange, onOutcome } = props;
  const symbols = useStore(dashboard.symbols);
  // On a wide screen the last price and its change are above the chart.
  const isNarrow = useNarrow();
  const account = useStore(dashboard.account);
  const groups = useStore(dashboard.groups);
  const priceStore = dashboard.price(draft.symbol);
  useStore(priceStore);
  const last = priceStore.value?.price;
  const table = dashboard.tickTableOf(draft.symbol);
  const zone = dashboard.zoneOf(draft.symbol);
  const [isTried, setIsTried] = useState(false);
  const [refusals, setRefusals] = useState<Faults>({});
  const [tryCount, setTryCount] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const faults = useMemo(() => findTicketFaults(draft, table), [draft, table]);
  const faultOf = (field: string): string | undefined => (isTried ? faults[field] : undefined) ?? refusals[field];
  const change = (changes: Partial<TicketDraft>): void => {
    setRefusals({});
    onChange(changes);
  };
  const changeExits = (changes: Partial<SetupDraft>): void => {
    const { stopLossQuantity: lots = draft.lots } = changes;
    const amount = lots === draft.lots ? draft.amount : undefined;
    change({ exits: { ...draft.exits, ...changes }, lots, amount });
  };
  const refuse = (found: Faults): void => {
    setRefusals(found);
    setTryCount((count) => count + 1);
  };
  const check = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsTried(true);
    const halfDate = findHalfDate(form.current);
    if (Object.keys(faults).length > 0) return refuse({});
    if (halfDate !== undefined) return refuse(halfDate);
    if (account === undefined) return refuse({ "": TEXT.noAccount });
    setIsBusy(true);
    const refusal = await dashboard.attemptForm(async () => {
      const now = await dashboard.priceNow(draft.symbol);
      setAsked({ plan: dashboard.orderPlans.make(orderOf(draft, account), exitsOf(draft, zone)), last: now });
    });
    setIsBusy(false);
    if (refusal !== undefined) refuse(placeTicketRefusal(draft, refusal));
  };
  const send = async ({ plan }: Asked): Promise<void> => {
    setAsked(undefined);
    setIsBusy(true);
    const outcome = await dashboard.orderPlans.run(plan);
    setIsBusy(false);
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    if (outcome.kind === "refused") return refuse(placeTicketRefusal(draft, outcome.message));
    setIsTried(false);
    onOutcome(outcome);
  };
  const isBuy = draft.side === BUY;
  const price = expectedPrice(draft, last);
  const position = positions?.find(({ symbol }) => symbol === draft.symbol);
  const held = positions === undefined ? undefined : (position?.availableQuantity ?? 0);
  const money = balance?.buyingPower;
  const counted = countedPrice(draft.kind, price, band?.ceilingPrice);
  const affordable =
    money === undefined || counted === undefined ? undefined : Math.max(0, Math.floor(money / counted.price));
  const most = isBuy ? affordable : held;
  const lotPrice = isBuy ? counted?.price : price;
  // With each tick the lots of an amount would change while they are read.
  useEffect(() => {
    if (draft.amount === undefined) return;
    const changes = withTicketAmount(draft, draft.amount, lotPrice);
    if (changes.lots !== draft.lots) onChange(changes);
  }, [draft.symbol, draft.side, draft.kind, draft.price, lotPrice === undefined, band?.ceilingPrice]);
  const currency = balance?.currency;
  const worth = exitWorth(draft.exits, price, table, currency);
  const crossedAt = (at: number | undefined): string | undefined =>
    isProtectedBuy(draft) && draft.kind === MARKET ? crossedText(draft.exits, at) : undefined;
  const powerText = balance === undefined ? say("Reading…") : affordableText(affordable, money, currency);
  const total = totalText(price, readNumber(draft.lots, 0), currency);
  const heldSymbols = useStore(dashboard.health.said)?.conditions.heldSymbols ?? [];
  const isHeld = isProtectedBuy(draft) && heldSymbols.some(({ symbol }) => symbol === draft.symbol);
  const heldWarning = isHeld ? heldSymbolText(draft.symbol) : undefined;
  const isCopyOfOpen = orders?.some((order) => order.orderNo === draft.copiedFrom && isOpen(order)) === true;
  const copyWarning = isCopyOfOpen ? copyText(draft.copiedFrom) : undefined;
  const warning = warningOf();
  function warningOf(): string | undefined {
    const lots = readNumber(draft.lots, 0) ?? 0;
    if (isBuy) {
      if (money === undefined || affordable === undefined || lots <= affordable) return undefined;
      return overBuyingPowerText(money, currency, lots * (price ?? 0) <= money ? counted : undefined);
    }
    if (held !== undefined && lots > held) return excessText(draft.symbol, held);
    const protection = protectionOf(groups, draft.symbol);
    return protection === undefined ? undefined : watchedText(draft.symbol, protection.lots);
  }
  return (
    <form class="card ticket" ref={form} onSubmit={(event) => void check(event)} noValidate aria-labelledby="new-order">
      <h2 id="new-order" class="hidden">
        {TEXT.title}
      </h2>
      <fieldset class="sides" aria-label={TEXT.side}>
        <Pick name="side" title={TEXT.buy} isChosen={isBuy} onChoose={() => change(withSide(draft, BUY))} tone="good" />
        <Pick
          name="side"
          title={TEXT.sell}
          isChosen={!isBuy}
          onChoose={() => change(withSide(draft, SELL))}
          tone="bad"
        />
      </fieldset>
      <div class="fields">
        <SymbolField
          label={TEXT.symbol}
          value={draft.symbol}
          symbols={symbols}
          fault={faultOf("symbol")}
          onChange={(symbol) => change({ symbol })}
        />
        {draft.symbol !== "" && isNarrow && (
          <p class="quote">
            <span>
              {say("Last")} {priceStore.value !== undefined && <Time at={priceStore.value.timeMs} />}
            </span>{" "}
            <strong class="number">{last === undefined ? say("no price yet") : priceText(last)}</strong>
          </p>
        )}
        {!isNarrow && <DayLine dayShare={undefined} band={band} />}
      </div>
      {isNarrow && <DayLine dayShare={dayShare} band={band} />}
      {position !== undefined && (
        <div>
          <HeldLine position={atPrice(position, last)} currency={currency} />
          <p class="hint">
            {say("Free to sell")} <Free row={rowOfPosition(ledger, position)} />{" "}
            <Commitments symbol={draft.symbol} row={rowOfPosition(ledger, position)} groups={groups} orders={orders} />
          </p>
        </div>
      )}
      {children}
      <fieldset class="sides" aria-label={TEXT.kind}>
        <Pick
          name="kind"
          title={TEXT.market}
          isChosen={draft.kind === MARKET}
          onChoose={() => change({ kind: MARKET })}
        />
        <Pick
          name="kind"
          title={TEXT.limit}
          isChosen={draft.kind === LIMIT}
          onChoose={() =>
            change({ kind: LIMIT, ...(draft.price === "" && last !== undefined ? { price: typedPrice(last) } : {}) })
          }
        />
        {isBuy && (
          <Pick
            name="kind"
            title={TEXT.stop}
            isChosen={draft.kind === STOP_ENTRY}
            onChoose={() => change({ kind: STOP_ENTRY })}
          />
        )}
      </fieldset>
      {draft.kind !== MARKET && (
        <PriceField
          table={table}
          label={draft.kind === LIMIT ? TEXT.price : TEXT.trigger}
          value={draft.price}
          fault={faultOf("price")}
          onChange={(text) => change({ price: text })}
        />
      )}
      <Size
        draft={draft}
        lotPrice={lotPrice}
        currency={currency ?? currencyOf(table)}
        whole={isBuy ? TEXT.buyingPower : TEXT.holding}
        most={most}
        fault={faultOf("lots")}
        onChange={change}
      />
      <p class="hint">
        <span>{isBuy ? powerText : heldText(most)}</span>{" "}
        {isBuy && money !== undefined && counted !== undefined && counted.source !== "limit" && (
          <span>{countedText(counted)}</span>
        )}
      </p>
      {draft.kind === STOP_ENTRY && <p class="hint">{TEXT.triggerHint}</p>}
      {isBuy && (
        <fieldset>
          <label class="tick">
            <input
              type="checkbox"
              checked={isProtectedBuy(draft)}
              disabled={draft.kind === STOP_ENTRY}
              onChange={(event) => change({ isProtected: event.currentTarget.checked })}
            />{" "}
            {TEXT.protect}
          </label>
          {isProtectedBuy(draft) && (
            <>
              <SetupFields
                draft={draft.exits}
                price={price}
                priceName={PRICE_NAMES[draft.kind]}
                table={table}
                zone={zone}
                faultOf={faultOf}
                notes={worth.notes}
                onChange={changeExits}
              />
              <ExpiryField
                value={draft.expires}
                fault={faultOf("expiresAt")}
                onChange={(expires) => change({ expires })}
              />
              <p class="hint">{TEXT.protectHint}</p>
            </>
          )}
        </fieldset>
      )}
      <div class="verdict">
        {[copyWarning, warning, heldWarning, crossedAt(last)].map(
          (text) =>
            text !== undefined && (
              <p key={text} class="warning" role="status">
                {text}
              </p>
            ),
        )}
        {total !== "" && <p class="hint">{total}</p>}
        <Outlook draft={draft} worth={worth} price={price} position={position} currency={currency} />
        <Fault text={refusals[""]} />
        <button type="submit" class={`primary ${isBuy ? "good" : "bad"}`} disabled={isBusy}>
          {checkText(isBuy, draft.symbol, readNumber(draft.lots, 0))}
        </button>
      </div>
      {asked !== undefined && (
        <Dialog
          title={`${orderText(asked.plan.order)}?`}
          yes={isBuy ? say("Send the buy order") : say("Send the sell order")}
          no={TEXT.change}
          onYes={() => void send(asked)}
          onNo={() => setAsked(undefined)}
        >
          <p>
            {say("{brokerage}, account {account}.", {
              brokerage: asked.plan.order.brokerageCode,
              account: asked.plan.order.accountNumber,
            })}{" "}
            {amountText(asked.plan.order, expectedPrice(draft, asked.last), asked.last)}
          </p>
          {nowText(asked)}
          {isProtectedBuy(draft) && (
            <>
              <SetupTerms draft={draft.exits} zone={zone} />
              <p>{riskText(draft.exits, expectedPrice(draft, asked.last), table)}</p>
              <p>{TEXT.protectHint}</p>
              {draft.expires !== "" && <p>{expiryText(draft.expires)}</p>}
              {draft.exits.dueDate !== "" && <p>{TEXT.dueHint}</p>}
            </>
          )}
          {[copyWarning, warning, heldWarning, crossedAt(asked.last)].map(
            (text) =>
              text !== undefined && (
                <p key={text} class="warning">
                  {text}
                </p>
              ),
          )}
        </Dialog>
      )}
    </form>
  );
}

const PRICE_NAMES = {
  [MARKET]: say("the last price"),
  [LIMIT]: say("the limit"),
  [STOP_ENTRY]: say("the trigger"),
} as const;

function nowText({ plan, last }: Asked) {
  const text = fillsNowText(plan.order, last);
  return text !== undefined && <p>{text}</p>;
}

interface OutlookProps {
  readonly draft: TicketDraft;
  readonly worth: ReturnType<typeof exitWorth>;
  readonly price: number | undefined;
  readonly position: Position | undefined;
  readonly currency: string | undefined;
}

/** What the order can lose and gain: a buy at its exits, a sale against the average price. */
function Outlook({ draft, worth: { loss, profit }, price, position, currency = "" }: OutlookProps) {
  if (isProtectedBuy(draft)) {
    if (loss === undefined && profit === undefined) return null;
    // One line, in the currency of the total above it.
    return (
      <p class="outlook number">
        {loss !== undefined && (
          <span>
            {loss < 0 ? say("Risk") : say("Stop-loss")} <Profit amount={loss} />
          </span>
        )}
        {profit !== undefined && (
          <span>
            {say("Target")} <Profit amount={profit} />
          </span>
        )}
        {loss !== undefined && loss < 0 && profit !== undefined && profit > 0 && (
          <span class="hint" title={say("Risk to reward")}>
            <span class="hidden">{say("Risk to reward")}</span>{" "}
            {say("1 : {ratio}", { ratio: moneyText(profit / -loss) })}
          </span>
        )}
      </p>
    );
  }
  const lots = readNumber(draft.lots, 0) ?? 0;
  if (draft.side !== SELL || price === undefined || lots === 0 || (position?.averagePrice ?? 0) <= 0) return null;
  return (
    <p class="outlook number">
      <span>
        {say("Profit of the sale about")} <Profit amount={(price - (position?.averagePrice ?? 0)) * lots} /> {currency}
      </span>
    </p>
  );
}

interface PickProps {
  readonly name: string;
  readonly title: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly tone?: "good" | "bad";
}

function Pick({ name, title, isChosen, onChoose, tone }: PickProps) {
  return (
    <label class={`pick ${isChosen ? `chosen ${tone ?? ""}` : ""}`}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {title}
    </label>
  );
}
