/**
 * What `npm start` checks before it makes any data: settings, the files that they name, and the address.
 *
 * Invariant: all mistakes are reported together.
 */
import { type EdgeConfig, edgeConfigOf } from "../edge/config.ts";
import { readTls } from "../edge/server/certificate.ts";
import { checkAddress } from "../edge/server/server.ts";
import { type EngineConfig, engineConfigOf } from "../engine/config.ts";
import { preflight } from "../engine/host/preflight.ts";
import { readBrokeragesFile, refuseGatewaysWithoutNats } from "../engine/order/registry.ts";
import { type Demand, examineSettings, type Variables } from "./runtime/settings.ts";
import { refuseTogether } from "./runtime/user-error.ts";

/** What engine and edge are started with. Rejects with an `UserError`, a line each mistake. */
export async function checkStart(
  variables: Variables,
): Promise<{ readonly config: EngineConfig; readonly edgeConfig: EdgeConfig }> {
  const { settings, isSound, refuse } = examineSettings(variables, ["engine", "edge"], [refuseReplication]);
  const config = engineConfigOf(settings);
  const edgeConfig = edgeConfigOf(settings);
  await refuseTogether([
    refuse,
    () => edgeConfig.tls !== undefined && readTls(edgeConfig.tls),
    () => isSound("HOST") && isSound("PORT") && checkAddress(edgeConfig),
    ...preflight(config),
    () => {
      const brokerages = readBrokeragesFile(config.brokeragesFile);
      if (config.natsUrl === undefined && isSound("NATS_URL")) refuseGatewaysWithoutNats(brokerages);
    },
  ]);
  return { config, edgeConfig };
}

const refuseReplication: Demand = ({ REPLICATION }) => {
  const mistake = "REPLICATION: npm start runs all in one process; start engines with npm run engine";
  return REPLICATION ? [{ of: ["REPLICATION"], mistake }] : [];
};
