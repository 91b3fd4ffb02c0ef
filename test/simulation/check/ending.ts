/**
 * What the judgement at the end of a world looks at.
 */
import type { ExitPolicy } from "../../../src/domain/oco/group.ts";
import type { Bots } from "../client/bots.ts";
import type { ClientOrder } from "../client/clients.ts";
import type { EntryModel } from "../client/entries.ts";
import type { SetupModel } from "../client/setups.ts";
import type { Signals } from "../client/signals.ts";
import type { GroupModel } from "../oracle/model.ts";
import type { PlainDisk } from "../oracle/plain-rows.ts";
import type { Exchange } from "../world/exchange.ts";
import type { Report } from "../world/report.ts";
import type { LevelWatch } from "./level-watch.ts";

export interface Ending {
  readonly disk: PlainDisk;
  readonly report: Report;
  readonly groups: readonly GroupModel[];
  readonly orders: readonly ClientOrder[];
  readonly setups: readonly SetupModel[];
  readonly entries: readonly EntryModel[];
  readonly bots: Bots;
  readonly signals: Signals;
  readonly levelWatch: LevelWatch;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Names of orders that wait for a person. */
  readonly quarantined: ReadonlySet<string>;
  /** Types of events that reached the bus, by row id. */
  readonly events: ReadonlyMap<number, ReadonlySet<string>>;
  readonly nowMs: number;
  /** True: moments that were noted cannot be compared. */
  readonly hasSteppedClock: boolean;
  readonly exitPolicy: ExitPolicy;
  /** Whether sells of a symbol may be limit orders at its floor, by a measure. */
  readonly mayBeAtFloor: (symbol: string) => boolean;
}
