/** Whether events, prices and orders flow: always in view. */
import { useEffect, useState } from "preact/hooks";
import { clusterWords } from "./part/cluster-words.ts";
import { ageText, timeText } from "./part/words.ts";
import type { DashboardState } from "./state/dashboard-state.ts";
import type { BrokerageCondition, ClusterCondition, Conditions as ConditionsData } from "./state/model.ts";
import { useStore } from "./state/store.ts";

/** Older than this, prices are shown as silent. */
const PRICE_AGE_MS_MAX = 60_000;

const STREAM_WORDS = { live: "Events live", connecting: "Events connecting", broken: "Events interrupted" } as const;
const FEED_WORDS = { live: "Prices live", catchingUp: "Prices catching up", disconnected: "Prices cut off" } as const;
const BROKERAGE_WORDS = { up: "up", down: "down", silent: "does not answer", untold: "tells no state" } as const;

export function Conditions({ dashboard }: { readonly dashboard: DashboardState }) {
  const stream = useStore(dashboard.streamState);
  const conditions = useStore(dashboard.conditions);
  const fault = useStore(dashboard.fault);
  return (
    <ul class="conditions" aria-label="Conditions">
      <li class={stream === "live" ? "good" : "bad"}>{STREAM_WORDS[stream]}</li>
      {conditions !== undefined && <Feed dashboard={dashboard} feed={conditions.feed} />}
      {conditions?.brokerages.map((brokerage) => (
        <Brokerage key={brokerage.code} brokerage={brokerage} />
      ))}
      {conditions?.cluster != null && <Cluster cluster={conditions.cluster} />}
      {fault !== undefined && <li class="bad">{fault}</li>}
    </ul>
  );
}

function Feed({ dashboard, feed }: { readonly dashboard: DashboardState; readonly feed: ConditionsData["feed"] }) {
  const lastTickMs = useStore(dashboard.lastTickMs);
  const nowMs = useSteadyClock();
  if (feed === null) return <li class="bad">No price feed</li>;
  const ageMs = lastTickMs === undefined ? undefined : Math.max(0, nowMs - lastTickMs);
  const isFresh = feed.state === "live" && ageMs !== undefined && ageMs < PRICE_AGE_MS_MAX;
  return (
    <li class={isFresh ? "good" : "bad"}>
      {FEED_WORDS[feed.state]}, {ageMs === undefined ? "none yet" : `${ageText(ageMs)} old`}
    </li>
  );
}

function Brokerage({ brokerage }: { readonly brokerage: BrokerageCondition }) {
  const { code, name, state, since, resend, refusal } = brokerage;
  const isGood = state === "up" && refusal === null;
  const details = [since === null ? "" : `since ${timeText(since)}`, resend === null ? "" : `resend ${resend}`];
  return (
    <li class={isGood ? "good" : "bad"} title={name}>
      {code} {refusal === null ? BROKERAGE_WORDS[state] : `held back: ${refusal}`}
      <span class="hint"> {details.filter((detail) => detail !== "").join(" · ")}</span>
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

/** The page's own clock, which nobody sets, second by second. */
function useSteadyClock(): number {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
