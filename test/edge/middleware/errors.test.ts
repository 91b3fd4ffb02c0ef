/** Every form of a refusal, and the answers of an edge to failures behind it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { replyCodes } from "../../../src/contract/command.ts";
import { FIELD_FAULT_CODES } from "../../../src/contract/issue.ts";
import { assertInvalid } from "../../support/invalid.ts";
import { untilTrue } from "../../support/machine/until-true.ts";
import { pageOf } from "../support/fake-engine.ts";
import { group } from "../support/group.ts";
import { sendRaw } from "../support/raw-http.ts";
import { runEdge } from "../support/running-edge.ts";

const path = "/api/v1/oco-orders";
const list = `${path}?brokerageCode=PAPER&accountNumber=1001`;

const message = "says why";
const coded = (code: string) => ({ success: false, message, error: { code, message } });
const shapes = {
  INVALID: [
    400,
    { success: false, message, error: { code: "RULE", field: null }, errors: [{ code: "RULE", field: null, message }] },
  ],
  UNAUTHORIZED: [401, { success: false, error: { code: "UNAUTHORIZED", message } }],
  FORBIDDEN: [403, coded("FORBIDDEN")],
  NOT_FOUND: [404, coded("NOT_FOUND")],
  CONFLICT: [409, coded("CONFLICT")],
  NOT_NOW: [409, coded("NOT_NOW")],
  TRADING_HALTED: [409, coded("TRADING_HALTED")],
  TRADING_REDUCING: [409, coded("TRADING_REDUCING")],
  OVERCOMMITTED: [409, coded("OVERCOMMITTED")],
  ACCOUNT_LIMIT: [409, coded("ACCOUNT_LIMIT")],
  PRECONDITION_FAILED: [412, coded("PRECONDITION_FAILED")],
  PAYLOAD_TOO_LARGE: [413, coded("PAYLOAD_TOO_LARGE")],
  UNPROCESSABLE: [422, coded("UNPROCESSABLE")],
  LIMITED: [429, { success: false, message, retryAfterSeconds: 7 }],
  INTERNAL: [500, coded("INTERNAL")],
  UNAVAILABLE: [503, coded("UNAVAILABLE")],
} as const;

const documentSchema = z.object({
  components: z.object({
    responses: z.record(z.string(), z.object({ content: z.unknown() })),
    schemas: z.object({ FieldFaultCode: z.object({ enum: z.array(z.string()) }) }),
  }),
});
/** The part of the document with the codes that an answer may have. */
const codeSchema = z.object({
  "application/json": z.object({
    schema: z.object({
      properties: z.object({
        error: z
          .object({
            properties: z.object({
              code: z.object({ enum: z.array(z.string()).optional(), const: z.string().optional() }),
            }),
          })
          .optional(),
      }),
    }),
  }),
});

function codesIn(content: unknown): readonly string[] {
  const code = codeSchema.parse(content)["application/json"].schema.properties.error?.properties.code;
  return code?.enum ?? (code?.const === undefined ? [] : [code.const]);
}

describe("a refusal of the engine", () => {
  test("has the status and the shape of its code", async (t) => {
    const edge = await runEdge(t);
    for (const code of replyCodes) {
      const more = code === "LIMITED" ? { retryAfterSeconds: 7 } : {};
      edge.engine.on("oco.create", () => ({ ok: false, code, message, ...more }));
      const response = await edge.send("POST", path, group);
      const [status, body] = shapes[code];
      assert.equal(response.status, status, code);
      assert.deepEqual(await response.json(), body, code);
      assert.equal(response.headers.get("content-type"), "application/json", code);
      const retryAfter = code === "LIMITED" ? "7" : status === 503 ? "2" : null;
      assert.equal(response.headers.get("retry-after"), retryAfter, code);
      assert.ok(response.headers.get("x-request-id"), code);
    }
  });

  test("of a list is no list", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.list", () => ({ ok: false, code: "FORBIDDEN", message }));
    const response = await edge.send("GET", list);
    assert.equal(response.status, 403);
    assert.deepEqual(await response.json(), coded("FORBIDDEN"));
  });
});

