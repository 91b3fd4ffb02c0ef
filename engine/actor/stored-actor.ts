/**
 * A stored actor: as it goes on from its row, and as it is read without being given to the host (whose it is, and which
 * brokerage it hangs on).
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

/** The actor of a stored row. Throws where the row cannot be read. */
export function hydrate(row: Uint8Array | string, kindNamed: (name: string) => ActorKind): Actor & KeptBeside {
  const { kind: name, state, context: stored, viewHash, armedAt, armedLater } = decodeSnapshot(row);
  const kind = kindNamed(name);
  const context = kind.parse(stored);
  const snapshot = restore(kind.chart, state, context, false);
  return { kind, snapshot, facts: kind.facts(context), viewHash, armedAt, armedLater };
}

/**
 * What a live actor's row tells, also of one in quarantine. Of a context that its kind cannot read the brokerage is
 * taken as it stands, and taken to be needed; undefined where not even that can be read.
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

/** The same of an actor that was read. */
export function dependentOf({ kind, snapshot: { context } }: Readable): StoredActor {
  const { userId, brokerageCode } = kind.profile(context);
  return { kind: kind.name, userId, brokerageCode, needsBrokerage: kind.needsBrokerage?.(context) ?? true };
}

/** What cannot be read is reported by the host, which quarantines it. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
