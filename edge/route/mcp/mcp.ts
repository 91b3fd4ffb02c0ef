/**
 * The assistant tools over MCP: streamable HTTP, stateless, `POST /mcp` (behaviour 10.3, 10.8).
 *
 * Owns: the three tools of the specification, and the access to all. Does not own: the protocol (the MCP package), the
 * data, the tools that trade (mcp-trading.ts).
 *
 * Invariants:
 * 1. The same token, scope, hourly limit and body limit as everywhere; the MCP package never sees a token.
 * 2. One request, one message: batches and subscriptions, which would pass the limit or stay open, are refused.
 * 3. A refusal of the service is the tool's error, with the message of the REST interface.
 * 4. A page of another origin that was not named cannot call: browsers send the origin of a request.
 */
import { type CallToolResult, createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  restrictedByTypeSchema,
  restrictionCheckSchema,
  restrictionSchema,
  restrictionTypeInput,
} from "../../../src/contract/operator/reference.ts";
import type { Log } from "../../../src/runtime/ports.ts";
import type { ReferenceAnswer } from "../../client/reference-cache.ts";
import type { ReferenceClient } from "../../client/reference-client.ts";
import { JSON_TYPE, readBody } from "../../middleware/body.ts";
import { answerRefusal, refusal } from "../../middleware/errors.ts";
import { readJson } from "../../middleware/json.ts";
import type { OriginOf } from "../../middleware/origin.ts";
import { admission, type OperationParts } from "../../operation/operation.ts";
import { answer, type EdgeContext, type EdgeHono } from "../../server/request-state.ts";
import { requestIdOf } from "../reference/reference-answer.ts";
import { addTradingTools, type CallOperation } from "./mcp-trading.ts";

const PATH = "/mcp";
const METADATA_PATH = "/.well-known/oauth-protected-resource";
const SERVER = { name: "trading-developer-api", version: "1.0.0" };

const code = z.string().max(200).meta({ description: "Symbol code, as it is written: THYAO" });
const restrictionType = restrictionTypeInput;
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

interface McpRouteParts extends Pick<OperationParts, "authenticator" | "limits"> {
  readonly app: EdgeHono;
  readonly reference: ReferenceClient;
  readonly log: Log;
  readonly originOf: OriginOf;
  /** Further origins, apart from our own, whose pages can call. */
  readonly corsOrigins: readonly string[];
  /** Whether there are tools that trade. */
  readonly hasTrading: boolean;
}

/** Adds `/mcp`, and the metadata with which a client finds the way to a token (RFC 9728). */
export function addMcpRoute(parts: McpRouteParts): void {
  const { app, authenticator, limits, reference, log, originOf, corsOrigins, hasTrading } = parts;
  const admit = admission({ authenticator, limits }, "read");
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const requestId = authInfo?.clientId ?? SERVER.name;
      const server = makeServer(reference, requestId);
      const call = authInfo?.extra?.call;
      if (isCallOperation(call)) addTradingTools(server, new Set(authInfo?.scopes), call);
      return server;
    },
    {
      maxSubscriptions: 0,
      onerror: (error) => log.debug({ event: "mcp.refused", error }, "an MCP request was refused"),
    },
  );
  const serve = async (context: EdgeContext): Promise<Response> => {
    const origin = context.req.header("origin");
    if (origin !== undefined && origin !== originOf(context) && !corsOrigins.includes(origin)) {
      return answerRefusal(context, refusal("FORBIDDEN", "pages of this origin may not call"));
    }
    const caller = await admit(context);
    if (!caller.ok) {
      const answered = answerRefusal(context, caller);
      if (hasTrading && answered.status === 401) {
        const metadata = `${originOf(context)}${METADATA_PATH}${PATH}`;
        answered.headers.set("www-authenticate", `Bearer resource_metadata="${metadata}"`);
      }
      return answered;
    }
    if (context.req.method !== "POST") {
      // The package refuses it with 405, as the protocol requires, and leaves out the headers that HTTP requires.
      const refused = await handler.fetch(new Request(context.req.url, { method: context.req.method }));
      refused.headers.set("allow", "POST");
      return refused;
    }
    const body = await readBody(context, [JSON_TYPE]);
    if (!body.ok) return answerRefusal(context, body);
    const json = readJson(body.bytes);
    if (!json.ok) return answerRefusal(context, json);
    if (Array.isArray(json.value)) return answerRefusal(context, refusal("INVALID", "the body must be one message"));
    const request = new Request(context.req.url, { method: "POST", headers: withoutToken(context) });
    // The package has one place for a request's attachments; the request's id goes there, and no token.
    const call: CallOperation = (method, path, body) =>
      callOperation(app, context, method, new URL(path, originOf(context)), body);
    const authInfo = {
      token: "",
      clientId: requestIdOf(context),
      scopes: [...caller.scopes],
      extra: hasTrading ? { call } : {},
    };
    return handler.fetch(request, { parsedBody: json.value, authInfo });
  };
  app.on(["POST", "GET", "DELETE"], PATH, serve);
  for (const path of [METADATA_PATH, `${METADATA_PATH}${PATH}`]) {
    app.get(path, (context) => answer(context, 200, JSON.stringify(resourceMetadata(originOf(context), hasTrading))));
  }
}

