/**
 * The faults that are planted in a copy of the source, one by one, to see who notices.
 *
 * Each is an exact replacement of text that occurs once: `mutate.test.ts` holds that all of them still apply. A fault is
 * one that a tired programmer might make, and that costs somebody money or an answer. Where one is not caught, the
 * simulation or the tests are to be made stronger, not the list shorter.
 */
import type { Fault } from "./fault.ts";
import { outboxFaults } from "./outbox.ts";
import { replicatingFaults } from "./replicating.ts";
import { rulesFaults } from "./rules.ts";
import { storingFaults } from "./storing.ts";
import { watchingFaults } from "./watching.ts";

export const FAULTS: readonly Fault[] = [
  ...outboxFaults,
  ...storingFaults,
  ...watchingFaults,
  ...rulesFaults,
  ...replicatingFaults,
];
