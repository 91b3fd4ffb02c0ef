/**
 * Requests the rows of a partition from its leader.
 *
 * Owns: requests page by page, and the retry of a page whose answer was lost. Does not own: the use of the rows.
 *
 * Invariant: rows are handed on whole and in the leader's order, or reading throws. If a leader ends half way, another
 * leader's rows do not follow.
 */
import { type Bus, NoResponderError, RequestTimeoutError } from "../../../src/bus/port.ts";
import { seedPageSubject, seedSubject } from "../../../src/contract/subject.ts";
import type { Put } from "../../ports/storage.ts";
import { decodeRecord } from "../../store/log/log-record.ts";
import { HEAD_KEY } from "../../table/keys.ts";
import { decodeOffer, decodePart } from "./seed-message.ts";

/** Longer than a page waits for the shared pace of many seeds. */
const PAGE_TIMEOUT_MS = 10_000;
const TRIES_MAX = 3;

interface SeedReaderOptions {
  readonly partition: number;
  readonly life: number;
  readonly bus: Pick<Bus, "request">;
  readonly signal: AbortSignal;
  /** Receives the record at which the rows are read: the copy needs the log from the next record. */
  readonly onOffer: (batch: number) => void;
}

/**
 * Yields the leader's rows, the head record last. Throws if no engine leads, or if the leader ends before all rows were
 * sent.
 */
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
