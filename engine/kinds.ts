/**
 * Every kind of actor the engine hosts, put together from its chart, its stored form and its projection.
 */
import { groupSnapshot } from "../src/contract/snapshot.ts";
import type { OcoGroup } from "../src/domain/oco.ts";
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

/** All kinds. */
export const actorKinds: readonly ActorKind[] = [group];
