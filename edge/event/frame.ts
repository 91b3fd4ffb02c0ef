/**
 * Server-sent events as text (WHATWG HTML, "Server-sent events").
 */

/** A stored event: a client that reconnects continues after its `id`. `json` is one line. */
export function storedFrame(id: string, type: string, json: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

/** An event that is not stored: it does not change the client's place. */
export function passingFrame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Shows that the stream lives, and up to which place the client has everything: without data a client receives no
 * event.
 */
export function heartbeatFrame(id: string): string {
  return `: alive\nid: ${id}\n\n`;
}

/** How long a client waits before it connects again. */
export function retryFrame(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}
