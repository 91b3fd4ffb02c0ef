/**
 * A price publisher in a process of its own: NATS frames made beforehand, written to the socket, never waiting for a
 * subscriber (open loop). At a rate, a tick counts from the moment at which it was due, so that a publisher that came
 * late hides nothing.
 */
import { connect, type Socket } from "node:net";
import { sleep } from "../harness/figure/timing.ts";
import { type FloodPlan, floodFrames, type PacedPlan, type PublisherPlan, pacedFrame } from "../harness/load/ticks.ts";

/** The publisher's report when all was written. */
export interface PublisherReport {
  /** Of the machine's steady clock: when the first tick was due, and when the last was written. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Of a paced plan: when each trigger was written, which is up to some milliseconds after it was due. */
  readonly triggersWrittenNs: readonly bigint[];
}

const LEAD_MS = 200;

async function run(plan: PublisherPlan): Promise<PublisherReport> {
  const { hostname, port } = new URL(plan.natsUrl);
  const socket = await open(hostname, Number(port));
  await sleep(LEAD_MS);
  const report = plan.kind === "flood" ? await flood(socket, plan) : await pace(socket, plan);
  await closeGently(socket);
  return report;
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    socket.once("error", reject);
    socket.on("data", (data: Buffer) => {
      if (data.includes("INFO ")) {
        socket.write('CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n');
        resolve(socket);
      } else if (data.includes("PING")) socket.write("PONG\r\n");
    });
  });
}

/** As fast as the server takes it. */
async function flood(socket: Socket, { count, last }: FloodPlan): Promise<PublisherReport> {
  const frames = floodFrames();
  const startNs = process.hrtime.bigint();
  for (let sent = 0; sent < count; sent += frames.count) {
    if (!socket.write(frames.bytes)) await new Promise<void>((resolve) => socket.once("drain", resolve));
  }
  await written(socket, last);
  return { startNs, endNs: process.hrtime.bigint(), triggersWrittenNs: [] };
}

async function pace(socket: Socket, plan: PacedPlan): Promise<PublisherReport> {
  const { ticksPerSecond, tickCount, ticksPerTrigger } = plan;
  const frames = Array.from({ length: tickCount }, (_, index) => pacedFrame(plan, index));
  const nsPerTick = 1e9 / ticksPerSecond;
  const startNs = process.hrtime.bigint() + BigInt(LEAD_MS * 1e6);
  let sent = 0;
  const triggersWrittenNs: bigint[] = [];
  while (sent < tickCount) {
    const sinceNs = Number(process.hrtime.bigint() - startNs);
    const due = Math.min(tickCount, Math.floor(sinceNs / nsPerTick) + 1);
    if (due > sent) {
      const writtenNs = process.hrtime.bigint();
      socket.write(Buffer.concat(frames.slice(sent, due)));
      sent = due;
      while (triggersWrittenNs.length < Math.floor(sent / ticksPerTrigger)) triggersWrittenNs.push(writtenNs);
    }
    await sleep(1);
  }
  return { startNs, endNs: process.hrtime.bigint(), triggersWrittenNs };
}

function written(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

/** An answered ping proves that the server has read everything before it. */
async function closeGently(socket: Socket): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (data: Buffer) => {
      if (data.includes("PONG")) resolve();
    });
  });
  socket.write("PING\r\n");
  await answered;
  socket.destroy();
}

process.on("message", (message) => {
  if (typeof message === "object" && message !== null && "natsUrl" in message) {
    void run(message as PublisherPlan).then((report) => process.send?.(report));
  }
});
process.send?.("ready");
