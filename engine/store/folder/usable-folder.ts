/** Whether a folder is there, or can be made: asked before a start makes anything. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UserError } from "../../../src/runtime/user-error.ts";

/** Throws an {@link UserError} that names the setting, and what stands in the way. */
export function checkFolder(setting: string, folder: string): void {
  const nearest = nearestThere(resolve(folder));
  const refuse = (fault: string): never => {
    throw new UserError(`${setting}: ${folder} cannot be used: ${fault}`, { reason: "cannotCreate" });
  };
  if (!statSync(nearest).isDirectory()) refuse(`${nearest} is a file, not a folder`);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    const isReadOnly = error instanceof Error && "code" in error && error.code === "EROFS";
    refuse(isReadOnly ? `${nearest} is on a read-only disk` : `this user may not write in ${nearest}`);
  }
}

/** The deepest part of the path that exists. */
function nearestThere(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : nearestThere(parent);
}
