/** The AlgoLab connector as the command line starts it. */
import type { Variables } from "../host/config-file.ts";
import type { ConnectorProgram } from "../host/program.ts";
import { checkAlgolabConnector } from "./check.ts";
import { parseAlgolabConfig } from "./config.ts";
import { makeAlgolabFolder, startAlgolabConnector } from "./start.ts";

/** Reads the value of a file in `folder`. Throws a `UserError` that names every mistake. */
export function algolabProgram(value: unknown, folder: string, variables: Variables): ConnectorProgram {
  const settings = parseAlgolabConfig(value, folder, variables);
  return {
    code: settings.code,
    folder: settings.folder,
    needsPrices: false,
    make: (ports) => makeAlgolabFolder(settings, ports),
    check: (ports) => checkAlgolabConnector({ settings, ...ports }),
    start: (ports) => startAlgolabConnector({ settings, ...ports }),
  };
}
