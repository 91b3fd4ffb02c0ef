/** Where the user's events are sent to: webhooks, Telegram, e-mail. */
import { useRef, useState } from "preact/hooks";
import { Confirm } from "../part/confirm.tsx";
import { Field } from "../part/field.tsx";
import { Table } from "../part/table.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import { useReading } from "../part/use-reading.ts";
import { useSendOnce } from "../part/use-send-once.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

interface Target {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly address: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly state: "idle" | "failing" | "dead";
  readonly failureMessage: string | null;
  readonly skippedCount: number;
}

type Kind = "webhook" | "telegram" | "email";

const PATH = "/api/v1/notification-targets";
const STATES = { idle: "Good", failing: "Failing, tried again", dead: "Given up" } as const;
/** Describes how a target is, and how many events it refused for good. */
function wordsOf({ isActive, state, failureMessage, skippedCount }: Target): string {
  if (!isActive) return "Off";
  const skipped = skippedCount === 0 ? "" : `, ${skippedCount} refused and left out`;
  return `${STATES[state]}${failureMessage === null ? "" : `: ${failureMessage}`}${skipped}`;
}

/** What most people want to be woken for. */
const USUAL_EVENTS = "oco.triggered, oco.triggerFailed, oco.sellIncomplete, order.quarantined, alarm.*";

export function Alerts({ dashboard }: { readonly dashboard: DashboardState }) {
  const [said, setSaid] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const sendOnce = useSendOnce(dashboard.session);
  const targets = useReading(dashboard, () => dashboard.session.get<readonly Target[]>(PATH), []);
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
      return data.message;
    });
  const create = async (body: object): Promise<string | undefined> => {
    setSaid(undefined);
    const refusal = await dashboard.attempt(async () => {
      const { data, message } = await sendOnce<{ readonly secret: string | null }>(PATH, body);
      setSaid(data.secret === null ? message : `Keep this secret now, it is not shown again: ${data.secret}`);
    });
    targets.readAgain();
    return refusal;
  };
  return (
    <>
      <Table
        title="Alerts"
        items={targets.data}
        keyOf={({ id }) => id}
        empty="Nobody is told yet."
        fault={fault ?? targets.fault}
        columns={[
          { title: "Name", view: ({ name }) => <strong>{name}</strong> },
          { title: "To", view: ({ address }) => address },
          { title: "Events", isMinor: true, view: ({ events }) => events.join(", ") },
          { title: "State", view: wordsOf },
          {
            title: "Test",
            view: ({ id }) => (
              <button type="button" class="quiet" onClick={() => void test(id)}>
                Send a test
              </button>
            ),
          },
          {
            title: "Remove",
            view: ({ id }) => <Confirm title="Remove" yes="Yes, remove it" onConfirm={() => void remove(id)} />,
          },
        ]}
      />
      {said !== undefined && (
        <p role="status" class="warning">
          {said}
        </p>
      )}
      <NewTarget dashboard={dashboard} onCreate={create} />
    </>
  );
}

interface Asked {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly value?: string;
}

const FIRST_KIND: Kind = "webhook";
const NAME: Asked = { name: "name", label: "Name", placeholder: "my phone" };
const EVENTS: Asked = { name: "events", label: "Events", value: USUAL_EVENTS };
const ASKED: Readonly<Record<Kind, readonly Asked[]>> = {
  webhook: [{ name: "url", label: "Address", placeholder: "https://…" }],
  telegram: [
    { name: "botToken", label: "Bot token", placeholder: "123456:ABC…" },
    { name: "chatId", label: "Chat", placeholder: "@name or number" },
  ],
  email: [{ name: "address", label: "E-mail address", placeholder: "me@example.com" }],
};

interface NewTargetProps {
  readonly dashboard: DashboardState;
  readonly onCreate: (body: object) => Promise<string | undefined>;
}

/** `onCreate` gives what the service refused, in its words, which begin with the field. */
function NewTarget({ dashboard, onCreate }: NewTargetProps) {
  const [kind, setKind] = useState<Kind>(FIRST_KIND);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const box = useRef<HTMLFormElement>(null);
  useFaultFocus(box, tryCount);
  useFilled(dashboard.addressBar, box);
  const asked = [NAME, ...ASKED[kind], EVENTS];
  const refused = asked.find(({ name }) => refusal?.match(/^[A-Za-z]+/)?.[0] === name);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const { events, ...fields } = Object.fromEntries(new FormData(form));
    const patterns = String(events)
      .split(",")
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== "");
    setIsBusy(true);
    const said = await onCreate({ ...fields, kind, isActive: true, events: patterns });
    setIsBusy(false);
    setRefusal(said);
    if (said !== undefined) return setTryCount((count) => count + 1);
    form.reset();
    setKind(FIRST_KIND);
  };
  return (
    <form class="card" ref={box} onSubmit={(event) => void submit(event)} aria-labelledby="new-alert">
      <h2 id="new-alert">New alert</h2>
      <div class="fields">
        <div class="field">
          <label for="alert-kind">By</label>
          <select id="alert-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
            <option value="webhook">Signed webhook</option>
            <option value="telegram">Telegram</option>
            <option value="email">E-mail</option>
          </select>
        </div>
        {asked.map((one) => (
          <TextField key={one.name} asked={one} fault={one === refused ? refusal : undefined} />
        ))}
        <button type="submit" class="primary" disabled={isBusy}>
          Create alert
        </button>
      </div>
      {refusal !== undefined && refused === undefined && (
        <p class="fault" role="alert">
          {refusal}
        </p>
      )}
    </form>
  );
}

interface TextFieldProps {
  readonly asked: Asked;
  readonly fault: string | undefined;
}

function TextField({ asked: { name, label, placeholder = "", value = "" }, fault }: TextFieldProps) {
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <input {...attributes} name={name} required autocomplete="off" placeholder={placeholder} defaultValue={value} />
      )}
    </Field>
  );
}
