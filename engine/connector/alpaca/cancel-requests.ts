/**
 * Cancel requests that are in progress, and the ends that wait for their answers.
 *
 * Alpaca's `canceled` does not state who cancelled. Its stream can report an end before the answer to the request
 * arrives, and only that answer shows that the owner's request was taken. The first record of an end must state its
 * reason: the engine sells the rest of an exit again, unless the owner ended it.
 *
 * Invariant: an end waits only while a request about its order runs, and a request ends with its time-out at the
 * latest.
 */
import type { AlpacaOrder } from "./order.ts";

export class CancelRequests {
  readonly #running = new Map<string, { count: number; end: AlpacaOrder | undefined }>();

  begin(clientOrderId: string): void {
    const request = this.#running.get(clientOrderId) ?? { count: 0, end: undefined };
    request.count += 1;
    this.#running.set(clientOrderId, request);
  }

  /**
   * Holds Alpaca's word back if it is an end that a request in progress can have caused; returns false if it is not.
   */
  hold(word: AlpacaOrder): boolean {
    const request = this.#running.get(word.clientOrderId);
    if (request === undefined || word.end !== "cancelled") return false;
    if (request.end === undefined || word.updatedMs >= request.end.updatedMs) request.end = word;
    return true;
  }

  /**
   * Notes that a request was answered, or never will be. Returns the end that waited for it, once no request is left.
   */
  finish(clientOrderId: string): AlpacaOrder | undefined {
    const request = this.#running.get(clientOrderId);
    if (request === undefined) return undefined;
    request.count -= 1;
    if (request.count > 0) return undefined;
    this.#running.delete(clientOrderId);
    return request.end;
  }
}
