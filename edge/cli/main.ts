/**
 * `npm run cli -- <command>`: the command line of operators, a client of the administration interface.
 */
import { runCommandLine } from "./program.ts";

const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, streams, () => {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interruption.abort());
  return interruption.signal;
});
