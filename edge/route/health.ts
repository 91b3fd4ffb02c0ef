/**
 * Is the process alive, and can it serve? For supervisors and load balancers; no token.
 */
import { QUERIES } from "../../src/contract/command.ts";
import type { MonotonicClock } from "../../src/runtime/ports.ts";
import type { EngineClient } from "../client/engine-client.ts";
import type { IdentityWatch } from "../client/identity-watch.ts";
import { answerRefusal, refusal } from "../middleware/errors.ts";
import { answerData, type EdgeHono } from "../server/request-state.ts";

const TIMEOUT_MS = 2_000;
/** Strangers may ask; the engine is asked once in this time. */
const FRESH_MS = 1_000;

interface HealthRouteParts {
  readonly app: EdgeHono;
  readonly engine: EngineClient;
  readonly identity: IdentityWatch;
  readonly clock: MonotonicClock;
}

/** Adds `/health` (the process answers) and `/ready` (every partition answers, keys and revocations are known). */
export function addHealthRoutes({ app, engine, identity, clock }: HealthRouteParts): void {
  let asked: Promise<readonly number[]> | undefined;
  let staleAtMs = Number.NEGATIVE_INFINITY;
  app.get("/health", (context) => answerData(context, "alive", { status: "ok" }));
  app.get("/ready", async (context) => {
    if (asked === undefined || clock.monotonicMs() >= staleAtMs) {
      staleAtMs = clock.monotonicMs() + FRESH_MS;
      asked = findSilent(engine);
    }
    const silent = await asked;
    if (silent.length > 0) {
      return answerRefusal(context, refusal("UNAVAILABLE", `no engine answers for partition ${silent.join(", ")}`));
    }
    if (!identity.isReady) {
      return answerRefusal(context, refusal("UNAVAILABLE", "keys and revocations are not known yet"));
    }
    return answerData(context, "ready", { status: "ready", partitions: engine.partitions });
  });
}

/** The partitions that do not answer. */
async function findSilent(engine: EngineClient): Promise<readonly number[]> {
  const partitions = Array.from({ length: engine.partitions }, (_, partition) => partition);
  const answers = await Promise.all(
    partitions.map((partition) =>
      engine.query(
        QUERIES.readHealth,
        { userId: null, requestId: "ready", body: {} },
        { partition, timeoutMs: TIMEOUT_MS, mayWait: false },
      ),
    ),
  );
  return partitions.filter((partition) => answers[partition]?.ok !== true);
}
