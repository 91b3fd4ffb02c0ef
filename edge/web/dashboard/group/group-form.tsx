/** Makes a group: by fields, or by dragging its lines on the chart. Both show the same draft. */
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { currencyOf } from "../part/currency.ts";
import { findHalfDate } from "../part/date-field.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { HeldLine } from "../part/held-line.tsx";
import { typedPrice, typedText } from "../part/number-text.ts";
import { atPrice } from "../part/portfolio-worth.ts";
import { Shares } from "../part/shares.tsx";
import { SymbolField } from "../part/symbol-field.tsx";
import { useDayBases } from "../part/use-day-bases.ts";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useHeld } from "../part/use-held.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import { distanceText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Holding, OcoRow, Position } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { DayLine } from "../trade/day-line.tsx";
import { averageLines, Chart, type ChartLine } from "./chart.tsx";
import { DraftResults } from "./draft-results.tsx";
import { draftResults } from "./draft-worth.ts";
import {
  bodyOf,
  type Draft,
  draftOf,
  emptyDraft,
  findExcess,
  findFaults,
  findMissingLots,
  findReached,
  placeRefusal,
  proposeLevels,
  proposeLots,
  type ReachedLevel,
  readPrice,
  snap,
  stepPrice,
  unprotectedLots,
  withLots,
  withSymbol,
  withTakeProfits,
  withTypedLots,
} from "./levels.ts";
import { isLotsInput, isPriceInput, LOTS_INPUT_MODE, PriceField } from "./price-field.tsx";
import { Risk } from "./risk.tsx";
import { protectionOf } from "./row-worth.ts";
import { TakeProfits } from "./take-profits.tsx";
import { type Faults, saleText } from "./terms.ts";
import { TermsFields } from "./terms-fields.tsx";

const STOP_LINE = "stopLoss";
const NO_ACCOUNT = say("No account is known yet: a brokerage that does not answer now is asked again.");

export interface MadeGroup {
  readonly id: number;
  readonly message: string;
}

interface GroupFormProps {
  /** Set: the holding to protect. */
  readonly holding: Holding | undefined;
  readonly dashboard: DashboardState;
  /** Receives the new group and the service's message; undefined: nothing was made. */
  readonly onDone: (made: MadeGroup | undefined) => void;
}

