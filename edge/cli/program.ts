/**
 * The command line: options, commands, exit codes.
 *
 * Exit codes follow sysexits.h: 0 done, 64 the command line itself is wrong; others state why it was not done.
 */
import { Command, CommanderError } from "commander";
import { EXIT_CODES, exitCodeOf, UserError } from "../../src/runtime/user-error.ts";
import { givenValue } from "../../src/runtime/variables.ts";
import { Api } from "./client.ts";
import type { AddCommands, RunCommand } from "./command.ts";
import { addAccountCommands } from "./commands/accounts.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addBrokerageCommands } from "./commands/brokerages.ts";
import { addClusterCommand } from "./commands/cluster.ts";
import { addLimitCommands } from "./commands/limits.ts";
import { addOwnTradingCommands } from "./commands/my-trading.ts";
import { addOcoCommands } from "./commands/oco.ts";
import { addOperatorCommands } from "./commands/operator.ts";
import { addOrderCommands } from "./commands/orders.ts";
import { addPriceAlertCommands } from "./commands/price-alerts.ts";
import { addPriceCommands } from "./commands/prices.ts";
import { addReferenceCommands } from "./commands/reference.ts";
import { addTradingCommands } from "./commands/trading.ts";
import { addUserCommands } from "./commands/users.ts";
import { addWatchCommand } from "./commands/watch.ts";
import { makeOutput, type Streams } from "./output.ts";

const EXIT_DONE = 0;
const DEFAULT_URL = "http://127.0.0.1:8080";

/** Every group of commands; one file each. */
const COMMANDS: readonly AddCommands[] = [
  addUserCommands,
  addPriceCommands,
  addPriceAlertCommands,
  addWatchCommand,
  addReferenceCommands,
  addTradingCommands,
  addOwnTradingCommands,
  addAccountCommands,
  addOcoCommands,
  addOrderCommands,
  addLimitCommands,
  addOperatorCommands,
  addClusterCommand,
  addBackupCommands,
  addBrokerageCommands,
];

interface GlobalOptions {
  readonly url: string;
  readonly apiKey?: string;
  readonly dataDir: string;
  readonly json?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one command line (without program and script) and returns its exit code. */
export async function runCommandLine(
  words: readonly string[],
  environment: Environment,
  streams: Streams,
  untilInterrupted: () => AbortSignal = () => new AbortController().signal,
): Promise<number> {
  const program = makeProgram(environment, streams, untilInterrupted);
  try {
    await program.parseAsync([...words], { from: "user" });
    return EXIT_DONE;
  } catch (error) {
    if (error instanceof CommanderError) {
      const isHelp = error.code === "commander.helpDisplayed" || error.code === "commander.version";
      // Commander has printed its own messages, except errors that an action threw.
      if (error.code === "commander.invalidArgument" && !error.message.startsWith("error: ")) {
        streams.err(`error: ${error.message}\n`);
      }
      return isHelp ? EXIT_DONE : EXIT_CODES.usage;
    }
    if (!(error instanceof UserError)) throw error;
    streams.err(`error: ${error.message}\n`);
    return exitCodeOf(error);
  }
}

function makeProgram(environment: Environment, streams: Streams, untilInterrupted: () => AbortSignal): Command {
  const program = new Command("npm run cli --")
    .description("Operates a Trading Developer API installation through its administration interface.")
    .option(
      "--url <url>",
      "where the edge is; default: API_URL, else the local one",
      givenValue(environment, "API_URL") ?? DEFAULT_URL,
    )
    .option("--api-key <key>", "a key with the scope admin; default: API_KEY, else the key of the first start")
    .option(
      "--data-dir <folder>",
      "where the key of the first start is",
      givenValue(environment, "DATA_DIR") ?? "./data",
    )
    .option("--json", "print answers as JSON")
    .addHelpText("after", "\nA certificate of your own is trusted with NODE_EXTRA_CA_CERTS=<file>.")
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.err })
    .showHelpAfterError("(add --help for more)");
  const run: RunCommand = async (work) => {
    const { url, apiKey, dataDir, json } = program.opts<GlobalOptions>();
    const key = givenValue({ apiKey }, "apiKey") ?? givenValue(environment, "API_KEY");
    const logIn = (): Promise<Api> => Api.connect({ url, apiKey: key, dataFolder: dataDir });
    const isJson = json === true;
    await work({ api: await logIn(), output: makeOutput(streams, isJson), isJson, logIn, untilInterrupted });
  };
  for (const add of COMMANDS) add(program, run);
  return program;
}
