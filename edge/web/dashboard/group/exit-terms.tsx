/**
 * How and when the stop-loss of a running group is sold, and a form that changes it: asked with the old and the new terms,
 * and refused if the group has changed.
 */
import { useRef, useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { findHalfDate } from "../part/date-field.tsx";
import { Dialog } from "../part/dialog.tsx";
import { Fault } from "../part/fault.tsx";
import { Time } from "../part/time.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReading } from "../part/use-reading.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { ExitTimes } from "../state/model.ts";
import { RequestFailed, VERSION_DIFFERS } from "../state/session.ts";
import { useStore } from "../state/store.ts";
import { ExitFields } from "./exit-fields.tsx";
import {
  type ExitDraft,
  exitChange,
  exitDraftOf,
  exitTimesText,
  type Faults,
  findExitFaults,
  POLICY_WORDS,
  placeTermsRefusal,
} from "./terms.ts";

/** All words of the card, in one place. */
const TEXT = {
  title: say("How the stop-loss sells"),
  never: say("none"),
  change: say("Change how it sells"),
  check: say("Check the change"),
  yes: say("Change how it sells"),
  no: say("Leave it as it is"),
  same: say("These are the terms of now."),
  changed: say("The group has changed in the meantime: nothing was changed. These are its terms now."),
} as const;

interface Plan {
  readonly exit: ExitTimes & { readonly sellDate: string | null };
}

interface ExitTermsProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  readonly symbol: string;
}

const SETTLE_MS = 3_000;

export function ExitTerms({ dashboard, groupId, symbol }: ExitTermsProps) {
  const path = `/api/v1/oco-orders/${groupId}`;
  const changes = useSettled(useStore(dashboard.brokerageChanges), SETTLE_MS);
  const read = () => dashboard.session.getVersion<Plan>(`${path}/plan`);
  const { data, fault, readAgain } = useReading(dashboard, read, [groupId, changes]);
  const [isChanging, setIsChanging] = useState(false);
  const [said, setSaid] = useState<string | undefined>(undefined);
  const zone = dashboard.zoneOf(symbol);
  if (data === undefined) return fault === undefined ? null : <p class="fault">{fault}</p>;
  const { exit } = data.data;
  const now = exitDraftOf(exit, zone);
  const finish = (message: string | undefined): void => {
    setIsChanging(false);
    setSaid(message);
    if (message !== undefined) readAgain();
  };
  return (
    <section class="card receipt" aria-label={TEXT.title}>
      <div class="heading">
        <h3>{TEXT.title}</h3>
        <span class="grow" />
        {!isChanging && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              setSaid(undefined);
              setIsChanging(true);
            }}
          >
            {TEXT.change}
          </button>
        )}
      </div>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      <Terms exit={now} zone={zone} sellDate={exit.sellDate} />
      {isChanging && (
        <ChangeForm
          dashboard={dashboard}
          path={path}
          zone={zone}
          now={now}
          version={data.version}
          onStale={readAgain}
          onDone={finish}
        />
      )}
    </section>
  );
}

interface TermsProps {
  readonly exit: ExitDraft;
  readonly zone: string;
  readonly sellDate?: string | null;
}

function Terms({ exit, zone, sellDate = null }: TermsProps) {
  return (
    <dl class="terms">
      <dt>{say("If an order leaves lots unsold")}</dt>
      <dd>{POLICY_WORDS[exit.policy]}</dd>
      <dt>{say("Sale at a set time")}</dt>
      <dd>{exitTimesText(exit, zone) ?? TEXT.never}</dd>
      {sellDate !== null && <dt>{say("Next time, in your time")}</dt>}
      {sellDate !== null && (
        <dd>
          <Time at={sellDate} />
        </dd>
      )}
    </dl>
  );
}

interface ChangeFormProps {
  readonly dashboard: DashboardState;
  readonly path: string;
  readonly zone: string;
  readonly now: ExitDraft;
  readonly version: string;
  /** The group is no longer of this version. */
  readonly onStale: () => void;
  /** Receives the service's message about the change; undefined: nothing was changed. */
  readonly onDone: (message: string | undefined) => void;
}

function ChangeForm({ dashboard, path, zone, now, version, onStale, onDone }: ChangeFormProps) {
  /** What was typed; a field that is not here stays as it is, also if it changes in the meantime. */
  const [typed, setTyped] = useState<Partial<ExitDraft>>({});
  const [faults, setFaults] = useState<Faults>({});
  const [isAsked, setIsAsked] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useFaultFocus(form, tryCount);
  useFilled(dashboard.addressBar, form);
  const draft = { ...now, ...typed };
  const change = exitChange(draft, now, zone);
  const refuse = (found: Faults): void => {
    setFaults(found);
    setTryCount((count) => count + 1);
  };
  const check = (event: SubmitEvent): void => {
    event.preventDefault();
    const found = {
      ...(change === undefined ? { "": TEXT.same } : {}),
      ...findExitFaults(draft),
      ...findHalfDate(form.current),
    };
    if (Object.keys(found).length > 0) {
      refuse(found);
      return;
    }
    setFaults({});
    setIsAsked(true);
  };
  const send = async (): Promise<void> => {
    setIsAsked(false);
    let message = "";
    const refusal = await dashboard.attemptForm(async () => {
      try {
        ({ message } = await dashboard.session.send("PATCH", path, { exit: change }, { version }));
      } catch (error) {
        if (!(error instanceof RequestFailed) || error.status !== VERSION_DIFFERS) throw error;
        onStale();
        throw new RequestFailed(VERSION_DIFFERS, TEXT.changed);
      }
    });
    if (refusal !== undefined) return refuse({ [placeTermsRefusal(refusal) ?? ""]: serviceText(refusal) });
    if (form.current !== null) dashboard.addressBar.setFilled(form.current, false);
    onDone(message);
  };
  return (
    <form class="card" ref={form} onSubmit={check} noValidate aria-label={TEXT.change}>
      <ExitFields
        draft={draft}
        zone={zone}
        hasPolicy
        faultOf={(field) => faults[field]}
        onChange={(next) => {
          setFaults({});
          setTyped({ ...typed, ...differing(next, draft) });
        }}
      />
      <Fault text={faults[""]} />
      <div class="tools">
        <button type="submit">{TEXT.check}</button>
        <button type="button" class="quiet" onClick={() => onDone(undefined)}>
          {TEXT.no}
        </button>
      </div>
      {isAsked && (
        <Dialog
          title={say("Change how the stop-loss is sold?")}
          yes={TEXT.yes}
          no={TEXT.no}
          onYes={() => void send()}
          onNo={() => setIsAsked(false)}
        >
          <h3>{say("Now")}</h3>
          <Terms exit={now} zone={zone} />
          <h3>{say("New")}</h3>
          <Terms exit={draft} zone={zone} />
        </Dialog>
      )}
    </form>
  );
}

function differing(next: ExitDraft, before: ExitDraft): Partial<ExitDraft> {
  return Object.fromEntries(Object.entries(next).filter(([field, value]) => Reflect.get(before, field) !== value));
}
