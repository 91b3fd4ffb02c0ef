/**
 * The faults that are planted in a copy of the source, one by one, to see which check catches them.
 *
 * Each is an exact replacement of text that occurs once: `mutate.test.ts` checks that all of them still apply. A fault
 * is a mistake that a tired programmer might make and that costs a user money or an answer. If none of the checks
 * catches a fault, make the simulation or the tests stronger, not the list shorter.
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
