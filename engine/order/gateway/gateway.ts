/**
 * A brokerage behind the gateway protocol: requests over the bus, answered by its connector.
 *
 * Owns: the difference between "certainly not received" and "perhaps received". Does not own: retrying (the outbox).
 *
 * Invariants:
 * 1. `NOT_SENT` is returned only if no handler can have seen the request, or if the connector answers so. Every other
 *    silence, and every answer that makes no sense, is `UNAVAILABLE`: an order may exist.
 * 2. An answer about an order that was not asked for makes no sense.
 * 3. An update that makes no sense is counted and dropped; it never does harm.
 */

import { z } from "zod";
import { type Bus, BusError } from "../../../src/bus/port.ts";
import { type GatewayOperation, gatewayAnswers, gatewayFailureSchema } from "../../../src/contract/gateway/gateway.ts";
import { connectorAnnouncementSchema, HEARD_WITHIN_MS } from "../../../src/contract/gateway/process.ts";
import { brokerSubject, connectorProcessSubject } from "../../../src/contract/subject.ts";
import {
  type BrokerageSettings,
  type BrokerReply,
  type OrderAnswer,
  type OrderRecord,
  orderRecordSchema,
  type PlaceRequest,
} from "../../../src/contract/trading/order.ts";
import { ORDER_REJECTED } from "../../../src/domain/order/order.ts";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import type { Brokerage } from "../../ports/brokerage.ts";
import { isPlacedAnswer, isRecordAnswer } from "./plain-answer.ts";
import { Recalls } from "./recalls.ts";
import { GatewaySession, type StatusAnswer } from "./session.ts";

/** Larger answers would block the loop while they are parsed; a day's orders of one account are far smaller. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const UPDATE_BYTES_MAX = 64 * 1024;
/** How long an order can wait for a status that is not known yet. */
const STATUS_WITHIN_MS = 2_000;
/** The time limit of a recall. */
const RECALL_WITHIN_MS = 300;
const NOT_HEARD = { ok: false, code: "NOT_SENT", message: "no answer from the brokerage" } as const;

interface GatewayOptions {
  readonly settings: BrokerageSettings;
  readonly bus: Bus;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly steadyClock: Clock;
  readonly log: Log;
}

