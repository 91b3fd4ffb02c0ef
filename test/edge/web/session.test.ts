/** The page's session: when its tokens are renewed, what a failed renewal costs, and when the session is over. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { RequestFailed, Session } from "../../../edge/web/dashboard/state/session.ts";

const CLAIMS = Buffer.from(JSON.stringify({ sub: "1", scope: "read trade" })).toString("base64url");
const PATH = "/api/v1/accounts";
/** So little that it is renewed before the next request. */
const SHORT_SECONDS = 300;
const LONG_SECONDS = 86_400;

interface Asked {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A service that gives one answer after the other. */
class World {
  readonly asked: Asked[] = [];
  readonly #answers: Response[] = [];

  constructor(context: TestContext) {
    context.mock.method(globalThis, "fetch", async (path: string, init: RequestInit) => {
      this.asked.push({ path, headers: new Headers(init.headers), body: String(init.body) });
      return this.#answers.shift() ?? assert.fail(`nothing answers ${path}`);
    });
  }

  get paths(): readonly string[] {
    return this.asked.map(({ path }) => path);
  }

  answer(...answers: readonly Response[]): void {
    this.#answers.push(...answers);
  }

  signIn(seconds: number): Promise<Session> {
    this.answer(tokens("first", seconds));
    return Session.signIn("tdk_live_key");
  }
}

function tokens(name: string, seconds: number): Response {
  const fields = { access_token: `${name}.${CLAIMS}.signature`, refresh_token: name, expires_in: seconds };
  return Response.json(fields);
}

const data = (found: unknown): Response => Response.json({ success: true, message: "", data: found });
const refused = (status: number): Response => Response.json({ success: false, message: "refused" }, { status });

test("a token that could not be renewed early is used while it holds, and renewal waits", async (context) => {
  const world = new World(context);
  const session = await world.signIn(SHORT_SECONDS);
  world.answer(refused(503), data([1]), data([2]));
  assert.deepEqual(await session.get(PATH), [1]);
  assert.deepEqual(await session.get(PATH), [2]);
  assert.deepEqual(world.paths, ["/oauth/token", "/oauth/token", PATH, PATH]);
  assert.equal(session.over.aborted, false);
});

test("a refused renewal ends the session once, and nothing is sent any more", async (context) => {
  const world = new World(context);
  const session = await world.signIn(LONG_SECONDS);
  let ends = 0;
  session.over.addEventListener("abort", () => {
    ends += 1;
  });
  world.answer(refused(401), refused(400));
  await assert.rejects(session.get(PATH), RequestFailed);
  assert.equal(ends, 1);
  await assert.rejects(session.get(PATH), { name: "RequestFailed", status: 401 });
  assert.deepEqual(world.paths, ["/oauth/token", PATH, "/oauth/token"]);
});

test("a token that was refused is renewed, and the request is made again", async (context) => {
  const world = new World(context);
  const session = await world.signIn(LONG_SECONDS);
  world.answer(refused(401), tokens("second", LONG_SECONDS), data("found"));
  assert.equal(await session.get(PATH), "found");
  assert.equal(world.asked.at(-1)?.headers.get("authorization"), `Bearer second.${CLAIMS}.signature`);
});

test("a repeat bears the key that it is given, and else every request has a key of its own", async (context) => {
  const world = new World(context);
  const session = await world.signIn(LONG_SECONDS);
  world.answer(...Array.from({ length: 4 }, () => data(null)));
  for (const options of [{ key: "same" }, { key: "same" }, {}, {}]) await session.send("POST", PATH, {}, options);
  const keys = world.asked.slice(1).map(({ headers }) => headers.get("idempotency-key"));
  assert.deepEqual(keys.slice(0, 2), ["same", "same"]);
  assert.equal(new Set(keys).size, 3);
});

for (const [status, told] of [
  [502, 502],
  [200, 0],
] as const) {
  test(`an answer of ${status} that is no JSON is a failed request of status ${told}`, async (context) => {
    const world = new World(context);
    const session = await world.signIn(LONG_SECONDS);
    world.answer(new Response("<html>", { status }), new Response("<html>", { status }));
    const fault = { name: "RequestFailed", status: told, message: `The service answered ${status}.` };
    await assert.rejects(session.get(PATH), fault);
    await assert.rejects(Session.signIn("tdk_live_key"), fault);
  });
}

test("a session is left to the next page, and none once its user has signed out", async (context) => {
  const session = await new World(context).signIn(LONG_SECONDS);
  assert.notEqual(session.kept, undefined);
  session.signOut();
  assert.equal(session.kept, undefined);
});
