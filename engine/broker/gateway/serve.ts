/**
 * The other side of the gateway protocol: puts any brokerage behind `broker.<CODE>.<operation>`. The paper brokerage
 * that runs alone uses it, and it is the reference for whoever writes a connector.
 */

import type { Bus } from "../../../src/bus/port.ts";
import { type GatewayOperation, gatewayOperations, gatewayRequests } from "../../../src/contract/gateway.ts";
import type { BrokerReply } from "../../../src/contract/order.ts";
import { brokerSubject } from "../../../src/contract/subject.ts";
import type { Brokerage, Cancel } from "../../ports.ts";

/** One of several processes that answer for the same brokerage gets a request, never two: an order is placed once. */
const QUEUE = "gateway";

/** Answers for `brokerage` on the bus and publishes its updates. Returns the way to stop. */
export function serveGateway(bus: Bus, brokerage: Brokerage): Cancel {
  const { code } = brokerage.settings;
  const stops = gatewayOperations.map((operation) =>
    bus.respond(
      brokerSubject(code, operation),
      async ({ data }) => Buffer.from(JSON.stringify(await answer(brokerage, operation, data))),
      { queue: QUEUE },
    ),
  );
  stops.push(
    brokerage.onUpdate((record) => bus.publish(brokerSubject(code, "updates"), Buffer.from(JSON.stringify(record)))),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

async function answer(
  brokerage: Brokerage,
  operation: GatewayOperation,
  data: Uint8Array,
): Promise<BrokerReply<unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(data).toString());
  } catch {
    return { ok: false, code: "REJECTED", message: "the request is not JSON" };
  }
  const request = gatewayRequests[operation].safeParse(json);
  if (!request.success) return { ok: false, code: "REJECTED", message: "the request lacks a field or has a wrong one" };
  const call = brokerage[operation].bind(brokerage) as (request: unknown) => Promise<BrokerReply<unknown>>;
  return call(request.data);
}
