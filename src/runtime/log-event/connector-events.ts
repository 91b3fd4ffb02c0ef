/** Log events of connector processes: the common host, FIX, Alpaca, AlgoLab and the paper brokerage. */
import type { LogEventTable } from "./declaration.ts";

export const connectorEvents = {
  "connector.ready": { severity: "info", meaning: "A connector is ready." },
  "connector.requestFailed": {
    severity: "error",
    meaning: "A request to a connector failed because of a fault; the engine gets `UNAVAILABLE`.",
    action: "Report it to the author of the connector, with the line.",
  },
  "connector.callFailed": {
    severity: "error",
    meaning: "An order request failed in the connector because of a fault; its outcome is not known.",
    action: "Report it to the author of the connector, with the line. The engine looks the order up.",
  },
  "connector.requestFenced": {
    severity: "warn",
    meaning: "An order request was not passed to the brokerage because a newer one or another leader replaced it.",
    action: "None: this prevents a double order.",
  },
  "connector.silentProcess": {
    severity: "warn",
    meaning: "Another process of the connector is on the bus and does not answer.",
    action: "End one of the two processes.",
  },
  "connector.stoodStill": {
    severity: "warn",
    meaning: "The connector was paused; requests that it read before are not passed to the brokerage.",
    action: "Look for a sleeping machine or a full processor.",
  },
  "brokerage.sessionUp": { severity: "info", meaning: "A connector has a session with its brokerage." },
  "brokerage.sessionDown": {
    severity: "warn",
    meaning: "A connector has lost its session with the brokerage and tries again.",
    action: "Check the brokerage if it does not return.",
  },
  "brokerage.streamFailed": {
    severity: "warn",
    meaning: "The stream of a brokerage failed; the connector connects again.",
    action: "Check the brokerage if it repeats.",
  },
  "brokerage.updateUnreadable": {
    severity: "warn",
    meaning: "A brokerage sent an order update that the connector cannot read; it was left out.",
    action: "Report it as a bug. The engine also polls the order.",
  },
  "brokerage.streamClosed": {
    severity: "info",
    meaning: "The stream of a brokerage was closed; the connector connects again.",
  },
  "brokerage.streamSilent": {
    severity: "warn",
    meaning: "The stream of a brokerage did not answer a heartbeat; the connector connects again.",
    action: "Check the network if it repeats.",
  },
  "order.sentAtFloor": {
    severity: "warn",
    meaning:
      "A brokerage takes no market order of a symbol; a triggered sell was sent as a limit order at the day's floor.",
    action: "Look for a measure of the exchange: its other rules may concern your orders, too.",
  },
  "brokerage.refreshRefused": {
    severity: "warn",
    meaning: "A brokerage did not refresh a login, which can end soon.",
    action: "Log in again if `brokerage.loginNeeded` follows.",
  },
  "brokerage.codeRefused": {
    severity: "warn",
    meaning: "A brokerage refused two codes of a login; this login is over.",
    action: "Begin the login again, and give the code of the newest SMS.",
  },
  "brokerage.sessionNotKept": {
    severity: "error",
    meaning: "A login could not be written to `sessionFile`: it ends with the process, and the feed does not get it.",
    action: "Correct the folder or the rights of `sessionFile`, then log in again.",
  },
  "brokerage.sessionUnreadable": {
    severity: "warn",
    meaning: "`sessionFile` cannot be read; a new login is needed.",
    action: "Correct or remove the file, then log in.",
  },
  "brokerage.keyRefused": {
    severity: "warn",
    meaning: "A brokerage refused the API key.",
    action: "Compare `apiKey` with the key on the brokerage's page.",
  },
  "brokerage.tooFast": {
    severity: "warn",
    meaning: "A brokerage asks for fewer requests.",
    action: "Raise `requestIntervalSeconds`, or end the other program that uses the key.",
  },
  "brokerage.answerUnreadable": {
    severity: "warn",
    meaning: "An answer of a brokerage cannot be read.",
    action: "Wait for the end of its maintenance, or correct `url`. Report it as a bug if it lasts.",
  },
  "brokerage.messageUnreadable": {
    severity: "warn",
    meaning: "A message of a brokerage's stream cannot be read; it was left out.",
    action: "Report it as a bug if it repeats.",
  },
  "brokerage.unreachable": {
    severity: "warn",
    meaning: "No connection to a brokerage could be made; requests are not sent.",
    action: "Check `url`, the network and the certificates of this machine.",
  },
  "brokerage.clockOff": {
    severity: "warn",
    meaning: "The clocks of this machine and of a brokerage differ; orders without an answer stay in doubt.",
    action: "Synchronise the clock of this machine with NTP.",
  },
  "order.appearedLate": {
    severity: "error",
    meaning: "A brokerage lists an order that it did not list in time.",
    action: "Raise `settleSeconds`, and compare what was sold with the brokerage.",
  },
  "paper.ready": { severity: "info", meaning: "The paper brokerage is ready." },
  "paper.accountOpened": { severity: "info", meaning: "The paper brokerage opened an account for a user." },
  "paper.accountReset": { severity: "info", meaning: "A user had the paper account set back to what it began with." },
  "paper.sms": { severity: "info", meaning: "The code that the paper brokerage sends for a login in place of an SMS." },
  "fix.sessionUp": { severity: "info", meaning: "A FIX session is logged on; the line has its numbers." },
  "fix.sessionDown": {
    severity: "warn",
    meaning: "A FIX session ended; it connects again.",
    action: "Check the counterparty if it does not return.",
  },
  "fix.logonRefused": {
    severity: "error",
    meaning: "A logon was refused; it is tried again after a pause.",
    action: "Correct the settings of the session, or ask the counterparty.",
  },
  "fix.halted": {
    severity: "error",
    meaning: "A FIX session stopped for good; nothing is sent.",
    action: "Clear the reason with the counterparty, then restart the connector.",
  },
  "fix.folderBehind": {
    severity: "error",
    meaning: "The session's folder is older than the sent messages; an order may exist that it does not contain.",
    action: "Compare the orders with the brokerage.",
  },
  "fix.numbersReset": {
    severity: "warn",
    meaning: "The counterparty lost its message numbers; its new ones are used.",
    action: "Ask the counterparty for the reason. Compare the orders with the brokerage.",
  },
  "fix.messageRefused": {
    severity: "error",
    meaning: "A message was refused because it does not belong to this session or arrived at a wrong time.",
    action: "Check the identifiers and the clock of both sides.",
  },
  "fix.messageGarbled": {
    severity: "warn",
    meaning: "A message could not be decoded and was left out; the counterparty sends it again.",
    action: "Check the connection if it repeats.",
  },
  "fix.messageIgnored": { severity: "info", meaning: "A message of an unsupported type was ignored." },
  "fix.gapFound": {
    severity: "warn",
    meaning: "Messages of the counterparty are missing; they were requested again.",
    action: "None, unless it repeats.",
  },
  "fix.gapFilled": {
    severity: "warn",
    meaning: "The counterparty misses messages; the gap is filled, as orders are never sent again.",
    action: "None: open orders are looked up.",
  },
  "fix.resendImpossible": {
    severity: "warn",
    meaning: "The counterparty requests messages that were never sent.",
    action: "Ask the counterparty for its message numbers.",
  },
  "fix.rejectSent": {
    severity: "warn",
    meaning: "A message of the counterparty was not valid and was rejected.",
    action: "Report it to the counterparty, with the line.",
  },
  "fix.rejectReceived": {
    severity: "error",
    meaning: "The counterparty rejected a message.",
    action: "Read the text of the line; correct the settings of the connector.",
  },
  "fix.venueRejected": {
    severity: "error",
    meaning: "A venue rejected a message of the price feed.",
    action: "Read the text of the line; correct the settings of the feed.",
  },
  "fix.askingOpenOrders": { severity: "info", meaning: "The connector asks the counterparty for its open orders." },
  "fix.openOrdersUnanswered": {
    severity: "warn",
    meaning: "The counterparty did not answer for all open orders; they are asked for again after a pause.",
    action: "Ask the counterparty if it repeats.",
  },
  "fix.orderLost": {
    severity: "error",
    meaning: "The counterparty no longer knows an open order.",
    action: "Compare the order with the brokerage.",
  },
  "fix.reportUnreadable": {
    severity: "error",
    meaning: "An execution report cannot be read; it does not count.",
    action: "Compare the order with the brokerage, and report it as a bug.",
  },
  "fix.reportForeign": {
    severity: "error",
    meaning: "An execution report is about an order that this connector did not send.",
    action: "Make sure that no other system uses this FIX session.",
  },
  "fix.answerUnasked": {
    severity: "warn",
    meaning: "The counterparty answered a question that was not asked.",
    action: "None, unless it repeats.",
  },
  "fix.refusedOrderFilled": {
    severity: "error",
    meaning: "An order that was refused has been filled.",
    action: "Compare the position with the brokerage.",
  },
  "fix.lateCancelRefusal": {
    severity: "warn",
    meaning: "The refusal of a cancellation arrived after its request had ended.",
    action: "None: the order is followed.",
  },
} as const satisfies LogEventTable;
