/** What a price that reaches a level of a group would meet now: session and band in one line, and one for each measure. */
import { useEffect } from "preact/hooks";
import { say } from "../language/say.ts";
import { Time } from "../part/time.tsx";
import { useReading } from "../part/use-reading.ts";
import { priceText, quantityText } from "../part/words.ts";
import type { DashboardState } from "../state/dashboard-state.ts";

interface OutlookData {
  readonly session: {
    readonly phase: string | null;
    readonly changeDate: string | null;
    readonly nextPhase: string | null;
  } | null;
  readonly band: { readonly floorPrice: number; readonly ceilingPrice: number } | null;
  readonly restrictions: readonly {
    readonly restrictionType: number;
    readonly restrictionTypeName: string;
    readonly consequence: string;
  }[];
  readonly rows: readonly {
    readonly orderType: 1 | 2;
    readonly result: "sells" | "waits" | "doesNotFire" | "nothingLeft";
    readonly order: {
      readonly orderType: 1 | 2;
      readonly price: number | null;
      readonly quantity: number;
    } | null;
    readonly laterQuantity: number;
    readonly waitsUntil: string | null;
  }[];
}

const READ_AGAIN_MS = 60_000;
const STOP_LOSS = 2;

interface OutlookProps {
  readonly dashboard: DashboardState;
  readonly groupId: number;
  /** Read again when it changes: the state of the rows. */
  readonly version: string;
}

export function Outlook({ dashboard, groupId, version }: OutlookProps) {
  const path = `/api/v1/oco-orders/${groupId}/outlook`;
  const read = (): Promise<OutlookData> => dashboard.session.get<OutlookData>(path);
  const { data: outlook, readAgain } = useReading(dashboard, read, [groupId, version]);
  useEffect(() => {
    const timer = setInterval(readAgain, READ_AGAIN_MS);
    return () => clearInterval(timer);
  }, [readAgain]);
  if (outlook === undefined) return null;
  const { session, band, restrictions, rows } = outlook;
  const stopLoss = rows.find(({ orderType }) => orderType === STOP_LOSS);
  return (
    <>
      {(session !== null || band !== null) && (
        <p class="hint">
          <SessionText session={session} />
          {session !== null && band !== null && " "}
          {band !== null &&
            say("Orders are accepted between {floor} and {ceiling}.", {
              floor: priceText(band.floorPrice),
              ceiling: priceText(band.ceilingPrice),
            })}
        </p>
      )}
      {restrictions.length > 0 && (
        <ul class="hint" aria-label={say("Measures of the exchange")}>
          {restrictions.map(({ restrictionType, restrictionTypeName, consequence }) => (
            <li key={restrictionType}>
              {restrictionTypeName}: {consequence}.
            </li>
          ))}
          {stopLoss !== undefined && (
            <li key="now">
              <Now row={stopLoss} />
            </li>
          )}
        </ul>
      )}
    </>
  );
}

/** What the stop-loss would do. */
function Now({ row: { result, order, laterQuantity, waitsUntil } }: { readonly row: OutlookData["rows"][number] }) {
  if (order === null) return <>{say("The stop-loss would not sell now.")}</>;
  const { price, quantity } = order;
  const lots = quantityText(quantity);
  return (
    <>
      {price === null
        ? say("The stop-loss would now be a market order of {lots} lots", { lots })
        : say("The stop-loss would now be a limit order at {price} of {lots} lots", { price: priceText(price), lots })}
      {laterQuantity > 0 && say(", then {lots} in further orders", { lots: quantityText(laterQuantity) })}
      {result === "waits" && waitsUntil === null && say(", which waits until the measure ends")}
      {result === "waits" && waitsUntil !== null && (
        <>
          {say(", which waits until")} <Time at={waitsUntil} />
        </>
      )}
      .
    </>
  );
}

/** Nothing where no calendar is known. */
function SessionText({ session }: Pick<OutlookData, "session">) {
  if (session === null) return null;
  const { phase, changeDate, nextPhase } = session;
  return (
    <>
      {phase === null ? say("The market is closed") : say("The market is open ({phase})", { phase })}
      {changeDate !== null && (
        <>
          {phase === null ? say("; {phase} begins", { phase: nextPhase ?? "" }) : say(" until")}{" "}
          <Time at={changeDate} />
        </>
      )}
      .
    </>
  );
}
