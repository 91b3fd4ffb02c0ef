import { TickAcceptance } from "../../../../engine/feed/acceptance.ts";
import { LiveFeed } from "../../../../engine/feed/live.ts";
import { StreamCatchUp } from "../../../../engine/feed/stream/catch-up.ts";
import type { HoleRange, HoleSpan } from "../../../../engine/feed/stream/missed-ticks.ts";
import type { AcceptedTick } from "../../../../engine/ports/price.ts";
import { FakeServer } from "./fake-server.ts";
import { copyTick, keptLog, knownSymbols, ManualTime, NO_LIMITS, tickText } from "./ports.ts";

export const NOW_MS = 1_732_152_000_000;

/** A feed over a server in miniature, and all that it gives. */
export function setUp(tickMovePercentMax?: number) {
  const ticks: AcceptedTick[] = [];
  const holes: HoleRange[] = [];
  const spans: HoleSpan[] = [];
  /** Every name of the stream that was to be stored. */
  const memories: (string | null)[] = [];
  const time = new ManualTime(NOW_MS);
  const server = new FakeServer(time);
  const log = keptLog();
  /** How far the wall clock is from where it was. */
  const step = { byMs: 0 };
  /** Whether orders may leave. */
  const right = { mayAct: true };
  const clock = { nowMs: () => time.nowMs() + step.byMs };
  const connect = () => {
    const acceptance = new TickAcceptance({
      symbols: knownSymbols("A", "B"),
      clock,
      ...NO_LIMITS,
      tickMovePercentMax,
      clockOffMs: () => catchUp.clock.offMs,
      onTick: (tick) => ticks.push({ ...copyTick(tick), stored: tick.stored }),
    });
    const live = new LiveFeed({ bus: server, clock, acceptance, bufferCapacity: 100 });
    const catchUp: StreamCatchUp = new StreamCatchUp({
      bus: server,
      stream: server,
      live,
      clock,
      steadyClock: time,
      timers: time,
      log,
      catchUpSeconds: 300,
      mayAct: () => right.mayAct,
      onHole: ({ fromMs, untilMs, ...hole }) => {
        holes.push(hole);
        spans.push({ fromMs, untilMs });
      },
      onMemory: () => memories.push(catchUp.memory().tickStream),
    });
    return { live, catchUp };
  };
  return {
    ticks,
    holes,
    spans,
    memories,
    time,
    step,
    right,
    server,
    log,
    connect,
    ...connect(),
    texts: () => ticks.map(tickText),
  };
}
