/**
 * Frames of a stream of server-sent events, as they arrive over fetch (WHATWG HTML, "Server-sent events"), as far as
 * this service sends them.
 *
 * Invariant: a frame is returned once, when all of it has arrived, for every cut of the text.
 */

export interface EventFrame {
  /** Undefined if the frame does not change the client's place. */
  readonly id: string | undefined;
  /** Undefined: it only shows that the stream lives, and the client's place. */
  readonly data: string | undefined;
  /** How long to wait before connecting again, from now on; undefined: as before. */
  readonly retryMs: number | undefined;
}

export class FrameReader {
  #rest = "";

  /** The frames that end in this piece of text. */
  take(text: string): readonly EventFrame[] {
    const frames = (this.#rest + text).split("\n\n");
    this.#rest = frames.pop() ?? "";
    return frames.map((frame) => {
      const lines = frame.split("\n");
      const retry = fieldOf(lines, "retry") ?? "";
      const retryMs = /^[0-9]{1,9}$/.test(retry) ? Number(retry) : undefined;
      return { id: fieldOf(lines, "id"), data: fieldOf(lines, "data"), retryMs };
    });
  }
}

function fieldOf(lines: readonly string[], field: string): string | undefined {
  const line = lines.find((one) => one.startsWith(`${field}:`));
  return line?.slice(field.length + 1).trimStart();
}
