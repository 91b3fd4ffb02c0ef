/** The time that the servers alone take to store a record: the floor under a log on them. */
import { connect, RetentionPolicy, StorageType } from "nats";
import { sleep } from "../figure/timing.ts";

const STREAM = "FLOOR";
/** About the size of a trigger's batch. */
const RECORD_BYTES = 1_300;
/** A tick of an unknown symbol: the servers store it as every tick, and the engine drops it. */
const TICK_SUBJECT = "ticks.FLOOR";

interface BareAppends {
  readonly urls: string;
  readonly perSecond: number;
  readonly count: number;
  readonly rounds: number;
}

/**
 * Appends one after the other to a stream like a log's, each right behind a tick, as a trigger is. Returns how long
 * each took, in ms, round by round, except a first round that warms up.
 */
export async function bareAppends({ urls, perSecond, count, rounds }: BareAppends): Promise<number[][]> {
  const connection = await connect({ servers: urls.split(",") });
  try {
    const manager = await connection.jetstreamManager();
    const settings = { name: STREAM, subjects: ["floor"], num_replicas: 3, deny_delete: true };
    await manager.streams.add({ ...settings, storage: StorageType.File, retention: RetentionPolicy.Limits });
    const client = connection.jetstream();
    const record = Buffer.alloc(RECORD_BYTES, 1);
    const measured: number[][] = [];
    let last = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const took: number[] = [];
      const startMs = performance.now();
      for (let index = 0; index < count; index += 1) {
        await sleep(Math.max(0, startMs + (index * 1_000) / perSecond - performance.now()));
        const beganMs = performance.now();
        connection.publish(TICK_SUBJECT, JSON.stringify({ price: 1, time: Date.now() }));
        last = (await client.publish("floor", record, { msgID: `${last}`, expect: { lastSequence: last } })).seq;
        took.push(performance.now() - beganMs);
      }
      if (round > 0) measured.push(took);
    }
    return measured;
  } finally {
    await connection.close();
  }
}
