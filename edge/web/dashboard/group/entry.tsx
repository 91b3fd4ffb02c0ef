/** A group in the list: its levels under watch and its open profit, or what ended it and the profit of what was sold. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { say } from "../language/say.ts";
import { Profit, Share } from "../part/profit.tsx";
import { distanceText, priceText, quantityText } from "../part/words.ts";
import { worthOfLots } from "../part/worth.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { type Group, TRIGGER_FAILED } from "../state/model.ts";
import { useStore } from "../state/store.ts";
import { type Averages, averageOf } from "./average-price.ts";
import { type EndedFills, useEndedFills } from "./ended-fills.ts";
import { entryLevels, NEAR_PERCENT } from "./entry-levels.ts";
import { endOf } from "./group-end.ts";
import { protectedLots, soldWorth } from "./row-worth.ts";
import { averageNote, FIRED_PRICE_NOTE, Reading } from "./rows.tsx";

interface EntryProps {
  readonly dashboard: DashboardState;
  readonly group: Group;
  readonly averages: Averages;
  readonly ended: EndedFills;
  /** The currency of the group, if the head of the list does not name it for all. */
  readonly unit: string | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

export function Entry(props: EntryProps) {
  const { dashboard, group, isChosen, onChoose } = props;
  const last = useStore(dashboard.price(group.symbol))?.price;
  const failedCount = group.rows.filter(({ status }) => status === TRIGGER_FAILED).length;
  const failed = failedCount === 0 ? [] : [say("{count} not sold", { count: failedCount })];
  return (
    <button
      type="button"
      class={`entry ${group.isActive ? "" : "over"} ${failedCount > 0 ? "failed" : ""}`}
      aria-pressed={isChosen}
      onClick={onChoose}
    >
      {group.isActive ? (
        <Running {...props} last={last} failed={failed} />
      ) : (
        <Over {...props} last={last} failed={failed} />
      )}
    </button>
  );
}

interface HeadProps {
  readonly group: Group;
  readonly last: number | undefined;
  /** In place of the share of the profit: a state that needs a person. */
  readonly marks: readonly string[];
  readonly gain: GainProps | undefined;
}

/** The symbol with its last price, and the profit of the group. */
function Head({ group, last, marks, gain }: HeadProps) {
  return (
    <>
      <span>
        <span class="symbol">{group.symbol}</span> <span class="number">{priceText(last)}</span>
        {marks.length > 0 && <strong class="bad"> {marks.join(" · ")}</strong>}
      </span>{" "}
      {gain !== undefined && <Gain {...gain} share={marks.length > 0 ? undefined : gain.share} />}
    </>
  );
}

interface BodyProps extends EntryProps {
  readonly last: number | undefined;
  /** Rows that fired and were not sold, as text. */
  readonly failed: readonly string[];
}

/** The stop-loss and the next take-profit, each with price and distance, and the profit of the lots at the last price. */
function Running({ dashboard, group, averages, unit, last, failed }: BodyProps) {
  const heldSymbols = useStore(dashboard.health.said)?.conditions.heldSymbols ?? [];
  const isHeld = heldSymbols.some(({ symbol }) => symbol === group.symbol);
  const average = useMemo(() => averageOf(group, averages), [group, averages]);
  const lots = protectedLots(group.rows);
  const levels = entryLevels(group.rows, last);
  const worth =
    last === undefined || average.state !== "known" || lots === 0 ? undefined : worthOfLots(lots, last, average.price);
  const gain = {
    ...{ name: say("Open profit"), note: averageNote(average, true), unit, share: worth?.profitShare },
    amount: average.state === "reading" ? <Reading /> : <Profit amount={worth?.profit} />,
  };
  // Next to levels without a mark.
  const notes = [`#${group.id}`, lots > 0 ? lotsText(lots) : ""];
  return (
    <>
      <Head group={group} last={last} marks={isHeld ? [say("held"), ...failed] : failed} gain={gain} />
      {levels.map(({ id, kind, name, price, isNear }) => (
        <span key={id} class={isNear ? "level hint close" : "level hint"}>
          <span class={kind === "stopLoss" ? "bad" : "good"}>{name}</span>{" "}
          <span class="number">{priceText(price)}</span> <span class="number">{distanceText(price, last)}</span>{" "}
          <span class="mark">{isNear ? <Near /> : notes.shift()}</span>{" "}
        </span>
      ))}
    </>
  );
}

function Near() {
  const percent = say("{share}%", { share: NEAR_PERCENT });
  return (
    <strong class="near" title={say("The level is at most {percent} from the last price", { percent })}>
      {say("near")}
    </strong>
  );
}

/** What ended a group, the lots that it sold, and once all are sold their profit at the fills. */
function Over({ dashboard, group, averages, ended, unit, last, failed }: BodyProps) {
  const fills = useEndedFills(dashboard, ended, group);
  const average = useMemo(() => averageOf(group, averages), [group, averages]);
  const end = endOf(group.rows);
  const averagePrice = average.state === "known" ? average.price : undefined;
  const worth = fills && soldWorth(group.rows, fills, averagePrice);
  const isOver = fills?.isOver === true;
  const gain = worth !== undefined &&
    isOver &&
    worth.lots > 0 && {
      ...{
        name: say("Result"),
        isNamed: true,
        note: worth.isOfFills ? averageNote(average, false) : FIRED_PRICE_NOTE,
        unit,
      },
      ...{ amount: <Profit amount={worth.profit} />, share: worth.profitShare },
    };
  return (
    <>
      <Head group={group} last={last} marks={failed} gain={gain === false ? undefined : gain} />
      <span class="ends hint">
        <span>{end === undefined ? say("Ended") : say("Ended: {reason}", { reason: end.reason })}</span>{" "}
        <span class="mark">#{group.id}</span>
      </span>{" "}
      <span class="hint">{worth === undefined ? <Reading /> : soldText(worth.lots, isOver)}</span>
    </>
  );
}

interface GainProps {
  readonly name: string;
  /** Whether the name is seen: the head of the list names the profit of a running group. */
  readonly isNamed?: boolean;
  readonly note: string;
  readonly amount: ComponentChildren;
  readonly share: number | undefined;
  readonly unit: string | undefined;
}

/** A profit, and its share of the cost. */
function Gain({ name, isNamed = false, note, amount, share, unit }: GainProps) {
  return (
    <span class="gain number" title={note}>
      <span class={isNamed ? "hint" : "hidden"}>{name}</span> {amount}
      {unit !== undefined && <span class="unit"> {unit}</span>}{" "}
      {share !== undefined && (
        <span class="share">
          <Share share={share} />
        </span>
      )}
    </span>
  );
}

function lotsText(lots: number): string {
  return say("{lots} lots", { lots: quantityText(lots) });
}

/** `isOver`: nothing more is sold. */
function soldText(lots: number, isOver: boolean): string {
  if (!isOver) return say("{lots} lots sold so far", { lots: quantityText(lots) });
  return lots === 0 ? say("Nothing was sold.") : say("{lots} lots sold", { lots: quantityText(lots) });
}
