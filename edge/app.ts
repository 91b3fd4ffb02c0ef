/**
 * The edge, put together: pure wiring, everything from outside handed in.
 *
 * Life of a request: frame -> route -> (operation's steps) -> engine, over the bus -> answer, framed.
 */
import { Hono } from "hono";
import type { H, RouterRoute } from "hono/types";
import type { Redis } from "ioredis";
import type { Registry } from "prom-client";
import type { Bus } from "../src/bus/port.ts";
import type { Log, MonotonicClock, Schedule } from "../src/runtime/ports.ts";
import type { TrustedProxies } from "../src/runtime/settings.ts";
import { BrokerageDirectory } from "./client/brokerage-directory.ts";
import { EngineClient } from "./client/engine-client.ts";
import { EngineTime } from "./client/engine-time.ts";
import { IdentityWatch } from "./client/identity-watch.ts";
import { ReferenceCache } from "./client/reference-cache.ts";
import { ReferenceClient } from "./client/reference-client.ts";
import { DEFAULT_STREAM_LIMITS, EventHub, type StreamLimits } from "./event/event-hub.ts";
import { PriceWatch } from "./event/price-watch.ts";
import { EdgeMetrics } from "./metrics.ts";
import { Authenticator } from "./middleware/auth.ts";
import { compression } from "./middleware/compression.ts";
import { crossOrigin } from "./middleware/cors.ts";
import { answerThrown, answerUnserved } from "./middleware/errors.ts";
import { frame } from "./middleware/frame.ts";
import { Limits } from "./middleware/limits.ts";
import { originOf } from "./middleware/origin.ts";
import { operationsOf } from "./operation/operation.ts";
import { addBackupOperation } from "./route/admin/backup.ts";
import { addBandOperation } from "./route/admin/bands.ts";
import { addBrokerageOperations } from "./route/admin/brokerages.ts";
import { addClusterOperation } from "./route/admin/cluster.ts";
import { addCorporateActionOperations } from "./route/admin/corporate-actions.ts";
import { addHoldOperations } from "./route/admin/holds.ts";
import { addMetricsOperation } from "./route/admin/metrics.ts";
import { addOperatorOperations } from "./route/admin/operator.ts";
import { addReferenceWriting } from "./route/admin/reference.ts";
import { addRenameOperation } from "./route/admin/renames.ts";
import { addTickOperations } from "./route/admin/ticks.ts";
import { addInstallationState } from "./route/admin/trading-state.ts";
import { addUserOperations } from "./route/admin/users.ts";
import { addLevelBotOperations } from "./route/bot/level-bots.ts";
import { addSystemOperations } from "./route/bot/systems.ts";
import { addWebhookBotOperations } from "./route/bot/webhook-bots.ts";
import { addWebhookRoute } from "./route/bot/webhooks.ts";
import { addEventOperations } from "./route/events.ts";
import { addHealthRoutes } from "./route/health.ts";
import { addMcpRoute } from "./route/mcp/mcp.ts";
import { addNotificationOperations } from "./route/notification-targets.ts";
import { addOpenApiRoute } from "./route/openapi.ts";
import { addListTypeOperations } from "./route/reference/list-types.ts";
import { addRestrictionOperations } from "./route/reference/restrictions.ts";
import { addSymbolListOperations } from "./route/reference/symbol-lists.ts";
import { addSymbolOperations } from "./route/reference/symbols.ts";
import { addTokenRoutes } from "./route/token.ts";
import { addAccountOperations } from "./route/trading/accounts.ts";
import { addLimitsOperations } from "./route/trading/limits.ts";
import { addOcoOperations } from "./route/trading/oco.ts";
import { addOrderOperations } from "./route/trading/orders.ts";
import { addPendingOperations } from "./route/trading/pending.ts";
import { addPriceAlertOperations } from "./route/trading/price-alerts.ts";
import { addTradingStateOperations } from "./route/trading/trading-state.ts";
import { FixedPathRouter } from "./server/fixed-paths.ts";
import type { EdgeEnvironment, EdgeHono } from "./server/request-state.ts";
import { addApiPage } from "./web/api-page.ts";
import { addDashboard } from "./web/dashboard-page.ts";

