/** A group in the list: its levels under watch, or what ended it and the profit of what was sold. */
import { useMemo } from "preact/hooks";
import { say } from "../language/say.ts";
import { currencyOf } from "../part/currency.ts";
import { Profit } from "../part/profit.tsx";
import { distanceText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { ACTIVE, type Group, type OcoRow, STOP_LOSS, TRIGGER_FAILED, TRIGGERED } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { type Averages, averageOf } from "./average-price.ts";
import { type EndedFills, useEndedFills } from "./ended-fills.ts";
import { endOf } from "./group-end.ts";
import { groupLines } from "./group-lines.ts";
import { soldWorth } from "./row-worth.ts";
import { averageNote, FIRED_PRICE_NOTE } from "./rows.tsx";

interface EntryProps {
  readonly dashboard: DashboardState;
  readonly group: Group;
  readonly averages: Averages;
  readonly ended: EndedFills;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

export function Entry({ dashboard, group, averages, ended, isChosen, onChoose }: EntryProps) {
  const price = useStore(dashboard.price(group.symbol));
  const heldSymbols = useStore(dashboard.health.said)?.conditions.heldSymbols ?? [];
  const isHeld = group.isActive && heldSymbols.some(({ symbol }) => symbol === group.symbol);
  const countOf = (status: OcoRow["status"]): number => group.rows.filter((row) => row.status === status).length;
  const [fired, failed] = [countOf(TRIGGERED), countOf(TRIGGER_FAILED)];
  return (
    <button
      type="button"
      class={`entry ${group.isActive ? "" : "over"} ${failed > 0 ? "failed" : ""}`}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      <span class="ends">
        <span>
          <span class="symbol">{group.symbol}</span>{" "}
          <span class="hint">
            #{group.id}
            {isHeld && <strong class="bad"> · {say("held")}</strong>}
            {failed > 0 && <strong class="bad"> · {say("{count} not sold", { count: failed })}</strong>}
            {fired > 0 && ` · ${say("{count} fired", { count: fired })}`}
          </span>
        </span>{" "}
        <span class="number">{priceText(price?.price)}</span>
      </span>{" "}
      {group.isActive ? (
        <Levels rows={group.rows} last={price?.price} />
      ) : (
        <Outcome dashboard={dashboard} group={group} averages={averages} ended={ended} />
      )}
    </button>
  );
}

/** The stop-loss and the next take-profit, each with lots, price and distance. */
function Levels({ rows, last }: { readonly rows: readonly OcoRow[]; readonly last: number | undefined }) {
  const active = rows.filter(({ status }) => status === ACTIVE);
  const stop = active.find(({ orderType }) => orderType === STOP_LOSS);
  const [target] = active
    .filter(({ orderType }) => orderType !== STOP_LOSS)
    .toSorted((left, right) => left.price - right.price);
  const shown = [stop, target].filter((row) => row !== undefined);
  return (
    <>
      {groupLines(shown).map(({ key, title, price }) => (
        <span key={key} class="level hint">
          <span>{title}</span> <span class="number">{priceText(price)}</span>{" "}
          <span class="number">{distanceText(price, last)}</span>
        </span>
      ))}
    </>
  );
}

type OutcomeProps = Pick<EntryProps, "dashboard" | "group" | "averages" | "ended">;

/** What ended a group, the lots that it sold, and once all are sold their profit at the fills. */
function Outcome({ dashboard, group, averages, ended }: OutcomeProps) {
  const fills = useEndedFills(dashboard, ended, group);
  const average = useMemo(() => averageOf(group, averages), [group, averages]);
  const end = endOf(group.rows);
  const isKnown = average.state === "known";
  const worth = fills && soldWorth(group.rows, fills, isKnown ? average.price : undefined);
  const isOver = fills?.isOver === true;
  const note = worth?.isOfFills === false ? FIRED_PRICE_NOTE : averageNote(average, false);
  return (
    <>
      <span class="hint">{end === undefined ? say("Ended") : say("Ended: {reason}", { reason: end.reason })}</span>{" "}
      <span class="ends">
        <span class="hint">{worth === undefined ? "…" : soldText(worth.lots, isOver)}</span>{" "}
        {worth !== undefined && isOver && worth.lots > 0 && (
          <span class="number" title={note}>
            <Profit amount={worth.profit} />{" "}
            {worth.profit !== undefined && <span class="unit">{currencyOf(dashboard.tickTableOf(group.symbol))}</span>}
          </span>
        )}
      </span>
    </>
  );
}

/** `isOver`: nothing more is sold. */
function soldText(lots: number, isOver: boolean): string {
  if (!isOver) return say("{lots} lots sold so far", { lots: quantityText(lots) });
  return lots === 0 ? say("Nothing was sold.") : say("{lots} lots sold", { lots: quantityText(lots) });
}
