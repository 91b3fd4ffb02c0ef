/**
 * A brokerage behind the gateway protocol: requests over the bus, answered by whoever connected it.
 *
 * Owns: the difference between "certainly not received" and "nobody knows". Does not own: retrying (the outbox).
 *
 * Invariants:
 * 1. `UNREACHABLE` only when no handler can have seen the request; every other silence, and every answer that makes
 *    no sense, is `UNKNOWN`: an order may exist.
 * 2. An update that makes no sense is counted and dropped; it never harms.
 */
import { z } from "zod";
import { type Bus, BusError } from "../../../src/bus/port.ts";
import { type GatewayOperation, gatewayAnswers, gatewayFailureSchema } from "../../../src/contract/gateway.ts";
import {
  type BrokerageSettings,
  type BrokerReply,
  type OrderRecord,
  orderRecordSchema,
} from "../../../src/contract/order.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import type { Brokerage, Cancel, Log } from "../../ports.ts";

export interface GatewayOptions {
  readonly settings: BrokerageSettings;
  readonly bus: Bus;
  readonly log: Log;
}

/** The connection to a brokerage that answers on `broker.<CODE>.<operation>`. */
export function connectGateway(options: GatewayOptions): Brokerage {
  const { settings, bus, log } = options;
  const listeners = new Set<(record: OrderRecord) => void>();
  const unsubscribe = bus.subscribe(brokerSubject(settings.code, "updates"), ({ data }) => {
    const record = orderRecordSchema.safeParse(parseJson(data));
    if (!record.success) {
      log.warn({ brokerageCode: settings.code }, "an order update that makes no sense was dropped");
      return;
    }
    for (const listener of listeners) listener(record.data);
  });
  const ask = <T>(operation: GatewayOperation, request: object) => askGateway<T>(options, operation, request);
  return {
    settings,
    login: (request) => ask("login", request),
    accounts: (request) => ask("accounts", request),
    positions: (request) => ask("positions", request),
    dailyOrders: (request) => ask("dailyOrders", request),
    place: (request) => ask("place", request),
    chain: (request) => ask("chain", request),
    cancel: (request) => ask("cancel", request),
    findOrder: (request) => ask("findOrder", request),
    onUpdate: (listener): Cancel => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => unsubscribe(),
  };
}

async function askGateway<T>(
  { settings, bus, log }: GatewayOptions,
  operation: GatewayOperation,
  request: object,
): Promise<BrokerReply<T>> {
  let bytes: Uint8Array;
  try {
    const payload = Buffer.from(JSON.stringify(request));
    bytes = await bus.request(brokerSubject(settings.code, operation), payload, settings.timeoutMs);
  } catch (error) {
    const isCertain = error instanceof BusError && error.isCertainlyNotHandled;
    return { ok: false, code: isCertain ? "UNREACHABLE" : "UNKNOWN", message: "no answer from the brokerage" };
  }
  const answer = answerSchemas[operation].safeParse(parseJson(bytes));
  if (answer.success) return answer.data as BrokerReply<T>;
  log.warn({ brokerageCode: settings.code, operation }, "the brokerage's answer makes no sense");
  return { ok: false, code: "UNKNOWN", message: "the brokerage's answer makes no sense" };
}

const answerSchemas = Object.fromEntries(
  Object.entries(gatewayAnswers).map(([operation, data]) => [
    operation,
    z.discriminatedUnion("ok", [z.object({ ok: z.literal(true), data }), gatewayFailureSchema]),
  ]),
) as unknown as Record<GatewayOperation, z.ZodType>;

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
