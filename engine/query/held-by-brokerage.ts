/**
 * The dependents of each brokerage: the groups, setups, bots and orders that would wait forever without it.
 *
 * Owns: counting them at a start, and refusing it if `BROKERAGES_FILE` leaves one out. Does not own: which actors need
 * their brokerage (the kinds).
 */
import type { BrokerageUseView } from "../../src/contract/operator/retirement.ts";
import { UserError } from "../../src/runtime/user-error.ts";
import type { StoredActor } from "../ports/operator.ts";

/** The names of the counted things, singular and plural. */
const WORDS = {
  group: ["OCO group", "OCO groups"],
  setup: ["pending OCO", "pending OCOs"],
  levelBot: ["level bot", "level bots"],
  webhookBot: ["webhook bot", "webhook bots"],
  order: ["order", "orders"],
} as const;

type Used = keyof typeof WORDS;

export class BrokerageUse {
  readonly #counts = new Map<string, Map<Used, number>>();
  readonly #quarantined = new Map<string, number>();

  /** Counts an actor, also one in quarantine. Actors that need no brokerage are not counted. */
  addActor(actor: StoredActor | undefined, isQuarantined = false): void {
    if (actor?.needsBrokerage !== true || !isUsed(actor.kind)) return;
    this.#count(actor.kind, actor.brokerageCode, 1);
    if (isQuarantined)
      this.#quarantined.set(actor.brokerageCode, (this.#quarantined.get(actor.brokerageCode) ?? 0) + 1);
  }

  /** Takes off an actor that was counted, not in quarantine, and no longer exists. */
  removeActor(actor: StoredActor | undefined): void {
    if (actor?.needsBrokerage === true && isUsed(actor.kind)) this.#count(actor.kind, actor.brokerageCode, -1);
  }

  addOrder({ brokerageCode }: { readonly brokerageCode: string }): void {
    this.#count("order", brokerageCode, 1);
  }

  /** The counts of these brokerages and of all others that have dependents. */
  views(listed: readonly string[]): BrokerageUseView[] {
    return [...new Set([...listed, ...this.#counts.keys()])].map((code) => {
      const of = (used: Used): number => this.#counts.get(code)?.get(used) ?? 0;
      const bots = { levelBots: of("levelBot"), webhookBots: of("webhookBot") };
      const quarantined = this.#quarantined.get(code) ?? 0;
      return { code, groups: of("group"), setups: of("setup"), ...bots, orders: of("order"), quarantined };
    });
  }

  /** Throws an {@link UserError} that names every brokerage that actors or orders need and that is not listed. */
  refuseUnlisted(
    orders: Iterable<{ readonly brokerageCode: string }>,
    partition: number,
    brokerages: { find(brokerageCode: string): object | undefined },
  ): void {
    for (const order of orders) this.addOrder(order);
    const unlisted = [...this.#counts].filter(([code]) => brokerages.find(code) === undefined).sort();
    if (unlisted.length === 0) return;
    const lines = unlisted.map(([code, counts]) => `  ${code}: ${tellCounts(counts)}`);
    const again = "list it again, start, and give it up first: npm run cli -- brokerages retire <CODE>";
    throw new UserError(
      [`BROKERAGES_FILE leaves out what partition ${partition} needs: ${again}`, ...lines].join("\n"),
    );
  }

  #count(used: Used, brokerageCode: string, change: 1 | -1): void {
    const counts = this.#counts.get(brokerageCode) ?? new Map<Used, number>();
    const count = (counts.get(used) ?? 0) + change;
    if (count > 0) counts.set(used, count);
    else counts.delete(used);
    if (counts.size > 0) this.#counts.set(brokerageCode, counts);
    else this.#counts.delete(brokerageCode);
  }
}

function isUsed(kind: string): kind is Used {
  return Object.hasOwn(WORDS, kind);
}

function tellCounts(counts: ReadonlyMap<Used, number>): string {
  return [...counts].map(([used, count]) => `${count} ${WORDS[used][count === 1 ? 0 : 1]}`).join(", ");
}
