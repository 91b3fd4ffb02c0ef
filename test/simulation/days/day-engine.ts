/**
 * The engine of a world of several days: its lives, what it reads back at each start, and requests that are repeated
 * until one life answers.
 *
 * Owns: the disk, the stream, the life of now. Does not own: when it dies by plan, and the prices (`days-world.ts`).
 */
import type { Brokerages } from "../../../engine/ports/brokerage.ts";
import type { Witness } from "../../../engine/store/folder/witness.ts";
import type { Reply } from "../../../src/contract/command.ts";
import { type Calendar, planCalendar } from "../../../src/domain/market/calendar.ts";
import type { SellLedgerRule } from "../../../src/domain/order/sell-ledger.ts";
import { LoggedDisk } from "../../support/store/logged-disk.ts";
import { PlainDisk } from "../oracle/plain-rows.ts";
import { FollowingCopy } from "../world/copy.ts";
import { Life, type Plant } from "../world/life.ts";
import type { Random } from "../world/random.ts";
import type { Report } from "../world/report.ts";
import { TickStream } from "../world/tick-stream.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { SymbolNames } from "./symbol-names.ts";

/** A request is answered within this time. */
const ANSWER_MS = { step: 50, most: 10_000, pause: 200 };

interface DayEngineOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly report: Report;
  readonly plant: Plant;
  readonly hasOversellGuard: boolean;
  readonly sellLedger: SellLedgerRule;
  readonly names: SymbolNames;
  readonly connect: (life: Life) => Brokerages;
  readonly isTroubled: () => boolean;
  /** Called while it is down. */
  readonly onDown: () => Promise<void>;
}

export class DayEngine {
  readonly #options: DayEngineOptions;
  readonly #disk = new LoggedDisk();
  readonly #copy = new FollowingCopy(this.#disk);
  readonly #calendar: Calendar | undefined;
  readonly #dieShare: number;
  readonly #failShare: number;
  readonly disk = new PlainDisk(this.#disk);
  readonly stream = new TickStream();
  #witness: Witness | undefined;
  #lifeCount = 0;
  life: Life;

  constructor(options: DayEngineOptions) {
    const { random } = options;
    this.#options = options;
    this.#dieShare = random.pick([0, 0.003, 0.015, 0.04]);
    this.#failShare = random.pick([0, 0, 0.004]);
    this.#calendar = random.chance(0.5) ? dayCalendar() : undefined;
    this.life = this.#newLife();
  }

  #newLife(): Life {
    const { time, random, report, plant, hasOversellGuard, sellLedger, names, connect, isTroubled } = this.#options;
    this.#lifeCount += 1;
    return new Life({
      ...{ number: this.#lifeCount, copy: this.#copy, stream: this.stream, time, random, report },
      ...{
        hasOversellGuard,
        sellLedger,
        names,
        exitPolicy: "untilSold",
        unhurriedMs: 10,
        calendar: this.#calendar,
        plant,
        connect,
      },
      witness: this.#witness,
      onWitness: (witness) => {
        this.#witness = witness;
      },
      onEvent: () => undefined,
      onBatch: () => undefined,
      dieShare: () => (isTroubled() ? this.#dieShare : 0),
      failShare: () => (isTroubled() ? this.#failShare : 0),
    });
  }

  /** Reads back, catches up, begins to act; it may die on the way. */
  async boot(): Promise<void> {
    const { life } = this;
    const { time, random, report } = this.#options;
    const position = (await life.recover()).tickPosition ?? this.stream.lastSequence;
    const missed = this.stream.missed(position, time.wallClock.nowMs());
    report.note(() => `life ${life.number} recovers at position ${position}, ${missed.length} ticks missed`);
    for (const tick of missed) {
      if (life.mayDieHere("while catching up")) return;
      life.give(tick, true);
      if (random.chance(0.3)) await time.turns();
    }
    if (!life.mayDieHere("before the start")) life.start();
  }

  /** Dies if it is alive, and starts until it lives: soon enough that every price can be read back. */
  async restart(): Promise<void> {
    const { time, random, report, onDown } = this.#options;
    this.life.die("ended");
    while (report.violation === undefined) {
      await time.advance(random.chance(0.75) ? random.whole(0, 50) : random.whole(50, 20_000));
      await onDown();
      this.life = this.#newLife();
      await this.boot();
      if (this.life.isAlive) return;
    }
  }

  /** Asks until it is answered, over every death of the engine. */
  async ask(type: string, userId: number, body: object): Promise<Reply> {
    const { time, report } = this.#options;
    for (;;) {
      if (!this.life.isAlive) await this.restart();
      const { life } = this;
      let reply: Reply | undefined;
      report.note(() => `asks ${type} ${JSON.stringify(body)}`);
      life.partition.handleCommand({ type, userId, requestId: "request", body }).then(
        (answer) => {
          if (life.isAlive) reply = answer;
        },
        (error: unknown) => life.isAlive && report.fault(error),
      );
      for (let ms = 0; ms < ANSWER_MS.most && life.isAlive && reply === undefined; ms += ANSWER_MS.step) {
        await time.advance(ANSWER_MS.step);
      }
      report.note(() => `is answered ${JSON.stringify(reply)}`);
      if (life.isAlive && reply === undefined) report.violate(`${type} was not answered`);
      if (report.violation !== undefined) return { ok: false, code: "UNAVAILABLE", message: "the world is over" };
      if (reply !== undefined && (reply.ok || reply.code !== "UNAVAILABLE")) return reply;
      await time.advance(ANSWER_MS.pause);
    }
  }
}

function dayCalendar(): Calendar {
  const phases = [{ name: "continuous", from: "10:00", to: "18:00", takes: ["market", "limit"] as const }];
  const planned = planCalendar({ mic: "XDAY", zone: "UTC", phases, holidays: [], halfDays: {} });
  if (!planned.ok) throw new Error(planned.message);
  return planned.value;
}
