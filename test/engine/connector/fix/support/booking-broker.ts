/**
 * A broker on a scripted session that books every order that reaches it, known name or not, and fills it in parts: what
 * it books is what a careless repeat would cost.
 */
import type { Field, FixMessage } from "../../../../../engine/connector/fix/wire/message.ts";
import { MsgType, Tag } from "../../../../../engine/connector/fix/wire/tag.ts";
import type { ScriptedPeer } from "./peer.ts";

interface Booking {
  readonly clientOrderId: string;
  readonly quantity: number;
  filled: number;
}

export class BookingBroker {
  readonly bookings: Booking[] = [];
  readonly #peer: ScriptedPeer;
  readonly #parts: number;
  #execCount = 0;

  /** `parts`: in how many fills an order is done. */
  constructor(peer: ScriptedPeer, parts: number) {
    this.#peer = peer;
    this.#parts = parts;
    peer.onApplication = (message) => {
      if (message.type === MsgType.NewOrderSingle) this.#book(message);
      if (message.type === MsgType.OrderStatusRequest) this.#tell(message);
    };
  }

  /** The names that were booked more than once. */
  get doubled(): string[] {
    const names = this.bookings.map(({ clientOrderId }) => clientOrderId);
    return names.filter((name, index) => names.indexOf(name) !== index);
  }

  filledOf(clientOrderId: string): number {
    return this.bookings
      .filter((one) => one.clientOrderId === clientOrderId)
      .reduce((sum, { filled }) => sum + filled, 0);
  }

  get isDone(): boolean {
    return this.bookings.every(({ filled, quantity }) => filled === quantity);
  }

  #book(message: FixMessage): void {
    const booking = {
      clientOrderId: message.get(Tag.ClOrdID) ?? "",
      quantity: message.int(Tag.OrderQty) ?? 0,
      filled: 0,
    };
    this.bookings.push(booking);
    this.#report(booking, "0", "0");
    this.#fillNext(booking);
  }

  #fillNext(booking: Booking): void {
    if (booking.filled >= booking.quantity) return;
    setTimeout(() => {
      booking.filled = Math.min(booking.quantity, booking.filled + Math.ceil(booking.quantity / this.#parts));
      this.#report(booking, "F", booking.filled === booking.quantity ? "2" : "1");
      this.#fillNext(booking);
    }, 5);
  }

  #tell(question: FixMessage): void {
    const name = question.get(Tag.ClOrdID) ?? "";
    const id = question.get(Tag.OrdStatusReqID);
    const asked: Field[] = id === undefined ? [] : [[Tag.OrdStatusReqID, id]];
    const booking = this.bookings.find(({ clientOrderId }) => clientOrderId === name);
    const status =
      booking === undefined ? "8" : booking.filled === booking.quantity ? "2" : booking.filled > 0 ? "1" : "0";
    if (booking !== undefined) this.#report(booking, "I", status, asked);
    else {
      const unknown = { clientOrderId: name, quantity: 0, filled: 0 };
      this.#report(unknown, "I", "8", [...asked, [Tag.OrdRejReason, "5"]], "NONE");
    }
  }

  #report(booking: Booking, execType: string, status: string, more: readonly Field[] = [], orderId?: string): void {
    this.#execCount += 1;
    const { clientOrderId, quantity, filled } = booking;
    this.#peer.send("8", [
      [Tag.OrderID, orderId ?? `N-${clientOrderId}`],
      [Tag.ExecID, `E${this.#execCount}`],
      [Tag.ExecType, execType],
      [Tag.OrdStatus, status],
      [Tag.ClOrdID, clientOrderId],
      [Tag.Symbol, "THYAO"],
      [Tag.Side, "2"],
      [Tag.LeavesQty, String(quantity - filled)],
      [Tag.CumQty, String(filled)],
      [Tag.AvgPx, filled === 0 ? "0" : "10"],
      ...more,
    ]);
  }
}
