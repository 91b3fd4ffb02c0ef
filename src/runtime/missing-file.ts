/** Whether an operation on a file failed because the file does not exist. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
