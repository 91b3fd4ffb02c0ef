/** A client library for OAuth that is not ours, against engine and edge as processes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { natsSuite } from "../../support/machine/nats-server.ts";
import { Stack, type StackUser } from "../../support/world/stack.ts";

const client: oauth.Client = { client_id: "a-client" };
const insecure = { [oauth.allowInsecureRequests]: true };

natsSuite("an OAuth client", () => {
  let stack: Stack;
  let user: StackUser;
  let server: oauth.AuthorizationServer;
  before(async () => {
    stack = await Stack.start();
    user = await stack.userOn(0);
    const issuer = new URL(stack.url);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
    server = await oauth.processDiscoveryResponse(issuer, discovered);
  });
  after(() => stack.stop());

  const exchange = async (apiKey: string): Promise<oauth.TokenEndpointResponse> => {
    const options = { ...insecure, headers: { "X-API-Key": apiKey } };
    const response = await oauth.genericTokenEndpointRequest(server, client, oauth.None(), "api_key", {}, options);
    return oauth.processGenericTokenEndpointResponse(server, client, response);
  };
  const refresh = async (token = ""): Promise<oauth.TokenEndpointResponse> => {
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure);
    return oauth.processRefreshTokenResponse(server, client, response);
  };
  const statusWith = async (accessToken: string): Promise<number> => {
    const url = new URL("/api/v1/list-types", stack.url);
    return oauth
      .protectedResourceRequest(accessToken, "GET", url, undefined, undefined, insecure)
      .then(({ status }) => status)
      .catch((error: unknown) => {
        assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
        return error.status;
      });
  };
  const isRefused = (code: string) => (error: unknown) =>
    error instanceof oauth.ResponseBodyError && error.error === code;

  test("finds the endpoint, exchanges an API key and is let in", async () => {
    assert.equal(server.token_endpoint, `${stack.url}/oauth/token`);
    const tokens = await exchange(user.apiKey);
    assert.equal(tokens.token_type, "bearer");
    assert.equal(tokens.expires_in, 86_400);
    assert.equal(await statusWith(tokens.access_token), 200);
    await assert.rejects(exchange("tdk_live_unknown"), isRefused("invalid_client"));
  });

  test("gets tokens that a strict verifier takes by the metadata alone", async () => {
    const { issuer, jwks_uri } = server;
    const keys = createRemoteJWKSet(new URL(jwks_uri ?? ""));
    const first = await exchange(user.apiKey);
    const second = await refresh(first.refresh_token);
    for (const { access_token } of [first, second]) {
      const { payload } = await jwtVerify(access_token, keys, {
        issuer,
        audience: "trading-developer-api",
        algorithms: ["RS256"],
        typ: "at+jwt",
      });
      assert.equal(payload.sub, String(user.userId));
    }
  });

  test("revokes a refresh token, or an access token, and with it all of the same exchange (RFC 7009)", async () => {
    for (const which of ["refresh_token", "access_token"] as const) {
      const tokens = await exchange(user.apiKey);
      const given = tokens[which] ?? "";
      assert.equal(await statusWith(tokens.access_token), 200);
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), given, insecure),
      );
      assert.equal(await statusWith(tokens.access_token), 401);
      await assert.rejects(refresh(tokens.refresh_token), isRefused("invalid_grant"));
    }
  });

  test("refreshes, and is refused with the whole family when it uses a refresh token again", async () => {
    const first = await exchange(user.apiKey);
    const second = await refresh(first.refresh_token);
    assert.notEqual(second.refresh_token, first.refresh_token);
    assert.equal(await statusWith(second.access_token), 200);
    await assert.rejects(refresh(first.refresh_token), isRefused("invalid_grant"));
    await assert.rejects(refresh(second.refresh_token), isRefused("invalid_grant"));
    assert.equal(await statusWith(second.access_token), 401);
    assert.equal(await statusWith(first.access_token), 401);
  });

  test("of a machine gets in by client_credentials for ever, with the key's id and the key alone", async () => {
    const { client_id } = decodeJwt((await exchange(user.apiKey)).access_token);
    const machine: oauth.Client = { client_id: String(client_id) };
    const grant = async (secret: string, of = machine, more = {}): Promise<oauth.TokenEndpointResponse> => {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        of,
        oauth.ClientSecretBasic(secret),
        more,
        insecure,
      );
      return oauth.processClientCredentialsResponse(server, of, response);
    };
    const tokens = await grant(user.apiKey);
    assert.equal(tokens.refresh_token, undefined);
    assert.equal(tokens.scope, decodeJwt(tokens.access_token).scope);
    assert.equal(await statusWith(tokens.access_token), 200);
    const narrow = await grant(user.apiKey, machine, { scope: "read openid", resource: stack.url });
    assert.deepEqual([narrow.scope, decodeJwt(narrow.access_token).scope], ["read", "read"]);
    const orderWith = async (token: string): Promise<number> =>
      fetch(`${stack.url}/api/v1/orders`, { method: "POST", headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    assert.equal(await orderWith(narrow.access_token), 403, "the token may not trade");
    assert.equal(await orderWith(tokens.access_token), 400, "the other may, and this is no order");
    await assert.rejects(grant(user.apiKey, machine, { scope: "openid" }), isRefused("invalid_scope"));
    await assert.rejects(
      grant(user.apiKey, machine, { resource: "https://other.example.com" }),
      isRefused("invalid_target"),
    );
    await assert.rejects(grant("tdk_live_unknown"));
    await assert.rejects(grant(user.apiKey, { client_id: "1" }), "another key's id");
  });

  test("of two refreshes at once with one token one wins, and the family ends", async () => {
    const { refresh_token } = await exchange(user.apiKey);
    const outcomes = await Promise.allSettled([refresh(refresh_token), refresh(refresh_token)]);
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    assert.equal(won.length, 1);
    await assert.rejects(refresh(won[0]?.value.refresh_token), isRefused("invalid_grant"));
  });
});
