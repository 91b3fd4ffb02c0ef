/** Makes a group: by fields, or by dragging its lines on the chart. Both show the same draft. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { TickTable } from "../../../../src/domain/price/tick-table.ts";
import { Field } from "../part/field.tsx";
import { useSendOnce } from "../part/use-send-once.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Holding, OcoRow } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { Chart, type ChartLine } from "./chart.tsx";
import {
  bodyOf,
  type Draft,
  type DraftTakeProfit,
  draftOf,
  emptyDraft,
  findFaults,
  findReached,
  proposeLevels,
  readPrice,
  snap,
  stepPrice,
  withSymbol,
} from "./levels.ts";

const TAKE_PROFITS_MAX = 50;
const STOP_LINE = "stopLoss";
const PRICE_INPUT_MODE = "decimal";

interface GroupFormProps {
  /** Set: what is to be protected. */
  readonly holding: Holding | undefined;
  readonly dashboard: DashboardState;
  /** The new group's id; undefined: nothing was made. */
  readonly onDone: (id: number | undefined) => void;
}

export function GroupForm({ dashboard, holding, onDone }: GroupFormProps) {
  const symbols = useStore(dashboard.symbols);
  const account = useStore(dashboard.account);
  const [draft, setDraft] = useState<Draft>(() => (holding === undefined ? emptyDraft : draftOf(holding)));
  const [isTried, setIsTried] = useState(false);
  const [isPriceFocused, setIsPriceFocused] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const sendOnce = useSendOnce(dashboard.session);
  const priceStore = dashboard.price(draft.symbol);
  useStore(priceStore);
  // What the hook gives is of the former symbol where the symbol was changed just now.
  const price = priceStore.value;
  const table = dashboard.tickTableOf(draft.symbol);
  const faults = useMemo(() => findFaults(draft, table), [draft, table]);
  const reached = findReached(draft, price?.price);
  const change = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const faultOf = (field: string): string | undefined => (isTried ? faults[field] : undefined);
  const chooseSymbol = (symbol: string): void => setDraft((before) => withSymbol(before, symbol));
  const isUntouched = draft.stopLossPrice === "" && draft.takeProfits.every((item) => item.price === "");
  const proposal = price?.price;
  useEffect(() => {
    // The price may come a moment after the symbol. What is put in front of somebody who types would run into one number.
    const mayPropose = isUntouched && !isPriceFocused;
    if (proposal !== undefined && mayPropose) setDraft((before) => proposeLevels(before, proposal, table));
  }, [proposal, isUntouched, isPriceFocused, table]);
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsTried(true);
    if (Object.keys(faults).length > 0 || account === undefined) return;
    setIsBusy(true);
    let made: OcoRow | undefined;
    const said = await dashboard.attempt(async () => {
      const body = bodyOf(draft, account.brokerageCode, account.accountNumber);
      made = (await sendOnce<OcoRow>("/api/v1/oco-orders", body)).data;
    });
    setIsBusy(false);
    setRefusal(said);
    if (said !== undefined) return;
    void dashboard.followRows();
    onDone(made?.groupId);
  };
  const drag = (key: string, price: number): void => {
    const level = snap(price, table);
    if (level === undefined) return;
    if (key === STOP_LINE) change({ stopLossPrice: String(level) });
    else
      change({
        takeProfits: draft.takeProfits.map((item) =>
          String(item.key) === key ? { ...item, price: String(level) } : item,
        ),
      });
  };
  return (
    <form
      class="group-form"
      onSubmit={(event) => void create(event)}
      onFocusIn={(event) => setIsPriceFocused(isPriceInput(event.target))}
      onFocusOut={() => setIsPriceFocused(false)}
      noValidate
      aria-labelledby="new-group"
    >
      <h2 id="new-group">New OCO group</h2>
      <div class="fields">
        <Field label="Symbol" fault={faultOf("symbol")}>
          {(attributes) => (
            <input
              {...attributes}
              list="symbols"
              value={draft.symbol}
              autocomplete="off"
              onInput={(event) => chooseSymbol(event.currentTarget.value.toUpperCase())}
            />
          )}
        </Field>
        <datalist id="symbols">
          {symbols.map((symbol) => (
            <option key={symbol} value={symbol} />
          ))}
        </datalist>
        <PriceField
          table={table}
          label="Stop-loss price"
          value={draft.stopLossPrice}
          fault={faultOf("stopLossPrice")}
          onChange={(stopLossPrice) => change({ stopLossPrice })}
        />
        <Field label="Lots to protect" fault={faultOf("stopLossQuantity")}>
          {(attributes) => (
            <input
              {...attributes}
              inputMode="numeric"
              value={draft.stopLossQuantity}
              onInput={(event) => change({ stopLossQuantity: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <TakeProfits
        items={draft.takeProfits}
        table={table}
        faultOf={faultOf}
        onChange={(takeProfits) => change({ takeProfits })}
      />
      {draft.symbol !== "" && (
        <Chart key={draft.symbol} dashboard={dashboard} symbol={draft.symbol} lines={linesOf(draft)} onDrag={drag} />
      )}
      <p class="hint">
        Drag a line to move its level. The arrow keys in a price field go to the next price of the tick table.
      </p>
      <div class="fields">
        <Field label="Watched until (optional)" fault={faultOf("dueDate")}>
          {(attributes) => (
            <input
              {...attributes}
              type="datetime-local"
              value={draft.dueDate}
              onInput={(event) => change({ dueDate: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Note (optional)" fault={faultOf("notes")}>
          {(attributes) => (
            <input
              {...attributes}
              value={draft.notes}
              onInput={(event) => change({ notes: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {reached.length > 0 && (
        <p class="warning" role="status">
          The last price has reached {reached.join(" and ")} already: it sells at once.
        </p>
      )}
      {refusal !== undefined && (
        <p class="fault" role="alert">
          {refusal}
        </p>
      )}
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          Create group
        </button>
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          Back
        </button>
      </div>
    </form>
  );
}

function linesOf(draft: Draft): readonly ChartLine[] {
  const lineOf = (key: string, text: string, kind: ChartLine["kind"], title: string): readonly ChartLine[] => {
    const price = readPrice(text) ?? 0;
    return price > 0 ? [{ key, price, kind, title }] : [];
  };
  return [
    ...lineOf(STOP_LINE, draft.stopLossPrice, "stopLoss", `SL ${draft.stopLossQuantity}`),
    ...draft.takeProfits.flatMap(({ key, price, quantity }) =>
      lineOf(String(key), price, "takeProfit", `TP ${quantity}`),
    ),
  ];
}

function isPriceInput(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.inputMode === PRICE_INPUT_MODE;
}

interface PriceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly fault: string | undefined;
  readonly table: TickTable;
  readonly onChange: (text: string) => void;
}

function PriceField({ label, value, fault, table, onChange }: PriceFieldProps) {
  const step = (event: KeyboardEvent): void => {
    const direction = event.key === "ArrowUp" ? "up" : event.key === "ArrowDown" ? "down" : undefined;
    if (direction === undefined) return;
    event.preventDefault();
    onChange(stepPrice(value, direction, table));
  };
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <input
          {...attributes}
          inputMode={PRICE_INPUT_MODE}
          value={value}
          onKeyDown={step}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface TakeProfitsProps {
  readonly items: readonly DraftTakeProfit[];
  readonly table: TickTable;
  readonly faultOf: (field: string) => string | undefined;
  readonly onChange: (items: readonly DraftTakeProfit[]) => void;
}

function TakeProfits({ items, table, faultOf, onChange }: TakeProfitsProps) {
  const changeOne = (key: number, changes: Partial<DraftTakeProfit>): void =>
    onChange(items.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const add = (): void => {
    const last = items.at(-1);
    onChange([
      ...items,
      {
        key: Math.max(0, ...items.map(({ key }) => key)) + 1,
        price: stepPrice(last?.price ?? "", "up", table),
        quantity: "",
      },
    ]);
  };
  return (
    <fieldset>
      <legend>Take-profits</legend>
      {items.map((item, index) => (
        <div key={item.key} class="fields">
          <PriceField
            table={table}
            label={`Price ${index + 1}`}
            value={item.price}
            fault={faultOf(`price${item.key}`)}
            onChange={(price) => changeOne(item.key, { price })}
          />
          <Field label={`Lots ${index + 1}`} fault={faultOf(`quantity${item.key}`)}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode="numeric"
                value={item.quantity}
                onInput={(event) => changeOne(item.key, { quantity: event.currentTarget.value })}
              />
            )}
          </Field>
          {items.length > 1 && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove take-profit ${index + 1}`}
              onClick={() => onChange(items.filter(({ key }) => key !== item.key))}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {items.length < TAKE_PROFITS_MAX && (
        <button type="button" class="quiet" onClick={add}>
          Add a take-profit
        </button>
      )}
    </fieldset>
  );
}
