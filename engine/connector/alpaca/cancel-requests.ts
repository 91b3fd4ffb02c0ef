/**
 * Cancel requests that are on their way, and the ends that wait for their answers.
 *
 * Alpaca's `canceled` does not state who cancelled. Its stream may tell of an end before the answer to the request has
 * come, and only that answer shows that the owner's request was taken. The first record of an end must state its reason:
 * the engine sells the rest of an exit again, unless the owner ended it.
 *
 * Invariant: an end waits only while a request about its order runs, and a request ends with its time-out at the latest.
 */
import type { AlpacaOrder } from "./order.ts";

export class CancelRequests {
  readonly #running = new Map<string, { count: number; end: AlpacaOrder | undefined }>();

  begin(clientOrderId: string): void {
    const request = this.#running.get(clientOrderId) ?? { count: 0, end: undefined };
    request.count += 1;
    this.#running.set(clientOrderId, request);
  }

  /** Keeps Alpaca's word back where it is an end that a request on its way may have caused; false where it is not. */
  hold(word: AlpacaOrder): boolean {
    const request = this.#running.get(word.clientOrderId);
    if (request === undefined || word.end !== "cancelled") return false;
    if (request.end === undefined || word.updatedMs >= request.end.updatedMs) request.end = word;
    return true;
  }

  /** A request was answered, or never will be: the end that waited for it, once none is left. */
  finish(clientOrderId: string): AlpacaOrder | undefined {
    const request = this.#running.get(clientOrderId);
    if (request === undefined) return undefined;
    request.count -= 1;
    if (request.count > 0) return undefined;
    this.#running.delete(clientOrderId);
    return request.end;
  }
}
