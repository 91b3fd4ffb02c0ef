/** Each rule of the import law is broken once in a made-up project, and a lawful one passes. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Cruise, cruise, findUnreached } from "./import-law.ts";

const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packages = { dependencies: { xstate: "1.0.0", zod: "1.0.0" }, devDependencies: { ajv: "1.0.0" } };

/** Module paths with what each imports; a specifier that begins with `type:` is imported for its types only. */
type Modules = Readonly<Record<string, readonly string[]>>;

function writeModule(root: string, path: string, specifiers: readonly string[]): void {
  const imports = specifiers.map((specifier, index) =>
    specifier.startsWith("type:")
      ? `import type * as module${index} from "${specifier.slice("type:".length)}";\nexport type T${index} = typeof module${index};\n`
      : `import * as module${index} from "${specifier}";\nexport const value${index} = module${index};\n`,
  );
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${imports.join("")}export const own = 1;\n`);
}

function cruiseModules(modules: Modules, folders: readonly string[]): Cruise {
  const root = mkdtempSync(join(tmpdir(), "trading-law-"));
  try {
    for (const name of ["xstate", "zod", "ajv", "stray"]) {
      mkdirSync(join(root, "node_modules", name), { recursive: true });
      const description = { name, version: "1.0.0", main: "main.js" };
      writeFileSync(join(root, "node_modules", name, "package.json"), JSON.stringify(description));
      writeFileSync(join(root, "node_modules", name, "main.js"), "exports.own = 1;\n");
    }
    writeFileSync(join(root, "package.json"), JSON.stringify({ name: "made-up", type: "module", ...packages }));
    writeFileSync(
      join(root, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { allowImportingTsExtensions: true } }),
    );
    for (const [path, specifiers] of Object.entries(modules)) writeModule(root, path, specifiers);
    return cruise(projectRoot, root, folders);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const folders = ["src", "engine", "edge", "fixtures", "bench", "test"];

const lawful: Modules = {
  "src/main.ts": ["../engine/main.ts", "../edge/main.ts", "./bus/memory/bus.ts"],
  "src/assert.ts": [],
  "src/domain/price.ts": ["../assert.ts", "./tick.ts"],
  "src/domain/tick.ts": [],
  "src/machine/chart.ts": ["xstate", "../domain/price.ts", "../assert.ts"],
  "src/contract/order.ts": ["zod", "../domain/price.ts"],
  "src/bus/memory/bus.ts": ["node:events", "../../assert.ts"],
  "engine/main.ts": ["./partition/partition.ts", "./feed/feed.ts", "./config.ts", "../fixtures/symbols.ts"],
  "engine/config.ts": ["./ports/price.ts"],
  "engine/cluster/log/lease.ts": ["../../ports/price.ts"],
  "engine/entry/paper.ts": ["../config.ts", "../feed/feed.ts"],
  "engine/partition/partition.ts": ["./kinds.ts", "../watch/index-of-prices.ts", "../feed/feed.ts"],
  "engine/partition/kinds.ts": ["../feed/parse.ts"],
  "engine/ports/price.ts": ["../../src/domain/price.ts"],
  "engine/table/tables.ts": ["../ports/price.ts"],
  "engine/feed/feed.ts": [
    "../ports/price.ts",
    "../table/tables.ts",
    "./parse.ts",
    "../../src/contract/order.ts",
    "type:xstate",
  ],
  "engine/feed/parse.ts": ["zod"],
  "engine/watch/index-of-prices.ts": ["../ports/price.ts", "../../src/machine/chart.ts"],
  "edge/main.ts": ["./route/oco.ts"],
  "edge/route/oco.ts": ["../../src/contract/order.ts"],
  "edge/openapi/generate.ts": ["ajv"],
  "fixtures/symbols.ts": ["../src/domain/price.ts"],
  "bench/main.ts": ["../engine/main.ts", "../test/support.ts"],
  "test/support.ts": ["ajv", "xstate", "../engine/feed/feed.ts", "../edge/main.ts"],
};

/** One breach a line: the rule, the module that breaks it, and the import that does. */
const breaches: readonly (readonly [rule: string, from: string, specifier: string])[] = [
  ["domain-stands-alone", "src/domain/bad.ts", "zod"],
  ["domain-stands-alone", "src/domain/bad.ts", "node:fs"],
  ["domain-stands-alone", "src/domain/bad.ts", "../contract/order.ts"],
  ["domain-stands-alone", "src/domain/bad.ts", "type:../machine/chart.ts"],
  ["machine-needs-domain-and-xstate", "src/machine/bad.ts", "zod"],
  ["machine-needs-domain-and-xstate", "src/machine/bad.ts", "../contract/order.ts"],
  ["xstate-only-in-machine", "engine/actor/bad.ts", "xstate"],
  ["contract-needs-domain-and-zod", "src/contract/bad.ts", "../machine/chart.ts"],
  ["contract-needs-domain-and-zod", "src/contract/bad.ts", "node:crypto"],
  ["bus-knows-no-meaning", "src/bus/bad.ts", "type:../contract/order.ts"],
  ["bus-knows-no-meaning", "src/bus/bad.ts", "../domain/price.ts"],
  ["only-main-joins-engine-and-edge", "src/bus/joining.ts", "../../engine/ports/price.ts"],
  ["only-main-joins-engine-and-edge", "src/joining.ts", "type:../edge/route/oco.ts"],
  ["engine-not-edge", "engine/feed/bad.ts", "type:../../edge/route/oco.ts"],
  ["edge-not-engine", "edge/route/bad.ts", "type:../../engine/ports/price.ts"],
  ["dashboard-is-a-client", "edge/web/dashboard/knowing.ts", "type:../../route/oco.ts"],
  ["dashboard-is-a-client", "edge/web/dashboard/heavy.ts", "zod"],
  ["engine-folders-apart", "engine/feed/meeting.ts", "type:../watch/index-of-prices.ts"],
  ["cluster-folders-apart", "engine/cluster/placement/joining.ts", "type:../log/lease.ts"],
  ["answers-know-views", "engine/query/knowing.ts", "type:../feed/feed.ts"],
  ["connectors-stand-apart", "engine/connector/bad.ts", "type:../ports/price.ts"],
  ["engine-folders-wired-from-above", "engine/config.ts", "type:./feed/feed.ts"],
  ["engine-folders-wired-from-above", "engine/ports/joining.ts", "type:../feed/feed.ts"],
  ["engine-folders-wired-from-above", "engine/table/joining.ts", "type:../config.ts"],
  ["wiring-is-not-imported", "engine/feed/upwards.ts", "../partition/partition.ts"],
  ["wiring-is-not-imported", "engine/feed/outwards.ts", "../entry/paper.ts"],
  ["entry-is-imported-by-entries", "edge/route/upwards.ts", "../main.ts"],
  ["product-not-test", "engine/feed/tested.ts", "../../test/support.ts"],
  ["fixtures-stand-alone", "fixtures/bad.ts", "../engine/ports/price.ts"],
  ["no-development-package", "edge/route/heavy.ts", "ajv"],
  ["no-unlisted-package", "edge/route/stray.ts", "stray"],
  ["no-unresolvable", "edge/route/lost.ts", "./nowhere.ts"],
  ["no-cycle", "edge/route/left.ts", "type:./right.ts"],
  ["no-barrel", "edge/route/easy.ts", "../middleware/index.ts"],
];

test("a project that keeps the law passes, and every module of it was read", () => {
  const { imports, breaches: found } = cruiseModules(lawful, folders);
  assert.deepEqual(found, []);
  for (const path of Object.keys(lawful)) assert.ok(imports.has(path), `${path} was not read`);
});

test("every rule of the law finds its breach, type-only imports included", () => {
  const modules: Record<string, string[]> = {
    "edge/middleware/index.ts": [],
    "edge/route/right.ts": ["./left.ts"],
    "src/domain/lonely.ts": [],
  };
  for (const [, from, specifier] of breaches) modules[from] = [...(modules[from] ?? []), specifier];
  const found = cruiseModules({ ...lawful, ...modules }, folders).breaches;
  for (const [rule, from, specifier] of breaches) {
    const target = specifier.replace(/^(type:|node:)/, "").replace(/^(\.\.?\/)+/, "");
    const isFound = found.some((breach) => breach.startsWith(`${rule}: ${from} -> `) && breach.includes(target));
    assert.ok(isFound, `${rule} missed ${from} importing ${specifier}; found:\n${found.join("\n")}`);
  }
  assert.ok(found.includes("no-orphan: src/domain/lonely.ts -> src/domain/lonely.ts"));
});

test("every rule of the law is broken by a case here", async () => {
  const law: unknown = await import(join(projectRoot, ".dependency-cruiser.cjs"));
  const names = [...JSON.stringify(law).matchAll(/"name":"([a-z-]+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 0);
  const broken = new Set([...breaches.map(([rule]) => rule), "no-orphan"]);
  assert.deepEqual([...new Set(names)].sort(), [...broken].sort());
});

test("folders without any module are no fault, and a missing one is said", () => {
  assert.deepEqual(cruiseModules({ "src/assert.ts": [], "src/domain/a.ts": ["../assert.ts"] }, ["src"]).breaches, []);
  assert.throws(() => cruiseModules({}, ["src"]), /dependency-cruiser failed/);
});

test("a module that no entry leads to is found, also when it imports reached ones or a cycle of its own", () => {
  const imports = new Map([
    ["main.ts", ["a.ts"]],
    ["a.ts", ["b.ts"]],
    ["b.ts", ["a.ts"]],
    ["c.ts", ["d.ts", "a.ts"]],
    ["d.ts", ["c.ts"]],
  ]);
  const paths = ["main.ts", "a.ts", "b.ts", "c.ts", "d.ts"];
  assert.deepEqual(findUnreached(imports, paths, ["main.ts"]), ["c.ts", "d.ts"]);
  assert.deepEqual(findUnreached(imports, paths, ["main.ts", "c.ts"]), []);
});
