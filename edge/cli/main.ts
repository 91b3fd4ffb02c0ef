/**
 * `npm run cli -- <command>`: the command line of operators, a client of the administration interface.
 */
import { runCommandLine } from "./program.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
