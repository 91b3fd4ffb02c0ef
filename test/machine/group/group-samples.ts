/** Groups for tests. */
import type { ExitPolicy, OcoGroup } from "../../../src/domain/oco/group.ts";
import { openGroup } from "../../../src/domain/oco/open-group.ts";
import { type GroupEvent, groupFacts, groupMachine } from "../../../src/machine/group.ts";
import { TestActor } from "../actor.ts";

export const CREATED_MS = 1_000;
export const DUE_MS = 50_000;

/** A group of `ACME` with a stop-loss at 90.00 and take-profits as given; rows have the ids 10, 11 and so on. */
export function sampleGroup(options: {
  readonly stopLossQuantity?: number;
  readonly takeProfits?: readonly { readonly price: number; readonly quantity: number }[];
  readonly hasOversellGuard?: boolean;
  readonly dueAtMs?: number | null;
  readonly exitPolicy?: ExitPolicy;
}): OcoGroup {
  const takeProfits = options.takeProfits ?? [
    { price: 11_000, quantity: 4 },
    { price: 12_000, quantity: 6 },
  ];
  return openGroup(
    {
      stopLoss: { price: 9_000, quantity: options.stopLossQuantity ?? 10 },
      takeProfits,
      dueAtMs: options.dueAtMs ?? null,
      notes: "note",
      exitPolicy: options.exitPolicy ?? "untilSold",
    },
    {
      userId: 7,
      brokerageCode: "PAPER",
      accountNumber: "A1",
      symbol: "ACME",
      hasOversellGuard: options.hasOversellGuard ?? false,
    },
    [10, ...takeProfits.map((_, index) => 11 + index)],
    CREATED_MS,
  );
}

export function groupActor(group: OcoGroup): TestActor<OcoGroup, GroupEvent> {
  return new TestActor<OcoGroup, GroupEvent>(groupMachine, "watching", group, groupFacts);
}
