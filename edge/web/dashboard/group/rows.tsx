/** The rows of a group: levels, lots, their worth at their levels, and their outcome. */
import { useEffect, useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { typedPrice } from "../part/number-text.ts";
import { Profit, Share } from "../part/profit.tsx";
import { Scrollable } from "../part/scrollable.tsx";
import { Time } from "../part/time.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { distanceText, moneyText, priceText, quantityText, ROW_STATES, rowName } from "../part/words.ts";
import { worthOfRow } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { ACTIVE, type OcoRow, queryOf, STOP_LOSS } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { readLevel } from "./levels.ts";
import { PriceField } from "./price-field.tsx";
import { Receipt } from "./receipt.tsx";

function Distance({ dashboard, row }: { readonly dashboard: DashboardState; readonly row: OcoRow }) {
  const price = useStore(dashboard.price(row.symbol));
  return <>{distanceText(row.price, price?.price)}</>;
}

interface RowsProps {
  readonly dashboard: DashboardState;
  readonly rows: readonly OcoRow[];
  /** Asks to move a level; returns the reason against it. */
  readonly onMove: (rowId: number, price: number) => Promise<string | undefined>;
}

export function Rows({ dashboard, rows, onMove }: RowsProps) {
  const [movedId, setMovedId] = useState<number | undefined>(undefined);
  const movedRow = rows.find(({ id, status }) => id === movedId && status === ACTIVE);
  const { averagePrice, ask } = useAveragePrice(dashboard, rows[0]?.symbol);
  const [receiptOf, setReceiptOf] = useState<number | undefined>(undefined);
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
              <th scope="col">{say("Row")}</th>
              <th scope="col" class="number">
                {say("Level")}
              </th>
              <th scope="col" class="number">
                {say("From price")}
              </th>
              <th scope="col" class="number">
                {say("Lots")}
              </th>
              <th scope="col" class="number minor">
                {say("Value")}
              </th>
              <th scope="col" class="number minor">
                {say("Profit")}
              </th>
              <th scope="col" class="number minor">
                {say("Profit %")}
              </th>
              <th scope="col">{say("State")}</th>
              <th scope="col" class="number minor">
                {say("Fired price")}
              </th>
              <th scope="col" class="minor">
                {say("Fired on")}
              </th>
              <th scope="col">
                <span class="hidden">{say("Receipt or move")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id} class={`state-${row.status}${row.orderType === STOP_LOSS ? " stop" : ""}`}>
                <th scope="row">{rowName(row)}</th>
                <td class="number">{priceText(row.price)}</td>
                <td class="number">{row.status === ACTIVE ? <Distance dashboard={dashboard} row={row} /> : "–"}</td>
                <td class="number">{quantityText(row.quantity)}</td>
                <Worth row={row} averagePrice={averagePrice} />
                <td>
                  <span class="state">{ROW_STATES[row.status]}</span>
                  {row.triggerErrorMessage !== null && <span class="fault"> {row.triggerErrorMessage}</span>}
                </td>
                <td class="number minor">{priceText(row.triggeredPrice)}</td>
                <td class="minor">
                  <Time at={row.triggeredDate} />
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
                    <button
                      type="button"
                      class="quiet"
                      aria-expanded={receiptOf === row.id}
                      onClick={() => setReceiptOf(receiptOf === row.id ? undefined : row.id)}
                    >
                      {say("Receipt")}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {averagePrice === undefined && rows.some(({ status }) => status === ACTIVE) && (
        <p class="hint">
          {say("The profit at a level needs the average price of the position.")}{" "}
          <button type="button" class="quiet" onClick={ask}>
            {say("Ask the brokerage")}
          </button>
        </p>
      )}
      {movedRow !== undefined && <MoveForm key={movedRow.id} dashboard={dashboard} row={movedRow} onMove={move} />}
      {receiptOf !== undefined && <Receipt key={receiptOf} dashboard={dashboard} rowId={receiptOf} />}
    </>
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

/** The amount that the lots of a row bring, or brought. */
function Worth({ row, averagePrice }: { readonly row: OcoRow; readonly averagePrice: number | undefined }) {
  const worth = worthOfRow(row, averagePrice);
  return (
    <>
      <td class="number minor">{worth === undefined ? "–" : moneyText(worth.value)}</td>
      <td class="number minor">
        <Profit amount={worth?.profit} />
      </td>
      <td class="number minor">
        <Share share={worth?.profitShare} />
      </td>
    </>
  );
}

/**
 * What a lot of the symbol was bought for, as far as the positions that were read last contain it. A brokerage takes few
 * questions: `ask` reads them, and nothing else here does.
 */
function useAveragePrice(dashboard: DashboardState, symbol: string | undefined) {
  const account = useStore(dashboard.account);
  const known = useStore(dashboard.portfolio.known);
  const positions = account === undefined ? undefined : known.get(queryOf(account));
  const averagePrice = positions?.find((position) => position.symbol === symbol)?.averagePrice;
  const ask = (): void => {
    if (account === undefined) return;
    const isWanted = (): boolean => dashboard.account.value === account;
    void dashboard.attempt(() => dashboard.portfolio.positions({ account, isWanted }));
  };
  return { averagePrice: averagePrice === 0 ? undefined : averagePrice, ask };
}
