/**
 * Changes levels and lots of a running group together, and adds and removes take-profits: asked with the old and the new
 * values, and refused if the group has changed in the meantime.
 */
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Changes } from "../part/changes.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useHeld } from "../part/use-held.ts";
import { useReading } from "../part/use-reading.ts";
import { distanceText, priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Group, OcoRow } from "../state/model.ts";
import { RequestFailed, VERSION_DIFFERS } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import {
  changeBody,
  findChangeFaults,
  findReachedChanges,
  type LevelDraft,
  levelChanges,
  levelDraftOf,
  placeChangeRefusal,
  rebase,
  withNewKey,
} from "./level-change.ts";
import { findExcess, type ReachedLevel, readPrice, stepPrice } from "./levels.ts";
import { LOTS_INPUT_MODE, PriceField } from "./price-field.tsx";
import { TakeProfits } from "./take-profits.tsx";
import type { Faults } from "./terms.ts";

/** All words of the form, in one place. */
const TEXT = {
  open: say("Change levels and lots"),
  check: say("Check the change"),
  yes: say("Change the group"),
  no: say("Leave it as it is"),
  cancelled: say("cancelled"),
  over: say("no longer under watch"),
  stale: say("The group has changed in the meantime: nothing was changed. What you typed remains."),
  news: say("What has changed in the group"),
  same: say("Its levels and lots are as before."),
  hint: say(
    "A level that is moved or added sells immediately if the last price has reached it. Changed lots keep their level under watch.",
  ),
} as const;

/** The group as it was read. */
interface ReadGroup {
  readonly levels: LevelDraft;
  readonly version: string;
}

interface LevelChangeProps {
  readonly dashboard: DashboardState;
  readonly group: Group;
  /** Receives the service's message about the change. */
  readonly onSaid: (said: string) => void;
}

/** A button that opens the form. */
export function LevelChange({ dashboard, group, onSaid }: LevelChangeProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen)
    return (
      <button type="button" class="quiet" onClick={() => setIsOpen(true)}>
        {TEXT.open}
      </button>
    );
  const close = (message: string | undefined): void => {
    setIsOpen(false);
    if (message !== undefined) onSaid(message);
  };
  return (
    <section class="card" aria-label={TEXT.open}>
      <h3>{TEXT.open}</h3>
      <Opened dashboard={dashboard} group={group} onDone={close} />
    </section>
  );
}

interface OpenedProps extends Omit<LevelChangeProps, "onSaid"> {
  /** Receives the service's message about the change; undefined: nothing was changed. */
  readonly onDone: (message: string | undefined) => void;
}

function Opened(props: OpenedProps) {
  const { dashboard, group, onDone } = props;
  const read = async (): Promise<ReadGroup> => {
    const path = `/api/v1/oco-orders/${group.id}`;
    const { data, version } = await dashboard.session.getVersion<readonly OcoRow[]>(path);
    return { levels: levelDraftOf(data), version };
  };
  const { data: opened, fault } = useReading(dashboard, read, []);
  if (opened !== undefined) return <ChangeForm {...props} opened={opened} read={read} />;
  return (
    <>
      <Fault text={fault} />
      <div class="tools">
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {say("Back")}
        </button>
      </div>
    </>
  );
}

/** A change to be confirmed, of the version that it was asked about. */
interface Asked {
  readonly changes: ReturnType<typeof levelChanges>;
  readonly reached: readonly ReachedLevel[];
  readonly excess: string | undefined;
  readonly last: number | undefined;
  readonly body: object;
  readonly version: string;
}

interface ChangeFormProps extends OpenedProps {
  readonly opened: ReadGroup;
  readonly read: () => Promise<ReadGroup>;
}

