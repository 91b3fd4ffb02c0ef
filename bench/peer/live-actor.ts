/** A live XState actor a group that is sent every tick of its symbol: actors without an index in front of them. */
import { createActor, setup } from "xstate";
import { bySymbol, type MakePeer, type PeerGroup } from "./peer.ts";

const machine = setup({
  types: {
    context: {} as PeerGroup,
    events: {} as { readonly type: "tick"; readonly price: number },
    input: {} as PeerGroup,
  },
  guards: {
    stops: ({ context, event }) => event.price <= context.stopLoss,
    takes: ({ context, event }) => context.takeProfits.some((level) => event.price >= level),
  },
}).createMachine({
  context: ({ input }) => input,
  initial: "watching",
  states: {
    watching: {
      on: {
        tick: [
          { guard: "stops", target: "fired" },
          { guard: "takes", target: "fired" },
        ],
      },
    },
    fired: {},
  },
});

export const liveActor: MakePeer = (groups) => {
  const lists = [...bySymbol(groups)].map(
    ([symbol, own]) => [symbol, own.map((group) => createActor(machine, { input: group }).start())] as const,
  );
  const actors = new Map(lists);
  return {
    name: "a live XState actor a group",
    onTick: (symbol, price) => {
      for (const actor of actors.get(symbol) ?? []) actor.send({ type: "tick", price });
    },
    firedCount: () => lists.flatMap(([, own]) => own).filter((actor) => actor.getSnapshot().value === "fired").length,
  };
};
