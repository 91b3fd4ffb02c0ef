/** Held symbols with their reasons and groups, and the release of a symbol by an operator, who types a word. */
import { useState } from "preact/hooks";
import { RELEASE_HINT } from "../group/hold.tsx";
import { say } from "../language/say.ts";
import { serviceRemark } from "../language/service-text.ts";
import { Time } from "../part/time.tsx";
import { Typed } from "../part/typed.tsx";
import type { DashboardState } from "../state/dashboard-state.ts";
import type { HeldSymbol } from "../state/model.ts";
import { useStore } from "../state/store.ts";

/** All words of the card, in one place. */
const TEXT = {
  title: say("Held symbols"),
  isOperator: say(
    "Until the release no level of a held symbol fires: no stop-loss, no take-profit, no level of a bot and no trigger. A release is for all users.",
  ),
  isUser: say(
    "Until the release no level of a held symbol fires: no stop-loss, no take-profit, no level of a bot and no trigger. An operator releases the symbol; you can release each of your groups.",
  ),
} as const;

interface HeldSymbolsProps {
  readonly dashboard: DashboardState;
}

/** Nothing while no symbol is held, and none was released here. */
export function HeldSymbols({ dashboard }: HeldSymbolsProps) {
  const held = useStore(dashboard.health.said)?.conditions.heldSymbols ?? [];
  const [said, setSaid] = useState<string | undefined>(undefined);
  const isOperator = dashboard.session.has("admin");
  const release = async (symbol: string): Promise<void> => {
    const path = `/admin/v1/symbols/${encodeURIComponent(symbol)}/release`;
    const refusal = await dashboard.attempt(() => dashboard.session.send("POST", path));
    setSaid(refusal ?? say("{symbol} was released: its levels fire.", { symbol }));
    await dashboard.readConditions();
  };
  if (held.length === 0 && said === undefined) return null;
  return (
    <section class="card" aria-label={TEXT.title}>
      <h2>{TEXT.title}</h2>
      {said !== undefined && (
        <p role="status" class="said">
          {said}
        </p>
      )}
      {held.map((one) => (
        <Held
          key={one.symbol}
          dashboard={dashboard}
          held={one}
          onRelease={isOperator ? () => void release(one.symbol) : undefined}
        />
      ))}
      {held.length > 0 && (
        <p class="hint">
          {isOperator ? TEXT.isOperator : TEXT.isUser} {RELEASE_HINT}
        </p>
      )}
    </section>
  );
}

interface HeldProps extends HeldSymbolsProps {
  readonly held: HeldSymbol;
  /** Undefined: the user cannot release a symbol. */
  readonly onRelease: (() => void) | undefined;
}

function Held({ dashboard, held: { symbol, since, reason }, onRelease }: HeldProps) {
  const groups = useStore(dashboard.groups).filter((group) => group.symbol === symbol && group.isActive);
  return (
    <>
      <p>
        <strong>{symbol}</strong>{" "}
        <span class="fault">
          {say("held since")} <Time at={since} />: {serviceRemark(reason)}.
        </span>{" "}
        {groups.length === 0
          ? say("This account has no active group of it.")
          : groups.map(({ id }) => (
              <a key={id} class="whole" href={`#/groups/${id}`}>
                {say("Group {id}", { id })}{" "}
              </a>
            ))}
      </p>
      {onRelease !== undefined && (
        <Typed word="RELEASE" title={say("Release {symbol}", { symbol })} onConfirm={onRelease} />
      )}
    </>
  );
}
