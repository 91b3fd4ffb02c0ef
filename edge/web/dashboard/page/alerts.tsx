/** Prices under watch, and where the user's events are sent to: webhooks, Telegram, e-mail. */
import { useState } from "preact/hooks";
import { fitsPattern } from "../../../../src/domain/event-pattern.ts";
import { patternsText, patternText } from "../language/event-text.ts";
import { say } from "../language/say.ts";
import { serviceRemark } from "../language/service-text.ts";
import { Confirm } from "../part/confirm.tsx";
import { Dash } from "../part/dash.tsx";
import { Table } from "../part/table.tsx";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import { useSettled } from "../part/use-settled.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";
import { AlertForm, type Kept, switchBody } from "./alert-form.tsx";
import { NoticesCard } from "./notices-card.tsx";
import { PriceAlerts } from "./price-alerts.tsx";

interface Target extends Kept {
  readonly id: number;
  readonly state: "idle" | "failing" | "dead";
  readonly failureMessage: string | null;
  readonly skippedCount: number;
  /** The last try to hand a message over, and what was wrong; null: none is known. */
  readonly lastDelivery: { readonly time: string; readonly message: string | null } | null;
}

const PATH = "/api/v1/notification-targets";
const STATES = {
  idle: say("Good"),
  failing: say("Failing, retrying"),
  dead: say("Stopped after repeated failures"),
} as const;
/** Deliveries follow events: this long after one, the targets are read again. */
const SETTLE_MS = 3_000;

/** Describes how a target is, and how many events it refused for good. The last delivery has the same fault. */
function wordsOf({ isActive, state, failureMessage, skippedCount, lastDelivery }: Target): string {
  if (!isActive) return say("Off");
  if (state === "idle" && lastDelivery === null && skippedCount === 0) return say("Not tried yet");
  const skipped = skippedCount === 0 ? "" : `, ${say("{count} refused and skipped", { count: skippedCount })}`;
  const fault =
    failureMessage === null || failureMessage === lastDelivery?.message ? "" : `: ${serviceRemark(failureMessage)}`;
  return `${STATES[state]}${fault}${skipped}`;
}

function toneOf({ isActive, state, lastDelivery }: Target): string {
  if (!isActive) return "";
  if (state === "idle" && lastDelivery === null) return "caution";
  return state === "idle" ? "good" : "bad";
}

function LastDelivery({ lastDelivery }: Target) {
  if (lastDelivery === null) return <Dash why={say("None yet")} />;
  const { time, message } = lastDelivery;
  return (
    <>
      <Time at={time} />{" "}
      {message === null ? (
        <span class="good">{say("accepted")}</span>
      ) : (
        <span class="bad">{serviceRemark(message)}</span>
      )}
    </>
  );
}

/** More names than this are shown on demand. */
const NAMES_SHOWN = 3;

function EventsOf({ events }: Target) {
  const names = events.map(patternText);
  const [first = "", ...others] = names;
  if (names.length <= NAMES_SHOWN) return <div class="names">{patternsText(events)}</div>;
  return (
    <details class="names">
      <summary>{say("{first}, and {count} more", { first, count: others.length })}</summary>
      <ul>
        {others.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  );
}

interface SwitchProps {
  readonly target: Target;
  readonly onSwitch: (body: object) => void;
}

function Switch({ target, onSwitch }: SwitchProps) {
  const body = switchBody(target);
  if (body === undefined) return null;
  return (
    <button type="button" onClick={() => onSwitch(body)}>
      {target.isActive ? say("Turn off") : say("Turn on")}
    </button>
  );
}

export function Alerts({ dashboard }: { readonly dashboard: DashboardState }) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  /** The target that is being changed, or that a new one is being made; undefined: neither. */
  const [opened, setOpened] = useState<Target | "new" | undefined>(undefined);
  const changed = opened === "new" ? undefined : opened;
  const sendOnce = useSendOnce(dashboard.session);
  const events = useSettled(useStore(dashboard.events), SETTLE_MS);
  const targets = useReading(dashboard, () => dashboard.session.get<readonly Target[]>(PATH), [events]);
  const act = async (work: () => Promise<string | undefined>): Promise<void> => {
    setSaid(undefined);
    setFault(await dashboard.attempt(async () => setSaid(await work())));
    targets.readAgain();
  };
  const remove = (id: number): Promise<void> =>
    act(async () => (await dashboard.session.send("DELETE", `${PATH}/${id}`)).message);
  const test = (id: number): Promise<void> =>
    act(async () => {
      const { data } = await dashboard.session.send<{ readonly delivered: boolean; readonly message: string }>(
        "POST",
        `${PATH}/${id}/test`,
      );
      return serviceRemark(data.message);
    });
  const write = async (body: object): Promise<string | undefined> => {
    setSaid(undefined);
    const refusal = await dashboard.attemptForm(async () => {
      if (changed !== undefined) {
        setSaid((await dashboard.session.send("PUT", `${PATH}/${changed.id}`, body)).message);
        return;
      }
      const { data, message } = await sendOnce<{ readonly secret: string | null }>(PATH, body);
      setSaid(
        data.secret === null
          ? message
          : say("Keep this secret now, it is not shown again: {secret}", { secret: data.secret }),
      );
    });
    targets.readAgain();
    if (refusal === undefined) setOpened(undefined);
    return refusal;
  };
  const switchTarget = (id: number, body: object): Promise<void> =>
    act(async () => (await dashboard.session.send("PUT", `${PATH}/${id}`, body)).message);
  const open = (target: Target | "new" | undefined): void => dashboard.addressBar.leave(() => setOpened(target));
  const isSent = targets.data?.some(
    ({ isActive, events: patterns }) => isActive && patterns.some((pattern) => fitsPattern("price.reached", pattern)),
  );
  return (
    <>
      <PriceAlerts dashboard={dashboard} isSent={isSent} />
      <Table
        title={say("Channels")}
        tools={
          opened !== "new" && (
            <button type="button" class="primary" onClick={() => open("new")}>
              {say("New channel")}
            </button>
          )
        }
        items={targets.data}
        keyOf={({ id }) => id}
        empty={say("No channel yet. A channel sends events to Telegram, a mailbox or a webhook.")}
        fault={fault ?? targets.fault}
        columns={[
          { title: say("Name"), view: ({ name }) => <strong>{name}</strong> },
          { title: say("To"), view: ({ address }) => address },
          { title: say("Events"), view: EventsOf },
          { title: say("State"), view: (target) => <span class={toneOf(target)}>{wordsOf(target)}</span> },
          { title: say("Last delivery"), view: LastDelivery },
          {
            title: say("Actions"),
            isAction: true,
            view: (target) => (
              <div class="tools">
                <button type="button" onClick={() => void test(target.id)}>
                  {say("Send a test")}
                </button>
                <button type="button" onClick={() => open(target)}>
                  {say("Change")}
                </button>
                <Switch target={target} onSwitch={(body) => void switchTarget(target.id, body)} />
                <Confirm title={say("Remove")} yes={say("Yes, remove it")} onConfirm={() => void remove(target.id)} />
              </div>
            ),
          },
        ]}
      />
      {said !== undefined && (
        <p role="status" class="warning">
          {said}
        </p>
      )}
      {opened !== undefined && (
        <AlertForm
          key={changed?.id}
          addressBar={dashboard.addressBar}
          kept={changed}
          onSend={write}
          onBack={() => open(undefined)}
        />
      )}
      <NoticesCard />
    </>
  );
}
