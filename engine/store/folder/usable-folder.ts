/** Whether a folder is there, or can be made: asked before a start makes anything. */
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ownFileErrorOf } from "../../../src/runtime/os-error.ts";
import { UserError } from "../../../src/runtime/user-error.ts";

/** Throws an {@link UserError} that names the setting and the obstacle. */
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
  if (nearest === resolve(folder)) return;
  try {
    rmdirSync(mkdtempSync(join(nearest, ".probe-")));
  } catch (error) {
    const isFull = error instanceof Error && ownFileErrorOf(error)?.fault;
    refuse(isFull || `no folder can be made in ${nearest} (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** The deepest part of the path that exists. */
function nearestThere(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : nearestThere(parent);
}
