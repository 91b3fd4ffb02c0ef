/**
 * Foresees a group's reaction to a price that reaches one of its levels now (behaviour 25).
 *
 * Owns: following a row from its level to its order. Does not own: any decision. The part that decides when a level is
 * reached (the host with its chart, the markets) decides here too, so that both cannot disagree.
 */
import type { OcoGroup } from "../../src/domain/oco/group.ts";
import { rowAt } from "../../src/domain/oco/group.ts";
import { priceToNumber } from "../../src/domain/price/price.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorHost } from "../actor/host.ts";
import type { Foresight } from "../ports/order.ts";
import type { Markets } from "./markets.ts";

interface ForesightOptions {
  readonly host: Pick<ActorHost, "find" | "foresee">;
  readonly markets: Pick<Markets, "foresee">;
  readonly clock: Clock;
}

/** Makes the foresight of a partition. */
export function foresightOf({ host, markets, clock }: ForesightOptions): Foresight {
  return {
    ofRow: (groupId, row) => {
      const found = host.find("group", groupId);
      if (found === undefined || found.isEnded) return undefined;
      const group = found.context;
      const level = priceToNumber(rowAt(group, row).price);
      const foreseen = host.foresee(groupId, row, level, clock.nowMs());
      if (foreseen === undefined) return undefined;
      const orders = foreseen.effects.flatMap((effect) =>
        effect.type === "submit" ? [markets.foresee(group, effect)] : [],
      );
      return { isHalted: foreseen.isStopped, orders, after: foreseen.after.snapshot.context as OcoGroup };
    },
  };
}
