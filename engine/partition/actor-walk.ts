/**
 * Gives an event to every live actor that names a symbol, in turns of the inbox.
 *
 * Invariants:
 * 1. A walk reaches every actor that named the symbol when it began, and every group that a pending OCO made during it.
 * 2. An actor is reached once what was decided before the walk is durable: it can be reached again after a kill.
 */
import { isHeardBy } from "../../src/machine/actor-event.ts";
import type { CorporateActionEvent, SymbolRenamedEvent } from "../../src/machine/wake-event.ts";
import type { Fatal } from "../../src/runtime/ports.ts";
import type { Inbox } from "../ports/actor.ts";
import type { StoredActor } from "../ports/operator.ts";
import type { Journal, Store } from "../ports/storage.ts";
import { actorsNaming } from "./actors-naming.ts";

type WalkEvent = CorporateActionEvent | SymbolRenamedEvent;

/** What wakes actors, and reads what is stored of them. */
export interface WalkedHost {
  wake(id: number, event: WalkEvent): boolean;
  readStored(row: Uint8Array): StoredActor | undefined;
}

interface ActorWalkOptions {
  readonly store: Pick<Store, "scan">;
  readonly journal: Pick<Journal, "afterDurable">;
  readonly inbox: Inbox;
  readonly fatal: Fatal;
  /** Used in turns. */
  readonly parts: { readonly host: WalkedHost };
}

interface Walk {
  readonly symbol: string;
  readonly events: readonly WalkEvent[];
  readonly onEnd: (actorCount: number) => void;
}

/** Actors in one turn. */
const ACTORS_A_TURN = 128;

export class ActorWalk {
  readonly #options: ActorWalkOptions;
  /** The groups that pending OCOs made while the actors of their symbols are walked. */
  readonly #made = new Map<string, number[]>();

  constructor(options: ActorWalkOptions) {
    this.#options = options;
  }

  /**
   * In a turn: once that is durable, gives the events, which are of one type, to each actor of the symbol, in order.
   * `onEnd` is called in a turn, with the number of actors.
   */
  begin(walk: Walk): void {
    const { journal, inbox, fatal } = this.#options;
    this.#made.set(walk.symbol, []);
    journal.afterDurable(() => {
      this.#actorsOf(walk).then(
        (ids) => inbox.enqueue(() => this.#give(walk, ids, 0)),
        // Dropped if the partition has ended.
        (cause: unknown) => inbox.enqueue(() => fatal("actors could not be read", cause)),
      );
    });
  }

  /** In a turn: a pending OCO made a group of the symbol. */
  noteMade(symbol: string, groupId: number): void {
    this.#made.get(symbol)?.push(groupId);
  }

  #actorsOf({ symbol, events }: Walk): Promise<readonly number[]> {
    const { store, parts } = this.#options;
    return actorsNaming(store, symbol, (row) => {
      const kind = parts.host.readStored(row)?.kind;
      // An actor that cannot be read is in quarantine, where the event is kept for it.
      return kind === undefined || events.some(({ type }) => isHeardBy(kind, type));
    });
  }

  #give(walk: Walk, ids: readonly number[], first: number): void {
    const { parts, inbox } = this.#options;
    const next = first + ACTORS_A_TURN;
    for (const id of ids.slice(first, next)) for (const event of walk.events) parts.host.wake(id, event);
    inbox.enqueue(() => (next >= ids.length ? this.#end(walk, ids) : this.#give(walk, ids, next)));
  }

  #end(walk: Walk, ids: readonly number[]): void {
    const made = this.#made.get(walk.symbol) ?? [];
    if (made.length > 0) {
      this.#made.set(walk.symbol, []);
      this.#give(walk, [...ids, ...made], ids.length);
      return;
    }
    this.#made.delete(walk.symbol);
    walk.onEnd(ids.length);
  }
}
