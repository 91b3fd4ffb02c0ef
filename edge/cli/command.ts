/**
 * What every command is given.
 */
import type { Command } from "commander";
import type { Api } from "./client.ts";
import type { Output } from "./output.ts";

export interface Session {
  readonly api: Api;
  readonly output: Output;
}

/** Runs a command's work with a session that is logged in. */
export type RunCommand = (work: (session: Session) => Promise<void>) => Promise<void>;

/** Adds one or more commands to the program. */
export type AddCommands = (program: Command, run: RunCommand) => void;
