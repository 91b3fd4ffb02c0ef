/** The long tests: what they start is there, reads the settings that they give it, and does less without them. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const command = z.object({
  args: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
});
const module = z.object({ PARTS: z.record(z.string(), z.array(command)) });
const { PARTS } = module.parse(await import(join(projectRoot, ".scripts/test-long.mjs")));
const commands = Object.values(PARTS).flat();

const filesOf = (args: readonly string[]): readonly string[] =>
  args.filter((word) => /^[\w./-]+\.(ts|mjs)$/.test(word));

test("every file that a part starts exists", () => {
  const missing = commands.flatMap(({ args }) => filesOf(args)).filter((path) => !existsSync(join(projectRoot, path)));
  assert.deepEqual(missing, []);
});

test("every setting that a part gives its tests is read by one of them", () => {
  for (const { args, environment } of commands) {
    const texts = filesOf(args).map((path) => readFileSync(join(projectRoot, path), "utf8"));
    const unread = Object.keys(environment).filter((name) => !texts.some((text) => text.includes(`env.${name}`)));
    assert.deepEqual(unread, []);
  }
});

test("lost answers and kills at AlgoLab run a hundred seeds and twenty kills for each one of the usual tiers", () => {
  const [{ args, environment } = { args: [], environment: {} }] = PARTS.algolab ?? [];
  const usualOf = (name: string): number => {
    const found = filesOf(args).flatMap((path) => {
      const text = readFileSync(join(projectRoot, path), "utf8");
      return new RegExp(`env\\.${name} \\?\\? "(\\d+)"`).exec(text)?.[1] ?? [];
    });
    return Number(found[0]);
  };
  for (const [name, times] of [
    ["ALGOLAB_SEEDS", 100],
    ["ALGOLAB_KILLS", 20],
  ] as const)
    assert.ok(Number(environment[name]) >= times * usualOf(name), `${name}: ${environment[name]}`);
});
