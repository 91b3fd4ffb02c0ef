/**
 * Hono's router with a short way for paths that have no parameters, which most requests have.
 *
 * Hono's own short way does not work here. Its quick router refuses a parameter next to a fixed name (`/level-bots/:id`
 * and `/level-bots/pair-orders/history`), and the router that accepts them walks the path part by part at every
 * request.
 *
 * Invariants:
 * 1. The result is the result of the walk: the first walk of a method and path is remembered, until a route is added.
 * 2. Only paths that routes name are remembered: paths that clients make up take no room.
 */
import { METHOD_NAME_ALL, type Result, type Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

export class FixedPathRouter<T> implements Router<T> {
  readonly name = "FixedPathRouter";
  readonly #walker = new TrieRouter<T>();
  readonly #named = new Set<string>();
  readonly #methods = new Set<string>();
  /** By path, then by method. */
  readonly #found = new Map<string, Map<string, Result<T>>>();

  add(method: string, path: string, handler: T): void {
    this.#walker.add(method, path, handler);
    this.#named.add(path);
    if (method !== METHOD_NAME_ALL) this.#methods.add(method);
    this.#found.clear();
  }

  match(method: string, path: string): Result<T> {
    const known = this.#found.get(path)?.get(method);
    if (known !== undefined) return known;
    const found = this.#walker.match(method, path);
    if (this.#named.has(path)) this.#remember(method, path, found);
    return found;
  }

  /**
   * Returns the methods with a route of their own at this path, in the order in which the routes were added. It walks
   * the path once per method: only requests that no route serves should ask.
   */
  methodsAt(path: string): string[] {
    const shared = this.#walker.match(METHOD_NAME_ALL, path)[0].length;
    return [...this.#methods].filter((method) => this.#walker.match(method, path)[0].length > shared);
  }

  #remember(method: string, path: string, found: Result<T>): void {
    const methods = this.#found.get(path);
    if (methods === undefined) this.#found.set(path, new Map([[method, found]]));
    else methods.set(method, found);
  }
}
