/**
 * Takes an operator's request for a backup of a partition.
 *
 * Owns: at most one backup at a time, and the answers while it runs. Does not own: copying, judging folders.
 *
 * Invariant: a repeated request with the same folder returns the state of that backup, and begins no second one.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type BackupView, backupBody } from "../../../src/contract/operator/operator.ts";
import { accept, type Result, refuse } from "../../../src/domain/refusal.ts";
import type { Clock, Log, Timers } from "../../../src/runtime/ports.ts";
import { type BackupProgress, type BackupSource, backUp } from "./backup.ts";
import { placeOfBackup, roomFor } from "./backup-folder.ts";

/** Less than a client waits for an answer. */
const WAIT_MS = 15_000;

interface BackupJobsOptions {
  readonly source: BackupSource;
  readonly partition: number;
  /** Where backups may go. */
  readonly allowed: string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface Backup {
  readonly folder: string;
  readonly progress: BackupProgress;
  readonly outcome: Promise<Result<BackupView>>;
  /** The next request with its folder receives a failure, once. */
  state: "running" | "done" | "failed";
}

export class BackupJobs {
  readonly #options: BackupJobsOptions;
  #latest: Backup | undefined;

  constructor(options: BackupJobsOptions) {
    this.#options = options;
  }

  /** Begins a backup, or finds the one with this folder; answers once it is done, or after `WAIT_MS`. */
  async handle(body: unknown): Promise<Result<BackupView>> {
    const parsed = backupBody.safeParse(body);
    if (!parsed.success) return refuse("INVALID", "folder must be an absolute path on the engine's machine");
    const { folder } = parsed.data;
    await this.#forgetRemoved();
    const latest = this.#latest;
    if (latest?.folder === folder) return this.#stateOf(latest);
    if (latest?.state === "running") return refuse("CONFLICT", "another backup is being made");
    const progress = { rowCount: 0, byteCount: 0 };
    const begun: Backup = { folder, progress, state: "running", outcome: this.#run(folder, progress) };
    void begun.outcome.then(({ ok }) => {
      begun.state = ok ? "done" : "failed";
    });
    this.#latest = begun;
    return this.#stateOf(begun);
  }

  /** Forgets a finished backup whose folder was removed: asking again for that folder makes a new one. */
  async #forgetRemoved(): Promise<void> {
    const latest = this.#latest;
    if (latest?.state !== "done") return;
    const isThere = await stat(join(latest.folder, `partition-${this.#options.partition}`)).then(
      () => true,
      () => false,
    );
    if (!isThere && this.#latest === latest) this.#latest = undefined;
  }

  async #stateOf(backup: Backup): Promise<Result<BackupView>> {
    const { folder, progress } = backup;
    const waiting = new Promise<undefined>((resolve) => {
      const cancel = this.#options.timers.after(WAIT_MS, () => resolve(undefined));
      void backup.outcome.then(cancel);
    });
    const outcome = await Promise.race([backup.outcome, waiting]);
    if (outcome === undefined) {
      return accept({ partition: this.#options.partition, folder, state: "running", ...progress, batch: null });
    }
    // A failure is returned once: a request after that tries again.
    if (!outcome.ok && this.#latest === backup) this.#latest = undefined;
    return outcome;
  }

  async #run(folder: string, progress: BackupProgress): Promise<Result<BackupView>> {
    const { source, partition, allowed, log, clock } = this.#options;
    const startedMs = clock.nowMs();
    try {
      const place = await placeOfBackup(folder, partition, allowed);
      if (!place.ok) return place;
      const room = await roomFor([source.folder], allowed);
      if (!room.ok) return room;
      const { batch } = await backUp(source, place.value, progress);
      const tookMs = clock.nowMs() - startedMs;
      log.info({ event: "backup.made", folder: place.value, batch, ...progress, tookMs }, "a backup was made");
      return accept({ partition, folder: place.value, state: "done", ...progress, batch });
    } catch (err) {
      log.error({ event: "backup.failed", err, folder }, "a backup failed");
      const reason = err instanceof Error ? err.message : String(err);
      return refuse("UNAVAILABLE", `the backup failed: ${reason}`);
    }
  }
}