describe("a failure behind the edge", () => {
  test("nobody answers: 503, and nothing was done", async (t) => {
    const edge = await runEdge(t);
    await edge.engineBus.drain();
    const response = await edge.send("POST", path, group);
    assert.equal(response.status, 503);
    const body = (await response.json()) as { readonly message: string };
    assert.match(body.message, /nothing was done/);
  });

  test("a handler that fails: 500 without its reason, which the log has", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.create", () => {
      throw new Error("secret detail");
    });
    const response = await edge.send("POST", path, group);
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.match(text, /same Idempotency-Key/);
    assert.doesNotMatch(text, /secret detail/);
    assert.ok(edge.log.some(({ level, fields }) => level === "error" && fields.type === "oco.create"));
  });

  test("an answer that makes no sense: 500", async (t) => {
    const edge = await runEdge(t);
    for (const text of ["", "{", "null", '{"ok":"yes"}', '{"ok":false,"code":"WHAT","message":""}']) {
      edge.engine.on("oco.create", () => Buffer.from(text));
      edge.engine.on("oco.list", () => Buffer.from(`${text}\n`));
      assert.equal((await edge.send("POST", path, group)).status, 500, text);
      assert.equal((await edge.send("GET", list)).status, 500, text);
    }
    edge.engine.on("oco.list", () => ({ ok: true, data: [] }));
    assert.equal((await edge.send("GET", list)).status, 500);
  });

  test("a later page that cannot be had breaks the answer off: a part is never taken for the whole", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.list", ({ body }) =>
      (body as { from?: string }).from === undefined
        ? pageOf("b", { id: 1 })
        : sleep(20).then(() => ({ ok: false as const, code: "UNAVAILABLE" as const, message })),
    );
    await assert.rejects(async () => (await edge.send("GET", list)).text());
  });

  test("a throw in a route: 500 with the request id, the reason in the log alone", async (t) => {
    const edge = await runEdge(t, {
      extend: (app) => {
        app.get("/throws", () => {
          throw new Error("secret detail");
        });
      },
    });
    const response = await edge.fetch("/throws", { headers: { "x-request-id": "abc" } });
    assert.equal(response.status, 500);
    const text = "something went wrong here; request id abc";
    assert.deepEqual(await response.json(), {
      success: false,
      message: text,
      error: { code: "INTERNAL", message: text },
    });
    assert.ok(edge.log.some(({ level, fields }) => level === "error" && fields.requestId === "abc"));
  });
});

