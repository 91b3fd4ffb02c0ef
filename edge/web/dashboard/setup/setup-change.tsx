/** Changes a pending OCO: asked with the old and the new values, and refused if it has changed in the meantime. */
import { useRef, useState } from "preact/hooks";
import { LIMIT } from "../../../../src/domain/order/order.ts";
import { readPrice } from "../group/levels.ts";
import { PriceField } from "../group/price-field.tsx";
import type { Faults } from "../group/terms.ts";
import { say } from "../language/say.ts";
import { Changes } from "../part/changes.tsx";
import { findHalfDate } from "../part/date-field.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { Setup } from "../state/model.ts";
import { RequestFailed, VERSION_DIFFERS } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import {
  findSetupFaults,
  placeSetupRefusal,
  type SetupDraft,
  setupChangeBody,
  setupChanges,
  setupDraftOf,
  waitsForTrigger,
  withSetupLots,
} from "./setup-draft.ts";
import { ExpiryField, SetupFields, SetupTerms } from "./setup-fields.tsx";

/** All words of the form, in one place. */
const TEXT = {
  now: say("As it is now:"),
  lots: say("Lots to protect"),
  trigger: say("Trigger price"),
  check: say("Check the change"),
  yes: say("Change the pending OCO"),
  no: say("Leave it as it is"),
  back: say("Back"),
  same: say("Nothing of the pending OCO is changed yet."),
  stale: say(
    "The pending OCO has changed in the meantime: nothing was changed. Above is what it is now. What you typed remains.",
  ),
} as const;

interface SetupChangeProps {
  readonly dashboard: DashboardState;
  readonly setupId: number;
  /** Receives the service's message about the change; undefined: nothing was changed. */
  readonly onDone: (message: string | undefined) => void;
}

export function SetupChange({ dashboard, setupId, onDone }: SetupChangeProps) {
  const path = `/api/v1/oco-orders/pending/${setupId}`;
  // Not read again by itself: the values of a question must not change while it is read.
  const { data, fault, readAgain } = useReading(dashboard, () => dashboard.session.getVersion<Setup>(path), [path]);
  const title = say("Change the pending OCO of {name}", { name: data?.data.symbol ?? `#${setupId}` });
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <Fault text={fault} />
      {data === undefined && (
        <div class="tools">
          <button type="button" class="quiet" onClick={() => onDone(undefined)}>
            {TEXT.back}
          </button>
        </div>
      )}
      {data !== undefined && (
        <ChangeForm
          dashboard={dashboard}
          path={path}
          setup={data.data}
          version={data.version}
          onStale={readAgain}
          onDone={onDone}
        />
      )}
    </section>
  );
}

interface ChangeFormProps extends Pick<SetupChangeProps, "dashboard" | "onDone"> {
  readonly path: string;
  readonly setup: Setup;
  readonly version: string;
  /** It is no longer of this version. */
  readonly onStale: () => void;
}

/** A change to be confirmed, of the version that it was asked about. */
interface Asked {
  readonly changes: ReturnType<typeof setupChanges>;
  readonly body: object;
  readonly version: string;
}

function ChangeForm({ dashboard, path, setup, version, onStale, onDone }: ChangeFormProps) {
  const { symbol, entry } = setup;
  const zone = dashboard.zoneOf(symbol);
  const table = dashboard.tickTableOf(symbol);
  const last = useStore(dashboard.price(symbol))?.price;
  /** A value that is not here stays as it is, also if it changes in the meantime. */
  const [typed, setTyped] = useState<Partial<SetupDraft>>({});
  const [faults, setFaults] = useState<Faults>({});
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const now = setupDraftOf(setup, zone);
  const draft = { ...now, ...typed };
  const triggerPrice = waitsForTrigger(setup) ? readPrice(draft.trigger) : (entry?.triggerPrice ?? undefined);
  const limit = entry?.orderType === LIMIT ? entry.price : triggerPrice;
  const faultOf = (field: string): string | undefined => faults[field];
  const change = (changes: Partial<SetupDraft>): void => {
    setFaults({});
    setTyped({ ...typed, ...changes });
  };
  const refuse = (found: Faults): void => {
    setFaults(found);
    setTryCount((count) => count + 1);
  };
  const check = (event: SubmitEvent): void => {
    event.preventDefault();
    const changes = setupChanges(now, draft, zone);
    const found = {
      ...(changes.length === 0 ? { "": TEXT.same } : {}),
      ...findSetupFaults(draft, table, limit),
      ...findHalfDate(form.current),
    };
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    setFaults({});
    setAsked({ changes, body: setupChangeBody(setup, now, draft, zone), version });
  };
  const send = async ({ body, version: ofAsked }: Asked): Promise<void> => {
    setAsked(undefined);
    setIsBusy(true);
    let message = "";
    const refusal = await dashboard.attemptForm(async () => {
      try {
        ({ message } = await dashboard.session.send("PATCH", path, body, { version: ofAsked }));
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.status !== VERSION_DIFFERS) throw error;
        onStale();
        throw new RequestFailed(VERSION_DIFFERS, TEXT.stale);
      }
    });
    setIsBusy(false);
    if (refusal !== undefined) return refuse(placeSetupRefusal(draft, refusal));
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    onDone(message);
  };
  return (
    <form class="group-form" ref={form} onSubmit={check} noValidate aria-label={TEXT.yes}>
      <p class="hint">{TEXT.now}</p>
      <SetupTerms draft={now} zone={zone} />
      <div class="fields">
        {waitsForTrigger(setup) && (
          <PriceField
            table={table}
            label={TEXT.trigger}
            value={draft.trigger}
            fault={faultOf("triggerPrice")}
            onChange={(trigger) => change({ trigger })}
          />
        )}
        {entry !== null && (
          <ExpiryField value={draft.expires} fault={faultOf("expiresAt")} onChange={(expires) => change({ expires })} />
        )}
      </div>
      <SetupFields
        draft={draft}
        lots={
          entry === null && (
            <Field label={TEXT.lots} fault={faultOf("stopLossQuantity")}>
              {(attributes) => (
                <input
                  {...attributes}
                  inputMode="numeric"
                  autocomplete="off"
                  value={draft.stopLossQuantity}
                  onInput={({ currentTarget: { value } }) => {
                    const { stopLossQuantity, takeProfits } = withSetupLots(draft, value);
                    change({ stopLossQuantity, ...(takeProfits === draft.takeProfits ? {} : { takeProfits }) });
                  }}
                />
              )}
            </Field>
          )
        }
        price={limit ?? last}
        priceName={limit === undefined ? say("the last price") : say("the limit of the buy")}
        table={table}
        zone={zone}
        hasRisk={entry === null}
        hasPolicy={setup.exit?.stopLoss != null}
        faultOf={faultOf}
        onChange={change}
      />
      <Fault text={faults[""] ?? (entry === null ? undefined : faults.stopLossQuantity)} />
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          {TEXT.check}
        </button>
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {TEXT.back}
        </button>
      </div>
      {asked !== undefined && (
        <Dialog
          title={say("Change the pending OCO of {symbol}?", { symbol })}
          yes={TEXT.yes}
          no={TEXT.no}
          onYes={() => void send(asked)}
          onNo={() => setAsked(undefined)}
        >
          <Changes of={asked.changes} />
        </Dialog>
      )}
    </form>
  );
}
