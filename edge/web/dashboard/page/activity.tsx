/** What happened since the sign-in, in words, the newest first. */
import { eventSentence, weightOf } from "../../../../src/event/sentence.ts";
import { timeText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";
import { useStore } from "../state/store.ts";

export function Activity({ dashboard }: { readonly dashboard: DashboardState }) {
  const events = useStore(dashboard.events);
  return (
    <section class="card">
      <h2>Activity</h2>
      {events.length === 0 && <p class="empty">Nothing has happened since you signed in.</p>}
      <ol class="events" aria-live="polite">
        {events.map((event) => (
          <li key={String(event.id)} class={weightOf(event.type)}>
            <time>{timeText(typeof event.time === "string" ? event.time : null)}</time>
            <span>{eventSentence(event)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