describe("what nothing serves", () => {
  test("is 404 in the envelope: paths, slashes, dots, overrides", async (t) => {
    const edge = await runEdge(t);
    const { authorization } = await edge.bearer();
    const requests: readonly (readonly [string, string])[] = [
      ["GET", "/nowhere"],
      ["PUT", "/nowhere"],
      ["OPTIONS", "/nowhere"],
      ["GET", `${path}/`],
      ["GET", "//api/v1/oco-orders"],
      ["GET", "/api/v1/%00"],
      ["GET", "/api/v1/%zz"],
      ["GET", "/api/v1/%2e%2e/%2e%2e/etc/passwd"],
      ["GET", `/${"a".repeat(8_000)}`],
    ];
    for (const [method, target] of requests) {
      const raw = await sendRaw(
        edge.url,
        `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nX-HTTP-Method-Override: GET\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(raw.status, 404, `${method} ${target}`);
      assert.match(raw.body, /"code":"NOT_FOUND"/, `${method} ${target}`);
    }
  });

  test("is 405 if other methods serve the path: Allow names exactly these, without a token too", async (t) => {
    const edge = await runEdge(t);
    const requests: readonly (readonly [method: string, target: string, allow: string])[] = [
      ["PUT", "/", "GET, HEAD"],
      ["PUT", path, "GET, HEAD, POST"],
      ["PATCH", path, "GET, HEAD, POST"],
      ["OPTIONS", path, "GET, HEAD, POST"],
      ["POST", `${path}/7`, "GET, HEAD, PATCH, DELETE"],
      ["GET", "/oauth/token", "POST"],
      ["HEAD", "/oauth/token", "POST"],
      ["GET", `/webhooks/${"a".repeat(64)}`, "POST"],
    ];
    for (const [method, target, allow] of requests) {
      const response = await fetch(edge.url + target, { method });
      const what = `${method} ${target}`;
      assert.equal(response.status, 405, what);
      assert.equal(response.headers.get("allow"), allow, what);
      assert.equal(response.headers.get("content-type"), "application/json", what);
      const message = `the method is not allowed at this path; use ${allow}`;
      const body = { success: false, message, error: { code: "METHOD_NOT_ALLOWED", message } };
      if (method !== "HEAD") assert.deepEqual(await response.json(), body, what);
    }
  });

  test("an override header changes no method", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.list", () => pageOf(null));
    const response = await edge.send("GET", list, undefined, { "x-http-method-override": "DELETE" });
    assert.equal(response.status, 200);
    assert.equal(edge.engine.asked.at(-1)?.type, "oco.list");
  });

  test("HEAD is GET without a body", async (t) => {
    const edge = await runEdge(t);
    edge.engine.on("oco.list", () => pageOf(null));
    const response = await edge.send("HEAD", list);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  });

  test("a request that is no HTTP: 400 in the envelope, connection closed", async (t) => {
    const edge = await runEdge(t);
    const requests = [
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
      "GET /a\\b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "nonsense\r\n\r\n",
    ];
    for (const request of requests) {
      const raw = await sendRaw(edge.url, request);
      assert.equal(raw.status, 400, request);
      assertInvalid(JSON.parse(raw.body), "the request is not valid HTTP");
    }
  });
});

describe("path and query", () => {
  test("an id is digits in the range of exact integers: else 400, and nobody is asked", async (t) => {
    const edge = await runEdge(t);
    for (const id of [
      "0",
      "-1",
      "1e3",
      "0x1",
      "1.0",
      "9007199254740993",
      "1".repeat(17),
      "%00",
      "%zz",
      "abc",
      "+1",
      "%201",
    ]) {
      const response = await edge.send("DELETE", `${path}/${id}?brokerageCode=PAPER`);
      assert.equal(response.status, 400, id);
      assertInvalid(await response.json(), "id must be a whole number above 0");
    }
    assert.equal(
      edge.engine.asked.some(({ type }) => type === "oco.cancel"),
      false,
    );
  });

  test("a parameter that is missing, empty or there twice: 400 with its name", async (t) => {
    const edge = await runEdge(t);
    const queries: readonly (readonly [string, string])[] = [
      ["", "brokerageCode is required"],
      ["?brokerageCode=PAPER", "accountNumber is required"],
      ["?brokerageCode=&accountNumber=1", "brokerageCode must not be empty"],
      ["?brokerageCode=a&brokerageCode=b&accountNumber=1", "brokerageCode must be given once"],
      ["?%3Cb%3E=1", "an invalid name is not a parameter"],
    ];
    for (const [query, why] of queries) {
      const response = await edge.send("GET", path + query);
      assert.equal(response.status, 400, query);
      const body = await response.text();
      assertInvalid(JSON.parse(body), why);
      assert.ok(!body.includes("<b>"), "an invalid name is not repeated");
    }
  });
});

describe("the faults of a 400", () => {
  const body = {
    brokerageCode: "PAPER",
    accountNumber: "A1",
    symbol: "thyao",
    stopLossPrice: "90",
    stopLossQuantity: 0,
    takeProfitItems: [{ price: 110 }],
    exit: { stopLoss: "never" },
    stopLos: 1,
  };

  test("are all told, each with a code and its field, the first of them in message and error", async (t) => {
    const edge = await runEdge(t);
    const response = await edge.send("POST", path, body);
    assert.equal(response.status, 400);
    const errors = assertInvalid(await response.json(), "stopLos is not a field");
    assert.deepEqual(
      errors.map(({ code, field }) => `${code} ${field}`),
      [
        "UNKNOWN_FIELD stopLos",
        "WRONG_FORMAT symbol",
        "WRONG_TYPE stopLossPrice",
        "OUT_OF_RANGE stopLossQuantity",
        "REQUIRED takeProfitItems[0].quantity",
        "NOT_A_CHOICE exit.stopLoss",
      ],
    );
  });

  test("of a rule that the engine knows name the field that its message begins with", async (t) => {
    const edge = await runEdge(t);
    for (const [message, field] of [
      ["takeProfitItems[1].price must be higher than stopLossPrice 90", "takeProfitItems[1].price"],
      ["stopLossPrice 20.01 is not a multiple of 0.02", "stopLossPrice"],
      ["symbols of that kind are not traded", null],
      ["an active group already exists", null],
    ] as const) {
      edge.engine.on("oco.create", () => ({ ok: false, code: "INVALID", message }));
      const good = { ...body, symbol: "THYAO", stopLossPrice: 90, stopLossQuantity: 10, exit: undefined };
      const { stopLos: _, ...group } = { ...good, takeProfitItems: [{ price: 110, quantity: 5 }] };
      const response = await edge.send("POST", path, group);
      assert.deepEqual(assertInvalid(await response.json(), message), [{ code: "RULE", field, message }]);
    }
  });

  test("are listed with their codes in the document for clients", () => {
    const text = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    const [faults = "", others = ""] = text.split("## Other statuses");
    const faultCodes = [...faults.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    assert.deepEqual(faultCodes, [...FIELD_FAULT_CODES]);
    const listed = [...others.matchAll(/^\| \d{3} \| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    // A 400 has the code of its fault, a 429 none; 405 is of paths, which no engine answers.
    const told = replyCodes.filter((code) => code !== "INVALID" && code !== "LIMITED");
    assert.deepEqual(listed.sort(), [...told, "METHOD_NOT_ALLOWED"].sort());
  });

  test("are those of the OpenAPI document, each under its status", async (t) => {
    const edge = await runEdge(t);
    const { components } = documentSchema.parse(await (await edge.fetch("/openapi.json")).json());
    const inDocument = Object.values(components.responses).flatMap(({ content }) => codesIn(content));
    const told = replyCodes.filter((code) => code !== "INVALID" && code !== "LIMITED");
    assert.deepEqual([...new Set(inDocument)].sort(), [...told].sort());
    assert.deepEqual(components.schemas.FieldFaultCode.enum, [...FIELD_FAULT_CODES]);
  });
});

test("while the bus is lost nobody is let in", async (t) => {
  const edge = await runEdge(t);
  edge.engine.on("oco.list", () => pageOf(null));
  await edge.edgeBus.drain();
  await untilTrue(async () => (await edge.send("GET", list)).status === 503);
});
