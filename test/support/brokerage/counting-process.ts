/** A connector as a process of its own, for tests: takes every request and promises `query`. Needs NATS_URL. */
import { serveConnector } from "../../../engine/connector/host/serve.ts";
import { ServingProcess } from "../../../engine/connector/host/serving-process.ts";
import { connectNatsBus } from "../../../src/bus/nats/bus.ts";
import { loopTimers, steadyClock, systemClock } from "../../../src/runtime/clock.ts";
import { createLog } from "../../../src/runtime/log.ts";
import { exitFatally, explainFailedStart } from "../../../src/runtime/process.ts";
import { CountingConnector } from "./counting-connector.ts";

const CODE = "ACME";

async function main(): Promise<void> {
  const log = createLog({ level: "info" }, "counting");
  const bus = await connectNatsBus({ servers: process.env.NATS_URL ?? "", name: "counting", onError: () => undefined });
  const serving = await ServingProcess.begin({
    ...{ code: CODE, bus, clock: systemClock, steadyClock, timers: loopTimers, log },
    onSuperseded: (reason) => exitFatally(log)(`this process gives way: ${reason}`, undefined),
  });
  serveConnector(new CountingConnector(["A1"]), { code: CODE, bus, log, steadyClock, process: serving });
  log.info({ event: "connector.ready" }, "the connector is ready");
}

main().catch(explainFailedStart("counting"));
