/**
 * The connector's side of the gateway contract: a connector on the bus.
 *
 * Owns: subjects, reading requests, answering for missing operations. Does not own: the fence (order-gate.ts), the
 * process (run.ts).
 *
 * Invariants:
 * 1. Every request is answered, in terms of the contract.
 * 2. Neither a request nor an answer is logged: they hold passwords and account data.
 */

import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Bus } from "../../../src/bus/port.ts";
import {
  GATEWAY_PROTOCOL,
  type GatewayOperation,
  type GatewayStatus,
  gatewayOperations,
  gatewayRequests,
  type RecallRequest,
} from "../../../src/contract/gateway/gateway.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import type { BrokerReply } from "../../../src/contract/trading/order.ts";
import { parseJson } from "../../../src/runtime/json.ts";
import type { Cancel, Clock, Fatal, Log } from "../../../src/runtime/ports.ts";
import { type Connector, failed } from "./connector.ts";
import { type EpochStore, FenceKeeper } from "./fence.ts";
import { GuardedOrders } from "./order-gate.ts";
import { type ServingOptions, ServingProcess } from "./serving-process.ts";
import { openEpochFile } from "./state/epoch-file.ts";

/**
 * Of several processes for the same brokerage one receives a request, never two: an order is placed once. They share no
 * fence and do not know each other's orders. Only an `idempotent` brokerage can therefore have several.
 */
const QUEUE = "gateway";

interface ServeOptions {
  readonly code: string;
  readonly bus: Bus;
  readonly log: Log;
  readonly steadyClock: Clock;
  /** Stores epochs beyond the process; default: they are not stored. */
  readonly epochs?: EpochStore;
  /** This process among others of the connector. Absent: it is the only one, and never stalls. */
  readonly process?: Pick<ServingProcess, "instance" | "arrive" | "announce">;
}

type Answers = { readonly [Operation in GatewayOperation]: (request: never) => Promise<BrokerReply<unknown>> };

interface BeginOptions extends Omit<ServingOptions, "onSuperseded"> {
  /** Ends the process once a younger one serves the brokerage. */
  readonly fatal: Fatal;
}

/**
 * Must be called before any contact with the brokerage. Rejects with a `UserError` if another process serves it. Returns
 * the function that serves the connector, with the epochs of a file, and returns the function that stops it.
 */
export async function beginServing(
  options: BeginOptions,
): Promise<(connector: Connector, epochsFile: string) => Cancel> {
  const onSuperseded = (reason: string): void => options.fatal(`this process gives way: ${reason}`, undefined);
  const process = await ServingProcess.begin({ ...options, onSuperseded });
  return (connector, epochsFile) => {
    const stop = serveConnector(connector, { ...options, epochs: openEpochFile(epochsFile), process });
    return () => {
      stop();
      process.stop();
    };
  };
}

/** Answers for a brokerage on the bus and publishes its updates. Returns a function that stops it. */
export function serveConnector(connector: Connector, options: ServeOptions): Cancel {
  const { bus, code } = options;
  const answers = answersOf(connector, options);
  const ends = gatewayOperations.map((operation) =>
    bus.respond(
      brokerSubject(code, operation),
      async ({ data }) => Buffer.from(JSON.stringify(await answer(answers, operation, data, options.log))),
      { queue: QUEUE },
    ),
  );
  // Processes that promise `idempotent` can serve in parallel.
  if (connector.status().resend !== "idempotent") options.process?.announce();
  const stopUpdates = connector.onUpdate((record) =>
    bus.publish(brokerSubject(code, "updates"), Buffer.from(JSON.stringify(record))),
  );
  return () => {
    for (const end of ends) void end();
    stopUpdates();
  };
}

function answersOf(connector: Connector, { steadyClock, epochs, log, process }: ServeOptions): Answers {
  const fence = new FenceKeeper(steadyClock, epochs);
  const instance = process?.instance ?? randomUUID();
  const orders = new GuardedOrders(connector, {
    fence,
    resend: () => connector.status().resend,
    ...{ log, instance, steadyClock },
    arrive: () => process?.arrive() ?? neverStale,
  });
  const lacks = async (): Promise<BrokerReply<never>> => failed("REJECTED", "the brokerage does not support this");
  return {
    login: connector.login?.bind(connector) ?? lacks,
    accounts: (request: { userId: number }) => connector.accounts(request),
    positions: connector.positions?.bind(connector) ?? lacks,
    dailyOrders: connector.dailyOrders?.bind(connector) ?? lacks,
    place: orders.place.bind(orders),
    chain: orders.chain.bind(orders),
    cancel: orders.cancel.bind(orders),
    findOrder: orders.findOrder.bind(orders),
    instrument: connector.instrument?.bind(connector) ?? lacks,
    balance: connector.balance?.bind(connector) ?? lacks,
    bars: connector.bars?.bind(connector) ?? lacks,
    status: async () => ({ ok: true, data: statusOf(connector, instance) }),
    fence: async (asked: { partition: number; epoch: number }) => orders.raiseEpoch(asked),
    recall: async (asked: RecallRequest) => orders.recall(asked),
  };
}

const neverStale = (): boolean => false;

/** An `idempotent` brokerage can have several processes, any of which can receive a request: none is named. */
function statusOf(connector: Connector, instance: string): GatewayStatus {
  const status = connector.status();
  return { protocol: GATEWAY_PROTOCOL, ...status, ...(status.resend === "idempotent" ? {} : { instance }) };
}

async function answer(
  answers: Answers,
  operation: GatewayOperation,
  data: Uint8Array,
  log: Log,
): Promise<BrokerReply<unknown>> {
  const request = gatewayRequests[operation].safeParse(parseJson(data));
  if (!request.success) return failed("REJECTED", `the request is not right: ${fieldsOf(request.error)}`);
  try {
    return await (answers[operation] as (request: unknown) => Promise<BrokerReply<unknown>>)(request.data);
  } catch (err) {
    log.error({ event: "connector.requestFailed", err, operation }, "a request could not be answered");
    return failed("UNAVAILABLE", "the connector failed");
  }
}

/** The names of invalid fields, without their values. */
function fieldsOf(error: z.ZodError): string {
  const paths = error.issues.map(({ path }) => path.join("."));
  return [...new Set(paths)].map((path) => path || "it is not a JSON object").join(", ");
}
