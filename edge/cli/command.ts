/** The context of every command. */
import type { Command } from "commander";
import type { Api } from "./client.ts";
import type { Output } from "./output.ts";

export interface Session {
  readonly api: Api;
  readonly output: Output;
  readonly isJson: boolean;
  /** Logs in again: a token lives for a day. */
  readonly logIn: () => Promise<Api>;
  /** For work that continues until it is interrupted: aborted by the first Ctrl-C, which then ends nothing else. */
  readonly untilInterrupted: () => AbortSignal;
}

/** Runs a command's work with a session that is logged in. */
export type RunCommand = (work: (session: Session) => Promise<void>) => Promise<void>;

/** Adds one or more commands to the program. */
export type AddCommands = (program: Command, run: RunCommand) => void;
