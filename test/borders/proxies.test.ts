/** The edge behind nginx, HAProxy and Caddy with the samples of docs/deploy, and behind two of them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { readEdgeConfig } from "../../edge/config.ts";
import type { EventsPage } from "../../src/contract/event/event.ts";
import { eventSubject } from "../../src/contract/subject.ts";
import { type RunningEdge, runEdge } from "../edge/support/running-edge.ts";
import { findProgram, suiteThatNeeds } from "../support/machine/installed.ts";
import { temporaryFolder } from "../support/machine/process.ts";
import {
  makeCertificate,
  PROXIES,
  type ProxyName,
  type RunningProxy,
  sampleKeepAliveSeconds,
  startProxy,
} from "./support/proxy.ts";

const HOST = "api.example.com";
/** Of every address in a minute. */
const TOKENS_PER_MINUTE = 30;
const FORGED = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
const EVENT_PLACES = ["abcdefghij-0-0", "abcdefghij-0-1"] as const;

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's own address. */
  readonly from?: string;
  readonly agent?: Agent;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function suiteOf(...names: readonly ProxyName[]): (name: string, body: () => void) => void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return suiteThatNeeds(missing.length === 0, missing.join(" and "));
}

/** An edge with proxies before it: `names` from the outermost, which speaks TLS, to the nearest. */
class World {
  readonly edge: RunningEdge;
  readonly #outermost: RunningProxy;
  readonly #ca: Buffer;

  private constructor(edge: RunningEdge, outermost: RunningProxy, ca: Buffer) {
    this.edge = edge;
    this.#outermost = outermost;
    this.#ca = ca;
  }

  static async start(
    names: readonly ProxyName[],
    options: { readonly keepAliveSeconds?: number; readonly proxyKeepAlive?: string } = {},
  ): Promise<{ readonly world: World; readonly stop: () => Promise<void> }> {
    const ends: (() => Promise<unknown>)[] = [];
    const folder = await temporaryFolder();
    const certificate = await makeCertificate(folder.path);
    const endsWith = { after: (stop: () => Promise<void>) => void ends.push(stop) };
    const { proxyKeepAlive: keepAlive, ...more } = options;
    const edge = await runEdge(endsWith, { trustedProxies: names.length, ...more });
    let to = new URL(edge.url).host;
    let outermost: RunningProxy | undefined;
    for (const [index, name] of [...names].reverse().entries()) {
      const isOutermost = index === names.length - 1;
      outermost = await startProxy(name, {
        ...{ folder: folder.path, to, certificate: isOutermost ? certificate : undefined, keepAlive },
      });
      ends.unshift(outermost.stop);
      to = `127.0.0.1:${outermost.port}`;
    }
    assert.ok(outermost !== undefined);
    const stop = async (): Promise<void> => {
      for (const end of ends) await end();
      await folder.remove();
    };
    return { world: new World(edge, outermost, readFileSync(certificate.certFile)), stop };
  }

