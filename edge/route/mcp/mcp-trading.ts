/**
 * Assistant tools that trade: each is an operation of the REST interface, called as its caller would.
 *
 * Owns: which operations are tools, and how a tool's input becomes a request. Does not own: anything about what they
 * do: the inner request meets the scopes, limits, checks and answers of the operation.
 *
 * Invariants:
 * 1. A tool that needs a scope is shown to tokens that have it, and the operation asks for it once more.
 * 2. The caller's token goes to the operation and nowhere else.
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { ACCOUNT_TOOLS } from "./account-tools.ts";
import { BOT_TOOLS } from "./bot-tools.ts";
import { MARKET_TOOLS } from "./market-tools.ts";
import { OCO_TOOLS } from "./oco-tools.ts";
import type { TradingTool } from "./trading-tool.ts";

/** Makes a request of the caller's own to the REST interface. */
export type CallOperation = (method: string, path: string, body: object | undefined) => Promise<Response>;

const TOOLS: readonly TradingTool[] = [...ACCOUNT_TOOLS, ...MARKET_TOOLS, ...OCO_TOOLS, ...BOT_TOOLS];

/** Adds the tools that the scopes allow. */
export function addTradingTools(server: McpServer, scopes: ReadonlySet<string>, call: CallOperation): void {
  for (const { name, title, description, scope, method, path, input } of TOOLS) {
    if (!scopes.has(scope)) continue;
    const annotations = { readOnlyHint: method === "GET", destructiveHint: method !== "GET", openWorldHint: true };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      const response = await call(method, addressOf(path, method, given), bodyOf(method, given));
      const texts = [await response.text()];
      const cursor = response.headers.get("x-next-cursor");
      if (cursor !== null) texts.push(`There is more: cursor ${cursor}`);
      return { isError: !response.ok, content: texts.map((text) => ({ type: "text", text })) };
    });
  }
}

/** The body of a request that has one: the id of a change is in the path. */
function bodyOf(method: string, given: Readonly<Record<string, unknown>>): object | undefined {
  if (method === "POST" || method === "PUT") return given;
  const { id: _, ...change } = given;
  return method === "PATCH" ? change : undefined;
}

/** The path with the id or symbol in its place, and what else a request without a body has as its query. */
function addressOf(path: string, method: string, given: Readonly<Record<string, unknown>>): string {
  const [, name = "id"] = /\{(\w+)\}/.exec(path) ?? [];
  const rest = Object.entries(given).filter(([key]) => key !== name);
  const query =
    method === "POST" || method === "PUT" || method === "PATCH"
      ? ""
      : new URLSearchParams(rest.map(([key, value]): [string, string] => [key, String(value)])).toString();
  return path.replace(`{${name}}`, String(given[name])) + (query === "" ? "" : `?${query}`);
}
