/** A stored event is read as the bus got it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encodeContext } from "../../../engine/actor/codec.ts";
import {
  decodeEventRow,
  type Emitted,
  encodeEventRow,
  type Outgoing,
  rowTimeMs,
  type StoredEvent,
  usersOfRow,
} from "../../../engine/event/event-row.ts";
import { kindNamed, renderStored } from "../../../engine/partition/kinds.ts";
import type { OcoGroup } from "../../../src/domain/oco/group.ts";
import { cancelOpen, fireStopLoss, type Notice, settle } from "../../../src/domain/oco/oco.ts";
import { sampleGroup } from "../../machine/group/group-samples.ts";
import fc from "../../support/property.ts";

const PLACE = { installation: "abcdefghij", partition: 3 };
const nameOrder = (_id: number, name: string): string => `abcdefghij-${name}`;
const TIME_MS = Date.UTC(2026, 0, 5, 9);

/**
 * Builds the events that the host emits for the notices of a decision. `isRendered`: its kind rendered the payload by
 * itself.
 */
function emitted(group: OcoGroup, notices: readonly Notice[], firstSequence: number, isRendered = true): Emitted[] {
  const kind = kindNamed("group");
  const context = encodeContext(kind, group);
  return notices.map(({ type, ...data }, index) => ({
    sequence: firstSequence + index,
    timeMs: TIME_MS,
    userId: group.userId,
    type,
    payload: kind.present(group, type, data, nameOrder),
    source: {
      kind: "group",
      context,
      data,
      json: isRendered ? kind.presentJson?.(group, type, data, nameOrder) : undefined,
    },
  }));
}

/** A group whose stop-loss was sold: one event a row. */
function sold(notes: string, firstSequence: number): Emitted[] {
  const group = { ...sampleGroup({}), notes };
  const reached = { watches: [0], price: 1, timeMs: TIME_MS };
  const fired = fireStopLoss(group, reached);
  const [sell] = fired.sells;
  assert(sell !== undefined);
  const { group: settled, notices } = settle(fired.group, { name: sell.name, refusal: null, timeMs: TIME_MS });
  return emitted(settled, notices, firstSequence);
}

/** A group that was just made: its event contains all of it. */
function created(notes: string, sequence: number): Emitted {
  const group = { ...sampleGroup({}), notes };
  const kind = kindNamed("group");
  const payload = kind.present(group, "oco.created", {}, nameOrder);
  const source = { kind: "group", context: encodeContext(kind, group), data: {} } as const;
  return { sequence, timeMs: TIME_MS, userId: group.userId, type: "oco.created", payload, source };
}

function plain(sequence: number, payload: object): Emitted {
  return { sequence, timeMs: TIME_MS, userId: 9, type: "order.quarantined", payload, source: undefined };
}

const asSent = (outgoing: readonly Outgoing[]): unknown[] =>
  outgoing.map(({ sequence, userId, type, text }) => [sequence, userId, type, text]);
const asRead = (events: readonly StoredEvent[]): unknown[] =>
  events.map(({ sequence, userId, type, message, text = JSON.stringify(message) }) => {
    assert.equal(JSON.stringify(message), text);
    return [sequence, userId, type, text];
  });
const decode = (row: string): readonly StoredEvent[] =>
  decodeEventRow(Buffer.from(row), PLACE, renderStored(nameOrder));

