/** The answer of a brokerage's adapter, which can throw: an exception is an unknown outcome. */
import type { BrokerReply } from "../../src/contract/trading/order.ts";
import type { Log } from "../../src/runtime/ports.ts";

/** Calls an adapter. Never rejects: an exception is logged with `fields` and returned as UNAVAILABLE. */
export async function adapterAnswer<T>(
  call: () => Promise<BrokerReply<T>>,
  log: Log,
  fields: object,
): Promise<BrokerReply<T>> {
  try {
    return await call();
  } catch (cause) {
    log.error({ event: "brokerage.adapterFailed", ...fields, error: String(cause) }, "a brokerage's adapter threw");
    return { ok: false, code: "UNAVAILABLE", message: "the call to the brokerage failed" };
  }
}
