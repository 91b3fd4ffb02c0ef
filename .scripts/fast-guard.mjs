// Owns: the promise of the fast tier, kept while it runs. A test that starts a child process or listens on a port fails
// with an error that names the rule, whatever path led there.
// Does not own: which files belong to the tier (tiers.mjs).
import childProcess from "node:child_process";
import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

function refuse(deed) {
  return () => {
    throw new Error(
      `a test of the fast tier ${deed}; write the line "// tier: full" or "// tier: real" in its file (test/README.md)`,
    );
  };
}

const refuseProcess = refuse("starts a child process");
childProcess.ChildProcess.prototype.spawn = refuseProcess;
for (const name of ["spawnSync", "execSync", "execFileSync"]) childProcess[name] = refuseProcess;
net.Server.prototype.listen = refuse("listens on a port");
dgram.Socket.prototype.bind = refuse("binds a port");
syncBuiltinESMExports();
