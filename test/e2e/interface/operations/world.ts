/**
 * An installation for the table of operations: engine and edge as processes, and users with few and many rights. It
 * records every answer and holds it to the OpenAPI document.
 */
import assert from "node:assert/strict";
import { ApiDocument } from "../../../support/client/api-document.ts";
import { Stack, type StackUser } from "../../../support/world/stack.ts";

/** The parts of a request that its operation does not give. */
export interface Given {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Bytes that replace `json`. */
  readonly raw?: string;
  readonly contentType?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed where it is JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

const BROKERAGES = [
  {
    code: "PAPER",
    name: "Paper Brokerage",
    adapter: "paper",
    resend: "idempotent",
    ordersPerMinute: 5_000,
    paper: { startingCash: 1_000_000, startingPositions: { THYAO: 1_000, GARAN: 1_000 } },
  },
  { code: "LOGIN", name: "With a login", adapter: "paper", resend: "idempotent", paper: { requiresLogin: true } },
  {
    ...{ code: "SLICE", name: "Fills a lot a tick", adapter: "paper", resend: "idempotent" },
    paper: { startingPositions: { ASELS: 1_000 }, fillShareMax: 0.01 },
  },
  { code: "TINY", name: "With a small quota", adapter: "paper", resend: "idempotent", ordersPerMinute: 1 },
  { code: "MUTE", name: "Never answers an order", adapter: "gateway", resend: "none", timeoutMs: 300 },
];

export class World {
  readonly stack: Stack;
  readonly document: ApiDocument;
  readonly alice: StackUser;
  readonly bob: StackUser;
  readonly operator: StackUser;
  /** Tokens of Alice that lack the other scope. */
  readonly readOnly: string;
  readonly tradeOnly: string;
  /** The text of every answer, for the search for secrets. */
  readonly answers: { readonly operation: string; readonly text: string }[] = [];
  /** Values that only the answers that hand them out may contain. */
  readonly secrets = new Set<string>();
  /** The ids that the rows created, by name. */
  readonly kept = new Map<string, string | number>();

  private constructor(
    parts: Pick<World, "stack" | "document" | "alice" | "bob" | "operator" | "readOnly" | "tradeOnly">,
  ) {
    this.stack = parts.stack;
    this.document = parts.document;
    this.alice = parts.alice;
    this.bob = parts.bob;
    this.operator = parts.operator;
    this.readOnly = parts.readOnly;
    this.tradeOnly = parts.tradeOnly;
  }

  static async start(): Promise<World> {
    const stack = await Stack.start({
      brokerages: BROKERAGES,
      jetStream: false,
      // A simulated market that publishes nothing.
      environment: { LOG_LEVEL: "trace", CALENDARS: "on", FEED: "sim", FEED_SPEED: "0" },
    });
    const document = new ApiDocument(await (await fetch(`${stack.url}/openapi.json`)).text());
    const [alice, bob] = [await stack.userOn(0), await stack.userOn(0)];
    const operator = await stack.demoUser();
    const readOnly = await stack.tokenFor(alice.userId, ["read"]);
    const tradeOnly = await stack.tokenFor(alice.userId, ["trade"]);
    const world = new World({
      stack,
      document,
      alice,
      bob,
      operator,
      readOnly: readOnly.token,
      tradeOnly: tradeOnly.token,
    });
    for (const { apiKey, token } of [alice, bob, readOnly, tradeOnly]) world.keepSecret(apiKey, token);
    world.keepSecret(operator.token);
    world.#serveMuteBrokerage();
    return world;
  }

  async stop(): Promise<void> {
    await this.stack.stop();
  }

  keepSecret(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      assert.ok(secret.length >= 6, "a secret that can be searched for");
      this.secrets.add(secret);
    }
  }

  /** Returns the id that an earlier row kept. */
  id(name: string): string | number {
    const found = this.kept.get(name);
    assert.ok(found !== undefined, `no row has kept ${name}`);
    return found;
  }

  /** Returns Alice's account at a brokerage. */
  account(brokerageCode = "PAPER"): { readonly brokerageCode: string; readonly accountNumber: string } {
    return { brokerageCode, accountNumber: `${brokerageCode}-${this.alice.userId}` };
  }

  /** Sends a request of an operation (`GET /path/{id}`); fails unless the document describes the answer. */
  async send(
    operation: string,
    given: Given,
    token: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const [method = "", template = ""] = operation.split(" ");
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path?.[name] ?? ""));
    const url = new URL(this.stack.url + path);
    for (const [name, value] of Object.entries(given.query ?? {})) url.searchParams.set(name, value);
    return this.sendTo(operation, method, url, given, token, headers);
  }

  async sendTo(
    operation: string,
    method: string,
    url: URL,
    given: Given,
    token: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const body = given.raw ?? (given.json === undefined ? null : JSON.stringify(given.json));
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === null ? {} : { "Content-Type": given.contentType ?? "application/json" }),
        ...headers,
      },
      body,
    });
    const isStream = response.headers.get("content-type") === "text/event-stream";
    const text = isStream ? await firstOf(response) : await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
    this.answers.push({ operation, text });
    this.document.check(operation, answer);
    return answer;
  }

  /** Serves a brokerage behind the gateway that knows every user's account and never answers an order. */
  #serveMuteBrokerage(): void {
    this.stack.nats.subscribe("broker.MUTE.accounts", {
      callback: (_error, message) => {
        const { userId } = message.json<{ userId: number }>();
        const account = {
          accountNumber: `MUTE-${userId}`,
          number: String(userId),
          name: "mute",
          isActive: true,
          isDefault: true,
        };
        message.respond(JSON.stringify({ ok: true, data: [account] }));
      },
    });
    this.stack.nats.subscribe("broker.MUTE.place", { callback: () => undefined });
  }
}

/** Returns the beginning of a stream, and closes it. */
async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? "").toString();
}
