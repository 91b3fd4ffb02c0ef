/** Makes a pending OCO for a buy that waits: one of the open buy orders of the account. */
import { useRef, useState } from "preact/hooks";
import { BUY, LIMIT } from "../../../../src/domain/order/order.ts";
import type { Faults } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { findHalfDate } from "../part/date-field.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { readNumber } from "../part/number-text.ts";
import { Select } from "../part/select.tsx";
import { Shares } from "../part/shares.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReading } from "../part/use-reading.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import { useSettled } from "../part/use-settled.ts";
import { priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Account, isOpen, type Order } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import {
  EMPTY_SETUP,
  findSetupFaults,
  placeSetupRefusal,
  riskText,
  type SetupDraft,
  setupBody,
  withSetupLots,
} from "./setup-draft.ts";
import { SetupFields, SetupTerms } from "./setup-fields.tsx";

/** All words of the form, in one place. */
const TEXT = {
  title: say("New pending OCO"),
  order: say("Buy order"),
  choose: say("Choose a buy order"),
  none: say("No buy order without a pending OCO is open."),
  over: say("This order is not open any more, or has a pending OCO. The service looks it up when you register."),
  lots: say("Lots to protect"),
  check: say("Check the pending OCO"),
  yes: say("Register the pending OCO"),
  no: say("Change it"),
  back: say("Back"),
  whole: say(
    "The group is made once the whole order is filled. Until then nothing protects a part that is filled; if the order ends with a part filled, no group is made.",
  ),
} as const;
const SETTLE_MS = 3_200;

interface SetupFormProps {
  readonly dashboard: DashboardState;
  readonly account: Account;
  /** The order that is chosen at first; undefined: none. */
  readonly orderNo: string | undefined;
  /** Orders that a pending OCO waits for already. */
  readonly taken: ReadonlySet<string | null>;
  /** Receives the service's message about the new pending OCO; undefined: none was made. */
  readonly onDone: (message: string | undefined) => void;
}

export function SetupForm({ dashboard, account, orderNo: first = "", taken, onDone }: SetupFormProps) {
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const isWanted = (): boolean => dashboard.account.value === account;
  const { data: orders, fault } = useReading(dashboard, () => dashboard.portfolio.dailyOrders({ account, isWanted }), [
    account,
    changes,
  ]);
  const [orderNo, setOrderNo] = useState(first);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [refusalCount, setRefusalCount] = useState(0);
  const card = useRef<HTMLElement>(null);
  useFaultFocus(card, refusalCount);
  /** Typed values are kept for another order, except the lots. */
  const typed = useRef<SetupDraft>(EMPTY_SETUP);
  const known = useRef<Order | undefined>(undefined);
  const buys = (orders ?? []).filter((order) => order.buySell === BUY && isOpen(order) && !taken.has(order.orderNo));
  const found = buys.find((order) => order.orderNo === orderNo);
  // An order that is filled while the user types is not taken away.
  if (found !== undefined || known.current?.orderNo !== orderNo) known.current = found;
  const order = known.current;
  const words = Object.fromEntries(buys.map((one) => [one.orderNo, buyText(one)]));
  if (order !== undefined) words[order.orderNo] = buyText(order);
  return (
    <section class="card" ref={card} aria-label={TEXT.title}>
      <h2>{TEXT.title}</h2>
      <Fault text={fault} />
      <div class="fields">
        <Field label={TEXT.order} fault={refusal}>
          {(attributes) => (
            <Select
              attributes={attributes}
              title={TEXT.order}
              of={["", ...Object.keys(words)]}
              words={{ ...words, "": TEXT.choose }}
              chosen={order === undefined ? "" : orderNo}
              onChoose={(chosen) => {
                setRefusal(undefined);
                setOrderNo(chosen);
              }}
            />
          )}
        </Field>
      </div>
      {orders === undefined && fault === undefined && <p class="empty">{say("Reading…")}</p>}
      {orders !== undefined && buys.length === 0 && order === undefined && <p class="hint">{TEXT.none}</p>}
      {order !== undefined && found === undefined && (
        <p class="warning" role="status">
          {TEXT.over}
        </p>
      )}
      {order === undefined ? (
        <div class="tools">
          <button type="button" class="quiet" onClick={() => onDone(undefined)}>
            {TEXT.back}
          </button>
        </div>
      ) : (
        <ExitsOf
          key={order.orderNo}
          dashboard={dashboard}
          account={account}
          order={order}
          begun={withSetupLots(typed.current, String(order.quantity))}
          onType={(draft) => {
            typed.current = draft;
            setRefusal(undefined);
          }}
          onRefused={(message) => {
            setRefusal(message);
            setRefusalCount((count) => count + 1);
          }}
          onDone={onDone}
        />
      )}
    </section>
  );
}

