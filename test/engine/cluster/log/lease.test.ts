import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { beatAfterMs, type Heard, mayActAt, msUntilClaim } from "../../../../engine/cluster/log/lease.ts";
import fc from "../../../support/property.ts";

const LEASE_MS = 2_000;
const heard = (known: Partial<Heard> = {}): Heard => ({
  ...{ heardAtMs: 10_000, leaseMs: LEASE_MS, release: undefined, backAtMs: undefined },
  ...known,
});

describe("when an engine may claim", () => {
  const cases: [string, Heard, number, number][] = [
    ["after the holder's whole lease of silence", heard(), 0, 12_000],
    ["later, the further behind it stands in line", heard(), 250, 12_250],
    ["by the holder's lease, not its own", heard({ leaseMs: 5_000 }), 0, 15_000],
    ["at once where nobody ever led", heard({ leaseMs: undefined }), 0, 10_000],
    ["at once after a release for whoever comes", heard({ release: { to: undefined } }), 0, 10_000],
    ["at once after a release that names it, wherever it stands in line", heard({ release: { to: "b" } }), 500, 10_000],
    ["as after silence where the release names another", heard({ release: { to: "c" } }), 0, 12_000],
    ["not right after the log came back: its holder goes first", heard({ backAtMs: 20_000 }), 0, 20_400],
    ["no earlier for a log that came back long ago", heard({ backAtMs: 1_000 }), 0, 12_000],
  ];
  for (const [name, known, delayMs, dueMs] of cases) {
    test(name, () => {
      assert.equal(msUntilClaim(known, "b", delayMs, dueMs - 1), 1);
      assert.equal(msUntilClaim(known, "b", delayMs, dueMs), 0);
      assert.equal(msUntilClaim(known, "b", delayMs, dueMs + 60_000), 0);
    });
  }
});

describe("a leader and who comes after", () => {
  test("never act at the same time, however late its appends are heard and by however much their clocks differ in speed", () => {
    const delays = fc.integer({ min: 0, max: 10_000 });
    const speeds = fc.double({ min: 0.9, max: 1.1, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 10_000 }),
        delays,
        delays,
        speeds,
        (leaseMs, onWayMs, afterMs, speed) => {
          const startedMs = 50_000;
          const heardAtMs = (startedMs + onWayMs) * speed;
          const claimMs = heardAtMs + msUntilClaim(heard({ heardAtMs, leaseMs }), "b", 0, heardAtMs) + afterMs * speed;
          assert.equal(mayActAt(startedMs, leaseMs, claimMs / speed), false);
        },
      ),
    );
  });

  test("a leader whose beats are heard within half a lease is never followed, and may act all the time", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000, max: 10_000 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (leaseMs, share) => {
          const beatMs = beatAfterMs(leaseMs) + share * leaseMs;
          assert.ok(mayActAt(0, leaseMs, beatMs));
          assert.ok(msUntilClaim(heard({ heardAtMs: 0, leaseMs }), "b", 0, beatMs) > 0);
        },
      ),
    );
  });
});
