/**
 * Publishes changes of the reference data on the bus.
 *
 * Invariant: messages are dropped while the bus is lost, so after its return one message reports that everything
 * changed.
 */
import type { Bus } from "../../src/bus/port.ts";
import type { ReferenceChanged } from "../../src/contract/operator/reference.ts";
import { REFERENCE_CHANGED_SUBJECT } from "../../src/contract/subject.ts";

interface ReferenceAnnouncer {
  readonly tell: (change: ReferenceChanged) => void;
  readonly stop: () => void;
}

/** Makes the announcer of a bus. */
export function announceOn(bus: Pick<Bus, "publish" | "onStatus">): ReferenceAnnouncer {
  const tell = (change: ReferenceChanged): void => {
    bus.publish(REFERENCE_CHANGED_SUBJECT, Buffer.from(JSON.stringify(change)));
  };
  const stop = bus.onStatus((status) => {
    if (status === "connected") tell({ what: "all" });
  });
  return { tell, stop };
}
