/**
 * Clients of the event stream in a process of their own: one connection each, which notes when it received the event of
 * each fired row. They represent clients on machines of their own, so they take as little of this one as they can. They
 * yield to the measured processes, read all sockets into one buffer, search only for the name of the row, and wake up
 * once in `NAP_MS` for all of them. An event that is received late for that reason counts with its delay.
 */
import { connect } from "node:net";
import { yieldToEngine } from "../../edge/priority.ts";

export interface FollowRequest {
  readonly url: string;
  /** The header of each client. */
  readonly authorizations: readonly string[];
}

/** By the quantity, which names the group; of the machine's steady clock. */
export type ToldMoments = readonly (readonly [quantity: number, atNs: bigint])[];

const OPENED_AT_ONCE = 50;
const ANSWER_SHOWN = 200;
/** A round trip to a client far away takes longer. */
const NAP_MS = 10;
const READ_BYTES = 65_536;
/** An event is one line; each requested event names one row. */
const LINE = /\ndata: .*?"quantity":([0-9]+).*\n\n/g;

yieldToEngine();

let told: [number, bigint][] = [];
let connections: (() => void)[] = [];
/** The last bytes of any socket. */
const received = Buffer.allocUnsafe(READ_BYTES);
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4));

/** Opens a stream for each. Resolves when all are open. */
async function follow({ url, authorizations }: FollowRequest): Promise<void> {
  for (let from = 0; from < authorizations.length; from += OPENED_AT_ONCE) {
    await Promise.all(
      authorizations.slice(from, from + OPENED_AT_ONCE).map((authorization) => open(url, authorization)),
    );
  }
  nap();
}

function open(url: string, authorization: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    let rest = "";
    const take = (size: number): boolean => {
      const text = rest + received.toString("latin1", 0, size);
      rest = text.slice(noteAll(text));
      return true;
    };
    const takeAnswer = (size: number): boolean => {
      const text = received.toString("latin1", 0, size);
      taking = take;
      if (text.startsWith("HTTP/1.1 200 ")) resolve();
      else reject(new Error(`a stream was answered with ${text.slice(0, ANSWER_SHOWN)}`));
      return true;
    };
    let taking = takeAnswer;
    const socket = connect({
      ...{ host: hostname, port: Number(port) },
      onread: { buffer: received, callback: (size) => taking(size) },
    });
    socket.write(
      `GET /api/v1/events?types=oco.triggered HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
    socket.on("error", reject);
    connections.push(() => socket.destroy());
  });
}

/** Notes the complete events. Returns where the last of them ends. */
function noteAll(text: string): number {
  const atNs = process.hrtime.bigint();
  let end = 0;
  for (const match of text.matchAll(LINE)) {
    told.push([Number(match[1]), atNs]);
    end = match.index + match[0].length;
  }
  return end;
}

/** Naps while streams are open: all bytes that have arrived are read together. */
function nap(): void {
  if (connections.length === 0) return;
  Atomics.wait(NEVER_CHANGED, 0, 0, NAP_MS);
  setImmediate(nap);
}

process.on("message", (message) => {
  if (typeof message !== "object" || message === null) return;
  if ("url" in message) {
    void follow(message as FollowRequest).then(
      () => process.send?.("followed"),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  } else if ("take" in message) {
    process.send?.(told satisfies ToldMoments);
    told = [];
  } else if ("close" in message) {
    for (const close of connections) close();
    connections = [];
    process.send?.("closed");
  }
});
process.send?.("ready");
