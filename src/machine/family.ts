/**
 * The chart of a refresh-token family.
 *
 * Owns: the order of a family's life (live, then revoked or expired) and the event that a revocation asks for.
 * Does not own: the rules themselves (`domain/family.ts`), tokens, the list of revoked families.
 *
 * Invariants:
 * 1. `revoked` and `expired` are final: nothing brings a family back.
 * 2. A revocation emits one event; an expiry emits none.
 * 3. An event that does not fit the state changes nothing.
 */
import { unreachable } from "../assert.ts";
import type { Refresh, TokenFamily } from "../domain/family.ts";
import * as rules from "../domain/family.ts";
import { chartSetup, type Verdict } from "./chart.ts";
import type { Facts } from "./effect.ts";
import type { DeadlineEvent } from "./wake-event.ts";

export type FamilyEvent =
  | ({ readonly type: "refresh" } & Refresh)
  | { readonly type: "revoke"; readonly reason?: "keyRevoked" | "handedBack"; readonly timeMs: number }
  | DeadlineEvent;

/** The type of the event that notifies a user of a revoked family. */
export const FAMILY_REVOKED = "token.familyRevoked";

/** Applies `event` to a live family; undefined if the event does not affect it. */
function decide(family: TokenFamily, event: FamilyEvent): TokenFamily | undefined {
  switch (event.type) {
    case "refresh":
      return rules.isOfFamily(family, event.presentedProofHash) ? rules.refresh(family, event) : undefined;
    case "revoke":
      return rules.endFamily(family, event.reason ?? "keyRevoked", event.timeMs);
    case "deadline":
      return rules.isExpiredAt(family, event.timeMs) ? rules.endFamily(family, "expired", event.timeMs) : undefined;
    default:
      return unreachable(event);
  }
}

function verdictOn(before: TokenFamily, event: FamilyEvent): Verdict<TokenFamily> | undefined {
  const family = decide(before, event);
  if (family === undefined) return undefined;
  if (!rules.isRevoked(family)) return { context: family, effects: [] };
  const data = { familyId: family.familyId, keyId: family.keyId, reason: family.end?.reason };
  return { context: family, effects: [{ type: "emit", event: FAMILY_REVOKED, data }] };
}

const base = chartSetup(verdictOn).extend({
  guards: {
    isRevoked: ({ context }) => rules.isRevoked(context),
    isExpired: ({ context }) => context.end?.reason === "expired",
  },
});

/** The chart of one family. Its context is the family. */
export const familyMachine = base.createMachine({
  id: "family",
  context: ({ input }) => input,
  initial: "live",
  states: {
    live: {
      always: [
        { guard: "isRevoked", target: "revoked" },
        { guard: "isExpired", target: "expired" },
      ],
      on: {
        refresh: { actions: "act" },
        revoke: { actions: "act" },
        deadline: { actions: "act" },
      },
    },
    revoked: { type: "final" },
    expired: { type: "final" },
  },
});

/** What the engine must keep for a family: the moment of its expiry, and nothing else. */
export function familyFacts(family: TokenFamily): Facts {
  return {
    watches: [],
    armedSinceMs: family.createdAtMs,
    deadlineMs: rules.isLive(family) ? family.expiresAtMs : null,
    claims: [],
    follows: [],
  };
}