describe("a row of events", () => {
  test("is read as what the bus got, whatever actors and others said in one batch", () => {
    const piece = fc.oneof(
      fc.record({ kind: fc.constant("sold"), text: fc.string() }),
      fc.record({ kind: fc.constantFrom("cancelled", "cancelledUnrendered"), text: fc.string() }),
      fc.record({ kind: fc.constant("created"), text: fc.string() }),
      fc.record({ kind: fc.constant("plain"), text: fc.string() }),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const events: Emitted[] = [];
        for (const { kind, text } of pieces) {
          const next = events.length + 1;
          if (kind === "sold") events.push(...sold(text, next));
          else if (kind === "plain") events.push(plain(next, { reason: text }));
          else if (kind === "created") events.push(created(text, next));
          else {
            const { group, notices } = cancelOpen({ ...sampleGroup({}), notes: text }, TIME_MS);
            events.push(...emitted(group, notices, next, kind === "cancelled"));
          }
        }
        const { row, outgoing } = encodeEventRow(events, PLACE);
        assert.deepEqual(asRead(decode(row)), asSent(outgoing));
      }),
    );
  });

  test("says what a group is once, however many of its rows it tells of", () => {
    const events = sold("mine", 1);
    assert.ok(events.length > 2);
    const { row, outgoing } = encodeEventRow(events, PLACE);
    assert.equal(row.split('"mine"').length - 1, 1);
    assert.ok(row.length * 2 < JSON.stringify(asSent(outgoing)).length);
  });

  test("holds a new group as it is stored, in less than half of what is told of it", () => {
    const { row, outgoing } = encodeEventRow([created("mine", 1)], PLACE);
    assert.ok(row.length * 2 < (outgoing[0]?.text.length ?? 0));
    assert.deepEqual(asRead(decode(row)), asSent(outgoing));
  });

  test("holds an event rendered where that is shorter: one of many rows is soon told", () => {
    for (const count of [1, 5, 8, 20, 50]) {
      const takeProfits = Array.from({ length: count }, (_, index) => ({ price: 11_000 + index, quantity: 1 }));
      const group = sampleGroup({ stopLossQuantity: 100, takeProfits });
      const [one] = emitted(group, [{ type: "oco.triggered", row: 1 }], 1);
      assert(one !== undefined);
      const { row, outgoing } = encodeEventRow([one], PLACE);
      assert.ok(row.length <= "7\n".length + (outgoing[0]?.text ?? "").length);
      assert.deepEqual(asRead(decode(row)), asSent(outgoing));
    }
  });

  test("has these places", () => {
    const [fired] = sold("mine", 7);
    assert(fired !== undefined);
    const { row } = encodeEventRow([fired], PLACE);
    const line =
      `7\n[7,${TIME_MS},7,"oco.triggered","group",{"row":0},[3,10,7,"PAPER","A1","ACME",1000,null,"mine",false,0,` +
      `[[10,10,9000,2,false,1,${TIME_MS},null,${TIME_MS},0],[11,4,11000,4,false,null,null,null,${TIME_MS},0],` +
      `[12,6,12000,4,false,null,null,null,${TIME_MS},0]],0,[],[]]]`;
    assert.equal(row, line);
    const [event] = decode(line);
    assert.deepEqual(event, {
      sequence: 7,
      userId: 7,
      type: "oco.triggered",
      message: {
        id: "abcdefghij-3-7",
        sequence: 7,
        time: "2026-01-05T09:00:00.000Z",
        userId: 7,
        type: "oco.triggered",
        row: {
          ...{ id: 10, groupId: 10, userId: 7, accountNumber: "A1", symbol: "ACME", orderType: 2, quantity: 10 },
          ...{ price: 90, status: 2, triggeredPrice: 1, triggeredDate: "2026-01-05T09:00:00.000Z", dueDate: null },
          ...{ notes: "mine", triggerErrorMessage: null, createdDate: "1970-01-01T00:00:01.000Z" },
          updatedDate: "2026-01-05T09:00:00.000Z",
        },
        clientOrderId: "abcdefghij-r10",
      },
    });
  });

  test("names its users, and says when its last event was", () => {
    const { row } = encodeEventRow([...sold("mine", 1), plain(9, {})], PLACE);
    const bytes = Buffer.from(row);
    assert.deepEqual(usersOfRow(bytes), ["7", "9"]);
    assert.equal(rowTimeMs(bytes), TIME_MS);
    assert.equal(rowTimeMs(Buffer.from(encodeEventRow(sold("mine", 1), PLACE).row)), TIME_MS);
    assert.equal(rowTimeMs(Buffer.from("7\n{")), undefined);
  });

  test("of rendered events is read as it stands", () => {
    const { outgoing } = encodeEventRow(sold("mine", 1), PLACE);
    const lines = outgoing.map(({ text }) => text);
    assert.deepEqual(asRead(decode(["7", ...lines].join("\n"))), asSent(outgoing));
  });

  test("that says nowhere what an event is rendered from is refused", () => {
    const { row } = encodeEventRow([...sold("mine", 1), plain(9, {})], PLACE);
    const lines = row.split("\n");
    const [users, ...events] = lines;
    assert.throws(() => decode([users, ...events.slice(1)].join("\n")), /rendering context/);
    assert.throws(() => decode([users, events[0], events.at(-1), events[1]].join("\n")), /rendering context/);
    assert.throws(() => decode(events.join("\n")), /names its users/);
  });

  test("that is not one is refused", () => {
    const [, line = ""] = encodeEventRow(sold("mine", 1), PLACE).row.split("\n");
    const fields: unknown[] = JSON.parse(line);
    const wrong = [
      "",
      "7",
      "{}",
      "[]",
      line.slice(1),
      JSON.stringify([...fields, 1]),
      JSON.stringify(fields.with(0, "1")),
      JSON.stringify(fields.with(1, null)),
      JSON.stringify(fields.with(4, "unheard of")),
      JSON.stringify(fields.with(5, { row: 99 })),
      JSON.stringify(fields.with(6, {})),
    ];
    for (const row of wrong) assert.throws(() => decode(`7\n${row}`), `read: ${row}`);
  });
});
