/**
 * Which operations assistants and the command line offer. The typed client of the document has all of them. An operation
 * that is not offered is listed here with the reason, so that a new operation is never forgotten.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { z } from "zod";
import { readOwnDocument } from "../../edge/openapi/document.ts";
import { TRADING_TOOLS } from "../../edge/route/mcp/mcp-trading.ts";
import { ApiDocument } from "../support/client/api-document.ts";
import { listSourcePaths, readSources, type Source, walk } from "../tidy/source.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const document = new ApiDocument(await readOwnDocument());

type Reasons = Readonly<Record<string, readonly string[]>>;

/** Operations without a tool, by reason. Operations of the administration never get a tool. */
const NO_TOOL: Reasons = {
  "a tool of the specification": [
    "GET /api/v1/public/restrictions/check/{code}/{restrictionType}",
    "GET /api/v1/public/restrictions/by-type/{restrictionType}",
    "GET /api/v1/public/restrictions/{code}",
  ],
  "orders by hand are a person's: an assistant enters with exits, and flattens": [
    "POST /api/v1/orders",
    "POST /api/v1/orders/chain",
    "POST /api/v1/orders/batch",
    "POST /api/v1/orders/cancel",
    "POST /api/v1/orders/cancel/batch",
  ],
  "passwords, tokens and secret addresses are no matter of an assistant": [
    "POST /api/v1/accounts/login",
    "POST /oauth/token",
    "POST /oauth/revoke",
    "POST /api/v1/webhook-bots/{id}/rotate-secret",
    "POST /webhooks/{secret}",
  ],
  "only in a simulated market": ["POST /api/v1/accounts/reset", "POST /api/v1/ticks"],
  "the list or the plan has all of it": [
    "GET /api/v1/oco-orders/{id}",
    "GET /api/v1/oco-orders/pending/{setupId}",
    "GET /api/v1/level-bots/{id}",
    "GET /api/v1/level-bots/{id}/pair-orders/targets",
    "GET /api/v1/webhook-bots/{id}",
  ],
  "a tool answers once: it cannot follow": ["GET /api/v1/events"],
  "reference data for programs, too long for an assistant": [
    "GET /api/v1/symbols",
    "GET /api/v1/symbols/{symbol}",
    "GET /api/v1/public/restrictions",
    "POST /api/v1/systems/list",
    "GET /api/v1/list-types",
    "GET /api/v1/list-types/{id}",
    "GET /api/v1/symbol-lists",
    "POST /api/v1/symbol-lists",
    "GET /api/v1/symbol-lists/{id}",
    "PUT /api/v1/symbol-lists/{id}",
    "DELETE /api/v1/symbol-lists/{id}",
  ],
  "its owner decides where notifications go": [
    "POST /api/v1/notification-targets",
    "GET /api/v1/notification-targets",
    "PUT /api/v1/notification-targets/{id}",
    "DELETE /api/v1/notification-targets/{id}",
    "POST /api/v1/notification-targets/{id}/test",
  ],
};

const NO_COMMAND: Reasons = {
  "orders by hand are placed in the dashboard, or by a program": [
    "POST /api/v1/orders",
    "POST /api/v1/orders/chain",
    "POST /api/v1/orders/batch",
    "POST /api/v1/orders/cancel",
    "POST /api/v1/orders/cancel/batch",
    "POST /api/v1/oco-orders/register-pending",
  ],
  "bots are made and changed in the dashboard": [
    ...["GET /api/v1/level-bots", "POST /api/v1/level-bots", "GET /api/v1/level-bots/{id}"],
    ...["PUT /api/v1/level-bots/{id}", "DELETE /api/v1/level-bots/{id}"],
    "GET /api/v1/level-bots/{id}/pair-orders",
    "GET /api/v1/level-bots/{id}/pair-orders/targets",
    ...["GET /api/v1/webhook-bots", "POST /api/v1/webhook-bots", "GET /api/v1/webhook-bots/{id}"],
    ...["PUT /api/v1/webhook-bots/{id}", "DELETE /api/v1/webhook-bots/{id}"],
    "POST /api/v1/webhook-bots/{id}/rotate-secret",
    "GET /api/v1/webhook-bots/{id}/pair-orders",
    "POST /api/v1/systems/list",
  ],
  "a password would be in the history of the terminal": [
    "POST /api/v1/accounts/login",
    "POST /oauth/revoke",
    "POST /webhooks/{secret}",
  ],
  "only in a simulated market": ["POST /api/v1/accounts/reset", "POST /api/v1/ticks"],
  "the list or the plan has all of it": ["GET /api/v1/oco-orders/{id}", "GET /api/v1/oco-orders/pending/{setupId}"],
  "lists for the pages of a program": [
    "GET /api/v1/symbols",
    "GET /api/v1/list-types",
    "GET /api/v1/list-types/{id}",
    "GET /api/v1/symbol-lists",
    "POST /api/v1/symbol-lists",
    "GET /api/v1/symbol-lists/{id}",
    "PUT /api/v1/symbol-lists/{id}",
    "DELETE /api/v1/symbol-lists/{id}",
    "GET /api/v1/public/restrictions",
    "GET /api/v1/public/restrictions/check/{code}/{restrictionType}",
    "GET /api/v1/public/restrictions/by-type/{restrictionType}",
  ],
  "notifications are set up in the dashboard": [
    "POST /api/v1/notification-targets",
    "GET /api/v1/notification-targets",
    "PUT /api/v1/notification-targets/{id}",
    "DELETE /api/v1/notification-targets/{id}",
    "POST /api/v1/notification-targets/{id}/test",
  ],
};

