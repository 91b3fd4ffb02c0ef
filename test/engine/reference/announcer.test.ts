import assert from "node:assert/strict";
import { test } from "node:test";
import { announceOn } from "../../../engine/reference/announcer.ts";
import type { Bus, BusStatus } from "../../../src/bus/port.ts";

test("changes are published, and a bus that comes back is told that all changed", () => {
  const published: string[] = [];
  let onStatus: (status: BusStatus) => void = () => undefined;
  const bus: Pick<Bus, "publish" | "onStatus"> = {
    publish: (subject, data) => void published.push(`${subject} ${Buffer.from(data).toString()}`),
    onStatus: (listener) => {
      onStatus = listener;
      return () => {
        onStatus = () => undefined;
      };
    },
  };
  const announcer = announceOn(bus);
  announcer.tell({ what: "lists" });
  onStatus("disconnected");
  onStatus("connected");
  announcer.stop();
  onStatus("connected");
  assert.deepEqual(published, ['reference.changed {"what":"lists"}', 'reference.changed {"what":"all"}']);
});
