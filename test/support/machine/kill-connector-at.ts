/**
 * Loaded into an AlgoLab connector before its program: ends the process (SIGKILL) at the instruction that KILL_FILE
 * names, once. `known`: the order and the rows before it are durable. `flight`: its request has just left. `request`:
 * AlgoLab has answered. `answer`: the answer was read and is not durable. `journal`: it is durable and was not passed
 * on.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { SentOrders } from "../../../engine/connector/host/state/sent-orders.ts";

const file = process.env.KILL_FILE ?? "";

function killIfAsked(at: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8") !== at) return;
  rmSync(file);
  process.kill(process.pid, "SIGKILL");
}

const { keep } = SentOrders.prototype;
SentOrders.prototype.keep = async function (order) {
  if (order.standing === "accepted") killIfAsked("answer");
  await keep.call(this, order);
  if (order.standing === "leaving") killIfAsked("known");
  if (order.standing === "accepted") killIfAsked("journal");
};

const send = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  const answering = send(address, options);
  if (!String(address).endsWith("/SendOrder")) return answering;
  setTimeout(() => killIfAsked("flight"), 1);
  const response = await answering;
  killIfAsked("request");
  return response;
};
