/** The FIX connector as the command line starts it. */
import type { Variables } from "../host/config-file.ts";
import type { ConnectorProgram } from "../host/program.ts";
import { parseFixConfig } from "./config.ts";
import { checkFixConnector, makeSessionFolder, startFixConnector } from "./start.ts";

/** Reads the value of a file in `folder`. Throws a `UserError` that names every mistake. */
export function fixProgram(value: unknown, folder: string, variables: Variables): ConnectorProgram {
  const config = parseFixConfig(value, folder, variables);
  return {
    code: config.code,
    folder: config.folder,
    needsPrices: config.orders.marketAs === "limitIOC",
    make: (ports) => makeSessionFolder(config, ports),
    check: (ports) => checkFixConnector({ config, ...ports }),
    start: (ports) => startFixConnector({ config, ...ports }),
  };
}
