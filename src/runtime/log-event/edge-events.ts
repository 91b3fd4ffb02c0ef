/** Log events of the edge: HTTP, events for clients, limits, its certificate and its view of the engine. */
import type { LogEventTable } from "./declaration.ts";

export const edgeEvents = {
  "edge.ready": { severity: "info", meaning: "The edge accepts connections." },
  "edge.noPublicUrl": {
    severity: "warn",
    meaning: "`TRUST_PROXY` is set without `PUBLIC_URL`, so addresses in answers are the ones that the proxy forwards.",
    action: "Set `PUBLIC_URL`.",
  },
  "http.request": {
    severity: ["info", "debug"],
    meaning: "A request was answered. The level is debug for a successful probe.",
  },
  "http.failed": {
    severity: "error",
    meaning: "A request failed with status 500 because of a fault in the edge.",
    action: "Report it as a bug, with the line.",
  },
  "http.failedOutsideRoute": {
    severity: "error",
    meaning: "A request failed with status 500 before it reached its route.",
    action: "Report it as a bug, with the line.",
  },
  "mcp.refused": { severity: "debug", meaning: "A request to the MCP server was not valid." },
  "list.cutShort": {
    severity: "warn",
    meaning: "A list ended early because a later page could not be read; the connection was closed.",
    action: "Find the engine's line with the same request id. The client asks again.",
  },
  "engine.failedRequest": {
    severity: "error",
    meaning: "The engine failed a request, or its answer could not be read.",
    action: "Find the engine's line with the same request id. Check that edge and engine have the same version.",
  },
  "reader.cutOff": {
    severity: "info",
    meaning: "A client read its events too slowly and was disconnected; it can reconnect and continue.",
  },
  "event.malformed": {
    severity: "error",
    meaning: "The edge received an event that it cannot read.",
    action: "Check that edge and engine have the same version.",
  },
  "event.malformedPage": {
    severity: "error",
    meaning: "The edge received stored events that it cannot read.",
    action: "Check that edge and engine have the same version.",
  },
  "reference.malformedMessage": {
    severity: "error",
    meaning: "A message about changed reference data cannot be read; the edge drops all that it has cached.",
    action: "Check that edge and engine have the same version.",
  },
  "identity.known": { severity: "info", meaning: "The edge has read signing keys and revocations and can serve." },
  "identity.unreadable": {
    severity: "warn",
    meaning: "The edge cannot read signing keys and revocations from the engine; it continues to try.",
    action: "Check that an engine runs and that both use the same NATS.",
  },
  "identity.malformedRevocation": {
    severity: "error",
    meaning: "The edge received a revocation that it cannot read.",
    action: "Check that edge and engine have the same version.",
  },
  "identity.malformedAnswer": {
    severity: "error",
    meaning: "The engine's answer about keys or revocations cannot be read.",
    action: "Check that edge and engine have the same version.",
  },
  "partitions.differ": {
    severity: "error",
    meaning: "`PARTITIONS` differs between the edge and the engines; no client is served.",
    action: "Set it to the same value at both, then restart the edge.",
  },
  "certificate.renewed": { severity: "info", meaning: "A renewed TLS certificate is in use." },
  "certificate.unreadable": {
    severity: "warn",
    meaning: "The TLS certificate could not be read again; the earlier one stays in use.",
    action: "Correct the files of the certificate, then send SIGHUP.",
  },
  "certificate.ending": {
    severity: "warn",
    meaning: "The TLS certificate expires soon or has expired.",
    action: "Renew the certificate.",
  },
  "limits.notShared": {
    severity: "warn",
    meaning: "Redis is not available; each edge counts request limits alone.",
    action: "Check Redis.",
  },
  "limits.shared": { severity: "info", meaning: "Redis is available again; edges count request limits together." },
  "target.testFailed": {
    severity: "warn",
    meaning: "A test message to a notification target could not be delivered.",
    action: "None: the owner of the target sees the reason. The line has the detail.",
  },
} as const satisfies LogEventTable;
