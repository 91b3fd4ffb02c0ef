/**
 * What hangs on each brokerage: the groups, setups, bots and orders that would wait in vain were it not there.
 *
 * Owns: counting them at a start, and refusing it where `BROKERAGES_FILE` leaves one out. Does not own: which actors need
 * their brokerage (the kinds).
 */
import { OperatorMistake } from "../src/operator-mistake.ts";

/** What is counted, in the words for one and for several. */
const WORDS = {
  group: ["OCO group", "OCO groups"],
  setup: ["pending OCO", "pending OCOs"],
  levelBot: ["level bot", "level bots"],
  webhookBot: ["webhook bot", "webhook bots"],
  order: ["order", "orders"],
} as const;

type Used = keyof typeof WORDS;

/** An actor as far as it says what it hangs on. */
interface Dependent {
  readonly kind: {
    readonly name: string;
    readonly profile: (context: object) => { readonly brokerageCode: string };
    readonly needsBrokerage?: (context: object) => boolean;
  };
  readonly snapshot: { readonly context: object };
}

export class BrokerageUse {
  readonly #counts = new Map<string, Map<Used, number>>();

  /** Counts an actor. Of kinds that need no brokerage none is. */
  addActor(actor: Dependent | undefined): void {
    if (actor === undefined) return;
    const { kind, snapshot } = actor;
    const isNeeded = kind.needsBrokerage?.(snapshot.context) ?? true;
    if (isNeeded && isUsed(kind.name)) this.#add(kind.name, kind.profile(snapshot.context).brokerageCode);
  }

  /** Throws an {@link OperatorMistake} that names every brokerage that actors or orders need and that is not listed. */
  refuseUnlisted(
    orders: Iterable<{ readonly brokerageCode: string }>,
    partition: number,
    brokerages: { find(brokerageCode: string): object | undefined },
  ): void {
    for (const { brokerageCode } of orders) this.#add("order", brokerageCode);
    const unlisted = [...this.#counts].filter(([code]) => brokerages.find(code) === undefined).sort();
    if (unlisted.length === 0) return;
    const lines = unlisted.map(([code, counts]) => `  ${code}: ${tellCounts(counts)}`);
    const again = "list it again, at least until they are cancelled, switched off or done";
    throw new OperatorMistake(
      [`BROKERAGES_FILE leaves out what partition ${partition} needs: ${again}`, ...lines].join("\n"),
    );
  }

  #add(used: Used, brokerageCode: string): void {
    const counts = this.#counts.get(brokerageCode) ?? new Map<Used, number>();
    counts.set(used, (counts.get(used) ?? 0) + 1);
    this.#counts.set(brokerageCode, counts);
  }
}

function isUsed(kind: string): kind is Used {
  return Object.hasOwn(WORDS, kind);
}

function tellCounts(counts: ReadonlyMap<Used, number>): string {
  return [...counts].map(([used, count]) => `${count} ${WORDS[used][count === 1 ? 0 : 1]}`).join(", ");
}
