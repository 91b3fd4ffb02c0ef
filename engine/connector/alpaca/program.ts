/** The Alpaca connector as the command line starts it. */
import { dirname, resolve } from "node:path";
import type { Variables } from "../host/config-file.ts";
import type { ConnectorProgram } from "../host/program.ts";
import { parseAlpacaConfig } from "./config.ts";
import { checkAlpacaConnector, makeOrderFolder, startAlpacaConnector } from "./start.ts";

/** Reads the value of the file at `path`. Throws an `OperatorMistake` that names every mistake. */
export function alpacaProgram(value: unknown, path: string, variables: Variables): ConnectorProgram {
  const settings = parseAlpacaConfig(value, dirname(resolve(path)), variables);
  return {
    code: settings.code,
    folder: settings.folder,
    needsPrices: false,
    make: (ports) => makeOrderFolder(settings, ports),
    check: (ports) => checkAlpacaConnector({ settings, ...ports }),
    start: async (ports) => {
      const { connector, epochsFile, stop } = await startAlpacaConnector({ settings, ...ports });
      return { connector: connector, epochsFile, stop };
    },
  };
}
