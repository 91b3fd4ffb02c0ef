/** The commands that set a trading state: of all users (`trading`), or of the caller (`my-trading`). */
import type { Command } from "commander";

export interface StateOptions {
  readonly reason: string;
  readonly includingStops?: boolean;
  readonly fromHalted?: boolean;
}

/** The request of a command, without the target of the state. */
interface StateRequest {
  readonly state: "active" | "reducing" | "halted";
  readonly reason: string;
  readonly includingStops?: true;
  /** Leaves a halt: a person asked for it. */
  readonly confirm?: "RESUME";
}

interface StateCommands<Options extends StateOptions> {
  /** The texts of `resume`; absent: its reason is shown as the others are. */
  readonly resume: { readonly description: string; readonly reason?: string };
  readonly set: (request: StateRequest, options: Options) => Promise<void>;
  /** Adds further options to each command. */
  readonly extend?: (command: Command) => Command;
}

/** Adds `halt`, `reduce` and `resume`. Only `resume`, and `reduce` with `--from-halted`, leave a halt. */
export function addStateCommands<Options extends StateOptions>(
  trading: Command,
  { resume, set, extend = (command) => command }: StateCommands<Options>,
): void {
  const add = (
    state: StateRequest["state"],
    command: Command,
    isConfirmed: (options: Options) => boolean,
    why = "shown wherever something is refused",
  ): Command =>
    extend(command.requiredOption("--reason <text>", why)).action((options: Options) => {
      const { reason, includingStops } = options;
      const stops = includingStops === true && { includingStops };
      return set({ state, reason, ...stops, ...(isConfirmed(options) && { confirm: "RESUME" }) }, options);
    });
  add("halted", trading.command("halt"), () => false)
    .description("no orders by hand, no take-profits, bots are switched off; stop-losses fire")
    .option("--including-stops", "stop-losses do not fire either: nothing is protected");
  add("reducing", trading.command("reduce"), ({ fromHalted }) => fromHalted === true)
    .description("no buys")
    .option("--from-halted", "also if trading is halted now: sells are then taken again");
  add("active", trading.command("resume"), () => true, resume.reason).description(resume.description);
}
