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

/** Every tool, in the order in which assistants see them. */
export const TRADING_TOOLS: readonly TradingTool[] = [...ACCOUNT_TOOLS, ...MARKET_TOOLS, ...OCO_TOOLS, ...BOT_TOOLS];

/** The id, number or symbol in the path of a tool: a tool has at most one. */
const PATH_VALUE = /\{(\w+)\}/;

type Input = Readonly<Record<string, unknown>>;

/** Adds the tools that the scopes allow. */
export function addTradingTools(server: McpServer, scopes: ReadonlySet<string>, call: CallOperation): void {
  for (const { name, title, description, scope, method, path, input } of TRADING_TOOLS) {
    if (!scopes.has(scope)) continue;
    const isReading = scope === "read";
    const annotations = { readOnlyHint: isReading, destructiveHint: !isReading, openWorldHint: true };
    server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
      const response = await call(method, addressOf(path, method, given), bodyOf(path, method, given));
      const texts = [await response.text()];
      const cursor = response.headers.get("x-next-cursor");
      if (cursor !== null) texts.push(`There is more: cursor ${cursor}`);
      return { isError: !response.ok, content: texts.map((text) => ({ type: "text", text })) };
    });
  }
}

/** The input without the value that is in the path, for a request with a body. */
function bodyOf(path: string, method: string, given: Input): object | undefined {
  return hasBody(method) ? Object.fromEntries(withoutPathValue(path, given)) : undefined;
}

/** The path with the id, number or symbol in its place, and what else a request without a body has as its query. */
function addressOf(path: string, method: string, given: Input): string {
  const address = path.replace(PATH_VALUE, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = hasBody(method)
    ? ""
    : new URLSearchParams(
        withoutPathValue(path, given).map(([key, value]): [string, string] => [key, String(value)]),
      ).toString();
  return address + (query === "" ? "" : `?${query}`);
}

function withoutPathValue(path: string, given: Input): readonly (readonly [string, unknown])[] {
  const [, name] = PATH_VALUE.exec(path) ?? [];
  return Object.entries(given).filter(([key]) => key !== name);
}

function hasBody(method: string): boolean {
  return method === "POST" || method === "PUT" || method === "PATCH";
}
