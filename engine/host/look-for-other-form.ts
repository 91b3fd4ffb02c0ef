/**
 * Where engines of the other form show themselves: engines with REPLICATION=off answer on their partitions' subjects,
 * engines with REPLICATION=on announce themselves, keep logs on the nats-servers, and raise epochs at connectors.
 *
 * A question without an answer is not "nothing there". A silent engine is an engine, and silent servers may hold logs.
 * A silent connector is asked again with the next search, because one brokerage must not make all others not ready.
 */
import type { NatsConnection } from "nats";
import { z } from "zod";
import { type Bus, NoResponderError, RequestTimeoutError } from "../../src/bus/port.ts";
import { fencedEpochSchema } from "../../src/contract/gateway/fence.ts";
import { ownershipWordSchema } from "../../src/contract/ownership.ts";
import { brokerSubject, ownerSubject, PRESENCE_SUBJECT } from "../../src/contract/subject.ts";
import { parseJson } from "../../src/runtime/json.ts";
import type { Timers } from "../../src/runtime/ports.ts";
import { findLogs } from "../cluster/log/stream/jetstream-log.ts";
import { heartbeatSchema } from "../cluster/placement/presence.ts";
import type { Finding, Look } from "./other-form.ts";

/** Engines with REPLICATION=on announce themselves several times in this time. */
const LISTEN_MS = 1_100;
const ASK_WITHIN_MS = 2_000;

interface LookOptions {
  readonly bus: Bus;
  /** The name of this engine, for the message. */
  readonly engine: string;
}

interface SingleOptions extends LookOptions {
  readonly connection: NatsConnection;
  readonly timers: Pick<Timers, "after">;
  /** Brokerages behind connectors. */
  readonly codes: readonly string[];
  readonly ownPartitions: readonly number[];
}

const presenceSchema = heartbeatSchema.pick({ engine: true, isEnding: true });
const fenceAnswerSchema = z.union([
  z.object({ ok: z.literal(true), data: fencedEpochSchema }),
  z.object({ ok: z.literal(false), code: z.string() }),
]);

/** The search of an engine with REPLICATION=on for engines with off. */
export function lookForSingle({ bus, engine }: LookOptions, partitions: number): Look {
  const askOwner = async (partition: number): Promise<Finding | undefined> => {
    const subject = ownerSubject(partition);
    const answer = await ask(bus, subject);
    if (answer === "nobody") return undefined;
    const other = answer === "silence" ? undefined : ownershipWordSchema.safeParse(parseJson(answer)).data;
    return both(
      "on",
      engine,
      other === undefined ? `on ${subject} (${answer === "silence" ? "silent" : "unknown"})` : nameOf(other),
    );
  };
  return () => firstOf(Array.from({ length: partitions }, (_, partition) => askOwner(partition)));
}

/** The search of an engine with REPLICATION=off for engines with on, their logs and their epochs. */
export function lookForCluster(options: SingleOptions): Look {
  const { connection, codes, ownPartitions } = options;
  const logs = async (): Promise<Finding | undefined> => {
    const names = await findLogs(connection).catch(messageOf);
    if (typeof names === "string") {
      const message = `REPLICATION is off, and the nats-servers do not answer whether they hold logs of engines with REPLICATION=on: ${names}`;
      return { message, reason: undefined };
    }
    const [stream] = names;
    if (stream === undefined) return undefined;
    return refuse(
      `REPLICATION is off at engine ${options.engine}, and the nats-servers hold stream ${stream}, a log of engines with ` +
        "REPLICATION=on: set REPLICATION=on, or give this engine a NATS server of its own. If those engines are gone for good, remove the JOURNAL streams",
    );
  };
  return () => {
    const epochs = codes.flatMap((code) => ownPartitions.map((partition) => askEpoch(options, code, partition)));
    return firstOf([hearCluster(options), logs(), ...epochs]);
  };
}

/** The name of an engine with REPLICATION=off, as operators find it. */
export const nameOf = ({ pid, host }: { readonly pid: number; readonly host: string }): string =>
  `${host}, process ${pid}`;

async function hearCluster({ bus, engine, timers }: SingleOptions): Promise<Finding | undefined> {
  let heard: string | undefined;
  const stop = bus.subscribe(PRESENCE_SUBJECT, ({ data }) => {
    const word = presenceSchema.safeParse(parseJson(data)).data;
    if (word?.isEnding === false) heard ??= word.engine;
  });
  try {
    await bus.flush();
    await new Promise<void>((resolve) => void timers.after(LISTEN_MS, resolve));
  } finally {
    stop();
  }
  return heard === undefined ? undefined : both("off", engine, heard);
}

/** A connector that received an epoch of engines with REPLICATION=on refuses the orders of an engine without one. */
async function askEpoch({ bus, engine }: SingleOptions, code: string, partition: number): Promise<Finding | undefined> {
  const question = Buffer.from(JSON.stringify({ partition, epoch: 0 }));
  const answer = await ask(bus, brokerSubject(code, "fence"), question);
  const fence = typeof answer === "string" ? undefined : fenceAnswerSchema.safeParse(parseJson(answer)).data;
  const isFenced = fence?.ok === true ? fence.data.epoch > 0 : fence?.code === "FENCED";
  if (!isFenced) return undefined;
  return refuse(
    `REPLICATION is off at engine ${engine}, and the connector of ${code} has served engines with REPLICATION=on: it would ` +
      "refuse every order of this engine. Set REPLICATION=on, or, if those engines are gone for good, remove the connector's file of epochs",
  );
}

/** `nobody`: no process subscribes. `silence`: one does, and does not answer. */
async function ask(bus: Bus, subject: string, question = new Uint8Array()): Promise<Uint8Array | "nobody" | "silence"> {
  try {
    return await bus.request(subject, question, ASK_WITHIN_MS);
  } catch (error) {
    if (error instanceof NoResponderError) return "nobody";
    if (error instanceof RequestTimeoutError) return "silence";
    throw error;
  }
}

/** A certain finding goes before an uncertain one. */
async function firstOf(questions: readonly Promise<Finding | undefined>[]): Promise<Finding | undefined> {
  const findings = (await Promise.all(questions)).flatMap((finding) => finding ?? []);
  return findings.find(({ reason }) => reason !== undefined) ?? findings[0];
}

/** Permission errors and time-outs have a readable message. */
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const refuse = (message: string): Finding => ({ message, reason: "configuration" });

function both(own: "on" | "off", engine: string, other: string): Finding {
  const message =
    `REPLICATION is ${own} at engine ${engine} and ${own === "on" ? "off" : "on"} at engine ${other}, on the same NATS ` +
    "servers: both would sell every row. End one of them, or give it NATS servers of its own";
  return { message, reason: "unavailable" };
}
