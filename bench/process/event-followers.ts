/**
 * Clients of the event stream in a process of their own: one connection each, which notes when it was told of each row
 * that fired.
 */
import { request } from "node:http";
import { FrameReader } from "../../src/event/frames.ts";

export interface FollowRequest {
  readonly url: string;
  /** The header of each client. */
  readonly authorizations: readonly string[];
}

/** By the quantity, which names the group; of the machine's steady clock. */
export type ToldMoments = readonly (readonly [quantity: number, atNs: bigint])[];

const OPENED_AT_ONCE = 50;

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
    const asked = request(`${url}/api/v1/events?types=oco.triggered`, { agent: false, headers: { authorization } });
    asked.once("error", reject);
    asked.once("response", (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`a stream was answered with ${response.statusCode}`));
        return;
      }
      const frames = new FrameReader();
      response.setEncoding("utf8");
      response.on("error", () => undefined);
      response.on("data", (text: string) => {
        const atNs = process.hrtime.bigint();
        for (const { data } of frames.take(text)) {
          if (data !== undefined) told.push([(JSON.parse(data) as { row: { quantity: number } }).row.quantity, atNs]);
        }
      });
      connections.push(() => response.destroy());
      resolve();
    });
    asked.end();
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
