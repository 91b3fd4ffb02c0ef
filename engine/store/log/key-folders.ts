/**
 * Keys by their folders, the parts that their slashes make: finds which of a few thousand keys are in a range without
 * visiting each of them, and without keeping them sorted.
 *
 * Invariant: a folder exists as long as it contains a key or a folder.
 */

import type { ScanRange } from "../../ports/storage.ts";
import { under } from "../../table/tables.ts";

interface Folder {
  readonly path: string;
  readonly parent: Folder | undefined;
  readonly keys: Set<string>;
  readonly folders: Set<Folder>;
}

const ROOT = "";

export class KeyFolders {
  readonly #byPath = new Map<string, Folder>();

  add(key: string): void {
    this.#folder(folderOf(key)).keys.add(key);
  }

  remove(key: string): void {
    const folder = this.#byPath.get(folderOf(key));
    if (folder?.keys.delete(key) === true) this.#removeIfEmpty(folder);
  }

  /** The keys in a range, in any order. */
  keysIn({ gte, lt }: ScanRange): string[] {
    const found: string[] = [];
    const folder = this.#byPath.get(folderAround(gte, lt));
    if (folder !== undefined) collect(folder, gte, lt, found);
    return found;
  }

  #folder(path: string): Folder {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const parent = path === ROOT ? undefined : this.#folder(folderOf(path.slice(0, -1)));
    const made: Folder = { path, parent, keys: new Set(), folders: new Set() };
    parent?.folders.add(made);
    this.#byPath.set(path, made);
    return made;
  }

  #removeIfEmpty(folder: Folder): void {
    if (folder.keys.size > 0 || folder.folders.size > 0) return;
    this.#byPath.delete(folder.path);
    if (folder.parent === undefined) return;
    folder.parent.folders.delete(folder);
    this.#removeIfEmpty(folder.parent);
  }
}

/** The path with its last slash; empty without one. */
function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/** The innermost folder that holds every key of a range. */
function folderAround(gte: string, lt: string): string {
  let path = folderOf(gte);
  while (path !== ROOT && lt > under(path).lt) path = folderOf(path.slice(0, -1));
  return path;
}

function collect(folder: Folder, gte: string, lt: string, found: string[]): void {
  for (const key of folder.keys) if (key >= gte && key < lt) found.push(key);
  for (const inner of folder.folders) collect(inner, gte, lt, found);
}
