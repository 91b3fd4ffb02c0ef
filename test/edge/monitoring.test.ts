// tier: real
/** The alert rules and the Grafana dashboard are sound, and ask only for figures that there are. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { END_FIGURE } from "../../edge/server/certificate.ts";
import { clusterView } from "./support/cluster-view.ts";
import { partitionStats } from "./support/partition-stats.ts";
import { runEdge } from "./support/running-edge.ts";

const RULES = fileURLToPath(new URL("../../docs/monitoring/alerts.yml", import.meta.url));
const DASHBOARD = new URL("../../docs/monitoring/dashboard.json", import.meta.url);
const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })).min(10),
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

function needsPromtool(context: TestContext): boolean {
  if (!hasPromtool && process.env.CI === "true") assert.fail("promtool not found");
  if (!hasPromtool) context.skip("promtool not found");
  return hasPromtool;
}

function promtool(...words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
}

async function panelExpressions(): Promise<string[]> {
  const { panels } = dashboardSchema.parse(JSON.parse(await readFile(DASHBOARD, "utf8")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m")));
}

describe("monitoring", () => {
  test("the alert rules are what promtool takes", (context) => {
    if (needsPromtool(context)) promtool("check", "rules", RULES);
  });

  test("the dashboard's questions are what promtool takes", async (context) => {
    if (!needsPromtool(context)) return;
    const folder = await mkdtemp(join(tmpdir(), "dashboard-"));
    const rules = (await panelExpressions()).map((expr, index) => ({ record: `panel:${index}`, expr }));
    await writeFile(join(folder, "rules.yml"), JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    promtool("check", "rules", join(folder, "rules.yml"));
    await rm(folder, { recursive: true });
  });

  test("the figures are what promtool takes", async (context) => {
    if (!needsPromtool(context)) return;
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
      encoding: "utf8",
      input: await figures(context),
    });
    // 3: it would have named or typed some figure otherwise; 1: it cannot read them.
    assert.ok(status === 0 || status === 3, stdout + stderr);
  });

  test("both ask only for figures that there are", async (context) => {
    const text = await figures(context);
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)).add(END_FIGURE);
    const asked = `${await readFile(RULES, "utf8")}\n${(await panelExpressions()).join("\n")}`;
    const names = [...asked.matchAll(/trading_(?:engine|edge)_[a-z_]+/g)].map(([name]) => name);
    assert.ok(names.length > 20);
    for (const name of names) assert.ok(known.has(name) || known.has(name.replace(/_(bucket|sum|count)$/, "")), name);
  });
});

async function figures(context: TestContext): Promise<string> {
  const edge = await runEdge(context);
  edge.engine.on("operator.stats", () => ({ ok: true, data: partitionStats(0) }));
  edge.engine.on("operator.cluster", () => ({ ok: true, data: clusterView }));
  return (await edge.send("GET", "/admin/v1/metrics")).text();
}
