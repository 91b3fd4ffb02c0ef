/** Log events of the engine: its start, actors, stored data, events of owners, identity, notifications and operators. */
import type { LogEventTable } from "./declaration.ts";

export const engineEvents = {
  "engine.ready": { severity: "info", meaning: "The engine is ready." },
  "engine.otherForm": {
    severity: "error",
    meaning: "An engine of the other form (replicated or not) is on the bus; this engine is not ready.",
    action: "Stop the engines of one form.",
  },
  "engine.otherFormGone": { severity: "info", meaning: "The engines of the other form have left the bus." },
  "engine.cannotAskForms": {
    severity: "warn",
    meaning: "The bus cannot be asked yet for engines of the other form.",
    action: "Check NATS if it repeats.",
  },
  "request.failed": {
    severity: "error",
    meaning: "A request to the engine failed because of a fault; the client gets `INTERNAL`.",
    action: "Report it as a bug, with the line.",
  },
  "actor.failed": {
    severity: "error",
    meaning: "An actor (a group, a bot or a setup) failed; the engine puts it in quarantine.",
    action: "Report it as a bug, with the line. Then see `actor.quarantined`.",
  },
  "actor.quarantined": {
    severity: "error",
    meaning: "An actor is in quarantine and does nothing until an operator releases it.",
    action: "Run `npm run cli -- quarantine`, then release it.",
  },
  "actor.released": {
    severity: "warn",
    meaning: "An operator released an actor from quarantine.",
    action: "None, if this was intended.",
  },
  "actor.wrongKind": {
    severity: "error",
    meaning: "An event was addressed to an actor of another kind and was left out.",
    action: "Report it as a bug, with the line.",
  },
  "alarm.notSent": {
    severity: "warn",
    meaning: "Not all users concerned could be notified of an alarm.",
    action: "Read the error of the line; check the disk.",
  },
  "setup.partFilled": {
    severity: "warn",
    meaning: "A partly filled order ended and its setup was removed; no group watches the bought shares.",
    action: "None: the owner is notified.",
  },
  "trading.state": {
    severity: "warn",
    meaning: "An operator set a trading state, for example a halt.",
    action: "None, if this was intended.",
  },
  "corporateAction.applied": {
    severity: "info",
    meaning: "All levels of a symbol in a partition followed a corporate action.",
  },
  "symbol.renamed": {
    severity: "info",
    meaning: "All levels of a symbol in a partition are watched under its new name.",
  },
  "symbol.held": {
    severity: "error",
    meaning: "A symbol is held: its levels do not fire.",
    action: "Check the price, then run `npm run cli -- symbols release` for it.",
  },
  "symbol.released": {
    severity: "warn",
    meaning: "A held symbol was released; its levels fire again.",
    action: "None, if this was intended.",
  },
  "measures.changed": {
    severity: "warn",
    meaning: "The effects of the exchange's measures on a symbol changed.",
    action: "None, if the restrictions are right.",
  },
  "measures.cannotRead": {
    severity: ["warn", "info"],
    meaning:
      "The measures of the shared partition could not be read; the engine tries again, and the measures that it stores count.",
    action: "If it repeats, check that an engine leads partition 0.",
  },
  "symbols.waiting": { severity: "info", meaning: "The engine waits for the symbols of the shared partition." },
  "symbols.cannotRead": {
    severity: "warn",
    meaning: "The symbols of the shared partition could not be read; the engine tries again.",
    action: "Read the error of the line if it repeats.",
  },
  "symbols.noAnswer": {
    severity: ["warn", "info"],
    meaning: "No engine answers for the shared partition; the engine tries again.",
    action: "If it repeats, check that an engine leads partition 0.",
  },
  "symbols.removed": {
    severity: "error",
    meaning: "The shared partition no longer has these symbols; they stay watched here.",
    action: "Write them again.",
  },
  "calendar.unusable": {
    severity: "warn",
    meaning: "A trading calendar is not valid and is left out.",
    action: "Correct the file, then restart the engine.",
  },
  "calendar.folderUnreadable": {
    severity: "warn",
    meaning: "The folder of calendars cannot be read, so none of its calendars is used.",
    action: "Correct `CALENDARS_DIR`, then restart the engine.",
  },
  "folder.made": { severity: "info", meaning: "A new data folder was created." },
  "folder.restored": {
    severity: "warn",
    meaning: "The data folder is a restored backup; changes made after the backup are not known.",
    action: "Compare with the brokerage, as [operating.md](operating.md) describes.",
  },
  "store.reading": {
    severity: "info",
    meaning: "The engine reads its store at the start; the line shows the progress.",
  },
  "backup.made": { severity: "info", meaning: "A backup was made." },
  "backup.failed": {
    severity: "error",
    meaning: "A backup failed.",
    action: "Read the error of the line, correct it, and make the backup again.",
  },
  "event.published": {
    severity: "info",
    meaning: "An event of an owner was published; the field `type` is the type of the event.",
  },
  "event.unsold": {
    severity: "error",
    meaning: "An event of an owner was published that reports shares left unsold.",
    action: "Compare the position with the brokerage. The line names row and reason.",
  },
  "event.waiting": {
    severity: "warn",
    meaning: "Events wait for the bus and are published later.",
    action: "Check NATS if it repeats.",
  },
  "event.tooLarge": {
    severity: "error",
    meaning: "An event is too large for a message and was left out of the live stream; it stays in the history.",
    action: "Raise `max_payload` of the nats-server.",
  },
  "event.unreadable": {
    severity: "error",
    meaning: "A row of stored events cannot be read and is not published.",
    action: "Run `npm run check-data` on a backup or the stopped folder.",
  },
  "event.readFailed": {
    severity: "error",
    meaning: "A row of stored events cannot be read; the reader is notified of a gap.",
    action: "Run `npm run check-data` on a backup or the stopped folder.",
  },
  "event.notTrimmed": {
    severity: "error",
    meaning: "Old events could not be removed; the engine tries again later.",
    action: "Read the error of the line; check the disk.",
  },
  "history.fault": {
    severity: "error",
    meaning: "The price history cannot be read or written, or minutes were left out; trading continues.",
    action: "Check the disk of `DATA_DIR`.",
  },
  "identity.notSwept": {
    severity: "error",
    meaning: "Old token families and revocations could not be removed; the engine tries again later.",
    action: "Read the error of the line; check the disk.",
  },
  "secret.wasOpen": {
    severity: "warn",
    meaning: "Other users of the machine could read a secret file.",
    action: "Check its mode. Replace the secret if another user can have read it.",
  },
  "signingKey.made": { severity: "info", meaning: "A new key for signing tokens was made." },
  "token.reused": {
    severity: "warn",
    meaning: "A used refresh token was presented again; its family is revoked.",
    action: "Ask the owner of the key whether a client repeats requests. If not, revoke the key.",
  },
  "token.unreadable": {
    severity: "error",
    meaning: "The stored state of a token family cannot be read; its tokens are refused.",
    action: "Run `npm run cli -- quarantine`. The client gets new tokens with its API key.",
  },
  "target.eventsGone": {
    severity: "warn",
    meaning: "Events for a notification target were removed before they could be sent.",
    action: "None: the target continues with the oldest stored event.",
  },
  "target.cannotRead": {
    severity: "error",
    meaning: "Stored events for a notification target cannot be read.",
    action: "Run `npm run check-data` on a backup or the stopped folder.",
  },
  "target.refusedEvent": {
    severity: "warn",
    meaning: "A notification target refused an event for good; it is left out.",
    action: "None: the owner of the target sees it. The line has the detail.",
  },
  "target.moved": {
    severity: "info",
    meaning: "The Telegram group of a notification target became a supergroup; its new id is used.",
  },
  "target.givenUp": {
    severity: "warn",
    meaning: "A notification target has failed for too long, or does not exist any more; nothing more is sent.",
    action: "None: its owner sees the failure and saves it again.",
  },
  "target.failing": { severity: "info", meaning: "A notification target fails and is tried again." },
} as const satisfies LogEventTable;
