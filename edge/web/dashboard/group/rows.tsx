/** The rows of a group: levels, lots, their worth at their levels, and their outcome. */
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { currencyOf } from "../part/currency.ts";
import { typedPrice } from "../part/number-text.ts";
import { Profit, Share } from "../part/profit.tsx";
import { Scrollable } from "../part/scrollable.tsx";
import { Time } from "../part/time.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { averageText, distanceText, moneyText, priceText, quantityText, ROW_STATES, rowName } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { ACTIVE, type Group, type OcoRow, STOP_LOSS } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import type { AveragePrice } from "./average-price.ts";
import { GroupTotal } from "./group-total.tsx";
import { readLevel } from "./levels.ts";
import { PriceField } from "./price-field.tsx";
import { Receipt } from "./receipt.tsx";
import { type RowFill, rewardOf, rowWorth } from "./row-worth.ts";
import { useFills } from "./use-fills.ts";

const REWARD_NOTE = say(
  "What a lot gains at this take-profit for each unit that it loses at the stop-loss, both from the average price of the position.",
);

function rewardText(reward: number | undefined): string {
  return reward === undefined ? "–" : `1 : ${moneyText(reward)}`;
}

function Distance({ dashboard, row }: { readonly dashboard: DashboardState; readonly row: OcoRow }) {
  const price = useStore(dashboard.price(row.symbol));
  return <>{distanceText(row.price, price?.price)}</>;
}

interface RowsProps {
  readonly dashboard: DashboardState;
  readonly group: Group;
  readonly average: AveragePrice;
  /** Asks to move a level; returns the reason against it. */
  readonly onMove: (rowId: number, price: number) => Promise<string | undefined>;
}

