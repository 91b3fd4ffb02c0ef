/** Users and their API keys, for operators. A new key is shown once. */
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import { Confirm } from "../part/confirm.tsx";
import { Table } from "../part/table.tsx";
import { useReading } from "../part/use-reading.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { ApiKey } from "../state/model.ts";

interface User {
  readonly userId: number;
  readonly name: string;
}

const SCOPES = ["read", "trade", "admin"] as const;

function pathOf(userId: number): string {
  return `/admin/v1/users/${userId}/api-keys`;
}

export function Keys({ dashboard }: { readonly dashboard: DashboardState }) {
  const [userId, setUserId] = useState(dashboard.session.caller.userId);
  const [shown, setShown] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  /** Counts the keys made here. */
  const [madeCount, setMadeCount] = useState(0);
  const users = useReading(dashboard, () => dashboard.session.get<readonly User[]>("/admin/v1/users"), []);
  const userName = users.data?.find((user) => user.userId === userId)?.name;
  const submit = (work: (form: FormData) => Promise<void>) => async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    setFault(await dashboard.attempt(() => work(form)));
  };
  const createKey = submit(async (form) => {
    const body = { name: String(form.get("name")), scopes: SCOPES.filter((scope) => form.get(scope) !== null) };
    const { data } = await dashboard.session.send<{ readonly apiKey: string }>("POST", pathOf(userId), body);
    setShown(data.apiKey);
    setMadeCount((count) => count + 1);
  });
  const createUser = submit(async (form) => {
    const made = await dashboard.session.send<{ readonly userId: number }>("POST", "/admin/v1/users", {
      name: String(form.get("userName")),
    });
    setUserId(made.data.userId);
    users.readAgain();
  });
  return (
    <>
      <section class="card">
        <h2>{say("User")}</h2>
        <div class="fields">
          <div class="field">
            <label for="user-id">{say("User number")}</label>
            <input
              id="user-id"
              inputMode="numeric"
              list="users"
              value={userId}
              onChange={(event) => {
                setUserId(Number(event.currentTarget.value) || userId);
                setFault(undefined);
              }}
            />
            <datalist id="users">
              {users.data?.map((user) => (
                <option key={user.userId} value={user.userId}>
                  {user.name}
                </option>
              ))}
            </datalist>
            {userName !== undefined && <span class="hint">{userName}</span>}
          </div>
          <form class="fields" onSubmit={(event) => void createUser(event)}>
            <div class="field">
              <label for="user-name">{say("New user")}</label>
              <input id="user-name" name="userName" required placeholder={say("Name")} />
            </div>
            <button type="submit">{say("Create user")}</button>
          </form>
        </div>
      </section>
      <KeysOf
        key={userId}
        {...{ dashboard, userId, madeCount }}
        title={
          userName === undefined
            ? say("API keys of user {userId}", { userId })
            : say("API keys of user {userId}, {name}", { userId, name: userName })
        }
        fault={fault ?? users.fault}
      />
      <form class="card" onSubmit={(event) => void createKey(event)} aria-labelledby="new-key">
        <h2 id="new-key">{say("New API key")}</h2>
        <div class="fields">
          <div class="field">
            <label for="key-name">{say("Name")}</label>
            <input id="key-name" name="name" required placeholder={say("laptop")} />
          </div>
          <fieldset class="scopes">
            <legend>{say("Scopes")}</legend>
            {SCOPES.map((scope) => (
              <label key={scope}>
                <input type="checkbox" name={scope} defaultChecked={scope === "read"} /> {scope}
              </label>
            ))}
          </fieldset>
          <button type="submit" class="primary">
            {say("Create key")}
          </button>
        </div>
        {shown !== undefined && (
          <p role="status" class="warning">
            {say("Keep it now, it is not shown again:")} <code>{shown}</code>
          </p>
        )}
      </form>
    </>
  );
}

interface KeysOfProps {
  readonly dashboard: DashboardState;
  readonly userId: number;
  readonly madeCount: number;
  readonly title: string;
  readonly fault: string | undefined;
}

/** The keys of one user: keys of another user are never under the heading. */
function KeysOf({ dashboard, userId, madeCount, title, fault }: KeysOfProps) {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const path = pathOf(userId);
  const keys = useReading(dashboard, () => dashboard.session.get<readonly ApiKey[]>(path), [madeCount]);
  const revoke = async (keyId: string | number): Promise<void> => {
    setRefusal(await dashboard.attempt(() => dashboard.session.send("DELETE", `${path}/${keyId}`)));
    keys.readAgain();
  };
  return (
    <Table
      title={title}
      items={keys.data}
      keyOf={({ keyId }) => keyId}
      empty={say("This user has no API key.")}
      fault={refusal ?? fault ?? keys.fault}
      columns={[
        { title: say("Name"), view: ({ name }) => <strong>{name}</strong> },
        { title: say("Scopes"), view: ({ scopes }) => scopes.join(", ") },
        { title: say("State"), view: ({ isRevoked }) => (isRevoked === true ? say("Revoked") : say("Good")) },
        {
          title: say("Actions"),
          isAction: true,
          view: ({ keyId, isRevoked }) =>
            isRevoked === true ? (
              ""
            ) : (
              <Confirm title={say("Revoke")} yes={say("Yes, revoke it")} onConfirm={() => void revoke(keyId)} />
            ),
        },
      ]}
    />
  );
}
