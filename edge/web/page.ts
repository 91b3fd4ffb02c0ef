/**
 * The shared parts of the edge's pages: the frame of their HTML, and their content policy.
 *
 * Invariant: a page runs scripts of this edge only, none of them inline, and calls this edge only.
 */
import type { EdgeHono } from "../server/request-state.ts";

const TITLE = "Trading Developer API";

export interface Page {
  readonly path: string;
  /** Lines of the head in addition to the title: icon, style sheets. */
  readonly head: string;
  readonly body: string;
  /** True: a script of the page sets styles inline. */
  readonly hasInlineStyles: boolean;
}

/** Adds a page. */
export function addPage(app: EdgeHono, { path, head, body, hasInlineStyles }: Page): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policyOf(hasInlineStyles),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
  };
  app.get(path, (context) => context.body(html, 200, headers));
}

function policyOf(hasInlineStyles: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${hasInlineStyles ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
