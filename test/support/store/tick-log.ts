/**
 * Ticks as the server keeps them: published with an acknowledgement, read back at the end. The published ticks are
 * those in the stream; a tick that the server did not store never existed.
 */
import { connect, type JetStreamClient, type NatsConnection } from "nats";
import { pause } from "../world/stack.ts";

const STREAM = "TICKS";
const ACK_MS = 2_000;

/** One stored tick. */
export interface LoggedTick {
  readonly symbol: string;
  readonly price: number;
  /** When the server stored it. */
  readonly storedMs: number;
}

/** A publisher that is not ours: it dials forever, and the server acknowledges what it stored. */
export class TickPublisher {
  readonly nats: NatsConnection;
  readonly #jetStream: JetStreamClient;

  private constructor(nats: NatsConnection) {
    this.nats = nats;
    this.#jetStream = nats.jetstream({ timeout: ACK_MS });
  }

  static async connect(servers: string): Promise<TickPublisher> {
    return new TickPublisher(
      await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 50, reconnectJitter: 0 }),
    );
  }

  /** Publishes a tick; returns whether it was certainly stored. */
  async publish(symbol: string, price: number): Promise<boolean> {
    try {
      await this.#jetStream.publish(`ticks.${symbol}`, JSON.stringify({ price }));
      return true;
    } catch {
      return false;
    }
  }

  /** Publishes a tick until it is stored. */
  async publishSurely(symbol: string, price: number): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      if (await this.publish(symbol, price)) return;
      await pause(100);
    }
    throw new Error(`a tick of ${symbol} was never stored`);
  }

  /** Reads every tick of the stream, in its order. */
  async readAll(): Promise<LoggedTick[]> {
    const manager = await this.nats.jetstreamManager();
    const { state } = await manager.streams.info(STREAM);
    const consumer = await this.#jetStream.consumers.get(STREAM);
    const ticks: LoggedTick[] = [];
    let last = 0;
    while (last < state.last_seq) {
      for await (const message of await consumer.fetch({ max_messages: 1_000, expires: ACK_MS })) {
        last = message.info.streamSequence;
        const [, symbol = "", rest] = message.subject.split(".");
        if (rest === undefined && message.data.length > 0) {
          const { price } = message.json<{ price: number }>();
          ticks.push({ symbol, price, storedMs: message.info.timestampNanos / 1_000_000 });
        }
        if (last >= state.last_seq) break;
      }
    }
    return ticks;
  }

  async close(): Promise<void> {
    await this.nats.close();
  }
}

/** Returns the first stored tick of the symbol after `sinceMs` that `reaches`; undefined if none does. */
export function firstReached(
  ticks: readonly LoggedTick[],
  symbol: string,
  sinceMs: number,
  reaches: (price: number) => boolean,
): LoggedTick | undefined {
  return ticks.find((tick) => tick.symbol === symbol && tick.storedMs >= sinceMs && reaches(tick.price));
}
