/** Whether events, prices and orders flow: always in view. */

import { useEffect, useState } from "preact/hooks";
import { say } from "./language/say.ts";
import { serviceText } from "./language/service-text.ts";
import { clusterWords } from "./part/cluster-words.ts";
import { Time } from "./part/time.tsx";
import { ageText } from "./part/words.ts";
import type { DashboardState } from "./state/dashboard-state.ts";
import { isCurrent } from "./state/health.ts";
import type { BrokerageCondition, ClusterCondition, Conditions as ConditionsData } from "./state/model.ts";
import { ageOf } from "./state/moment.ts";
import { useStore } from "./state/store.ts";

/** Older than this, prices are shown as silent. */
const PRICE_AGE_MS_MAX = 60_000;

const STREAM_WORDS = {
  live: say("Events live"),
  connecting: say("Events connecting"),
  broken: say("Events interrupted"),
} as const;
const FEED_WORDS = {
  live: say("Prices live"),
  catchingUp: say("Prices catching up"),
  disconnected: say("Prices cut off"),
} as const;
const BROKERAGE_WORDS = {
  up: say("up"),
  down: say("down"),
  silent: say("does not answer"),
  untold: say("reports no state"),
} as const;

export function Conditions({ dashboard }: { readonly dashboard: DashboardState }) {
  const stream = useStore(dashboard.streamState);
  const said = useStore(dashboard.health.said);
  const fault = useStore(dashboard.fault);
  useEverySecond();
  const conditions = said?.conditions;
  const isKnown = said !== undefined && isCurrent(said);
  return (
    <ul class="conditions" aria-label={say("Conditions")}>
      {isKnown && (
        // A narrow screen shows it in place of the others while each of them is good.
        <li class="good all" aria-hidden="true">
          {say("All live")}
        </li>
      )}
      <li class={stream === "live" ? "good" : "bad"}>{STREAM_WORDS[stream]}</li>
      {conditions !== undefined && <Feed dashboard={dashboard} feed={conditions.feed} isKnown={isKnown} />}
      {isKnown &&
        conditions?.feed?.publishers
          .filter(({ state }) => state === "delayed")
          .map(({ name, behindMs = 0 }) => (
            <li key={name} class="bad">
              {say("{name} prices delayed by {age}: no level fires by them", { name, age: ageText(behindMs) })}
            </li>
          ))}
      {conditions?.brokerages.map((brokerage) => (
        <Brokerage key={brokerage.code} brokerage={brokerage} isKnown={isKnown} />
      ))}
      {isKnown &&
        conditions?.heldSymbols.map(({ symbol, reason }) => (
          <li key={symbol} class="bad" title={serviceText(reason)}>
            <button type="button" class="quiet" onClick={() => dashboard.addressBar.go("portfolio")}>
              {say("{symbol} held: no level fires", { symbol })}
            </button>
          </li>
        ))}
      <InDoubt dashboard={dashboard} />
      {isKnown && conditions?.cluster != null && <Cluster cluster={conditions.cluster} />}
      {fault !== undefined && <li class="bad">{fault}</li>}
    </ul>
  );
}

/** The way to the orders in doubt, from every page; nothing without any. */
function InDoubt({ dashboard }: { readonly dashboard: DashboardState }) {
  const { length } = useStore(dashboard.doubtfulOrders);
  if (length === 0) return null;
  return (
    <li class="bad">
      <button type="button" class="quiet" onClick={() => dashboard.addressBar.go("portfolio")}>
        {length === 1 ? say("1 order in doubt") : say("{count} orders in doubt", { count: length })}
      </button>
    </li>
  );
}

interface FeedProps {
  readonly dashboard: DashboardState;
  readonly feed: ConditionsData["feed"];
  /** False: the service does not answer, and how things are is not known. */
  readonly isKnown: boolean;
}

function Feed({ dashboard, feed, isKnown }: FeedProps) {
  const lastTick = useStore(dashboard.health.lastTick);
  useEverySecond();
  if (feed === null) return <li class="bad">{say("No price feed")}</li>;
  const ageMs = lastTick === undefined ? undefined : ageOf(lastTick);
  const age = ageMs === undefined ? say("none yet") : say("{age} old", { age: ageText(ageMs) });
  if (!isKnown) return <li class="bad">{say("Prices not known, the last {age}", { age })}</li>;
  const isFresh = feed.state === "live" && ageMs !== undefined && ageMs < PRICE_AGE_MS_MAX;
  const words = feed.state === "live" && !isFresh ? say("Prices silent") : FEED_WORDS[feed.state];
  return (
    <li class={isFresh ? "good" : "bad"}>
      {words}, {age}
    </li>
  );
}

function Brokerage({ brokerage, isKnown }: { readonly brokerage: BrokerageCondition; readonly isKnown: boolean }) {
  const { code, name, state, since, refusal, needsLogin = false } = brokerage;
  const words = needsLogin ? say("needs a login") : BROKERAGE_WORDS[state];
  if (!isKnown) {
    return (
      <li class="bad" title={name}>
        {say("{code} not known", { code })}
      </li>
    );
  }
  return (
    <li class={state === "up" && refusal === null ? "good" : "bad"} title={name}>
      {code} {refusal === null ? words : say("held back: {refusal}", { refusal })}
      {since !== null && (
        <span class="hint">
          {" "}
          {say("since")} <Time at={since} />
        </span>
      )}
    </li>
  );
}

function Cluster({ cluster }: { readonly cluster: ClusterCondition }) {
  const { isGood, text, hint } = clusterWords(cluster);
  return (
    <li class={isGood ? "good" : "bad"}>
      {text}
      <span class="hint"> {hint}</span>
    </li>
  );
}

/** Drawn again second by second: ages grow. */
function useEverySecond(): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
}
