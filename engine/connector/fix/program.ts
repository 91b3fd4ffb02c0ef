/** The FIX connector as the command line starts it. */
import { dirname, resolve } from "node:path";
import type { Variables } from "../host/config-file.ts";
import type { ConnectorProgram } from "../host/program.ts";
import { parseFixConfig } from "./config.ts";
import { checkFixConnector, makeSessionFolder, startFixConnector } from "./start.ts";

/** Reads the value of the file at `path`. Throws an `OperatorMistake` that names every mistake. */
export function fixProgram(value: unknown, path: string, variables: Variables): ConnectorProgram {
  const config = parseFixConfig(value, dirname(resolve(path)), variables);
  return {
    code: config.code,
    folder: config.folder,
    needsPrices: config.orders.marketAs === "limitIOC",
    make: (ports) => makeSessionFolder(config, ports),
    check: (ports) => checkFixConnector({ config, ...ports }),
    start: async (ports) => {
      const { connector, epochsFile, stop } = await startFixConnector({ config, ...ports });
      return { connector: connector, epochsFile, stop };
    },
  };
}
