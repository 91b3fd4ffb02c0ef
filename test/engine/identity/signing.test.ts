import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { calculateJwkThumbprint, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { openSigner, type Signer } from "../../../engine/identity/signing.ts";
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_CLAIMS,
  ACCESS_TOKEN_TYPE,
  accessTokenClaims,
  jwksSchema,
  scopesOfClaim,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from "../../../src/contract/operator/identity.ts";
import { KeptLog } from "./world.ts";

const ISSUED_MS = Date.UTC(2026, 0, 5, 9, 0, 0, 750);
const GRANT = {
  userId: 3,
  scopes: ["read", "trade"],
  keyId: 5,
  familyId: 7,
  generation: 2,
  issuedAtMs: ISSUED_MS,
} as const;

describe("signer", () => {
  let folder = "";
  let file = "";
  let signer: Signer;
  const log = new KeptLog();

  function open(): Promise<Signer> {
    return openSigner({ dataFolder: folder, issuer: TOKEN_ISSUER, audience: TOKEN_AUDIENCE, log });
  }

  function verify(token: string, by: Signer, timeMs: number) {
    return jwtVerify(token, createLocalJWKSet(by.jwks()), {
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      algorithms: [ACCESS_TOKEN_ALGORITHM],
      typ: ACCESS_TOKEN_TYPE,
      requiredClaims: [...ACCESS_TOKEN_CLAIMS],
      currentDate: new Date(timeMs),
    });
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "trading-signing-"));
    file = join(folder, "signing-key.json");
    signer = await open();
  });
  after(() => rmSync(folder, { recursive: true }));

  test("an access token holds under every check, for 24 hours", async () => {
    const token = await signer.sign(GRANT);
    const { payload } = await verify(token, signer, ISSUED_MS);
    const iat = Math.floor(ISSUED_MS / 1000);
    assert.deepEqual(accessTokenClaims.parse(payload), {
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      sub: "3",
      client_id: "5",
      scope: "read trade",
      fid: 7,
      jti: "7.2",
      iat,
      exp: iat + 86_400,
    });
    assert.deepEqual(scopesOfClaim("read trade future"), ["read", "trade"]);
    await verify(token, signer, (iat + 86_400) * 1000 - 1);
    await assert.rejects(verify(token, signer, (iat + 86_400) * 1000), { code: "ERR_JWT_EXPIRED" });
  });

  test("the issuer is the grant's own where it names one", async () => {
    const { payload } = await jwtVerify(
      await signer.sign({ ...GRANT, issuer: "https://api.example.com" }),
      createLocalJWKSet(signer.jwks()),
      { issuer: "https://api.example.com", currentDate: new Date(ISSUED_MS) },
    );
    assert.equal(payload.sub, "3");
  });

  test("the header names type, algorithm and the key by its thumbprint, and nothing else", async () => {
    const [key] = signer.jwks().keys;
    assert.ok(key);
    assert.equal(key.kid, await calculateJwkThumbprint(key));
    assert.deepEqual(decodeProtectedHeader(await signer.sign(GRANT)), { alg: "RS256", typ: "at+jwt", kid: key.kid });
  });

  test("the public keys hold no private part", () => {
    jwksSchema.parse(signer.jwks());
    for (const key of signer.jwks().keys) {
      assert.deepEqual(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
    }
  });

  test("the key pair is kept in a file of its owner only, and nothing half written stays", () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ["signing-key.json"]);
  });

  test("a token signed before a restart holds after it", async () => {
    const token = await signer.sign(GRANT);
    const again = await open();
    assert.deepEqual(again.jwks(), signer.jwks());
    await verify(token, again, ISSUED_MS);
  });

  test("a file that others may read is closed to them, with a warning that holds no secret", async () => {
    chmodSync(file, 0o644);
    await open();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(log.at("warn").length, 1);
    const { d } = JSON.parse(readFileSync(file, "utf8"));
    assert.equal(typeof d, "string");
    assert.equal(log.lines.join("\n").includes(d), false);
  });

  test("a file that is no key pair stops the start without showing what is in it", async () => {
    const good = readFileSync(file, "utf8");
    const secret = String(JSON.parse(good).d);
    const broken = [
      "",
      "{",
      good.slice(0, 500),
      JSON.stringify({ ...JSON.parse(good), d: undefined }),
      JSON.stringify({ ...JSON.parse(good), kid: "other" }),
      JSON.stringify({ ...JSON.parse(good), alg: "none" }),
    ];
    for (const text of broken) {
      writeFileSync(file, text);
      await assert.rejects(open(), (error: Error) => {
        assert.match(error.message, /signing-key\.json/);
        assert.equal(error.message.includes(secret.slice(0, 20)), false);
        return true;
      });
      assert.equal(readFileSync(file, "utf8"), text, "a file that cannot be read is left as it is");
    }
    writeFileSync(file, good);
    await open();
  });
});