export function GroupForm({ dashboard, holding, onDone }: GroupFormProps) {
  const symbols = useStore(dashboard.symbols);
  const account = useStore(dashboard.account);
  const groups = useStore(dashboard.groups);
  const areGroupsKnown = useStore(dashboard.areRowsKnown);
  const reasonId = useId();
  const [draft, setDraft] = useState<Draft>(() => (holding === undefined ? emptyDraft : draftOf(holding)));
  const [isTried, setIsTried] = useState(false);
  const [focused, setFocused] = useState<"price" | "lots" | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  /** By field; under "" what is of none. */
  const [refusals, setRefusals] = useState<Faults>({});
  /** Levels that would sell as soon as the group is made, for the question. */
  const [asked, setAsked] = useState<readonly ReachedLevel[]>([]);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const position = useHeld(dashboard, draft.symbol);
  const held = position === null ? 0 : position?.quantity;
  const { bandOf } = useDayBases(dashboard, symbols.includes(draft.symbol) ? [draft.symbol] : []);
  const sendOnce = useSendOnce(dashboard.session);
  const priceStore = dashboard.price(draft.symbol);
  useStore(priceStore);
  // The hook's value is of the former symbol if the symbol was changed just now.
  const price = priceStore.value;
  const table = dashboard.tickTableOf(draft.symbol);
  const zone = dashboard.zoneOf(draft.symbol);
  const faults = useMemo(() => findFaults(draft, table), [draft, table]);
  const reached = findReached(draft, price?.price);
  const excess = findExcess(draft, held);
  const protectedLots = areGroupsKnown ? (protectionOf(groups, draft.symbol)?.lots ?? 0) : undefined;
  const unprotected = unprotectedLots(held, protectedLots);
  const missing = findMissingLots(draft, held, unprotected);
  const averagePrice = position?.averagePrice;
  const results = draftResults(draft, price?.price, averagePrice);
  const currency = currencyOf(table);
  const lines = useMemo(() => linesOf(draft, averagePrice), [draft, averagePrice]);
  const change = (changes: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...changes }));
    setRefusals({});
  };
  const faultOf = (field: string): string | undefined => (isTried ? faults[field] : undefined) ?? refusals[field];
  /** How far a typed level is from the last price: amounts are next to the button, from the cost. */
  const noteOf = (typed: string): string | undefined => {
    const level = readPrice(typed) ?? 0;
    if (level <= 0 || price === undefined) return undefined;
    return say("{share} from last", { share: distanceText(level, price.price) });
  };
  const chooseSymbol = (symbol: string): void => setDraft((before) => withSymbol(before, symbol));
  const isUntouched = draft.stopLossPrice === "" && draft.takeProfits.every((item) => item.price === "");
  const proposal = price?.price;
  useEffect(() => {
    // The price may come a moment after the symbol: a proposal in a field with focus would merge with the typed number.
    const mayPropose = isUntouched && focused !== "price";
    if (proposal !== undefined && mayPropose) setDraft((before) => proposeLevels(before, proposal, table));
  }, [proposal, isUntouched, focused, table]);
  const mayProposeLots = !draft.areLotsTyped && draft.symbol !== "" && focused !== "lots";
  useEffect(() => {
    if (unprotected !== undefined && mayProposeLots) setDraft((before) => proposeLots(before, unprotected));
  }, [unprotected, mayProposeLots, draft.symbol]);
  const refuse = (found: Faults): void => {
    setRefusals(found);
    setTryCount((count) => count + 1);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsTried(true);
    const halfDate = findHalfDate(form.current);
    if (Object.keys(faults).length > 0) return refuse({});
    if (halfDate !== undefined) return refuse(halfDate);
    if (account === undefined) return refuse({ "": NO_ACCOUNT });
    setIsBusy(true);
    const refusal = await dashboard.attemptForm(async () => {
      const now = findReached(draft, await dashboard.priceNow(draft.symbol));
      setAsked(now);
      if (now.length === 0) await create();
    });
    setIsBusy(false);
    if (refusal !== undefined) refuse(placeRefusal(draft, refusal));
  };
  const sellNow = async (): Promise<void> => {
    setAsked([]);
    setIsBusy(true);
    const refusal = await dashboard.attemptForm(create);
    setIsBusy(false);
    if (refusal !== undefined) refuse(placeRefusal(draft, refusal));
  };
  const create = async (): Promise<void> => {
    if (account === undefined) return;
    const body = bodyOf(draft, account.brokerageCode, account.accountNumber, zone);
    const { data, message } = await sendOnce<OcoRow>("/api/v1/oco-orders", body);
    void dashboard.followRows();
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    onDone({ id: data.groupId, message });
  };
  const drag = (key: string, price: number): void => {
    const level = snap(price, table);
    if (level === undefined) return;
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, true);
    if (key === STOP_LINE) change({ stopLossPrice: typedPrice(level) });
    else
      change({
        takeProfits: draft.takeProfits.map((item) =>
          String(item.key) === key ? { ...item, price: typedPrice(level) } : item,
        ),
      });
  };
  return (
    <form
      class="group-form"
      ref={form}
      onSubmit={(event) => void submit(event)}
      onFocusIn={({ target }) => setFocused(isPriceInput(target) ? "price" : isLotsInput(target) ? "lots" : undefined)}
      onFocusOut={() => setFocused(undefined)}
      noValidate
      aria-labelledby="new-group"
    >
      <h2 id="new-group">{say("New OCO group")}</h2>
      <div class="fields">
        <SymbolField
          label={say("Symbol")}
          value={draft.symbol}
          symbols={symbols}
          fault={faultOf("symbol")}
          onChange={chooseSymbol}
        />
        <PriceField
          table={table}
          label={say("Stop-loss price")}
          value={draft.stopLossPrice}
          fault={faultOf("stopLossPrice")}
          note={noteOf(draft.stopLossPrice)}
          onChange={(stopLossPrice) => change({ stopLossPrice })}
        />
        <div class="lots">
          <Field label={say("Lots to protect")} fault={faultOf("stopLossQuantity")}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode={LOTS_INPUT_MODE}
                value={draft.stopLossQuantity}
                onInput={(event) => change(withTypedLots(draft, event.currentTarget.value))}
              />
            )}
          </Field>
          <Shares of={say("the holding")} lots={held} onLots={(lots) => change(withLots(draft, lots))} />
        </div>
        <div class="facts tools">
          {draft.symbol !== "" && price !== undefined && (
            <p class="hint number">{say("Last {price}", { price: priceText(price.price) })}</p>
          )}
          {draft.symbol !== "" && <DayLine dayShare={undefined} band={bandOf(draft.symbol)} />}
          {draft.symbol !== "" && position !== undefined && (
            <HeldLine position={atPrice(position ?? noneOf(draft.symbol), price?.price)} currency={currency} />
          )}
        </div>
      </div>
      <Risk
        price={price?.price}
        table={table}
        onPropose={({ stopLossPrice, takeProfitPrice, lots }) => {
          const sized = lots === undefined ? draft : withLots(draft, lots);
          const [first, ...more] = sized.takeProfits;
          const takeProfits = first === undefined ? [] : [{ ...first, price: typedPrice(takeProfitPrice) }, ...more];
          change({ ...sized, stopLossPrice: typedPrice(stopLossPrice), takeProfits });
        }}
      />
      <TakeProfits
        items={draft.takeProfits}
        faultOf={faultOf}
        onChange={(takeProfits) => change(withTakeProfits(draft, takeProfits))}
        level={(item, number, changeItem) => (
          <PriceField
            table={table}
            label={say("Price {number}", { number })}
            value={item.price}
            fault={faultOf(`price${item.key}`)}
            note={noteOf(item.price)}
            onChange={(text) => changeItem({ price: text })}
          />
        )}
        next={(last, lots) => ({ ...lots, price: stepPrice(last?.price ?? "", "up", table) })}
      />
      {draft.symbol !== "" && (
        <Chart key={draft.symbol} dashboard={dashboard} symbol={draft.symbol} lines={lines} onDrag={drag} />
      )}
      <TermsFields draft={draft} zone={zone} faultOf={faultOf} onChange={change} />
      <p class="hint">
        {saleText(draft.exit.policy)}{" "}
        <span class="minor">{say("Arrow keys in a price field go to the next valid price.")}</span>
      </p>
      <div class="verdict">
        {excess !== undefined && (
          <p class="warning" role="status">
            {excess}
          </p>
        )}
        {reached.length > 0 && (
          <p class="warning" role="status">
            {say("The last price has reached {levels} already: it sells immediately.", { levels: levelsText(reached) })}
          </p>
        )}
        <Fault text={refusals[""]} />
        <div class="tools">
          {/* It takes the focus without lots too: who presses it is led to their field. */}
          <button
            type="submit"
            class="primary"
            disabled={isBusy}
            aria-disabled={missing !== undefined}
            aria-describedby={missing === undefined ? undefined : reasonId}
          >
            {say("Create group")}
          </button>
          <button type="button" class="quiet" onClick={() => onDone(undefined)}>
            {say("Back")}
          </button>
          {missing !== undefined && (
            <p class="hint" id={reasonId}>
              {missing}
            </p>
          )}
          {missing === undefined && results !== undefined && <DraftResults results={results} currency={currency} />}
        </div>
      </div>
      {asked.length > 0 && (
        <Dialog
          title={say("Sell {symbol} now?", { symbol: draft.symbol })}
          yes={say("Sell {lots} {symbol} now", { lots: quantityText(lotsOf(asked)), symbol: draft.symbol })}
          no={say("Change the levels")}
          onYes={() => void sellNow()}
          onNo={() => setAsked([])}
        >
          <p>
            {say(
              "The last price of {symbol} is {price}. It has reached {levels}: {lots} lots are sold at market as soon as the group is made.",
              {
                ...{ symbol: draft.symbol, price: priceText(price?.price) },
                ...{ levels: levelsText(asked), lots: quantityText(lotsOf(asked)) },
              },
            )}
          </p>
        </Dialog>
      )}
    </form>
  );
}