/** A buy in a few words. */
function buyText({ orderNo, symbol, quantity, orderType, price }: Order): string {
  const order = { orderNo, lots: quantityText(quantity), symbol };
  return orderType === LIMIT
    ? say("Order {orderNo}: buy {lots} {symbol} at {price} or better", { ...order, price: priceText(price) })
    : say("Order {orderNo}: buy {lots} {symbol} at market", order);
}

interface ExitsOfProps extends Pick<SetupFormProps, "dashboard" | "account" | "onDone"> {
  readonly order: Order;
  readonly begun: SetupDraft;
  readonly onType: (draft: SetupDraft) => void;
  /** The service refused the order itself. */
  readonly onRefused: (message: string) => void;
}

function ExitsOf({ dashboard, account, order, begun, onType, onRefused, onDone }: ExitsOfProps) {
  const { symbol, quantity, orderNo } = order;
  const [draft, setDraft] = useState(begun);
  const [isTried, setIsTried] = useState(false);
  const [refusals, setRefusals] = useState<Faults>({});
  const [tryCount, setTryCount] = useState(0);
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const sendOnce = useSendOnce(dashboard.session);
  const last = useStore(dashboard.price(symbol))?.price;
  const table = dashboard.tickTableOf(symbol);
  const zone = dashboard.zoneOf(symbol);
  const limit = order.orderType === LIMIT ? order.price : undefined;
  const faults = findSetupFaults(draft, table, limit);
  const faultOf = (field: string): string | undefined => (isTried ? faults[field] : undefined) ?? refusals[field];
  const change = (changes: Partial<SetupDraft>): void => {
    const next = { ...draft, ...changes };
    setDraft(next);
    onType(next);
    setRefusals({});
  };
  const changeLots = (lots: string): void => change(withSetupLots(draft, lots));
  const refuse = (found: Faults): void => {
    setRefusals(found);
    setTryCount((count) => count + 1);
  };
  const check = (event: SubmitEvent): void => {
    event.preventDefault();
    setIsTried(true);
    const halfDate = findHalfDate(form.current);
    if (Object.keys(faults).length > 0) refuse({});
    else if (halfDate !== undefined) refuse(halfDate);
    else setIsAsked(true);
  };
  const register = async (): Promise<void> => {
    setIsAsked(false);
    setIsBusy(true);
    const { brokerageCode, accountNumber } = account;
    const body = { brokerageCode, accountNumber, brokerOrderNo: orderNo, symbol, ...setupBody(draft, zone) };
    let message = "";
    const refusal = await dashboard.attemptForm(async () => {
      ({ message } = await sendOnce<number>("/api/v1/oco-orders/register-pending", body));
    });
    setIsBusy(false);
    if (refusal?.includes("brokerOrderNo")) return onRefused(serviceText(refusal));
    if (refusal !== undefined) return refuse(placeSetupRefusal(draft, refusal));
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    onDone(message);
  };
  const more = (readNumber(draft.stopLossQuantity, 0) ?? 0) - quantity;
  const excess =
    more > 0
      ? say("The stop-loss sells {lots} lots more than the order buys.", { lots: quantityText(more) })
      : undefined;
  return (
    <form class="group-form" ref={form} onSubmit={check} noValidate aria-label={TEXT.title}>
      <SetupFields
        draft={draft}
        lots={
          <Field label={TEXT.lots} fault={faultOf("stopLossQuantity")}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode="numeric"
                autocomplete="off"
                value={draft.stopLossQuantity}
                onInput={(event) => changeLots(event.currentTarget.value)}
              />
            )}
          </Field>
        }
        price={limit ?? last}
        priceName={limit === undefined ? say("the last price") : say("the limit of the buy")}
        table={table}
        zone={zone}
        faultOf={faultOf}
        onChange={change}
      />
      <div class="tools">
        <Shares of={say("the order")} lots={quantity} onLots={(lots) => changeLots(String(lots))} />
      </div>
      {excess !== undefined && (
        <p class="warning" role="status">
          {excess}
        </p>
      )}
      <Fault text={refusals[""]} />
      <p class="hint">{TEXT.whole}</p>
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          {TEXT.check}
        </button>
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {TEXT.back}
        </button>
      </div>
      {isAsked && (
        <Dialog
          title={say("Protect the buy of {lots} {symbol}?", { lots: quantityText(quantity), symbol })}
          yes={TEXT.yes}
          no={TEXT.no}
          onYes={() => void register()}
          onNo={() => setIsAsked(false)}
        >
          <p>
            {say("{brokerage}, account {account}.", {
              brokerage: account.brokerageCode,
              account: account.accountNumber,
            })}{" "}
            {buyText(order)}.
          </p>
          <SetupTerms draft={draft} zone={zone} />
          <p>{riskText(draft, limit ?? last, table)}</p>
          <p>{TEXT.whole}</p>
          {excess !== undefined && <p class="warning">{excess}</p>}
        </Dialog>
      )}
    </form>
  );
}
