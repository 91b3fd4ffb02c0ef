import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refuseReplicatedStart } from "../../../../../engine/cluster/log/server/preflight.ts";
import {
  type Asked,
  askServers,
  judgeServers,
  type ServerReport,
} from "../../../../../engine/cluster/log/server/server-check.ts";
import { UserError } from "../../../../../src/runtime/user-error.ts";
import { freePort } from "../../../../support/machine/free-ports.ts";
import { clusterSuite, startNatsCluster } from "../../../../support/machine/nats-cluster.ts";
import { startNatsServer } from "../../../../support/machine/nats-server.ts";

const NAMES = ["n1", "n2", "n3"];

function good(name: string): ServerReport {
  return { server_name: name, version: "2.15.1", max_payload: 1_048_576, jetstream: { config: { sync_always: true } } };
}

function asked(change: (server: ServerReport) => ServerReport | undefined = (server) => server): Asked[] {
  return NAMES.map((name, index) => ({
    url: `http://${name}:8222`,
    server: index === 0 ? change(good(name)) : good(name),
  }));
}

describe("servers that are to hold the log", () => {
  const refused: [string, Asked[], readonly string[], RegExp][] = [
    [
      "of a version that lets two engines append",
      asked((server) => ({ ...server, version: "2.9.10" })),
      NAMES,
      /n1 is 2\.9\.10, and a log needs 2\.10\.27/,
    ],
    [
      "of a version that loses streams",
      asked((server) => ({ ...server, version: "2.10.22" })),
      NAMES,
      /n1 is 2\.10\.22/,
    ],
    [
      "that do not sync",
      asked((server) => ({ ...server, jetstream: { config: {} } })),
      NAMES,
      /n1 acknowledges what is not on disk yet: set sync_interval: always/,
    ],
    ["without JetStream", asked((server) => ({ ...server, jetstream: {} })), NAMES, /n1 has no JetStream/],
    [
      "that take no message of 1 MiB",
      asked((server) => ({ ...server, max_payload: 65_536 })),
      NAMES,
      /n1 takes messages of 65536 bytes/,
    ],
    ["of which there are two", asked().slice(1), [], /names 2 servers, and a replicated log needs 3/],
    ["of which one that holds the log is not named", asked(), ["n1", "n2", "n9"], /does not name n9/],
    [
      "that answer as one behind three addresses",
      NAMES.map((url) => ({ url, server: good("n1") })),
      NAMES,
      /no evidence: NATS_MONITOR_URLS names n1 more than once/,
    ],
  ];
  for (const [name, servers, holders, fault] of refused) {
    test(`${name} are refused in one line`, () => {
      const { faults } = judgeServers(servers, holders);
      assert.match(faults[0] ?? "", fault);
      assert.ok(faults.every((line) => !line.includes("\n")));
    });
  }

  test("that are good are taken, whether the log was made or not", () => {
    assert.deepEqual(judgeServers(asked(), NAMES), { faults: [], missing: [], warnings: [] });
    assert.deepEqual(judgeServers(asked(), []), { faults: [], missing: [], warnings: [] });
  });

  test("may be without one of three, which is told", () => {
    const { faults, warnings } = judgeServers(
      asked(() => undefined),
      NAMES,
    );
    assert.deepEqual(faults, []);
    assert.match(warnings[0] ?? "", /^nats-server http:\/\/n1:8222 does not answer/);
  });

  test("of which most are silent are asked again, and are not refused", () => {
    const onlyOne = asked().map(({ url }, index) => ({ url, server: index > 0 ? undefined : good("n1") }));
    const { faults, missing } = judgeServers(onlyOne, NAMES);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      missing.map((line) => line.slice(0, 38)),
      ["nats-server http://n2:8222 does not an", "nats-server http://n3:8222 does not an"],
    );
  });

  test("of which one does not sync are refused although the others are silent", () => {
    const unsynced = { ...good("n1"), jetstream: { config: {} } };
    const onlyOne = asked().map(({ url }, index) => ({ url, server: index > 0 ? undefined : unsynced }));
    assert.match(judgeServers(onlyOne, []).faults[0] ?? "", /n1 acknowledges what is not on disk yet/);
  });

  test("whose JetStream is off count as away, with or without a configuration of it", () => {
    const off = asked().map((each, index) => ({
      ...each,
      ...(index === 0 ? {} : { offReason: "JetStream not enabled" }),
    }));
    const bare = off.map(({ url, server, offReason }) => {
      assert.ok(server !== undefined);
      return { url, server: offReason === undefined ? server : { ...server, jetstream: {} }, offReason };
    });
    for (const servers of [off, bare]) {
      const { faults, missing } = judgeServers(servers, NAMES);
      assert.deepEqual(faults, []);
      assert.deepEqual(missing, [
        "JetStream of nats-server n2 is off: JetStream not enabled",
        "JetStream of nats-server n3 is off: JetStream not enabled",
      ]);
    }
    const { missing, warnings } = judgeServers([...asked().slice(1), ...off.slice(2)], NAMES.slice(1));
    assert.deepEqual([missing.length, warnings.length], [0, 1]);
  });

  test("are asked whether their JetStream is on", async () => {
    const answers: Readonly<Record<string, unknown>> = {
      "http://n1/varz": good("n1"),
      "http://n1/healthz?js-enabled-only=true": { status: "unavailable", error: "JetStream not enabled" },
      "http://n2/varz": good("n2"),
    };
    const answer = async (url: string): Promise<unknown> => answers[url] ?? Promise.reject(new Error("no answer"));
    const found = await askServers(["http://n1/", "http://n2"], answer);
    assert.deepEqual(
      found.map(({ offReason }) => offReason),
      ["JetStream not enabled", undefined],
    );
  });

  test("may be of an older version that is safe, which is told", () => {
    for (const version of ["2.10.27", "2.10.27-1", "2.12.2"]) {
      const { faults, warnings } = judgeServers(
        asked((server) => ({ ...server, version })),
        NAMES,
      );
      assert.deepEqual(faults, []);
      assert.match(warnings[0] ?? "", /2\.12\.3 or newer is advised/);
    }
  });
});

