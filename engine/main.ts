/**
 * The engine as a process of its own: `npm run engine` (design, "Bird's eye"). Needs NATS_URL.
 */
import { connectNatsBus } from "../src/bus/nats.ts";
import { ConfigRefused, readEngineConfig } from "./config.ts";
import { Engine } from "./engine.ts";
import { startSource } from "./feed/source.ts";
import { createLog, endPolitely, exitFatally } from "./process.ts";
import { loopTimers, systemClock } from "./clock.ts";

async function main(): Promise<void> {
  // 1. Configuration.
  const config = readEngineConfig(process.env);
  if (config.natsUrl === undefined) throw new ConfigRefused("NATS_URL is not set: an engine of its own needs NATS");
  const log = createLog(config.logLevel, "engine");
  // 2. The bus.
  const bus = await connectNatsBus({
    servers: config.natsUrl,
    name: "engine",
    waitOnFirstConnect: true,
    onError: (err, context) => log.warn({ err, ...context }, "bus"),
  });
  // 3. Partitions, feed, answers.
  const engine = await Engine.start({
    config,
    bus,
    connection: bus.connection,
    log,
    smsLog: log.child({ part: "paper-sms" }),
    fatal: exitFatally(log),
  });
  if (engine.bootstrap !== undefined) {
    process.stdout.write(`\nDemo API key (kept in ${engine.bootstrap.path}): ${engine.bootstrap.apiKey}\n\n`);
  }
  // 4. A price source of our own, where one is configured.
  const stopSource = await startSource({
    feed: config.feed,
    speed: config.feedSpeed,
    symbols: engine.symbols.simulated(),
    bus,
    clock: systemClock,
    timers: loopTimers,
    log,
  });
  log.info({ partitions: config.ownPartitions }, "engine is ready");
  endPolitely(log, async () => {
    stopSource();
    await engine.stop();
    await bus.drain();
  });
}

main().catch((error: unknown) => {
  const isExpected = error instanceof Error && /Refused$/.test(error.name);
  process.stderr.write(`engine: ${isExpected || !(error instanceof Error) ? String(error) : error.stack}\n`);
  process.exit(1);
});
