/**
 * Requests between a pending OCO and its group, made by their charts, within one turn.
 *
 * Owns: the way from the effect of one to the event of the other. Does not own: their reactions (their charts).
 */
import { unreachable } from "../../src/assert.ts";
import { lackingRows } from "../../src/domain/oco/growth.ts";
import type { EventsOf } from "../../src/machine/actor-event.ts";
import type { EndEntryEffect, GrowGroupEffect, OpenGroupEffect } from "../../src/machine/effect.ts";
import type { Clock } from "../../src/runtime/ports.ts";
import type { ActorProfile, Actors } from "../ports/actor.ts";
import type { Journal } from "../ports/storage.ts";
import type { OpenGroup } from "./kind.ts";

type GroupEffect = OpenGroupEffect | GrowGroupEffect | EndEntryEffect;

interface GroupEffectOptions {
  readonly clock: Clock;
  readonly journal: Pick<Journal, "allocateIds">;
  /** Opens the group of a plan in this turn, or returns why that is not possible. */
  readonly openGroup: OpenGroup;
}

/** `id`, `profile`: of the asking actor. The group gets the lots of a fill in the batch in which they become known. */
export function carryOutOfGroup(
  { clock, journal, openGroup }: GroupEffectOptions,
  actors: Actors,
  id: number,
  profile: ActorProfile,
  effect: GroupEffect,
): void {
  switch (effect.type) {
    case "openGroup": {
      const opened = openGroup(actors, effect.plan, { ...profile, symbol: effect.symbol });
      const timeMs = clock.nowMs();
      const answer: EventsOf["setup"] = opened.ok
        ? { type: "groupOpened", groupId: opened.value, timeMs }
        : { type: "groupRefused", message: opened.message, timeMs };
      actors.deliver("setup", id, answer);
      break;
    }
    case "growGroup": {
      const { groupId, bought, isBuying, plan, timeMs } = effect;
      const group = actors.find("group", groupId)?.context;
      const count = group === undefined ? 0 : lackingRows(group, plan);
      const ids = count === 0 ? [] : journal.allocateIds(count);
      actors.deliver("group", groupId, { type: "grow", bought, isBuying, plan, ids, timeMs });
      break;
    }
    case "endEntry":
      actors.deliver("setup", effect.setupId, { type: "endEntry", timeMs: clock.nowMs() });
      break;
    default:
      unreachable(effect);
  }
}