/** The operations that the command line calls, as the document names them. */
function calledOperations(sources: readonly Source[]): ReadonlySet<string> {
  const called = new Set<string>();
  for (const { path, tree } of sources) {
    walk(tree, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const { name, expression } = node.expression;
      if (!METHODS.has(name.text) || !/\bclient$/.test(expression.getText(tree))) return;
      const [address] = node.arguments;
      assert.ok(address !== undefined, path);
      const text = ts.isIdentifier(address) ? constantNear(address) : address;
      assert.ok(text !== undefined && ts.isStringLiteralLike(text), `${path}: ${address.getText(tree)} is not a path`);
      called.add(`${name.text} ${text.text}`);
    });
  }
  return called;
}

/** The value of the constant of this name in the nearest block around it. */
function constantNear(identifier: ts.Identifier): ts.Expression | undefined {
  for (let node: ts.Node = identifier; node !== undefined; node = node.parent) {
    if (!ts.isBlock(node) && !ts.isSourceFile(node)) continue;
    for (const statement of node.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const found = statement.declarationList.declarations.find(({ name }) => name.getText() === identifier.text);
      if (found !== undefined) return found.initializer;
    }
  }
  return undefined;
}

/** Fails for operations that are neither offered nor listed, for listed ones that are offered, and for unknown ones. */
function checkOffers(operations: readonly string[], offered: ReadonlySet<string>, reasons: Reasons): void {
  const listed = Object.values(reasons).flat();
  const found = {
    forgotten: operations.filter((name) => !offered.has(name) && !listed.includes(name)),
    listedWithoutEffect: listed.filter((name, index) => {
      return offered.has(name) || !operations.includes(name) || listed.indexOf(name) !== index;
    }),
    unknown: [...offered].filter((name) => !operations.includes(name)),
  };
  assert.deepEqual(found, { forgotten: [], listedWithoutEffect: [], unknown: [] });
}

/** The operation of a tool, whose input can give the value in the path another name. */
function operationOf({ method, path }: (typeof TRADING_TOOLS)[number]): string {
  const shape = (text: string) => text.replace(/\{\w+\}/g, "{}");
  const name = [...document.operations.keys()].find((known) => shape(known) === shape(`${method} ${path}`));
  assert.ok(name !== undefined, `the document has no ${method} ${path}`);
  return name;
}

const isAdministration = (name: string): boolean => name.includes(" /admin/");

describe("every operation is offered, or has a reason why it is not", () => {
  const operations = [...document.operations.keys()];

  test("to assistants, except operations of the administration", () => {
    const offered = new Set(TRADING_TOOLS.map(operationOf));
    assert.deepEqual([...offered].filter(isAdministration), []);
    checkOffers(
      operations.filter((name) => !isAdministration(name)),
      offered,
      NO_TOOL,
    );
  });

  test("by the command line", () => {
    const paths = listSourcePaths(ROOT).filter((path) => path.startsWith("edge/cli/"));
    checkOffers(operations, calledOperations(readSources(ROOT, paths)), NO_COMMAND);
  });
});

describe("a tool is its operation", () => {
  for (const tool of TRADING_TOOLS) {
    test(`${tool.name} needs the same scope, and takes what the operation requires and nothing unknown to it`, () => {
      const name = operationOf(tool);
      const { security, parameters } = document.find(name);
      assert.deepEqual(security, [{ accessToken: [tool.scope] }]);
      const inPath = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
      const inQuery = parameters.filter((parameter) => parameter.in === "query");
      const body = bodyOf(name);
      const known = new Set([...inQuery.map((parameter) => parameter.name), ...body.known]);
      const required = [...inQuery.filter((parameter) => parameter.required).map((one) => one.name), ...body.required];
      const fields = Object.entries(tool.input.shape);
      const needed = fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([key]) => key);
      const [valueInPath] = /(?<=\{)\w+/.exec(tool.path) ?? [];
      const given = fields.map(([key]) => key).filter((key) => key !== valueInPath);
      assert.equal(inPath.length, valueInPath === undefined ? 0 : 1);
      assert.deepEqual(
        given.filter((key) => !known.has(key)),
        [],
        "unknown to the operation",
      );
      assert.deepEqual(
        required.filter((key) => !needed.includes(key)),
        [],
        "required by the operation",
      );
    });
  }
});

const alternatives = z.array(z.record(z.string(), z.unknown())).optional();
const objectSchema = z.looseObject({
  oneOf: alternatives,
  anyOf: alternatives,
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

/** The fields of a body. Of alternatives all fields are known, and the fields that each requires are required. */
function bodyOf(name: string): { readonly known: readonly string[]; readonly required: readonly string[] } {
  const schema = document.find(name).requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return { known: [], required: [] };
  const whole = objectSchema.parse(document.resolve(schema));
  const shapes = (whole.oneOf ?? whole.anyOf ?? [whole]).map((option) => objectSchema.parse(document.resolve(option)));
  const required = shapes.map((shape) => shape.required ?? []);
  return {
    known: shapes.flatMap((shape) => Object.keys(shape.properties ?? {})),
    required: (required[0] ?? []).filter((key) => required.every((keys) => keys.includes(key))),
  };
}
