/** Alarms, above the open page, until the user puts them away. */

import type { BotNames, ToldEvent } from "../../../src/event/describe-event.ts";
import { eventText } from "./language/event-text.ts";
import { say } from "./language/say.ts";
import { Time } from "./part/time.tsx";

import { type Store, useStore } from "./state/store.ts";

interface AlarmBarProps {
  readonly alarms: Store<readonly ToldEvent[]>;
  readonly botNames: Store<BotNames>;
}

export function AlarmBar({ alarms, botNames }: AlarmBarProps) {
  const list = useStore(alarms);
  const names = useStore(botNames);
  const putAway = (event: ToldEvent): void => alarms.update((before) => before.filter((one) => one !== event));
  return (
    <div class="alarms" role="alert">
      {list.map((event) => (
        <p key={String(event.id)}>
          <Time at={event.time} />
          <span class="grow">{eventText(event, names)}</span>
          <button type="button" class="quiet" onClick={() => putAway(event)}>
            {say("Seen")}
          </button>
        </p>
      ))}
    </div>
  );
}
