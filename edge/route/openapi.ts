/**
 * The OpenAPI document, made of the routes themselves.
 */
import { type GenerateSpecOptions, openAPIRouteHandler } from "hono-openapi";
import type { EdgeHono } from "../exchange.ts";
import { BEARER_SCHEME, sharedResponses } from "./description.ts";

export const OPENAPI_PATH = "/openapi.json";

export const documentation: GenerateSpecOptions["documentation"] = {
  openapi: "3.1.0",
  info: {
    title: "Trading Developer API",
    version: "1.0.0",
    description: "Brokerage access, automated systems and synthetic OCO orders.",
  },
  servers: [{ url: "/" }],
  components: {
    securitySchemes: {
      [BEARER_SCHEME]: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "An access token of POST /oauth/token; an operation names the scope that it needs",
      },
    },
    responses: sharedResponses,
  },
};

/** Adds the document. It is made at the first request, of every route there is then. */
export function addOpenApiRoute(app: EdgeHono): void {
  app.get(OPENAPI_PATH, openAPIRouteHandler(app, { documentation }));
}
