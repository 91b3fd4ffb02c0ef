/** Moves a level of a running group: asked with the old and the new level, and refused if the group has changed. */
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Dialog } from "../part/dialog.tsx";
import { distanceText, priceText, quantityText, rowName } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { ACTIVE, type OcoRow, STOP_LOSS } from "../state/model.ts";
import { RequestFailed, VERSION_DIFFERS } from "../state/session.ts";

/** All words of the change, in one place. */
const TEXT = {
  yes: say("Change the level"),
  no: say("Leave it where it is"),
  over: say("This level is no longer under watch."),
  changed: say("The group has changed in the meantime: nothing was moved. Look at its levels and try again."),
} as const;

/** A level that a person moves to another price. */
interface Move {
  readonly rowId: number;
  readonly price: number;
}

/** A move with the group as it is, to be confirmed. */
interface AskedMove {
  readonly row: OcoRow;
  readonly rows: readonly OcoRow[];
  readonly price: number;
  readonly last: number | undefined;
  readonly version: string;
}

interface Moving {
  /** The level while it is dragged and until the question is answered. */
  readonly moved: Move | undefined;
  readonly asked: AskedMove | undefined;
  readonly drag: (rowId: number, price: number) => void;
  /** Reads the group again and asks. */
  readonly drop: () => Promise<void>;
  /** As a drag and a drop. */
  readonly ask: (rowId: number, price: number) => Promise<string | undefined>;
  readonly confirm: () => Promise<void>;
  readonly leave: () => void;
}

/** `onSaid` receives the message of the service. */
export function useMove(dashboard: DashboardState, groupId: number, onSaid: (said: string) => void): Moving {
  const [moved, setMoved] = useState<Move | undefined>(undefined);
  // A line can be let go before the page was drawn with its last price.
  const latest = useRef<Move | undefined>(undefined);
  const isSending = useRef(false);
  const [asked, setAsked] = useState<AskedMove | undefined>(undefined);
  const path = `/api/v1/oco-orders/${groupId}`;
  const move = (next: Move | undefined): void => {
    latest.current = next;
    setMoved(next);
  };
  const leave = (): void => {
    move(undefined);
    setAsked(undefined);
  };
  /** Returns the reason against the move, as text; undefined: none. */
  const ask = async (rowId: number, price: number): Promise<string | undefined> => {
    const refusal = await dashboard.attempt(async () => {
      const { data: rows, version } = await dashboard.session.getVersion<readonly OcoRow[]>(path);
      const row = rows.find(({ id }) => id === rowId);
      if (row?.status !== ACTIVE) throw new RequestFailed(VERSION_DIFFERS, TEXT.over);
      if (row.price === price) return leave();
      setAsked({ row, rows, price, version, last: await dashboard.priceNow(row.symbol) });
    });
    if (refusal !== undefined) leave();
    return refusal;
  };
  const drop = async (): Promise<void> => {
    const dropped = latest.current;
    const refusal = dropped === undefined ? undefined : await ask(dropped.rowId, dropped.price);
    if (refusal !== undefined) onSaid(refusal);
  };
  const confirm = async (): Promise<void> => {
    if (asked === undefined || isSending.current) return;
    isSending.current = true;
    setAsked(undefined);
    const { version } = asked;
    const refusal = await dashboard.attempt(async () => {
      try {
        const answer = await dashboard.session.send("PATCH", path, changeOf(asked), { version });
        onSaid(answer.message);
      } catch (error) {
        if (error instanceof RequestFailed && error.status === VERSION_DIFFERS)
          throw new RequestFailed(VERSION_DIFFERS, TEXT.changed);
        throw error;
      }
    });
    await dashboard.followRows();
    isSending.current = false;
    leave();
    if (refusal !== undefined) onSaid(refusal);
  };
  return { moved, asked, drag: (rowId, price) => move({ rowId, price }), drop, ask, confirm, leave };
}

/** The body of the change: take-profits are always named all together. */
function changeOf({ row, rows, price }: AskedMove): object {
  if (row.orderType === STOP_LOSS) return { stopLossPrice: price };
  const open = rows.filter(({ status, orderType }) => status === ACTIVE && orderType !== STOP_LOSS);
  return {
    takeProfitItems: open.map(({ id, quantity, price: level }) => ({
      id,
      quantity,
      price: id === row.id ? price : level,
    })),
  };
}

/** Whether the last price has reached the new level: it sells as soon as it is set. */
function isReached({ row, price, last }: AskedMove): boolean {
  if (last === undefined) return false;
  return row.orderType === STOP_LOSS ? last <= price : last >= price;
}

export function AskMove({ moving: { asked, confirm, leave } }: { readonly moving: Moving }) {
  if (asked === undefined) return null;
  const { row, price, last } = asked;
  const name = rowName(row).toLowerCase();
  return (
    <Dialog
      title={say("Move the {row} of {symbol} to {price}?", { row: name, symbol: row.symbol, price: priceText(price) })}
      yes={
        isReached(asked)
          ? say("Sell {lots} {symbol} now", { lots: quantityText(row.quantity), symbol: row.symbol })
          : TEXT.yes
      }
      no={TEXT.no}
      onYes={() => void confirm()}
      onNo={leave}
    >
      <dl class="terms">
        <dt>{say("Now")}</dt>
        <dd>
          {priceText(row.price)} ({distanceText(row.price, last)})
        </dd>
        <dt>{say("New")}</dt>
        <dd>
          {priceText(price)} ({distanceText(price, last)})
        </dd>
        <dt>{say("Lots")}</dt>
        <dd>{quantityText(row.quantity)}</dd>
        <dt>{say("Last price")}</dt>
        <dd>{priceText(last)}</dd>
      </dl>
      {isReached(asked) && (
        <p class="warning">
          {say("The last price has reached {price} already: {lots} lots are sold at market immediately.", {
            price: priceText(price),
            lots: quantityText(row.quantity),
          })}
        </p>
      )}
    </Dialog>
  );
}
