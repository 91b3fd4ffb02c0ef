/** What happened since the sign-in, in words, the newest first. */

import { useState } from "preact/hooks";
import { eventSentence, weightOf } from "../../../../src/event/describe-event.ts";
import { type EventFamily, FAMILIES, familyOf } from "../../../../src/event/family.ts";
import { Select } from "../part/select.tsx";
import { Time } from "../part/time.tsx";
import { FAMILY_WORDS } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";

const SHOWN = ["all", ...FAMILIES] as const;
const SHOWN_WORDS: Readonly<Record<"all" | EventFamily, string>> = {
  all: "Everything",
  ...FAMILY_WORDS,
};

export function Activity({ dashboard }: { readonly dashboard: DashboardState }) {
  const all = useStore(dashboard.events);
  const names = useStore(dashboard.botNames);
  const [family, setFamily] = useState<"all" | EventFamily>("all");
  const events = family === "all" ? all : all.filter(({ type }) => familyOf(type) === family);
  return (
    <section class="card">
      <div class="heading">
        <h2>Activity</h2>
        <span class="grow" />
        <Select title="Show" of={SHOWN} words={SHOWN_WORDS} chosen={family} onChoose={setFamily} />
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