/** The connection to a brokerage that answers on `broker.<CODE>.<operation>`. */
export function connectGateway(options: GatewayOptions): Brokerage {
  const { settings, bus, log, timers, clock, steadyClock } = options;
  const listeners = new Set<(record: OrderRecord) => void>();
  let droppedCount = 0;
  const unsubscribe = bus.subscribe(brokerSubject(settings.code, "updates"), ({ data }) => {
    const record = orderRecordSchema.safeParse(parseBounded(data, UPDATE_BYTES_MAX));
    if (!record.success) {
      droppedCount += 1;
      log.warn(
        { event: "brokerage.updateMalformed", brokerageCode: settings.code, droppedCount },
        "a malformed order update was dropped",
      );
      return;
    }
    for (const listener of listeners) listener(record.data);
  });
  const ask = <T>(operation: GatewayOperation, request: object) =>
    askGateway<T>(options, operation, request, settings.timeoutMs);
  const recallWithinMs = Math.min(settings.timeoutMs, RECALL_WITHIN_MS);
  const recalls = new Recalls({
    ask: (request) => askGateway(options, "recall", request, recallWithinMs),
    withinMs: settings.timeoutMs,
    ...{ timers, clock, steadyClock },
  });
  const session = new GatewaySession({ ...options, ask: () => askStatus(options) });
  session.start();
  const unsubscribeProcesses = bus.subscribe(connectorProcessSubject(settings.code), ({ data }) => {
    const process = connectorAnnouncementSchema.safeParse(parseBounded(data, UPDATE_BYTES_MAX));
    if (process.success) session.noteProcess(process.data.instance, HEARD_WITHIN_MS);
  });
  /** Reads the record of a rejected order: it shows a part that was filled before, and the reason of the rejection. */
  const recordIfRejected = async (
    { userId, accountNumber, clientOrderId }: PlaceRequest,
    reply: BrokerReply<OrderAnswer>,
  ): Promise<BrokerReply<OrderAnswer>> => {
    if (!reply.ok || reply.data.orderStatus !== ORDER_REJECTED) return reply;
    const found = await ask<OrderRecord>("findOrder", { userId, accountNumber, clientOrderId });
    return found.ok && found.data.orderNo === reply.data.orderNo ? found : reply;
  };
  const pass = async (operation: "place" | "chain", request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> => {
    const reply = await recordIfRejected(request, await ask<OrderAnswer>(operation, request));
    if (reply.ok || reply.code === "REJECTED") session.noteAnswered();
    // Another process may have given this answer.
    else if (reply.code === "NOT_SENT" && reply !== NOT_HEARD) session.askNow();
    return reply;
  };
  /** Sends an order only if the connector's promise allows it. */
  const send = async (operation: "place" | "chain", request: PlaceRequest): Promise<BrokerReply<OrderAnswer>> => {
    const refusal = await session.refusal();
    if (refusal !== undefined) return { ok: false, code: "NOT_SENT", message: refusal };
    const { clientOrderId, fence } = request;
    const { instance } = session;
    return instance === undefined || fence === undefined
      ? pass(operation, request)
      : recalls.watch({ clientOrderId, fence, instance }, () => pass(operation, { instance, ...request }));
  };
  return {
    settings,
    login: (request) => ask("login", request),
    accounts: (request) => ask("accounts", request),
    positions: (request) => ask("positions", request),
    dailyOrders: (request) => ask("dailyOrders", request),
    place: (request) => send("place", request),
    chain: (request) => send("chain", request),
    cancel: (request) => ask("cancel", request),
    findOrder: (request) => ask("findOrder", request),
    instrument: (request) => ask("instrument", request),
    balance: (request) => ask("balance", request),
    bars: (request) => ask("bars", request),
    fence: (leader) => ask("fence", leader),
    onUpdate: (listener): Cancel => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    session: () => session.view(),
    close: async () => {
      session.stop();
      recalls.stop();
      unsubscribe();
      unsubscribeProcesses();
    },
  };
}

async function askGateway<T>(
  { settings, bus, log }: GatewayOptions,
  operation: GatewayOperation,
  request: Named,
  withinMs: number,
): Promise<BrokerReply<T>> {
  let bytes: Uint8Array;
  try {
    const payload = Buffer.from(JSON.stringify(request));
    bytes = await bus.request(brokerSubject(settings.code, operation), payload, withinMs);
  } catch (error) {
    const isCertain = error instanceof BusError && error.isCertainlyNotHandled;
    return isCertain ? NOT_HEARD : { ...NOT_HEARD, code: "UNAVAILABLE" };
  }
  const given = parseBounded(bytes, ANSWER_BYTES_MAX);
  const answer = isPlain(operation, given) ? given : answerSchemas[operation].safeParse(given).data;
  if (answer !== undefined && isAbout(operation, request, answer)) return answer as BrokerReply<T>;
  log.warn(
    { event: "brokerage.answerMalformed", brokerageCode: settings.code, operation, byteCount: bytes.length },
    "the brokerage gave a malformed answer",
  );
  return { ok: false, code: "UNAVAILABLE", message: "the brokerage gave a malformed answer" };
}

async function askStatus({ settings, bus }: GatewayOptions): Promise<StatusAnswer> {
  const timeoutMs = Math.min(settings.timeoutMs, STATUS_WITHIN_MS);
  try {
    const bytes = await bus.request(brokerSubject(settings.code, "status"), Buffer.from("{}"), timeoutMs);
    const answer = answerSchemas.status.safeParse(parseBounded(bytes, UPDATE_BYTES_MAX));
    return answer.success && answer.data.ok ? { type: "data", data: answer.data.data } : { type: "refused" };
  } catch {
    return { type: "silence" };
  }
}

/** The names in a request, which its answer must repeat. */
interface Named {
  readonly clientOrderId?: string | null;
  readonly orderNo?: string;
}

type Answer = { readonly ok: true; readonly data: unknown } | z.infer<typeof gatewayFailureSchema>;

const answerSchemas = Object.fromEntries(
  Object.entries(gatewayAnswers).map(([operation, data]) => [
    operation,
    z.discriminatedUnion("ok", [z.object({ ok: z.literal(true), data }), gatewayFailureSchema]),
  ]),
) as unknown as Record<GatewayOperation, z.ZodType<Answer>>;

/** Whether no schema has to judge the answer. */
function isPlain(operation: GatewayOperation, given: unknown): given is Answer {
  if (operation === "place" || operation === "chain") return isPlacedAnswer(given);
  return operation === "findOrder" && isRecordAnswer(given);
}

/** Whether the answer is about the order that was asked for. */
function isAbout(operation: GatewayOperation, request: Named, answer: Answer): boolean {
  if (!answer.ok || (operation !== "cancel" && operation !== "findOrder")) return true;
  const { clientOrderId, orderNo } = answer.data as OrderAnswer & Partial<OrderRecord>;
  const isNamed =
    operation === "cancel" || request.clientOrderId === undefined || request.clientOrderId === clientOrderId;
  return isNamed && (request.orderNo === undefined || request.orderNo === orderNo);
}

function parseBounded(bytes: Uint8Array, byteCountMax: number): unknown {
  return bytes.length > byteCountMax ? undefined : parseJson(bytes);
}
