/**
 * The other form of engines on the same bus. Engines with REPLICATION=off and engines with REPLICATION=on would both
 * sell every row, and neither form notices the other by its own means.
 *
 * Owns: the search before a start, the search while the engine runs. Does not own: where to look
 * (look-for-other-form.ts), engines of the same form (cluster/ownership, the log).
 *
 * Invariants:
 * 1. An engine starts nothing before a search was answered, and a found engine of the other form ends the start.
 * 2. An engine is not ready while the last answered search found the other form, or before one was certain.
 */
import { BusClosedError } from "../../src/bus/port.ts";
import type { Cancel, Log, Timers } from "../../src/runtime/ports.ts";
import { type ExitReason, UserError } from "../../src/runtime/user-error.ts";

const LOOK_EVERY_MS = 4_000;
const ASK_AGAIN_MS = 1_000;
const LOG_AGAIN_MS = 60_000;

/** The result of one search. */
export interface Finding {
  readonly message: string;
  /** Why a start is refused. Undefined: not certain, so the engine starts and is not ready. */
  readonly reason: ExitReason | undefined;
}

/** Searches once. Returns undefined if the other form does not exist. Rejects if the bus cannot be asked. */
export type Look = () => Promise<Finding | undefined>;

interface OtherFormOptions {
  readonly look: Look;
  readonly timers: Pick<Timers, "after">;
  readonly log: Log;
}

export class OtherForm {
  readonly #options: OtherFormOptions;
  #whyNot: string | undefined;
  #wasCertain = false;
  #isStopped = false;
  #cancel: Cancel = () => undefined;

  private constructor(options: OtherFormOptions) {
    this.#options = options;
  }

  /** Searches for the other form, and again while the engine runs. Rejects with a `UserError` if it is found. */
  static async refuse(options: OtherFormOptions): Promise<OtherForm> {
    const form = new OtherForm(options);
    const finding = await form.#lookUntilAnswered();
    if (finding?.reason !== undefined) throw new UserError(finding.message, { reason: finding.reason });
    form.#judge(finding);
    form.#lookLater();
    return form;
  }

  /** Why the engine is not ready; empty once it is certain that no engine of the other form runs. */
  get faults(): readonly string[] {
    return this.#whyNot === undefined ? [] : [this.#whyNot];
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #lookUntilAnswered(): Promise<Finding | undefined> {
    const { look, timers, log } = this.#options;
    for (let waitedMs = 0; ; waitedMs += ASK_AGAIN_MS) {
      try {
        return await look();
      } catch (err) {
        if (err instanceof BusClosedError) throw err;
        if (waitedMs % LOG_AGAIN_MS === 0)
          log.warn(
            { event: "engine.cannotAskForms", err },
            "the bus cannot be asked for engines of the other form yet",
          );
        await new Promise<void>((resolve) => void timers.after(ASK_AGAIN_MS, resolve));
      }
    }
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#cancel = this.#options.timers.after(LOOK_EVERY_MS, () => {
      const looked = this.#options.look().then(
        (finding) => this.#judge(finding),
        // The bus was away: the result of the last answered search remains.
        () => undefined,
      );
      void looked.then(() => this.#lookLater());
    });
  }

  #judge(finding: Finding | undefined): void {
    const isCertain = finding === undefined || finding.reason !== undefined;
    if (!isCertain && this.#wasCertain) return;
    this.#wasCertain = isCertain;
    const before = this.#whyNot;
    this.#whyNot = finding?.message;
    if (this.#whyNot === before) return;
    const { log } = this.#options;
    if (this.#whyNot === undefined)
      log.info({ event: "engine.otherFormGone" }, "no engine of the other form is on the bus any more");
    else log.error({ event: "engine.otherForm" }, `not ready: ${this.#whyNot}`);
  }
}
