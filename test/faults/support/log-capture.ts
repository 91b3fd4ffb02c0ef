/**
 * The whole log of a running application, kept for the tests: a logged error is a fault of the application.
 */
import type { BusErrorContext } from "../../../src/bus/port.ts";

interface Lines {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export class LogCapture {
  /** Every line, of every level, as text. */
  readonly lines: string[] = [];
  /** Errors, fatal ends and errors that the bus caught. */
  readonly faults: string[] = [];
  readonly warnings: string[] = [];

  /** Returns the log of one part. */
  of(part: string): Lines {
    const write = (level: keyof Lines) => (fields: object, message: string) => {
      const line = `${part} ${level}: ${message} ${describe(fields)}`;
      this.lines.push(line);
      if (level === "error") this.faults.push(line);
      if (level === "warn") this.warnings.push(line);
    };
    return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  }

  /** Removes intended faults: all that contain every part. Returns their count; throws if it is 0. */
  forgive(...parts: readonly string[]): number {
    const kept = this.faults.filter((line) => !parts.every((part) => line.includes(part)));
    const count = this.faults.length - kept.length;
    if (count === 0) throw new Error(`no fault says: ${parts.join(", ")}`);
    this.faults.splice(0, this.faults.length, ...kept);
    return count;
  }

  readonly onBusError = (error: unknown, context: BusErrorContext): void => {
    this.faults.push(`bus: ${describe({ error, ...context })}`);
  };

  readonly fatal = (reason: string, cause: unknown): never => {
    this.faults.push(`fatal: ${reason} ${describe({ cause })}`);
    throw new Error(reason, { cause });
  };
}

function describe(fields: object): string {
  return JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? (value.stack ?? "") : value));
}
