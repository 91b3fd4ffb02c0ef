/** A client of the event stream, and the events that the bus published for the same user: to compare the two. */
import type { NatsConnection } from "nats";
import { pause } from "../world/stack.ts";

/** The events that the bus published for one user, each once: the bus promises delivery at least once. */
export class PublishedEvents {
  readonly sequences = new Map<number, string>();

  constructor(nats: NatsConnection, userId: number) {
    nats.subscribe(`events.${userId}.>`, {
      callback: (_error, message) => {
        const event = message.json<{ sequence: number; id: string }>();
        this.sequences.set(event.sequence, event.id);
      },
    });
  }

  get ids(): string[] {
    return [...this.sequences].sort(([left], [right]) => left - right).map(([, id]) => id);
  }
}

/** A client like a browser's EventSource: it connects again and sends its last position. */
export class EventFollower {
  readonly ids: string[] = [];
  readonly odd: string[] = [];
  place = "";
  connectCount = 0;
  #isStopped = false;
  #abort = new AbortController();
  readonly #edge: { readonly url: string };
  readonly #token: string;

  /** The edge's `url` may change with a restart. */
  constructor(edge: { readonly url: string }, token: string) {
    this.#edge = edge;
    this.#token = token;
  }

  async follow(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#connect();
      } catch {
        // Killed, or not up yet.
      }
      await pause(50);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#abort.abort();
  }

  async #connect(): Promise<void> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token}` };
    if (this.place !== "") headers["Last-Event-ID"] = this.place;
    this.#abort = new AbortController();
    const response = await fetch(`${this.#edge.url}/api/v1/events`, { headers, signal: this.#abort.signal });
    if (response.status !== 200) {
      if (response.status !== 503) this.odd.push(`${response.status} ${await response.text()}`);
      return;
    }
    this.connectCount += 1;
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const data = field("data");
    const type = field("event");
    if (type === "gap") this.odd.push(block);
    this.place = field("id") ?? this.place;
    if (data !== undefined && type !== "end") this.ids.push((JSON.parse(data) as { id: string }).id);
  }
}