describe("a start with REPLICATION=on", () => {
  const start = {
    natsUrl: "nats://n1",
    monitorUrls: ["http://n1:8222"],
    brokeragesInside: [],
    hasSharedPartition: true,
    signingKeyFile: "/etc/key.pem",
  };
  const refused: [string, object, RegExp][] = [
    ["without NATS", { natsUrl: undefined }, /^NATS_URL: /],
    ["without the servers' monitoring addresses", { monitorUrls: [] }, /^NATS_MONITOR_URLS: /],
    [
      "with a brokerage in its own process",
      { brokeragesInside: ["PAPER"] },
      /brokerage PAPER lives in the engine.*npm run paper/,
    ],
    [
      "of the partition that signs tokens without a key from outside",
      { signingKeyFile: undefined },
      /^SIGNING_KEY_FILE: /,
    ],
  ];
  for (const [name, change, line] of refused) {
    test(`${name} is refused`, () => {
      assert.throws(
        () => refuseReplicatedStart({ ...start, ...change }),
        (error: unknown) => error instanceof UserError && line.test(error.message),
      );
    });
  }

  test("that has all of it goes on, and one without the shared partition needs no key", () => {
    refuseReplicatedStart(start);
    refuseReplicatedStart({ ...start, hasSharedPartition: false, signingKeyFile: undefined });
  });
});

const get = async (url: string): Promise<unknown> => (await fetch(url)).json();

clusterSuite("real servers", () => {
  test("that sync are taken, and those with their own interval are refused", async () => {
    for (const isSynced of [true, false]) {
      const cluster = await startNatsCluster({ isSynced });
      try {
        const { faults } = judgeServers(await askServers(cluster.monitorUrls.split(","), get), NAMES);
        assert.equal(faults.length, isSynced ? 0 : NAMES.length);
      } finally {
        await cluster.stop();
      }
    }
  });

  test("of the version that Debian 12 has are refused for it", async () => {
    const monitorPort = await freePort();
    const server = await startNatsServer({ jetStream: true, configuration: `http: "127.0.0.1:${monitorPort}"` });
    try {
      const [report] = await askServers([`http://127.0.0.1:${monitorPort}`], get);
      const { faults } = judgeServers(
        [report, report, report].flatMap((each) => each ?? []),
        [],
      );
      assert.ok(faults.some((fault) => /is 2\.9\.\d+, and a log needs|acknowledges what is not on disk/.test(fault)));
    } finally {
      await server.stop();
    }
  });
});