function isCallOperation(value: unknown): value is CallOperation {
  return typeof value === "function";
}

/** A request of the caller's own, with its token, through every step of the operation. */
async function callOperation(
  app: EdgeHono,
  context: EdgeContext,
  method: string,
  address: URL,
  body: object | undefined,
): Promise<Response> {
  const authorization = context.req.header("authorization") ?? "";
  // The inner request has no socket.
  if (body === undefined) return app.request(address.href, { method, headers: { authorization } }, {});
  const headers = { authorization, "content-type": JSON_TYPE };
  return app.request(address.href, { method, headers, body: JSON.stringify(body) }, {});
}

/**
 * Returns which tokens `/mcp` takes and their issuer (RFC 9728). Clients ask for all scopes that are named here: no
 * more than the tools need.
 */
function resourceMetadata(origin: string, hasTrading: boolean): object {
  return {
    resource: `${origin}${PATH}`,
    authorization_servers: [origin],
    scopes_supported: hasTrading ? ["read", "trade"] : ["read"],
    bearer_methods_supported: ["header"],
  };
}

function withoutToken(context: EdgeContext): Headers {
  const headers = new Headers(context.req.header());
  for (const name of ["authorization", "cookie", "x-api-key", "content-length", "transfer-encoding"]) {
    headers.delete(name);
  }
  return headers;
}

/** A server for one request: stateless. */
function makeServer(reference: ReferenceClient, requestId: string): McpServer {
  const server = new McpServer(SERVER);
  server.registerTool(
    "check_symbol_restriction",
    {
      title: "Check a symbol's restriction",
      description: "Reports whether a symbol is under a restriction of the exchange now, and since when.",
      inputSchema: z.object({ code, restrictionType }),
      outputSchema: restrictionCheckSchema,
      annotations: readOnly,
    },
    async (given) => {
      const answer = await reference.checkRestriction(given.code, given.restrictionType, requestId);
      return toolResult(answer, (data) => restrictionCheckSchema.parse(data));
    },
  );
  server.registerTool(
    "get_restricted_symbols_by_type",
    {
      title: "Symbols under a restriction",
      description: "Lists the symbols that are under a restriction of this type now.",
      inputSchema: z.object({ restrictionType }),
      outputSchema: z.object({ symbols: z.array(restrictedByTypeSchema) }),
      annotations: readOnly,
    },
    async (given) => {
      const answer = await reference.restrictedByType(given.restrictionType, requestId);
      return toolResult(answer, (data) => ({ symbols: z.array(restrictedByTypeSchema).parse(data) }));
    },
  );
  server.registerTool(
    "get_symbol_restrictions",
    {
      title: "Restrictions of a symbol",
      description: "Lists all restrictions of a symbol, active and past, newest first.",
      inputSchema: z.object({ code }),
      outputSchema: z.object({ restrictions: z.array(restrictionSchema) }),
      annotations: readOnly,
    },
    async (given) => {
      const answer = await reference.restrictionsOf(given.code, requestId);
      return toolResult(answer, (data) => ({ restrictions: z.array(restrictionSchema).parse(data) }));
    },
  );
  return server;
}

function toolResult(answer: ReferenceAnswer, shape: (data: unknown) => Record<string, unknown>): CallToolResult {
  if (!answer.ok) return { isError: true, content: [{ type: "text", text: answer.message }] };
  const structuredContent = shape(JSON.parse(answer.json.toString()));
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}