export function Rows({ dashboard, group, average, onMove }: RowsProps) {
  const { rows } = group;
  const [movedId, setMovedId] = useState<number | undefined>(undefined);
  const movedRow = rows.find(({ id, status }) => id === movedId && status === ACTIVE);
  const fills = useFills(dashboard, group.id, rows);
  const rewards = new Map(
    average.state === "known" ? rows.map((row) => [row.id, rewardOf(row, rows, average.price)] as const) : [],
  );
  const columns = {
    reward: [...rewards.values()].some((reward) => reward !== undefined),
    distance: group.isActive,
    profit: average.state !== "unknown" && rows.some((row) => rowWorth(row, fills.get(row.id), 0) !== undefined),
  };
  /** On a narrow screen the distances take the place of states if all are equal. */
  const areAllActive = rows.every(({ status }) => status === ACTIVE);
  const currency = currencyOf(dashboard.tickTableOf(group.symbol));
  const [receiptOf, setReceiptOf] = useState<number | undefined>(undefined);
  const toggleReceipt = (rowId: number): void => setReceiptOf(receiptOf === rowId ? undefined : rowId);
  const move = async (rowId: number, price: number): Promise<string | undefined> => {
    const refusal = await onMove(rowId, price);
    if (refusal === undefined) setMovedId(undefined);
    return refusal;
  };
  return (
    <>
      <Scrollable label={say("Rows of the group")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say("Level")}</th>
              <th scope="col" class="number">
                {say("Price")}
              </th>
              {columns.distance && (
                <th scope="col" class={areAllActive ? "number" : "number minor"}>
                  {say("From price")}
                </th>
              )}
              <th scope="col" class="number">
                {say("Lots")}
              </th>
              <th scope="col" class="number minor">
                {say("Value")} <span class="unit">{currency}</span>
              </th>
              {columns.profit && (
                <th scope="col" class="number">
                  {say("Profit")} <span class="unit">{currency}</span>
                </th>
              )}
              {columns.profit && (
                <th scope="col" class="number minor">
                  {say("Profit %")}
                </th>
              )}
              {columns.reward && (
                <th scope="col" class="number minor" title={REWARD_NOTE}>
                  {say("Risk : reward")} <span class="unit">{say("from average")}</span>
                </th>
              )}
              <th scope="col" class={areAllActive ? "minor" : ""}>
                {say("State")}
              </th>
              <th scope="col">
                <span class="hidden">{say("Sale record or move")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Fragment key={row.id}>
                <tr class={`state-${row.status}${row.orderType === STOP_LOSS ? " stop" : ""}`}>
                  <th scope="row" class={toneOf(row)}>
                    {rowName(row)}
                  </th>
                  <td class="number">{priceText(row.price)}</td>
                  {columns.distance && (
                    <td class={areAllActive ? "number" : "number minor"}>
                      {row.status === ACTIVE ? <Distance dashboard={dashboard} row={row} /> : "–"}
                    </td>
                  )}
                  <td class="number">{quantityText(row.quantity)}</td>
                  <Worth row={row} fill={fills.get(row.id)} average={average} hasProfit={columns.profit} />
                  {columns.reward && (
                    <td class="number minor" title={REWARD_NOTE}>
                      {rewardText(rewards.get(row.id))}
                    </td>
                  )}
                  <td class={areAllActive ? "minor" : ""}>
                    <span class="state">{ROW_STATES[row.status]}</span>
                    {row.triggeredDate !== null && (
                      <span class="hint minor fired">
                        {row.triggeredPrice !== null &&
                          `${say("at {price}", { price: priceText(row.triggeredPrice) })}, `}
                        <Time at={row.triggeredDate} />
                      </span>
                    )}
                    {row.triggerErrorMessage !== null && (
                      <span class="fault"> {serviceText(row.triggerErrorMessage)}</span>
                    )}
                  </td>
                  <td>
                    {row.status === ACTIVE && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={say("Move the {row} at {price}", {
                          row: rowName(row).toLowerCase(),
                          price: priceText(row.price),
                        })}
                        aria-expanded={movedId === row.id}
                        onClick={() => setMovedId(movedId === row.id ? undefined : row.id)}
                      >
                        {say("Move")}
                      </button>
                    )}
                    {row.triggeredDate !== null && (
                      <span class="wide-only">
                        <ReceiptButton isOpen={receiptOf === row.id} onToggle={() => toggleReceipt(row.id)} />
                      </span>
                    )}
                  </td>
                </tr>
                {row.triggeredDate !== null && (
                  <tr class="narrow-row">
                    <td colSpan={columns.profit ? 6 : 5}>
                      <ReceiptButton isOpen={receiptOf === row.id} onToggle={() => toggleReceipt(row.id)} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {average.state === "known" && (
        <GroupTotal rows={rows} fills={fills} averagePrice={average.price} currency={currency} />
      )}
      <p class="hint">
        {averageNote(average, group.isActive)}{" "}
        {group.isActive && (
          <span class="minor">
            {say("Drag a line, or press Move in its row, to change a level. You are asked before it is changed.")}
          </span>
        )}
      </p>
      {movedRow !== undefined && <MoveForm key={movedRow.id} dashboard={dashboard} row={movedRow} onMove={move} />}
      {receiptOf !== undefined && <Receipt key={receiptOf} dashboard={dashboard} rowId={receiptOf} />}
    </>
  );
}

/** A level under watch has the colour of its line on the chart. */
function toneOf({ status, orderType }: OcoRow): string {
  return status !== ACTIVE ? "" : orderType === STOP_LOSS ? "bad" : "good";
}

interface ReceiptButtonProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function ReceiptButton({ isOpen, onToggle }: ReceiptButtonProps) {
  return (
    <button type="button" class="quiet" aria-expanded={isOpen} onClick={onToggle}>
      {say("Sale record")}
    </button>
  );
}

interface MoveFormProps extends Pick<RowsProps, "dashboard" | "onMove"> {
  readonly row: OcoRow;
}

/** A level by keyboard: the arrow keys go along the tick table. */
function MoveForm({ dashboard, row, onMove }: MoveFormProps) {
  const [price, setPrice] = useState(typedPrice(row.price));
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const table = dashboard.tickTableOf(row.symbol);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const read = readLevel(price, table);
    const found = typeof read === "number" ? await onMove(row.id, read) : read.fault;
    setFault(found);
    if (found !== undefined) setTryCount((count) => count + 1);
  };
  return (
    <form ref={form} class="fields" onSubmit={(event) => void submit(event)} noValidate>
      <PriceField
        table={table}
        label={say("New level of the {row}", { row: rowName(row).toLowerCase() })}
        value={price}
        fault={fault}
        onChange={setPrice}
      />
      <button type="submit">{say("Check the change")}</button>
    </form>
  );
}

interface WorthProps {
  readonly row: OcoRow;
  readonly fill: RowFill | undefined;
  readonly average: AveragePrice;
  readonly hasProfit: boolean;
}

/** The amount that the lots of a row bring, or brought. */
function Worth({ row, fill, average, hasProfit }: WorthProps) {
  const worth = rowWorth(row, fill, average.state === "known" ? average.price : undefined);
  const basis = basisText(worth?.at, fill);
  if (worth === undefined)
    return (
      <>
        <NotSold isMinor />
        {hasProfit && <NotSold />}
        {hasProfit && <NotSold isMinor />}
      </>
    );
  const isReading = average.state === "reading";
  return (
    <>
      <td class="number minor" title={basis}>
        {moneyText(worth.value)}
      </td>
      {hasProfit && (
        <td class="number" title={basis}>
          {isReading ? <Reading /> : <Profit amount={worth.profit} />}
        </td>
      )}
      {hasProfit && (
        <td class="number minor" title={basis}>
          {isReading ? <Reading /> : <Share share={worth.profitShare} />}
        </td>
      )}
    </>
  );
}

/** The amount of a row that is over and sold nothing. */
function NotSold({ isMinor = false }: { readonly isMinor?: boolean }) {
  return (
    <td class={isMinor ? "number minor" : "number"} title={say("Nothing was sold.")}>
      <span aria-hidden="true">–</span>
      <span class="hidden">{say("Nothing was sold.")}</span>
    </td>
  );
}

export function Reading() {
  return (
    <>
      <span aria-hidden="true">…</span>
      <span class="hidden">{say("Reading…")}</span>
    </>
  );
}

export const FIRED_PRICE_NOTE = say("At the price that fired it: no fill is known yet");

/** The price at which a row is counted, as text. */
function basisText(at: "fill" | "level" | "firedPrice" | undefined, fill: RowFill | undefined): string {
  if (at === undefined) return "";
  if (at === "level") return say("If it fires, at its level");
  if (fill === undefined) return FIRED_PRICE_NOTE;
  return say("Sold: {lots} at {price}", { lots: quantityText(fill.lots), price: averageText(fill.price) });
}

/** What the profit of the rows is counted from, or why it is not shown. */
export function averageNote(average: AveragePrice, isActive: boolean): string {
  if (average.state === "unknown") return average.reason;
  if (average.state === "reading") return say("The average price of the position is being read.");
  const price = { price: averageText(average.price) };
  if (isActive)
    return say(
      "Profit is counted from the average price of the position, {price}, to the price of the fill or, before a fill, to the level.",
      price,
    );
  return average.isOfNow
    ? say(
        "Profit is counted from the average price that the position has now, {price}, to the price of the fill.",
        price,
      )
    : say("Profit is counted from the average price that the position had, {price}, to the price of the fill.", price);
}
