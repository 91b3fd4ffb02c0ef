/**
 * The replicated log of one partition: followed, and led once that is allowed.
 *
 * Owns: whether it follows or leads. Does not own: the stream (jetstream-log.ts), reading and claiming
 * (log-replica.ts), the leadership after the claim (leadership.ts), when leading is allowed (lease.ts).
 *
 * Invariants:
 * 1. A follower receives every record once, in order, from the position of its copy; records that it already holds are
 *    compared first.
 * 2. A claim names the last message of the log. This copy has read it, and the stream's leader confirms that it is the
 *    last.
 * 3. Every claim has its own id: the stream answers a repeated id with the outcome of the first.
 * 4. A claim that is stored after its follower has ended is released immediately. No engine would know of it, and its
 *    beats would keep every other engine away.
 * 5. Silence counts from the last message received, from zero when reading begins, and not while the log is
 *    unavailable.
 */
import type { Leadership, LogFollower, LogStatus, ReplicatedLog } from "../../ports/replica.ts";
import { LogReplica, type ReplicatedLogOptions } from "./log-replica.ts";

const NOTHING_READ: LogStatus = {
  epoch: undefined,
  leader: undefined,
  position: undefined,
  lagMessages: undefined,
  trouble: undefined,
};

export class StreamLog implements ReplicatedLog {
  readonly #options: ReplicatedLogOptions;
  #copy: LogReplica | undefined;
  #leadership: Leadership | undefined;

  constructor(options: ReplicatedLogOptions) {
    this.#options = options;
  }

  get installation(): string {
    return this.#options.stream.installation;
  }

  get life(): number {
    return this.#options.stream.life;
  }

  get standing(): LogStatus {
    if (this.#copy !== undefined) return this.#copy.standing;
    if (this.#leadership === undefined) return NOTHING_READ;
    const { epoch, log } = this.#leadership;
    return { ...NOTHING_READ, epoch, leader: this.#options.owner, position: log.lastSequence, lagMessages: 0 };
  }

  async follow(position: number | undefined, follower: LogFollower): Promise<() => void> {
    if (this.#copy !== undefined) throw new Error("the log has a follower");
    const copy = new LogReplica(this.#options, position, follower);
    this.#copy = copy;
    try {
      await copy.begin();
    } catch (error) {
      this.#end(copy);
      throw error;
    }
    return () => this.#end(copy);
  }

  async claim(delayMs: number, signal: AbortSignal): Promise<Leadership> {
    const copy = this.#copy;
    if (copy === undefined) throw new Error("who claims follows before");
    const leadership = await copy.claim(delayMs, AbortSignal.any([signal, copy.signal]));
    if (this.#copy !== copy || copy.signal.aborted) {
      await leadership.release();
      throw new Error("its follower ended while the claim was on its way");
    }
    this.#leadership = leadership;
    this.#end(copy);
    return leadership;
  }

  async close(): Promise<void> {
    if (this.#copy !== undefined) this.#end(this.#copy);
  }

  #end(copy: LogReplica): void {
    copy.end();
    if (this.#copy === copy) this.#copy = undefined;
  }
}
