/**
 * The engine's configuration, from the environment (design, "Configuration"). Wrong values stop the start.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { OperatorMistake } from "../src/operator-mistake.ts";

/** 200,000 ticks a second of the simulated market; a recording is played as fast as it can be at 0. */
const FEED_SPEED_MAX = 10_000;

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be ${least} to ${most}`);

const onOff = z.enum(["on", "off"]).transform((value) => value === "on");

const feed = z.string().regex(/^(sim|none|replay:.+)$/, "must be sim, none or replay:<file>");

const environment = z.object({
  DATA_DIR: z.string().min(1).default("./data"),
  BACKUP_DIR: z.string().min(1).optional(),
  NATS_URL: z.string().min(1).optional(),
  FEED: feed.optional(),
  FEED_SPEED: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number of at least 0")
    .transform(Number)
    .refine((speed) => speed <= FEED_SPEED_MAX, `must be at most ${FEED_SPEED_MAX}`)
    .default(1),
  PARTITIONS: wholeNumber(1, 1024).default(1),
  ENGINE_PARTITIONS: z
    .string()
    .regex(/^\d+(,\d+)*$/, "must be partition numbers separated by commas")
    .transform((text) => [...new Set(text.split(",").map(Number))])
    .optional(),
  CATCH_UP_SECONDS: wholeNumber(1, 86_400).default(300),
  BROKERAGES_FILE: z
    .string()
    .min(1)
    .default(fileURLToPath(new URL("../fixtures/brokerages.json", import.meta.url))),
  OCO_OVERSELL_GUARD: onOff.default(false),
  MAX_TICK_MOVE_PERCENT: z
    .string()
    .regex(/^\d+(\.\d+)?$/, "must be a number above 0")
    .transform(Number)
    .refine((value) => value > 0, "must be above 0")
    .optional(),
  MAX_TICK_AGE_SECONDS: wholeNumber(0, 86_400).default(60),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

export interface EngineConfig {
  readonly dataFolder: string;
  /** Backups are made below this folder and nowhere else. */
  readonly backupFolder: string;
  readonly natsUrl: string | undefined;
  readonly feed: string;
  readonly feedSpeed: number;
  readonly partitions: number;
  readonly ownPartitions: readonly number[];
  readonly catchUpSeconds: number;
  readonly brokeragesFile: string;
  readonly hasOversellGuard: boolean;
  readonly tickMovePercentMax: number | undefined;
  /** Undefined: ticks of any age are taken. */
  readonly tickAgeMsMax: number | undefined;
  readonly logLevel: string;
}

/** A configuration that cannot be used; the message is one line an operator understands. */
export class ConfigRefused extends OperatorMistake {
  override readonly name = "ConfigRefused";
}

/** Reads the configuration. Throws {@link ConfigRefused}. An empty variable counts as not given. */
export function readEngineConfig(variables: Readonly<Record<string, string | undefined>>): EngineConfig {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigRefused(`${issue?.path.join(".") ?? "configuration"} ${issue?.message ?? "is wrong"}`);
  }
  const values = parsed.data;
  const all = Array.from({ length: values.PARTITIONS }, (_, index) => index);
  const own = values.ENGINE_PARTITIONS ?? all;
  const unknown = own.find((partition) => partition >= values.PARTITIONS);
  if (unknown !== undefined) {
    throw new ConfigRefused(`ENGINE_PARTITIONS names partition ${unknown}, but PARTITIONS is ${values.PARTITIONS}`);
  }
  return {
    dataFolder: values.DATA_DIR,
    backupFolder: values.BACKUP_DIR ?? join(values.DATA_DIR, "backups"),
    natsUrl: values.NATS_URL,
    feed: values.FEED ?? (values.NATS_URL === undefined ? "sim" : "none"),
    feedSpeed: values.FEED_SPEED,
    partitions: values.PARTITIONS,
    ownPartitions: own,
    catchUpSeconds: values.CATCH_UP_SECONDS,
    brokeragesFile: values.BROKERAGES_FILE,
    hasOversellGuard: values.OCO_OVERSELL_GUARD,
    tickMovePercentMax: values.MAX_TICK_MOVE_PERCENT,
    tickAgeMsMax: values.MAX_TICK_AGE_SECONDS === 0 ? undefined : values.MAX_TICK_AGE_SECONDS * 1_000,
    logLevel: values.LOG_LEVEL,
  };
}
