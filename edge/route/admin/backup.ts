/**
 * Backups, made while the installation runs (behaviour 11.7).
 *
 * Owns: asking one partition after the other. Does not own: copying, and the permitted places of copies (the engines).
 *
 * Invariant: the shared partition is copied last: it can know users whose data the copy lacks, never the other way.
 */
import { z } from "zod";
import {
  type BackupView,
  backupBody,
  backupSchema,
  OPERATOR_COMMANDS,
} from "../../../src/contract/operator/operator.ts";
import type { MonotonicClock } from "../../../src/runtime/ports.ts";
import type { EngineClient } from "../../client/engine-client.ts";
import { answerRefusal } from "../../middleware/errors.ts";
import type { AddOperation } from "../../operation/operation.ts";
import { answerData } from "../../server/request-state.ts";

const backupAnswer = z.object({
  folder: z.string(),
  isDone: z.boolean().meta({ description: "False: ask again with the same folder until it is true" }),
  partitions: z
    .array(backupSchema)
    .meta({ description: "In the order in which they are copied; the rest still waits" }),
});

/**
 * The next partition is asked when the caller asks again: servers and proxies cut off connections that are silent for a
 * minute.
 */
const ANSWER_MS = 20_000;

/** Adds the operation that makes a backup. */
export function addBackupOperation(add: AddOperation, engine: EngineClient, clock: MonotonicClock): void {
  add({
    operationId: "createBackup",
    method: "POST",
    path: "/admin/v1/backup",
    tag: "Administration",
    summary: "Make a backup",
    description:
      "Copies every partition, as it is at one moment, to a new folder on the machine of its engine, below BACKUP_DIR. " +
      "Repeated with the same folder, the request continues the copy and returns its progress. The copy holds the key " +
      "that signs access tokens: keep it as safe as the data folder.",
    scope: "admin",
    body: backupBody,
    data: backupAnswer,
    // The same request asks for the present state of the backup.
    isIdempotent: false,
    handle: async (call) => {
      const { folder } = call.body;
      const made: BackupView[] = [];
      const untilMs = clock.monotonicMs() + ANSWER_MS;
      for (let partition = engine.partitions - 1; partition >= 0; partition -= 1) {
        const reply = await call.command(OPERATOR_COMMANDS.backup, { folder }, { partition });
        if (!reply.ok)
          return answerRefusal(call.context, { ...reply, message: `partition ${partition}: ${reply.message}` });
        const view = backupSchema.parse(reply.data);
        made.push(view);
        if (view.state === "running" || clock.monotonicMs() >= untilMs) break;
      }
      const isDone = made.length === engine.partitions && made.every(({ state }) => state === "done");
      const message = isDone ? "The backup was made" : "The backup is being made: ask again with the same folder";
      return answerData(call.context, message, { folder, isDone, partitions: made });
    },
  });
}
