/** Owns: the rules on the project as a whole: its top level, its lock file, its scripts. */

/** Names allowed in the project's folder, in addition to names that begin with a dot. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  ...["package.json", "package-lock.json", "tsconfig.json", "README.md", "ARCHITECTURE.md", "CHANGELOG.md"],
  ...["LICENSE", "SECURITY.md", "Dockerfile", "compose.yaml", "docs"],
  ...["src", "engine", "edge", "fixtures", "bench", "test"],
]);

/** Created by installing and running; git ignores them. */
const MADE_HERE: ReadonlySet<string> = new Set(["node_modules", "data", "coverage"]);

/** The names at the top level that have no place there. */
export function findStrayNames(names: readonly string[]): string[] {
  return names.filter(
    (name) => !name.startsWith(".") && !name.endsWith(".log") && !TOP_LEVEL.has(name) && !MADE_HERE.has(name),
  );
}

type LockEntry = {
  readonly dependencies?: Readonly<Record<string, string>> | undefined;
  readonly optionalDependencies?: Readonly<Record<string, string>> | undefined;
};

/**
 * The packages that the lock file refers to and does not hold, as `who -> what`. `npm ci` refuses such a file,
 * other platforms' packages included.
 */
export function findLockHoles(packages: Readonly<Record<string, LockEntry>>): string[] {
  const isThere = (owner: string, name: string): boolean => {
    for (let folder = owner; ; ) {
      const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      if (path in packages) return true;
      if (folder === "") return false;
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1));
    }
  };
  return Object.entries(packages).flatMap(([owner, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isThere(owner, name))
      .map((name) => `${owner} -> ${name}`),
  );
}

/** The TypeScript and JavaScript files that the npm scripts start. */
export function listScriptFiles(scripts: Readonly<Record<string, string>>): string[] {
  const words = Object.values(scripts).flatMap((script) => script.split(" "));
  return [...new Set(words.filter((word) => /\.(ts|mjs)$/.test(word)))];
}
