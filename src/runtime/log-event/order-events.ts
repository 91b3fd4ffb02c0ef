/** Log events of orders on their way to a brokerage, and of what brokerages and connectors report. */
import type { LogEventTable } from "./declaration.ts";

export const orderEvents = {
  "outbox.ready": { severity: "info", meaning: "The outbox has read its orders and begins to send." },
  "order.notPlaced": {
    severity: "warn",
    meaning: "A brokerage did not accept an order, or its answer is not known; `code` is the reason.",
    action: "None: the order is retried, looked up or ended by its rules.",
  },
  "order.withdrawn": { severity: "warn", meaning: "An order was withdrawn before it was sent.", action: "None." },
  "order.heldByMeasure": {
    severity: "error",
    meaning: "A measure of the exchange keeps a triggered sell back; it leaves once the measure ends.",
    action: "If the measure is over, end its restriction: `npm run cli -- restrictions end`.",
  },
  "order.postponed": {
    severity: "warn",
    meaning: "The market does not accept a triggered order now; it is tried again.",
    action: "None: its owner is notified.",
  },
  "order.unreadable": {
    severity: "error",
    meaning: "A row of the outbox cannot be read; its order is not sent.",
    action: "Run `npm run cli -- quarantine` and compare with the brokerage.",
  },
  "order.inQuarantine": {
    severity: "warn",
    meaning: "At the start an order is still in quarantine.",
    action: "Run `npm run cli -- quarantine`, compare with the brokerage, then release it.",
  },
  "order.quarantined": {
    severity: "error",
    meaning: "An order may exist at a brokerage that cannot look it up; it waits in quarantine.",
    action: "Run `npm run cli -- quarantine`, compare with the brokerage, then release it.",
  },
  "order.released": {
    severity: "warn",
    meaning: "An operator released an order from quarantine.",
    action: "None, if this was intended.",
  },
  "order.answerAfterRelease": {
    severity: "warn",
    meaning: "A lookup was answered after its order had been released by an operator; the answer is ignored.",
    action: "Compare the order with the brokerage.",
  },
  "order.outcomeLost": {
    severity: "error",
    meaning: "The outcome of an order found no actor to receive it.",
    action: "Compare the order with the brokerage, and report it as a bug.",
  },
  "order.notFound": {
    severity: "warn",
    meaning: "The brokerage does not know an order that the engine follows.",
    action: "Compare the order with the brokerage if `order.inDoubt` follows.",
  },
  "order.lookUpFailed": {
    severity: "debug",
    meaning: "A lookup of a followed order was not answered; it is asked again.",
  },
  "order.ended": { severity: "info", meaning: "A sell order ended; the line has its state, quantity and price." },
  "order.inDoubt": {
    severity: "warn",
    meaning: "The outcome of an order is in doubt and an operator must decide.",
    action: "Run `npm run cli -- quarantine`, compare with the brokerage, then settle it.",
  },
  "order.found": { severity: "warn", meaning: "An order that was in doubt was found again.", action: "None." },
  "order.settledByHand": {
    severity: "warn",
    meaning: "An operator settled an order in doubt.",
    action: "None, if this was intended.",
  },
  "order.overfilled": {
    severity: "warn",
    meaning: "A brokerage reports more shares than were ordered.",
    action: "Compare the order with the brokerage.",
  },
  "order.corrected": {
    severity: "warn",
    meaning: "A brokerage corrected an earlier report of an order.",
    action: "Compare the position with the brokerage: the engine changes nothing.",
  },
  "order.replaced": {
    severity: "warn",
    meaning: "A brokerage replaced an order by another with a new number; the engine follows that one.",
    action: "None: its owner is notified.",
  },
  "order.reportRefused": {
    severity: "warn",
    meaning: "A report of an order contradicts earlier ones and does not count; `code` is the reason.",
    action: "If it repeats, compare the order with the brokerage, and report it to the author of the connector.",
  },
  "alarm.filledAfterEnd": {
    severity: "warn",
    meaning: "An order was filled after it had ended.",
    action: "Compare the position with the brokerage.",
  },
  "exit.cancelAsked": {
    severity: "info",
    meaning: "The engine asked the brokerage to cancel an order; `code` is the answer.",
  },
  "flatten.notCancelled": {
    severity: "warn",
    meaning: "An order could not be cancelled while an account was being flattened.",
    action: "Cancel it at the brokerage if it is still open.",
  },
  "brokerage.givenUp": {
    severity: "warn",
    meaning: "An operator gives a brokerage up; its groups, setups and bots end.",
    action: "None, if this was intended.",
  },
  "brokerage.noAccounts": {
    severity: "debug",
    meaning: "A brokerage did not return its accounts in time, so the list lacks them.",
  },
  "brokerage.adapterFailed": {
    severity: "error",
    meaning: "A call to a brokerage's adapter failed with a fault; the outcome of the request is not known.",
    action: "Report it as a bug, with the line.",
  },
  "brokerage.answerWrong": {
    severity: "error",
    meaning: "A brokerage's answer contradicts the request; the outcome is treated as unknown.",
    action: "Report it to the author of the connector.",
  },
  "brokerage.answerMalformed": {
    severity: "warn",
    meaning: "A connector's answer cannot be read; the outcome is treated as unknown.",
    action: "Check that connector and engine have fitting versions. Report it to the author of the connector.",
  },
  "brokerage.updateMalformed": {
    severity: "warn",
    meaning: "A connector's order update cannot be read and was left out.",
    action: "Check that connector and engine have fitting versions. Report it to the author of the connector.",
  },
  "brokerage.loginNeeded": {
    severity: "warn",
    meaning:
      "The brokerage needs a login; nothing is sent until then, or as soon as the login that is not renewed ends.",
    action: "The owner of the account logs in with `POST /api/v1/accounts/login`.",
  },
  "band.impossible": {
    severity: "warn",
    meaning: "A brokerage returned price limits of a day that cannot be right; they are ignored.",
    action: "Set the band with `npm run cli -- symbols band` if needed.",
  },
  "band.cannotAsk": {
    severity: "warn",
    meaning: "A brokerage could not be asked for the price limits of a symbol.",
    action: "Check the connector if it repeats.",
  },
  "connector.sessionUp": { severity: "info", meaning: "A connector reports a session with its brokerage." },
  "connector.sessionDown": {
    severity: "warn",
    meaning: "A connector reports that its session with the brokerage is down; nothing is sent.",
    action: "Check the connector's log and the brokerage.",
  },
  "connector.silent": {
    severity: "warn",
    meaning: "No connector answers for a brokerage; nothing is sent.",
    action: "Start the connector, or check its process and NATS.",
  },
  "connector.refused": {
    severity: "error",
    meaning: "Nothing is sent to a brokerage because its connector promises less than `BROKERAGES_FILE` relies on.",
    action: "Correct `resend` in `BROKERAGES_FILE`, or run the right connector.",
  },
  "connector.firstEdition": {
    severity: "warn",
    meaning:
      "A connector uses the first edition of the gateway contract, which has no status and no late request check.",
    action: "Update the connector.",
  },
  "connector.twoProcesses": {
    severity: "error",
    meaning: "Two processes of a connector answer; nothing is sent until one has ended.",
    action: "End one of them.",
  },
  "connector.oneProcess": { severity: "info", meaning: "One process of the connector answers again." },
} as const satisfies LogEventTable;
