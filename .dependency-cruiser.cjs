// The import law: who may import whom. Checked by `npm run check` and by test/tidy.test.ts, which also proves that
// each rule here can fail. Type-only imports count as imports.
const ENTRY = "^(src/main|engine/main|engine/entry/[^/]+|edge/main|edge/cli/main)\\.ts$";
/** The engine files that put its folders together. */
const ENGINE_WIRING =
  "^engine/((main|engine)\\.ts$|(entry|partition|host)/|cluster/(cluster-member\\.ts$|(replica|seed)/))";
/** Where the engine's folders meet: interfaces, and the tables of what is stored. */
const MEETING = "^engine/(ports|table)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "domain-stands-alone",
      comment: "Rules are plain functions: they need nothing but each other and assert.",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { pathNot: ["^src/domain/", "^src/assert\\.ts$"] },
    },
    {
      name: "machine-needs-domain-and-xstate",
      comment: "Charts are pure: no clock, no I/O, no contract.",
      severity: "error",
      from: { path: "^src/machine/" },
      to: { pathNot: ["^src/(machine|domain)/", "^src/assert\\.ts$", "node_modules/xstate/"] },
    },
    {
      name: "xstate-only-in-machine",
      comment: "src/machine is the only door to XState; its types may be named elsewhere.",
      severity: "error",
      from: { path: "^(src|engine|edge)/", pathNot: "^src/machine/" },
      to: { path: "node_modules/xstate/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "contract-needs-domain-and-zod",
      comment:
        "The contract says what crosses a process, and which known field a misspelt one was meant to be; it does not know who sends it or how.",
      severity: "error",
      from: { path: "^src/contract/" },
      to: { pathNot: ["^src/(contract|domain)/", "^src/assert\\.ts$", "node_modules/(zod|fastest-levenshtein)/"] },
    },
    {
      name: "bus-knows-no-meaning",
      comment: "The bus carries bytes: of the project it imports only itself, assert, clocks and errors.",
      severity: "error",
      from: { path: "^src/bus/" },
      to: {
        path: "^(src|engine|edge|fixtures|bench|test)/",
        pathNot: ["^src/bus/", "^src/(assert|runtime/(clock|ports|user-error))\\.ts$"],
      },
    },
    {
      name: "only-main-joins-engine-and-edge",
      comment: "src/main.ts and what it checks first are the only files of src that may import engine or edge.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(main|preflight)\\.ts$" },
      to: { path: "^(engine|edge)/" },
    },
    {
      name: "engine-not-edge",
      comment: "They are separate processes and meet on the bus.",
      severity: "error",
      from: { path: "^engine/" },
      to: { path: "^edge/" },
    },
    {
      name: "edge-not-engine",
      comment: "They are separate processes and meet on the bus.",
      severity: "error",
      from: { path: "^edge/" },
      to: { path: "^engine/" },
    },
    {
      name: "dashboard-is-a-client",
      comment:
        "It runs in browsers and knows the rules of prices and the words of events, but nothing of the edge: it uses the public interface.",
      severity: "error",
      from: { path: "^edge/web/dashboard/" },
      to: {
        pathNot: [
          "^edge/web/dashboard/",
          "^src/(domain/|event/|assert\\.ts$)",
          "node_modules/(preact|lightweight-charts)/",
        ],
      },
    },
    {
      name: "engine-folders-apart",
      comment: "Engine folders meet only in ports, tables and the wiring. Only what answers clients knows views.",
      severity: "error",
      from: { path: "^engine/([^/]+)/", pathNot: ["^engine/(command|query)/", MEETING, ENGINE_WIRING] },
      to: { path: "^engine/[^/]+/", pathNot: ["^engine/$1/", MEETING] },
    },
    {
      name: "cluster-folders-apart",
      comment: "The parts of the cluster meet in ports; only its replicas and cluster-member.ts put them together.",
      severity: "error",
      from: { path: "^engine/cluster/(log|ownership|placement)/" },
      to: { path: "^engine/cluster/[^/]+/", pathNot: "^engine/cluster/$1/" },
    },
    {
      name: "answers-know-views",
      comment: "Commands and queries answer with what the projections show, and know no other folder.",
      severity: "error",
      from: { path: "^engine/(command|query)/" },
      to: { path: "^engine/[^/]+/", pathNot: ["^engine/($1|projection)/", MEETING] },
    },
    {
      name: "connectors-stand-apart",
      comment:
        "A connector is a process of its own: it needs src and its own folder. The paper brokerage also runs in the engine, behind its ports.",
      severity: "error",
      from: { path: "^engine/connector/", pathNot: "^engine/connector/paper/" },
      to: { path: "^engine/", pathNot: ["^engine/connector/"] },
    },
    {
      name: "engine-folders-wired-from-above",
      comment:
        "Of the files beside the folders only the wiring ones import folders; ports and tables import none, as they would join them.",
      severity: "error",
      from: { path: ["^engine/[^/]+\\.ts$", MEETING], pathNot: ENGINE_WIRING },
      to: { path: "^engine/", pathNot: MEETING },
    },
    {
      name: "wiring-is-not-imported",
      comment: "Wiring knows the parts; the parts do not know the wiring.",
      severity: "error",
      from: { path: "^engine/[^/]+/", pathNot: ENGINE_WIRING },
      to: { path: ENGINE_WIRING },
    },
    {
      name: "entry-is-imported-by-entries",
      comment: "An entry point is imported by src/main.ts, tests and benchmarks only.",
      severity: "error",
      from: { path: "^(src|engine|edge|fixtures)/", pathNot: "^src/main\\.ts$" },
      to: { path: ENTRY },
    },
    {
      name: "product-not-test",
      comment: "What runs for users needs nothing of the tests and benchmarks.",
      severity: "error",
      from: { path: "^(src|engine|edge|fixtures)/" },
      to: { path: "^(test|bench)/" },
    },
    {
      name: "fixtures-stand-alone",
      comment: "Fixtures are data and what makes it.",
      severity: "error",
      from: { path: "^fixtures/" },
      to: { path: "^(engine|edge)/" },
    },
    {
      name: "no-development-package",
      comment: "An installation without development packages must run.",
      severity: "error",
      from: { path: "^(src|engine|edge)/", pathNot: "^edge/openapi/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-unlisted-package",
      comment: "A package that package.json does not list is there by accident.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "no-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-cycle",
      comment: "Modules in a cycle can only be understood together.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-barrel",
      comment: "A name is imported from the file that defines it.",
      severity: "error",
      from: {},
      to: { path: "/index\\.(ts|mts|js|mjs)$", pathNot: "node_modules/" },
    },
    {
      name: "no-orphan",
      comment: "A module that imports nothing and that nothing imports is dead.",
      severity: "error",
      from: { orphan: true, pathNot: ["\\.d\\.ts$", ENTRY] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(data|coverage)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      mainFields: ["module", "main", "types"],
    },
  },
};
