/**
 * The view rows of an actor, which clients see. They always equal its newest snapshot.
 *
 * Owns: which rows must be rendered for a step, and putting changed rows into the batch. Does not own: the content of
 * rows (the kind's projection), history rows that a chart asks to keep.
 *
 * A kind with `isShownAlike` knows whether a step changes the view, and has exactly one row for each actor. The row's
 * hash is stored with the snapshot, so the row is overwritten without a lookup, even after a long sleep.
 */
import { assert } from "../../src/assert.ts";
import type { ViewRow } from "../ports/actor.ts";
import type { Journal } from "../ports/storage.ts";
import { viewKey } from "../table/keys.ts";
import type { ActorKind } from "./kind.ts";

/** The rows before and after a step that must be compared. */
export interface ViewChange {
  readonly before: readonly ViewRow[];
  readonly after: readonly ViewRow[];
}

const NONE: readonly ViewRow[] = [];
const UNCHANGED: ViewChange = { before: NONE, after: NONE };

/** Returns the change of views by a step. A kind with `isShownAlike` renders nothing if the views are the same. */
export function viewChangeOf(kind: ActorKind, before: object, after: object): ViewChange {
  if (before === after) return UNCHANGED;
  if (kind.isShownAlike === undefined) return { before: kind.views(before), after: kind.views(after) };
  return kind.isShownAlike(before, after) ? UNCHANGED : { before: NONE, after: kind.views(after) };
}

/** Puts the rows of a new actor into the batch. Returns the hash of its one row, for kinds that have one. */
export function insertViews(journal: Journal, kind: ActorKind, rows: readonly ViewRow[]): string | undefined {
  const inserted = rows.map((row) => journal.insert(viewKey(row.key), row.json));
  if (kind.isShownAlike === undefined) return undefined;
  assert(inserted.length === 1, () => `an actor of kind ${kind.name} has one view row`);
  return inserted[0]?.hash;
}

/** Puts changed rows into the batch. `hash`: the known hash of the one row. Returns its hash from now on. */
export function applyViews(
  journal: Journal,
  kind: ActorKind,
  change: ViewChange,
  hash: string | undefined,
): string | undefined {
  if (change === UNCHANGED) return hash;
  if (kind.isShownAlike !== undefined) {
    const [row] = change.after;
    assert(row !== undefined, () => `an actor of kind ${kind.name} has one view row`);
    const key = viewKey(row.key);
    if (hash === undefined) return journal.put(key, row.json).hash;
    const kept = journal.rowWithHash(key, hash);
    journal.replace(kept, row.json);
    return kept.hash;
  }
  const old = new Map(change.before.map((row) => [row.key, row.json]));
  for (const row of change.after) {
    if (old.get(row.key) !== row.json) journal.put(viewKey(row.key), row.json);
    old.delete(row.key);
  }
  for (const key of old.keys()) journal.remove(viewKey(key));
  return undefined;
}
