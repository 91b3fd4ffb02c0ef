/**
 * A stored actor: restored from its row to continue, or only read, without the host, for its user and its brokerage.
 */
import { brokerageOfStored } from "../../src/contract/stored/snapshot.ts";
import { restore } from "../../src/machine/step.ts";
import type { StoredActor } from "../ports/operator.ts";
import { decodeSnapshot } from "./codec.ts";
import type { ActorKind } from "./kind.ts";
import type { Actor, KeptBeside } from "./stepped.ts";

interface Readable {
  readonly kind: ActorKind;
  readonly snapshot: { readonly context: object };
}

/** Restores the actor of a stored row. Throws if the row cannot be read. */
export function hydrate(row: Uint8Array | string, kindNamed: (name: string) => ActorKind): Actor & KeptBeside {
  const { kind: name, state, context: stored, viewHash, armedAt, armedLater } = decodeSnapshot(row);
  const kind = kindNamed(name);
  const context = kind.parse(stored);
  const snapshot = restore(kind.chart, state, context, false);
  return { kind, snapshot, facts: kind.facts(context), viewHash, armedAt, armedLater };
}

/**
 * Reads the user and the brokerage of a live actor's row, also of an actor in quarantine. If the kind cannot read the
 * context, the brokerage is read from it directly and counts as needed; undefined if that fails, too.
 */
export function readStoredActor(
  row: Uint8Array | string,
  kindNamed: (name: string) => ActorKind,
): StoredActor | undefined {
  const stored = attempt(() => decodeSnapshot(row));
  if (stored === undefined) return undefined;
  const kind = kindNamed(stored.kind);
  const context = attempt(() => kind.parse(stored.context));
  if (context !== undefined) return dependentOf({ kind, snapshot: { context } });
  const brokerageCode = brokerageOfStored(stored.context);
  return brokerageCode === undefined
    ? undefined
    : { kind: kind.name, userId: null, brokerageCode, needsBrokerage: true };
}

/** Returns the same for an actor that was read. */
export function dependentOf({ kind, snapshot: { context } }: Readable): StoredActor {
  const { userId, brokerageCode } = kind.profile(context);
  return { kind: kind.name, userId, brokerageCode, needsBrokerage: kind.needsBrokerage?.(context) ?? true };
}

/** Returns undefined for an unreadable value: the host reports it and quarantines its actor. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