function ChangeForm({ dashboard, group: { id, symbol }, opened, read, onDone }: ChangeFormProps) {
  const table = dashboard.tickTableOf(symbol);
  const last = useStore(dashboard.price(symbol))?.price;
  const position = useHeld(dashboard, symbol);
  const [base, setBase] = useState(opened);
  const [draft, setDraft] = useState(opened.levels);
  /** What others have changed since the form was opened; undefined: nothing. */
  const [news, setNews] = useState<ReturnType<typeof levelChanges> | undefined>(undefined);
  const [faults, setFaults] = useState<Faults>({});
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const faultOf = (field: string): string | undefined => faults[field];
  const change = (changes: Partial<LevelDraft>): void => {
    setFaults({});
    setDraft((before) => ({ ...before, ...changes }));
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, true);
  };
  const noteOf = (typed: string): string | undefined => {
    const level = readPrice(typed);
    return level === undefined || last === undefined ? undefined : distanceText(level, last);
  };
  const refuse = (found: Faults): void => {
    setFaults(found);
    setTryCount((count) => count + 1);
  };
  /** Brings the form to the group as it is now. */
  const readNow = async (): Promise<ReadGroup> => {
    const now = await read();
    setDraft((typed) => rebase(typed, base.levels, now.levels));
    setBase(now);
    return now;
  };
  const refuseStale = (now: ReadGroup): never => {
    setNews(levelChanges(base.levels, now.levels, TEXT.over));
    throw new RequestFailed(VERSION_DIFFERS, TEXT.stale);
  };
  /** Runs requests of the form; puts a refusal at its field. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    const refusal = await dashboard.attemptForm(work);
    setIsBusy(false);
    if (refusal !== undefined) refuse(placeChangeRefusal(draft, refusal));
  };
  const check = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = findChangeFaults(draft, base.levels, table);
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    setFaults({});
    void run(async () => {
      const now = await readNow();
      if (now.version !== base.version) refuseStale(now);
      // A stop-loss that follows the price has risen without another version.
      const next = rebase(draft, base.levels, now.levels);
      const later = findChangeFaults(next, now.levels, table);
      if (Object.keys(later).length > 0) return refuse(later);
      const price = await dashboard.priceNow(symbol);
      setNews(undefined);
      setAsked({
        changes: levelChanges(now.levels, next, TEXT.cancelled),
        reached: findReachedChanges(next, now.levels, price),
        excess: excessOf(next, now.levels),
        last: price,
        body: changeBody(next, now.levels),
        version: now.version,
      });
    });
  };
  const excessOf = (next: LevelDraft, now: LevelDraft): string | undefined => {
    const isRaised = next.stopLossQuantity !== now.stopLossQuantity;
    const held = position === null ? 0 : position?.quantity;
    return isRaised ? findExcess({ symbol, stopLossQuantity: next.stopLossQuantity }, held) : undefined;
  };
  const send = ({ body, version }: Asked): void => {
    setAsked(undefined);
    void run(async () => {
      const path = `/api/v1/oco-orders/${id}`;
      const { message } = await dashboard.session
        .send("PATCH", path, body, { version })
        .catch(async (error: unknown) => {
          if (error instanceof RequestFailed && error.status === VERSION_DIFFERS) refuseStale(await readNow());
          throw error;
        });
      await dashboard.followRows();
      if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
      onDone(message);
    });
  };
  return (
    <form class="group-form" ref={form} onSubmit={check} noValidate aria-label={TEXT.open}>
      {draft.hasStopLoss && (
        <div class="fields">
          <PriceField
            table={table}
            label={say("Stop-loss price")}
            value={draft.stopLossPrice}
            fault={faultOf("stopLossPrice")}
            note={noteOf(draft.stopLossPrice)}
            onChange={(stopLossPrice) => change({ stopLossPrice })}
          />
          <Field label={say("Lots to protect")} fault={faultOf("stopLossQuantity")}>
            {(attributes) => (
              <input
                {...attributes}
                inputMode={LOTS_INPUT_MODE}
                autocomplete="off"
                value={draft.stopLossQuantity}
                onInput={({ currentTarget: { value } }) => change({ stopLossQuantity: value })}
              />
            )}
          </Field>
        </div>
      )}
      <TakeProfits
        items={draft.takeProfits}
        faultOf={faultOf}
        onChange={(takeProfits) => change({ takeProfits })}
        level={(item, number, changeItem) => (
          <PriceField
            table={table}
            label={say("Price {number}", { number })}
            value={item.price}
            fault={faultOf(`price${item.key}`)}
            note={noteOf(item.price)}
            onChange={(price) => changeItem({ price })}
          />
        )}
        next={(before, lots) =>
          withNewKey({ ...lots, price: stepPrice(before?.price ?? "", "up", table) }, draft.takeProfits)
        }
      />
      <p class="hint">{TEXT.hint}</p>
      <Fault text={faults[""] ?? (draft.hasStopLoss ? undefined : faults.stopLossQuantity)} />
      {news !== undefined && (
        <section aria-label={TEXT.news}>
          <h3>{TEXT.news}</h3>
          {news.length === 0 ? <p>{TEXT.same}</p> : <Changes of={news} />}
        </section>
      )}
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          {TEXT.check}
        </button>
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {say("Back")}
        </button>
      </div>
      {asked !== undefined && (
        <AskChange asked={asked} symbol={symbol} onYes={() => send(asked)} onNo={() => setAsked(undefined)} />
      )}
    </form>
  );
}

interface AskChangeProps {
  readonly asked: Asked;
  readonly symbol: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

function AskChange({ asked: { changes, reached, excess, last }, symbol, onYes, onNo }: AskChangeProps) {
  const lots = quantityText(reached.reduce((sum, { quantity = 0 }) => sum + quantity, 0));
  return (
    <Dialog
      title={say("Change the group of {symbol}?", { symbol })}
      yes={reached.length > 0 ? say("Sell {lots} {symbol} now", { lots, symbol }) : TEXT.yes}
      no={TEXT.no}
      onYes={onYes}
      onNo={onNo}
    >
      <Changes of={changes} />
      <p>
        {say("Last price")}: {priceText(last)}
      </p>
      {reached.map(({ price, quantity = 0 }) => (
        <p key={`${price} ${quantity}`} class="warning">
          {say("The last price has reached {price} already: {lots} lots are sold at market immediately.", {
            price: priceText(price),
            lots: quantityText(quantity),
          })}
        </p>
      ))}
      {excess !== undefined && <p class="warning">{excess}</p>}
    </Dialog>
  );
}
