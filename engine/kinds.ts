/**
 * Every kind of actor the engine hosts, put together from its chart, its stored form and its projection.
 */
import { familySnapshot } from "../src/contract/identity.ts";
import { groupSnapshot } from "../src/contract/snapshot.ts";
import type { TokenFamily } from "../src/domain/family.ts";
import type { OcoGroup } from "../src/domain/oco.ts";
import { familyFacts, familyMachine } from "../src/machine/family.ts";
import { groupFacts, groupMachine } from "../src/machine/group.ts";
import { type ActorKind, kindOf } from "./actor/kind.ts";
import { ocoEvent, ocoViews } from "./projection/oco.ts";

const group = kindOf<OcoGroup>({
  name: "group",
  chart: groupMachine as unknown as ActorKind["chart"],
  initialState: "watching",
  parse: (context) => groupSnapshot.parse(context),
  facts: groupFacts,
  profile: (context) => context,
  views: ocoViews,
  present: (context, _event, data) => ocoEvent(context, data),
});

const family = kindOf<TokenFamily>({
  name: "family",
  chart: familyMachine as unknown as ActorKind["chart"],
  initialState: "live",
  parse: (context) => familySnapshot.parse(context),
  facts: familyFacts,
  profile: ({ userId }) => ({ userId, brokerageCode: "", accountNumber: "" }),
  views: () => [],
  present: (_context, _event, data) => ({ ...data }),
});

/** All kinds. */
export const actorKinds: readonly ActorKind[] = [group, family];
