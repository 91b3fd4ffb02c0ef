/** Log events of every process: its start, its end and its connection to the bus. */
import type { LogEventTable } from "./declaration.ts";

export const processEvents = {
  "process.failed": {
    severity: "fatal",
    meaning: "The process met a fault that it cannot continue with, and ends. Committed state is safe.",
    action:
      "Let the service manager start it again. If it ends again, read the error of the line and correct its cause.",
  },
  "process.stopping": { severity: "info", meaning: "The process received a signal and stops in order." },
  "process.stopped": { severity: "info", meaning: "The process has stopped in order." },
  "process.hangUp": {
    severity: "info",
    meaning: "The process received SIGHUP and reads the files again that can be renewed while it runs.",
  },
  "process.notYielding": {
    severity: "info",
    meaning: "The operating system refuses a lower priority for the edge, which continues without it.",
  },
  "bus.connectionFailed": {
    severity: "warn",
    meaning: "The connection to NATS has a problem; the client continues to try.",
    action: "Check the nats-servers and the network if it repeats.",
  },
  "bus.messageFailed": {
    severity: "warn",
    meaning: "A message on the bus was not handled.",
    action: "If the error is a stack trace, report it as a bug with the line.",
  },
  "demo.keyReachable": {
    severity: "warn",
    meaning: "Other machines reach this address, and the API key of the demonstration user exists.",
    action: "Make API keys of your own, then remove the file that the line names.",
  },
} as const satisfies LogEventTable;
