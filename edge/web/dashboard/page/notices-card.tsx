/** Which events make a sound or a desktop notification in this browser. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { say } from "../language/say.ts";
import {
  areNoticesPossible,
  chooseNotices,
  type NoticeChoice,
  noticeChoice,
  notify,
  playSound,
} from "../state/notices.ts";
import { useStore } from "../state/store.ts";
import { EventTicks } from "./event-ticks.tsx";

const DENIED = say(
  "The browser does not allow notifications of this page. Allow them for this address in its settings, then try again. Phone browsers show no notifications.",
);
const IMPOSSIBLE = say("This browser allows sounds and notifications only for pages over https or from this machine.");

export function NoticesCard() {
  const choice = useStore(noticeChoice);
  const [isDenied, setIsDenied] = useState(false);
  if (!areNoticesPossible())
    return (
      <Card>
        <p class="hint">{IMPOSSIBLE}</p>
      </Card>
    );
  const change = (changed: Partial<NoticeChoice>): void => chooseNotices({ ...noticeChoice.value, ...changed });
  const isOn = choice.hasSound || choice.hasNotification;
  // It may be taken back at any time.
  const isLost = choice.hasNotification && Notification.permission !== "granted";
  const askToNotify = async (): Promise<void> => {
    await Notification.requestPermission();
    const isShown = notify(say("Notifications are on."), "on");
    setIsDenied(!isShown);
    change({ hasNotification: isShown });
  };
  return (
    <Card>
      <p class="hint">
        {say(
          "One window of this browser notifies you, as long as any page of the service is open. After a reload, sounds start with your first click on the page.",
        )}
      </p>
      <div class="line">
        <label class="tick">
          <input
            type="checkbox"
            checked={choice.hasNotification && !isLost}
            onChange={(event) => {
              if (!event.currentTarget.checked) return change({ hasNotification: false });
              // It is ticked once the browser allows it.
              event.currentTarget.checked = false;
              void askToNotify();
            }}
          />{" "}
          {say("Desktop notifications")}
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={choice.hasSound}
            onChange={(event) => {
              change({ hasSound: event.currentTarget.checked });
              if (event.currentTarget.checked) playSound();
            }}
          />{" "}
          {say("Sound")}
        </label>
      </div>
      {(isDenied || isLost) && (
        <p class="fault" role="alert">
          {DENIED}
        </p>
      )}
      {isOn && <EventTicks patterns={choice.patterns} onChange={(patterns) => change({ patterns })} />}
    </Card>
  );
}

function Card({ children }: { readonly children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby="notices">
      <h2 id="notices">{say("In this browser")}</h2>
      {children}
    </section>
  );
}