  /** Sends a request as a client of the samples' name, and resolves with the answer as it begins. */
  async open(path: string, { method = "GET", headers = {}, body, from, agent }: Sent = {}): Promise<IncomingMessage> {
    const outgoing = request({
      ...{ host: "127.0.0.1", port: this.#outermost.port, servername: HOST, ca: this.#ca, method, path },
      headers: { host: HOST, ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
      ...(agent === undefined ? {} : { agent }),
    });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
    return incoming;
  }

  async send(path: string, sent: Sent = {}): Promise<Answer> {
    const incoming = await this.open(path, sent);
    let text = "";
    for await (const chunk of incoming) text += Buffer.from(chunk).toString();
    return { status: incoming.statusCode, headers: incoming.headers, text };
  }

  /** Asks for a token without a key: what counts is which limit it takes from. */
  askForToken(from: string, claimed: string): Promise<Answer> {
    const headers = { "content-type": "application/json", "x-forwarded-for": claimed };
    return this.send("/oauth/token", { method: "POST", headers, body: '{"grant_type":"api_key"}', from });
  }
}

async function checkOneLimit(world: World): Promise<void> {
  const statuses: (number | undefined)[] = [];
  for (let count = 0; count <= TOKENS_PER_MINUTE; count += 1) {
    statuses.push((await world.askForToken("127.0.0.1", `203.0.113.${count}, 198.51.100.${count}`)).status);
  }
  assert.deepEqual(statuses, [...Array(TOKENS_PER_MINUTE).fill(401), 429]);
  assert.equal(
    (await world.askForToken("127.0.0.2", "203.0.113.1")).status,
    401,
    "another client has a limit of its own",
  );
}

async function checkOrigin(world: World): Promise<void> {
  const { text } = await world.send("/.well-known/oauth-authorization-server", { headers: FORGED });
  assert.equal((JSON.parse(text) as { readonly issuer: string }).issuer, `https://${HOST}`);
}

for (const name of PROXIES) {
  suiteOf(name)(`behind ${name}`, () => {
    let world: World;
    let stop: () => Promise<void>;
    before(async () => {
      ({ world, stop } = await World.start([name]));
    });
    after(() => stop());

    test("addresses in answers are those that the client used, whatever it claims", () => checkOrigin(world));

    test("a client has one limit, whatever addresses it claims, and another client has its own", () =>
      checkOneLimit(world));

    test("events come as they happen", async () => {
      const { edge } = world;
      const [from, next] = EVENT_PLACES;
      const data: EventsPage = { events: [], through: from, isLast: true, gapTo: null };
      edge.engine.on("events.since", () => ({ ok: true, data }));
      const stream = await world.open("/api/v1/events", { headers: await edge.bearer() });
      assert.equal(stream.statusCode, 200);
      let text = "";
      for await (const chunk of stream) {
        const isFirst = text === "";
        text += Buffer.from(chunk).toString();
        if (text.includes(next)) break;
        const event = { previous: 0, id: next, sequence: 1, userId: 1, type: "oco.created" };
        if (isFirst) edge.engineBus.publish(eventSubject(1, event.type), Buffer.from(JSON.stringify(event)));
      }
      assert.match(text, /: alive\n[\s\S]*event: oco\.created/);
    });
  });

  suiteOf(name)(`connections of ${name} to the edge`, () => {
    test("end before the edge would end them, by the settings of the sample", () => {
      assert.ok(sampleKeepAliveSeconds(name) < readEdgeConfig({ TRUST_PROXY: "on" }).keepAliveSeconds);
    });

    test("that end after an idle time lose no request that changes something", async () => {
      const { world, stop } = await World.start([name], { keepAliveSeconds: 2, proxyKeepAlive: "1s" });
      const agent = new Agent({ keepAlive: true });
      try {
        world.edge.engine.on("oco.create", () => ({ ok: true, data: {} }));
        const headers = { ...(await world.edge.bearer()), "content-type": "application/json" };
        const body = JSON.stringify({
          ...{ brokerageCode: "PAPER", accountNumber: "1001", symbol: "THYAO" },
          ...{ stopLossPrice: 90, stopLossQuantity: 1, takeProfitItems: [{ price: 110, quantity: 1 }] },
        });
        const statuses: (number | undefined)[] = [];
        await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            for (const idleMs of [0, 900 + index * 10, 1_100 - index * 10]) {
              await pause(idleMs);
              const sent = { method: "POST", headers, body, agent };
              statuses.push((await world.send("/api/v1/oco-orders", sent)).status);
            }
          }),
        );
        assert.deepEqual([...new Set(statuses)], [200]);
      } finally {
        agent.destroy();
        await stop();
      }
    });
  });
}

suiteOf("nginx", "haproxy")("behind nginx and HAProxy in a row, TRUST_PROXY=2", () => {
  let world: World;
  let stop: () => Promise<void>;
  before(async () => {
    ({ world, stop } = await World.start(["nginx", "haproxy"]));
  });
  after(() => stop());

  test("strangers behind the outer one have a limit each, whatever they claim", () => checkOneLimit(world));
});
