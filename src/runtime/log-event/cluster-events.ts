/** Log events of many engines: who owns a partition, leaders, replicas, the replicated log and its servers. */
import type { LogEventTable } from "./declaration.ts";

export const clusterEvents = {
  "owner.waiting": {
    severity: "info",
    meaning: "This engine waits for the end of the engine that owns the partition.",
  },
  "owner.cannotAsk": {
    severity: "warn",
    meaning: "Other engines cannot be asked yet whether they own the partition.",
    action: "Check NATS if it repeats.",
  },
  "owner.silent": {
    severity: "warn",
    meaning: "An engine did not answer within its lease and is treated as stopped.",
    action: "Check that machine, and end its engine.",
  },
  "owner.lapsed": {
    severity: "warn",
    meaning: "Orders and answers wait until this engine knows that no other engine has taken over.",
    action: "Check NATS if `owner.regained` does not follow.",
  },
  "owner.regained": { severity: "info", meaning: "No other engine has taken over; this engine continues." },
  "leader.claimed": { severity: "info", meaning: "An engine claims the leadership of a partition." },
  "leader.takingOver": {
    severity: "info",
    meaning: "A leader did not answer within its lease; this engine takes the partition over.",
  },
  "leader.ready": { severity: "info", meaning: "This engine leads the partition and serves it." },
  "leader.lost": {
    severity: "warn",
    meaning: "Another engine leads the partition; this engine follows it.",
    action: "Find out why the leadership changed: a pause, a network fault or a restart.",
  },
  "leader.backingOff": {
    severity: "warn",
    meaning: "This engine claimed the partition and failed to start as leader; for a while other engines go first.",
    action: "Read the earlier lines of this engine for the cause.",
  },
  "leader.handingOver": { severity: "info", meaning: "This engine hands the partition over to another engine." },
  "log.appendsRefused": {
    severity: "error",
    meaning: "The replicated log accepts no records; decisions wait and no request is answered.",
    action: "Check the nats-servers: a majority must run and have disk space.",
  },
  "log.appendsRecovered": { severity: "info", meaning: "The replicated log accepts records again." },
  "log.notTrimmed": {
    severity: "warn",
    meaning: "Old records of the replicated log were not removed; it is tried again later.",
    action: "Check the nats-servers if it repeats.",
  },
  "servers.silent": {
    severity: "warn",
    meaning: "The nats-servers of the log do not answer yet; the engine waits.",
    action: "Start the nats-servers, or correct `NATS_URL`.",
  },
  "servers.warning": {
    severity: "warn",
    meaning: "A setting of the nats-servers is not as recommended.",
    action: "Read the text of the line and change the setting.",
  },
  "servers.trusted": { severity: "info", meaning: "The nats-servers meet the requirements of the log again." },
  "servers.notTrusted": {
    severity: "error",
    meaning: "The nats-servers no longer meet the requirements of the log; this engine is not ready.",
    action: "Read the reasons of the line and correct the nats-servers.",
  },
  "replica.ready": {
    severity: "info",
    meaning: "The replica is read into memory, so that this engine can lead the partition quickly.",
  },
  "replica.behind": {
    severity: "warn",
    meaning: "The replica cannot be filled from the log; the rows are requested from the leader.",
    action: "None, unless it repeats.",
  },
  "replica.seedOffered": { severity: "info", meaning: "This engine sends the rows of a partition to another engine." },
  "replica.seeded": { severity: "info", meaning: "The replica received all rows from the leader." },
  "replica.cannotFollow": {
    severity: "warn",
    meaning: "The log of the partition cannot be followed now; the engine tries again.",
    action: "Check the nats-servers if it repeats.",
  },
  "replica.unusable": {
    severity: "error",
    meaning: "The replica cannot be used and does not follow the log any more.",
    action: "Do what the reason of the line demands, then restart this engine.",
  },
  "replica.setAside": {
    severity: "warn",
    meaning: "The replica is from before a restore; it was moved aside, and a new one is made.",
    action: "Remove the folder that the line names once it is not needed.",
  },
  "replica.retired": { severity: "info", meaning: "The replica was moved aside, as other engines have one." },
  "replica.notRetired": {
    severity: "warn",
    meaning: "A replica that is not needed could not be moved aside; it stays unused on the disk.",
    action: "Remove the folder that the line names if the disk needs the space.",
  },
  "replica.memoryDiffers": {
    severity: "error",
    meaning: "The memory of the replica differs from its store; the store is read again.",
    action: "Report it as a bug, with the line.",
  },
  "replica.memoryFailed": {
    severity: "error",
    meaning: "A record could not be applied to the memory of the replica; the store is read when this engine leads.",
    action: "Report it as a bug, with the line.",
  },
} as const satisfies LogEventTable;