function levelsText(levels: readonly ReachedLevel[]): string {
  const texts = levels.map(({ kind, price }) =>
    kind === "stopLoss"
      ? say("the stop-loss at {price}", { price: typedText(price) })
      : say("the take-profit at {price}", { price: typedText(price) }),
  );
  return texts.join(say(" and "));
}

function lotsOf(levels: readonly ReachedLevel[]): number {
  return levels.reduce((sum, { quantity = 0 }) => sum + quantity, 0);
}

/** A symbol of which the account holds none. */
function noneOf(symbol: string): Position {
  return { symbol, quantity: 0, availableQuantity: 0, averagePrice: 0, lastPrice: null, profit: null };
}

/** `averagePrice`: the cost of a lot; zero or undefined if it is not known. */
function linesOf(draft: Draft, averagePrice = 0): readonly ChartLine[] {
  const lineOf = (key: string, text: string, kind: ChartLine["kind"], title: string): readonly ChartLine[] => {
    const price = readPrice(text) ?? 0;
    return price > 0 ? [{ key, price, kind, title }] : [];
  };
  return [
    ...lineOf(STOP_LINE, draft.stopLossPrice, "stopLoss", say("SL {lots}", { lots: draft.stopLossQuantity })),
    ...draft.takeProfits.flatMap(({ key, price, quantity }) =>
      lineOf(String(key), price, "takeProfit", say("TP {lots}", { lots: quantity })),
    ),
    ...averageLines(averagePrice),
  ];
}
