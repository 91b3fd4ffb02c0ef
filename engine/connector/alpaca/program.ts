/** The Alpaca connector as the command line starts it. */
import type { Variables } from "../host/config-file.ts";
import type { ConnectorProgram } from "../host/program.ts";
import { parseAlpacaConfig } from "./config.ts";
import { checkAlpacaConnector, makeOrderFolder, startAlpacaConnector } from "./start.ts";

/** Reads the value of a file in `folder`. Throws a `UserError` that names every mistake. */
export function alpacaProgram(value: unknown, folder: string, variables: Variables): ConnectorProgram {
  const settings = parseAlpacaConfig(value, folder, variables);
  return {
    code: settings.code,
    folder: settings.folder,
    needsPrices: false,
    make: (ports) => makeOrderFolder(settings, ports),
    check: (ports) => checkAlpacaConnector({ settings, ...ports }),
    start: (ports) => startAlpacaConnector({ settings, ...ports }),
  };
}
