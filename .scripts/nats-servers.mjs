// Owns: nats-servers that are new enough for the replicated log, for tests and for `npm run cluster`. The system's own
// is often older. Debian's packages of newer suites run where libc is 2.34 or later: they are downloaded and unpacked
// into a cache folder of the user, once, without root. Nothing is installed, and the system's sources stay untouched.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runChild } from "./install.mjs";

/** The first must be there for the tests; the second is tried as well where it answers. */
const SUITES = ["trixie", "unstable"];
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const USUAL_MIRROR = "http://deb.debian.org/debian/";
const LIMIT_SECONDS = "120";

/** Where they are kept: one folder for each suite, with the program in it. */
function serverFolder() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return join(cache, "trading-developer-api", "nats-server");
}

/** The programs that are there: suite, path. */
export function fetchedServers() {
  return SUITES.map((suite) => ({ suite, program: join(serverFolder(), suite, "nats-server") })).filter(({ program }) =>
    existsSync(program),
  );
}

/** Fetches what is missing, where that can be done, and tells it before and when it failed. */
export async function ensureNewNatsServers() {
  const missing = SUITES.filter((suite) => !existsSync(join(serverFolder(), suite)));
  if (missing.length === 0 || !existsSync(KEYRING)) return;
  for (const suite of missing) {
    process.stderr.write(`Downloading nats-server of Debian ${suite} into ${serverFolder()} (5 MB, once).\n`);
    if (await fetchServer(suite)) continue;
    process.stderr.write(
      `nats-server of Debian ${suite} cannot be had. Tests that need it say that they were skipped.\n`,
    );
  }
}

/** The mirror that the system already uses. */
function findMirror() {
  try {
    const targets = execFileSync("apt-get", ["indextargets", "--format", "$(REPO_URI)"], { encoding: "utf8" });
    return targets.split("\n").find((uri) => /\/debian\/?$/.test(uri)) ?? USUAL_MIRROR;
  } catch {
    return USUAL_MIRROR;
  }
}

async function fetchServer(suite) {
  mkdirSync(serverFolder(), { recursive: true });
  const work = mkdtempSync(join(serverFolder(), ".fetch-"));
  try {
    for (const folder of ["lists/partial", "cache/archives/partial"])
      mkdirSync(join(work, folder), { recursive: true });
    writeFileSync(join(work, "sources.list"), `deb [signed-by=${KEYRING}] ${findMirror()} ${suite} main\n`);
    const settings = [
      ...["-qq", "-o", `Dir::Etc::sourcelist=${work}/sources.list`, "-o", "Dir::Etc::sourceparts=/nonexistent"],
      ...["-o", `Dir::State::lists=${work}/lists`, "-o", `Dir::Cache=${work}/cache`, "-o", "APT::Sandbox::User=root"],
    ];
    const run = async (command, ...args) =>
      (await runChild("timeout", [LIMIT_SECONDS, command, ...args], { cwd: work, stdio: "ignore" })) === 0;
    if (!(await run("apt-get", ...settings, "update"))) return false;
    if (!(await run("apt-get", ...settings, "download", "nats-server"))) return false;
    const archive = readdirSync(work).find((name) => name.endsWith(".deb"));
    if (archive === undefined || !(await run("dpkg-deb", "-x", archive, "files"))) return false;
    const found = ["usr/sbin", "usr/bin"]
      .map((folder) => join(work, "files", folder))
      .find((path) => existsSync(join(path, "nats-server")));
    if (found === undefined) return false;
    if (!existsSync(join(serverFolder(), suite))) renameSync(found, join(serverFolder(), suite));
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
