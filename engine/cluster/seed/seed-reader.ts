/**
 * Asks the leader of a partition for its rows.
 *
 * Owns: asking page by page, and again for a page whose answer was lost. Does not own: what is made of the rows.
 *
 * Invariant: rows are handed on in the leader's order and whole, or reading throws: a leader that ends half way is not
 * followed by another one's rows.
 */
import { type Bus, NoResponderError, RequestTimeoutError } from "../../../src/bus/port.ts";
import { seedPageSubject, seedSubject } from "../../../src/contract/subject.ts";
import type { Put } from "../../ports/storage.ts";
import { decodeRecord } from "../../store/log/log-record.ts";
import { HEAD_KEY } from "../../table/keys.ts";
import { decodeOffer, decodePart } from "./seed-message.ts";

/** Longer than the pace of many seeds makes a page wait. */
const PAGE_TIMEOUT_MS = 10_000;
const TRIES_MAX = 3;

interface SeedReaderOptions {
  readonly partition: number;
  readonly life: number;
  readonly bus: Pick<Bus, "request">;
  readonly signal: AbortSignal;
  /** Told of the record at which the rows are given: from the next one on the copy needs the log. */
  readonly onOffer: (batch: number) => void;
}

/** The leader's rows, the head record last. Throws where nobody leads, or the leader ends before all was given. */
export async function* readSeed(options: SeedReaderOptions): AsyncGenerator<readonly Put[]> {
  const { partition, life, onOffer } = options;
  const offer = decodeOffer(await ask(options, seedSubject(partition, life), ""));
  if ("refusal" in offer) throw new Error(`the leader cannot seed this copy now: ${offer.refusal}`);
  onOffer(offer.batch);
  const subject = seedPageSubject(partition, life, offer.name);
  let parts: Uint8Array[] = [];
  for (let number = 0; ; number += 1) {
    const { isLast, bytes } = decodePart(await ask(options, subject, String(number)));
    parts.push(bytes);
    if (!isLast) continue;
    const rows = decodeRecord(Buffer.concat(parts)).operations.filter((operation) => operation.type === "put");
    parts = [];
    yield rows;
    if (rows.some(({ key }) => key === HEAD_KEY)) return;
  }
}

async function ask({ bus, signal }: SeedReaderOptions, subject: string, text: string): Promise<Uint8Array> {
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await untilAborted(bus.request(subject, Buffer.from(text), PAGE_TIMEOUT_MS), signal);
    } catch (error) {
      if (error instanceof NoResponderError) {
        throw new Error("the copy must be seeded, and no engine leads the partition now", { cause: error });
      }
      if (!(error instanceof RequestTimeoutError) || tries === TRIES_MAX) throw error;
    }
  }
}

function untilAborted<Value>(asked: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    asked.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}
