// Owns: ending with the shell that npm started. npm sends a signal to that shell only, and a shell such as Debian's dash
// ends by it without handing it on: what it ran would go on, with nobody to end it. (`exec` in the script would help, but
// Windows has none.)
// Does not own: how a process ends on a signal.

const SHELL_POLL_MS = 100;

/**
 * Signals this process with SIGTERM once the shell that npm ran the script in is gone. Does nothing where npm did not
 * start it: a process in the background outlives its shell.
 */
export function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const shellId = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === shellId) return;
    clearInterval(poll);
    process.kill(process.pid, "SIGTERM");
  }, SHELL_POLL_MS);
  poll.unref();
}
