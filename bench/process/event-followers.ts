/**
 * Clients of the event stream in a process of their own: one connection each, which notes when it was told of each row
 * that fired. They stand for clients on machines of their own: they yield to what is measured, and read their sockets
 * with as little work as they can. When they are told of an event late for that, it counts.
 */
import { connect } from "node:net";
import { yieldToEngine } from "../../edge/priority.ts";
import { FrameReader } from "../../src/event/frames.ts";

export interface FollowRequest {
  readonly url: string;
  /** The header of each client. */
  readonly authorizations: readonly string[];
}

/** By the quantity, which names the group; of the machine's steady clock. */
export type ToldMoments = readonly (readonly [quantity: number, atNs: bigint])[];

const OPENED_AT_ONCE = 50;
const ANSWER_SHOWN = 200;

yieldToEngine();

let told: [number, bigint][] = [];
let connections: (() => void)[] = [];

/** Opens a stream for each. Resolves when all are open. */
async function follow({ url, authorizations }: FollowRequest): Promise<void> {
  for (let from = 0; from < authorizations.length; from += OPENED_AT_ONCE) {
    await Promise.all(
      authorizations.slice(from, from + OPENED_AT_ONCE).map((authorization) => open(url, authorization)),
    );
  }
}

function open(url: string, authorization: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    const frames = new FrameReader();
    const wanted = "/api/v1/events?types=oco.triggered";
    socket.write(`GET ${wanted} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`);
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.once("data", (text: string) => {
      if (text.startsWith("HTTP/1.1 200 ")) resolve();
      else reject(new Error(`a stream was answered with ${text.slice(0, ANSWER_SHOWN)}`));
    });
    // A chunk of HTTP is whole frames: where it begins and ends is a line more, before the fields of the next frame.
    socket.on("data", (text: string) => {
      const atNs = process.hrtime.bigint();
      for (const { data } of frames.take(text)) {
        if (data !== undefined) told.push([(JSON.parse(data) as { row: { quantity: number } }).row.quantity, atNs]);
      }
    });
    connections.push(() => socket.destroy());
  });
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
