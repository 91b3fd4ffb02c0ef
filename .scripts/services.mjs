// Owns: nats-server, redis-server, QuickFIX and the other PACKAGES being there for the tests that want the real ones.
// Installs them with apt-get where that is possible without asking; else the tests that need them say that they
// were skipped. It never starts a service and lets the packages start none.
import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runChild } from "./install.mjs";
import { ensureNewNatsServers } from "./nats-servers.mjs";

/** Each package, what the tests need it for, and what shows that it is there. */
const PACKAGES = [
  { name: "nats-server", why: "engine and edge over NATS", isThere: () => isProgram("nats-server") },
  { name: "redis-server", why: "rate limits that several edges share", isThere: () => isProgram("redis-server") },
  { name: "chromium", why: "the dashboard in a browser", isThere: () => isProgram("chromium") },
  { name: "tshark", why: "FIX messages, read by Wireshark", isThere: () => isProgram("tshark") },
  { name: "prometheus", why: "the check of the alert rules", isThere: () => isProgram("promtool") },
  { name: "systemd", why: "the check of the service units", isThere: () => isProgram("systemd-analyze") },
  { name: "nginx", why: "the edge behind a proxy", isThere: () => isProgram("nginx") },
  { name: "haproxy", why: "the edge behind two proxies", isThere: () => isProgram("haproxy") },
  { name: "caddy", why: "the edge behind a proxy that writes its own headers", isThere: () => isProgram("caddy") },
  {
    ...{ name: "libquickfix-dev", why: "the connector against a QuickFIX peer" },
    isThere: () => existsSync("/usr/include/quickfix/Session.h"),
  },
  {
    ...{ name: "libquickfix-doc", why: "the dictionaries and programs of QuickFIX" },
    isThere: () => existsSync("/usr/share/doc/libquickfix-doc/examples"),
  },
];
const INSTALL_TIMEOUT_SECONDS = 300;
/** Debian asks this file whether a package may start its service; 101 means no. */
const policyFile = "/usr/sbin/policy-rc.d";
const policyText = "#!/bin/sh\nexit 101\n";

/** PATH with the folders for system programs, which a plain user's often lacks. */
function withSystemFolders(path) {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder !== "");
  return [...new Set([...folders, "/usr/local/sbin", "/usr/sbin", "/sbin"])].join(delimiter);
}

function isProgram(name) {
  return process.env.PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function findMissing() {
  return PACKAGES.filter(({ isThere }) => !isThere());
}

const namesOf = (packages) => packages.map(({ name }) => name);

const quiet = { stdio: ["ignore", "ignore", "ignore"] };
const spoken = { stdio: ["ignore", process.stderr, process.stderr] };

async function findRootPrefix() {
  if (process.getuid?.() === 0) return [];
  if (isProgram("sudo") && (await runChild("sudo", ["-n", "true"], quiet)) === 0) return ["sudo", "-n"];
  return undefined;
}

async function runAsRoot(prefix, args, options) {
  const [command, ...rest] = [...prefix, ...args];
  return runChild(command, rest, options);
}

async function runAptGet(prefix, args) {
  const environment = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "LC_ALL=C.UTF-8"];
  const limit = ["timeout", String(INSTALL_TIMEOUT_SECONDS)];
  const settings = ["-qq", "-o", "DPkg::Lock::Timeout=60", "-o", "Acquire::http::Timeout=20", "-o", "Dpkg::Use-Pty=0"];
  return runAsRoot(prefix, [...limit, ...environment, "apt-get", ...settings, ...args], spoken);
}

async function writePolicy(prefix) {
  if (existsSync(policyFile)) return false;
  if (prefix.length === 0) writeFileSync(policyFile, policyText, { mode: 0o755 });
  else
    await runAsRoot(prefix, ["sh", "-c", `printf '${policyText}' > ${policyFile} && chmod 755 ${policyFile}`], quiet);
  return true;
}

async function removePolicy(prefix) {
  if (prefix.length === 0) rmSync(policyFile, { force: true });
  else await runAsRoot(prefix, ["rm", "-f", policyFile], quiet);
}

async function installPackages(prefix, packages) {
  const isPolicyOurs = await writePolicy(prefix);
  try {
    // A failed update is not the end: the lists that are there may do.
    await runAptGet(prefix, ["update"]);
    await runAptGet(prefix, ["install", "-y", "--no-install-recommends", ...packages]);
  } finally {
    if (isPolicyOurs) await removePolicy(prefix);
  }
}

/**
 * Makes the services available where it can, and reports on stderr, before it installs, what and why, and afterwards
 * what is still missing. Without `mayInstall` it only reports.
 */
export async function ensureServices({ mayInstall }) {
  process.env.PATH = withSystemFolders(process.env.PATH);
  if (mayInstall) await ensureNewNatsServers();
  const missing = findMissing();
  if (missing.length === 0) return;
  const prefix = mayInstall && isProgram("apt-get") ? await findRootPrefix() : undefined;
  if (prefix !== undefined) {
    const reasons = missing.map(({ name, why }) => `  ${name}: ${why}\n`).join("");
    process.stderr.write(
      `Installing Debian packages as root for the tests (npm test -- --no-install leaves them out):\n${reasons}`,
    );
    await installPackages(prefix, namesOf(missing));
  }
  const stillMissing = namesOf(findMissing());
  if (stillMissing.length === 0) return;
  process.stderr.write(`Missing: ${stillMissing.join(", ")}. Tests that need one of them are reported as skipped.\n`);
}