interface EdgeOptions {
  readonly bus: Bus;
  readonly partitions: number;
  /** The proxies whose `X-Forwarded-*` headers are believed; 0: none. */
  readonly trustedProxies: TrustedProxies;
  /** The address under which clients know the installation; undefined: the one under which each reached it. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may call; none unless they are named. */
  readonly corsOrigins?: readonly string[];
  /** Whether assistants may trade over MCP; default: no. */
  readonly hasTradingTools?: boolean;
  /** Whether those who trade may send ticks; default: no. */
  readonly isMarketSimulated?: boolean;
  /** Whether clients come over TLS, ours or a proxy's. */
  readonly isHttps: boolean;
  readonly clock: MonotonicClock;
  readonly schedule: Schedule;
  readonly log: Log;
  readonly newRequestId: () => string;
  /** Where several edges count limits together; undefined: each counts alone. */
  readonly redis?: Redis | undefined;
  /** The registry of the process's figures that are not the edge's; undefined: no registry. */
  readonly registry?: Registry | undefined;
  readonly streamLimits?: StreamLimits | undefined;
  /** Aborted when the server begins to stop: streams must end on it. */
  readonly closing: AbortSignal;
}

interface Edge {
  readonly app: EdgeHono;
  /** Starts to learn keys and revocations; until they are known protected routes answer 503. */
  start(): void;
  stop(): void;
}

/** Makes an edge over a bus. Nothing runs before `start`. */
export function createEdgeApp(options: EdgeOptions): Edge {
  const { bus, schedule, log, trustedProxies, publicUrl } = options;
  const clock = new EngineTime(options.clock, log);
  const engine = new EngineClient({
    bus,
    schedule,
    partitions: options.partitions,
    onFault: (error, context) =>
      log.error({ event: "engine.failedRequest", error, ...context }, "the engine failed a request"),
  });
  const identity = new IdentityWatch({ bus, engine, clock, schedule, log });
  const authenticator = new Authenticator({ identity, clock, publicUrl });
  const brokerages = new BrokerageDirectory(engine, clock);
  const referenceCache = new ReferenceCache({ bus, clock, log });
  const reference = new ReferenceClient(engine, referenceCache);
  const clientOrigin = originOf(publicUrl, trustedProxies);
  const limits = new Limits({ redis: options.redis, findBrokerage: (code) => brokerages.find(code) });

  const metrics = new EdgeMetrics(() => clock.aheadMs, options.registry);
  const prices = new PriceWatch({ engine, schedule });
  const hub = new EventHub({
    ...{ bus, engine, authenticator, prices, schedule, log },
    limits: options.streamLimits ?? DEFAULT_STREAM_LIMITS,
    closing: options.closing,
    onCount: (count) => metrics.setStreams(count),
  });

  const router = new FixedPathRouter<[H, RouterRoute]>();
  const app = new Hono<EdgeEnvironment>({ router });
  app.use(frame({ clock, log, newRequestId: options.newRequestId, isHttps: options.isHttps, trustedProxies, metrics }));
  if (options.corsOrigins !== undefined && options.corsOrigins.length > 0) app.use(crossOrigin(options.corsOrigins));
  for (const operations of ["/api/*", "/admin/*"]) app.use(operations, compression);
  app.notFound(answerUnserved((path) => router.methodsAt(path)));
  app.onError(answerThrown(log));

  const add = operationsOf({ app, engine, authenticator, limits, log });
  addAccountOperations(add);
  addOrderOperations(add);
  addTradingStateOperations(add);
  addLimitsOperations(add);
  addPriceAlertOperations(add);
  addPendingOperations(add);
  addOcoOperations(add);
  addSystemOperations(add);
  addLevelBotOperations(add);
  addWebhookBotOperations(add, clientOrigin);
  addSymbolListOperations(add, reference);
  addSymbolOperations(add, reference);
  addListTypeOperations(add);
  addRestrictionOperations(add, reference);
  addEventOperations(add, { hub, reference });
  addUserOperations(add, engine);
  addNotificationOperations(add);
  addReferenceWriting(add, reference, engine);
  addBandOperation(add, engine);
  addHoldOperations(add, engine);
  addCorporateActionOperations(add, engine);
  addRenameOperation(add, engine, reference);
  addInstallationState(add, engine);
  addTickOperations(add, { bus, reference, clock, isMarketSimulated: options.isMarketSimulated ?? false });
  addOperatorOperations(add, engine);
  addBackupOperation(add, engine, clock);
  addBrokerageOperations(add, engine);
  addClusterOperation(add, engine);
  addMetricsOperation(add, engine, metrics);
  addMcpRoute({
    ...{ app, authenticator, limits, reference, log, originOf: clientOrigin },
    corsOrigins: options.corsOrigins ?? [],
    hasTrading: options.hasTradingTools ?? false,
  });
  addWebhookRoute({ app, engine, limits });
  addTokenRoutes({ app, engine, identity, authenticator, limits, trustedProxies, originOf: clientOrigin });
  addHealthRoutes({ app, engine, identity, clock });
  addOpenApiRoute(app);
  addApiPage(app);
  addDashboard(app);

  return {
    app,
    start: () => {
      identity.start();
      referenceCache.start();
      hub.start();
    },
    stop: () => {
      hub.stop();
      prices.stop();
      identity.stop();
      referenceCache.stop();
    },
  };
}
