/** The form that makes or changes an alert. */
import { useEffect, useRef, useState } from "preact/hooks";
import { USUAL_PATTERNS } from "../../../../src/event/event-names.ts";
import { say } from "../language/say.ts";
import { serviceText } from "../language/service-text.ts";
import { Fault } from "../part/fault.tsx";
import { Field } from "../part/field.tsx";
import { useFaultFocus } from "../part/use-fault-focus.ts";
import { useFilled } from "../part/use-filled.ts";
import type { AddressBar } from "../state/address-bar.ts";
import { EventTicks } from "./event-ticks.tsx";

type Kind = "webhook" | "telegram" | "email";

/** What a target keeps of a form. */
export interface Kept {
  readonly kind: Kind;
  readonly name: string;
  readonly address: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
}

interface Asked {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** It is the address of a target. */
  readonly isAddress?: boolean;
  /** The service never shows it, so that a change needs it again. */
  readonly isSecret?: boolean;
}

const FIRST_KIND: Kind = "telegram";
const KIND_WORDS: Readonly<Record<Kind, string>> = {
  telegram: "Telegram",
  email: say("E-mail"),
  webhook: say("Signed webhook"),
};
const ASKED: Readonly<Record<Kind, readonly Asked[]>> = {
  webhook: [{ name: "url", label: say("Address"), placeholder: "https://…", isAddress: true }],
  telegram: [
    { name: "botToken", label: say("Bot token"), placeholder: "123456:ABC…", isSecret: true },
    { name: "chatId", label: say("Chat"), placeholder: say("@name or number"), isAddress: true },
  ],
  email: [{ name: "address", label: say("E-mail address"), placeholder: "me@example.com", isAddress: true }],
};

/**
 * The body that switches an alert. Undefined if the change needs a secret again, which the service never shows.
 */
export function switchBody({ kind, name, address, events, isActive }: Kept): object | undefined {
  if (ASKED[kind].some(({ isSecret }) => isSecret === true)) return undefined;
  const [field] = ASKED[kind].filter(({ isAddress }) => isAddress === true);
  return field && { kind, name, events, isActive: !isActive, [field.name]: address };
}

/** It begins with the field, as a refusal of the service does. */
const NO_EVENT = `events: ${say("choose at least one")}`;

interface AlertFormProps {
  readonly addressBar: AddressBar;
  /** The target that is changed; undefined: a new one is made. */
  readonly kept: Kept | undefined;
  /** Returns the service's refusal, which begins with the field. */
  readonly onSend: (body: object) => Promise<string | undefined>;
  readonly onBack: () => void;
}

export function AlertForm({ addressBar, kept, onSend, onBack }: AlertFormProps) {
  const [kind, setKind] = useState<Kind>(kept?.kind ?? FIRST_KIND);
  const [patterns, setPatterns] = useState(kept?.events ?? USUAL_PATTERNS);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const [tryCount, setTryCount] = useState(0);
  const box = useRef<HTMLFormElement>(null);
  useFaultFocus(box, tryCount);
  useFilled(addressBar, box);
  // The press that opened it was far above.
  useEffect(() => box.current?.querySelector<HTMLElement>("select, input")?.focus(), []);
  const refusedField = refusal?.match(/^[A-Za-z]+/)?.[0];
  const text = refusal && serviceText(refusal);
  const faultOf = (name: string): string | undefined => (name === refusedField ? text : undefined);
  const fields = ASKED[kind];
  const isAtField = ["name", "events", ...fields.map(({ name }) => name)].some((name) => name === refusedField);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement)) return;
    const data = new FormData(form);
    const isActive = kept === undefined || data.has("isActive");
    data.delete("isActive");
    setIsBusy(true);
    const body = { ...Object.fromEntries(data), kind, isActive, events: patterns };
    const said = patterns.length === 0 ? NO_EVENT : await onSend(body);
    if (said === undefined) return;
    setIsBusy(false);
    setRefusal(said);
    setTryCount((count) => count + 1);
  };
  return (
    <form class="card" ref={box} onSubmit={(event) => void submit(event)} aria-labelledby="alert-form">
      <h2 id="alert-form">{kept === undefined ? say("New channel") : say("Change “{name}”", { name: kept.name })}</h2>
      <div class="fields">
        {kept === undefined && (
          <div class="field">
            <label for="alert-kind">{say("Channel")}</label>
            <select id="alert-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
              {Object.entries(KIND_WORDS).map(([one, words]) => (
                <option key={one} value={one}>
                  {words}
                </option>
              ))}
            </select>
          </div>
        )}
        <TextField
          asked={{ name: "name", label: say("Name"), placeholder: say("my phone") }}
          value={kept?.name}
          fault={faultOf("name")}
        />
        {fields.map((asked) => (
          <TextField
            key={asked.name}
            asked={
              kept !== undefined && asked.isSecret === true
                ? { ...asked, label: say("{label}, again", { label: asked.label }) }
                : asked
            }
            value={asked.isAddress === true ? kept?.address : undefined}
            fault={faultOf(asked.name)}
          />
        ))}
      </div>
      <p class="hint">{say("Alarms are events that need your attention, such as a sale that failed.")}</p>
      <EventTicks patterns={patterns} onChange={setPatterns} fault={faultOf("events")} />
      {kept !== undefined && (
        <label class="tick">
          <input type="checkbox" name="isActive" defaultChecked={kept.isActive} /> {say("Events are sent")}
        </label>
      )}
      <div class="tools">
        <button type="submit" class="primary" disabled={isBusy}>
          {kept === undefined ? say("Create channel") : say("Save channel")}
        </button>
        <button type="button" class="quiet" onClick={onBack}>
          {say("Back")}
        </button>
      </div>
      {!isAtField && <Fault text={text} />}
    </form>
  );
}

interface TextFieldProps {
  readonly asked: Asked;
  readonly value: string | undefined;
  readonly fault: string | undefined;
}

function TextField({ asked: { name, label, placeholder = "" }, value = "", fault }: TextFieldProps) {
  return (
    <Field label={label} fault={fault}>
      {(attributes) => (
        <input {...attributes} name={name} required autocomplete="off" placeholder={placeholder} defaultValue={value} />
      )}
    </Field>
  );
}
