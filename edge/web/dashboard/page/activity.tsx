/** What happened since the sign-in, in words, the newest first. */

import { useState } from "preact/hooks";
import { eventSentence, weightOf } from "../../../../src/event/describe-event.ts";
import { type EventFamily, FAMILIES, familyOf } from "../../../../src/event/family.ts";
import { Time } from "../part/time.tsx";

import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";

const ALL = "all";
const FAMILY_WORDS: Readonly<Record<EventFamily, string>> = {
  groups: "OCO groups",
  bots: "Bots",
  orders: "Orders and alarms",
};

export function Activity({ dashboard }: { readonly dashboard: DashboardState }) {
  const all = useStore(dashboard.events);
  const names = useStore(dashboard.botNames);
  const [family, setFamily] = useState<string>(ALL);
  const events = family === ALL ? all : all.filter(({ type }) => familyOf(type) === family);
  return (
    <section class="card">
      <div class="heading">
        <h2>Activity</h2>
        <span class="grow" />
        <select aria-label="Show" value={family} onChange={(event) => setFamily(event.currentTarget.value)}>
          <option value={ALL}>Everything</option>
          {FAMILIES.map((one) => (
            <option key={one} value={one}>
              {FAMILY_WORDS[one]}
            </option>
          ))}
        </select>
      </div>
      {events.length === 0 && <p class="empty">Nothing of this has happened since you signed in.</p>}
      <ol class="events" aria-live="polite">
        {events.map((event) => (
          <li key={String(event.id)} class={weightOf(event)}>
            <Time at={event.time} />
            <span>{eventSentence(event, names)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
