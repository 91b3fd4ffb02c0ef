// Owns: the tier of a test file. It follows from what the file imports, or from one line in the file; no list is kept.
//   fast: no child process and no server; the files share two processes
//   real: proves a part of the system on real components; `npm test` runs fast and real
//   full: everything else; `npm run test:all` runs all three
// Does not own: running them (test.mjs).

export const TIERS = ["fast", "real", "full"];

/** Who imports one of these can start a process, listen on a port or needs a server. */
const OUTSIDE_PACKAGES = [
  ...["child_process", "cluster", "worker_threads", "dgram", "http", "http2", "https", "net", "tls"],
  ...["@hono/node-server", "ioredis", "nats", "playwright-core", "smtp-server", "ws"],
];

const TIER_LINE = /^\/\/ tier: (.*)$/gm;

function findOutside(graph, path, isCounted) {
  const packages = graph.packagesOf(path, isCounted);
  return OUTSIDE_PACKAGES.filter((name) => packages.has(name));
}

/**
 * The tier of the test file `path`, from its text and the import graph. Throws when the file's line names no tier or
 * only repeats what its imports say, when there are two lines, and when a file that a test itself makes start processes
 * or servers calls itself fast: only what comes with a module of the product may be overruled.
 */
export function findTier(path, text, graph) {
  const fromImports = findOutside(graph, path).length === 0 ? "fast" : "full";
  const lines = [...text.matchAll(TIER_LINE)].map(([, tier]) => tier);
  if (lines.length === 0) return fromImports;
  const [tier] = lines;
  if (lines.length > 1) throw new Error(`${path} has ${lines.length} lines that name a tier; write one`);
  if (!TIERS.includes(tier)) throw new Error(`${path}: no tier is called ${tier}; write one of ${TIERS.join(", ")}`);
  if (tier === fromImports)
    throw new Error(`${path}: its imports already put it into the tier ${tier}; remove the line`);
  const own = findOutside(graph, path, (file) => file.startsWith("test/"));
  if (tier === "fast" && own.length > 0) {
    throw new Error(`${path}: its test code imports ${own.join(", ")}, which the fast tier refuses; remove the line`);
  }
  return tier;
}
