import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { initialTransition, transition } from "xstate";
import { familySnapshot } from "../../src/contract/operator/identity.ts";
import {
  ACCESS_TOKEN_LIFETIME_MS,
  accessTokensEndAtMs,
  openFamily,
  REFRESH_TOKEN_LIFETIME_MS,
  type TokenFamily,
} from "../../src/domain/family.ts";
import type { Effect } from "../../src/machine/effect.ts";
import { FAMILY_REVOKED, type FamilyEvent, familyFacts, familyMachine } from "../../src/machine/family.ts";
import { effectsOf } from "../../src/machine/step.ts";
import fc from "../support/property.ts";
import { TestActor } from "./actor.ts";

type Actor = TestActor<TokenFamily, FamilyEvent>;

const OPENED_MS = 1_000_000;
const EXPIRES_MS = OPENED_MS + REFRESH_TOKEN_LIFETIME_MS;
const OWNER = { familyId: 7, userId: 3, keyId: 5, scopes: ["read", "trade"] } as const;

/** Makes a hash as it is stored; its first character distinguishes it from others. */
const hash = (digit: string): string => digit.repeat(64);
const PROOF = hash("f");

function sampleFamily(): TokenFamily {
  return openFamily(OWNER, { tokenHash: hash("0"), proofHash: PROOF }, OPENED_MS);
}

function given(): Actor {
  return new TestActor(familyMachine, "live", sampleFamily(), familyFacts);
}

/** Presents token `presented`, to be followed by `next`. */
function present(presented: string, next: string, timeMs = OPENED_MS + 1, proofHash = PROOF): FamilyEvent {
  return {
    type: "refresh",
    presentedHash: hash(presented),
    presentedProofHash: proofHash,
    nextHash: hash(next),
    timeMs,
  };
}

function revocation(reason: string): Effect[] {
  return [{ type: "emit", event: FAMILY_REVOKED, data: { familyId: 7, keyId: 5, reason } }];
}

describe("token family", () => {
  test("a refresh makes the next token the current one, for 30 days from then on", () => {
    const family = given();
    assert.deepEqual(family.send(present("0", "1", OPENED_MS + 500)), []);
    assert.equal(family.state, "live");
    assert.equal(family.context.currentTokenHash, hash("1"));
    assert.equal(family.context.generation, 1);
    assert.equal(family.context.expiresAtMs, OPENED_MS + 500 + REFRESH_TOKEN_LIFETIME_MS);
  });

  test("presenting a used token revokes the family, and this is told once", () => {
    const family = given();
    family.send(present("0", "1"));
    family.send(present("1", "2"));
    assert.deepEqual(family.send(present("0", "3", OPENED_MS + 9)), revocation("reused"));
    assert.equal(family.state, "revoked");
    assert.ok(family.isDone);
    assert.deepEqual(family.context.end, { reason: "reused", atMs: OPENED_MS + 9 });
    assert.equal(family.context.currentTokenHash, hash("2"));
    assert.deepEqual(family.send(present("2", "4")), []);
  });

  test("of two refreshes with one token the second revokes the family", () => {
    const family = given();
    assert.deepEqual(family.send(present("0", "1")), []);
    assert.deepEqual(family.send(present("0", "2")), revocation("reused"));
    assert.equal(family.state, "revoked");
  });

  test("a token without the family's proof changes nothing, whatever else it is", () => {
    for (const presented of ["0", "9"]) {
      const family = given();
      const before = family.context;
      assert.deepEqual(family.send(present(presented, "1", OPENED_MS + 1, hash("e"))), []);
      assert.equal(family.state, "live");
      assert.deepEqual(family.context, before);
    }
  });

  test("a revoked key ends the family, and this is told", () => {
    const family = given();
    assert.deepEqual(family.send({ type: "revoke", timeMs: OPENED_MS + 2 }), revocation("keyRevoked"));
    assert.equal(family.state, "revoked");
    assert.deepEqual(family.context.end, { reason: "keyRevoked", atMs: OPENED_MS + 2 });
  });

  test("the last moment before the expiry still refreshes, the expiry itself does not", () => {
    const inTime = given();
    inTime.send(present("0", "1", EXPIRES_MS - 1));
    assert.equal(inTime.state, "live");
    const tooLate = given();
    assert.deepEqual(tooLate.send(present("0", "1", EXPIRES_MS)), []);
    assert.equal(tooLate.state, "expired");
    assert.ok(tooLate.isDone);
  });

  test("its deadline ends the family quietly", () => {
    const family = given();
    assert.equal(family.facts.deadlineMs, EXPIRES_MS);
    assert.deepEqual(family.send({ type: "deadline", timeMs: EXPIRES_MS }), []);
    assert.equal(family.state, "expired");
    assert.deepEqual(family.context.end, { reason: "expired", atMs: EXPIRES_MS });
    assert.equal(family.facts.deadlineMs, null);
  });

  test("a deadline from before the last refresh changes nothing", () => {
    const family = given();
    family.send(present("0", "1", EXPIRES_MS - 1));
    assert.deepEqual(family.send({ type: "deadline", timeMs: EXPIRES_MS }), []);
    assert.equal(family.state, "live");
    assert.equal(family.facts.deadlineMs, EXPIRES_MS - 1 + REFRESH_TOKEN_LIFETIME_MS);
  });

  test("the last access token ends 24 hours after the last refresh", () => {
    const family = given();
    family.send(present("0", "1", OPENED_MS + 500));
    assert.equal(accessTokensEndAtMs(family.context), OPENED_MS + 500 + ACCESS_TOKEN_LIFETIME_MS);
  });

  test("what is stored reads back and goes on as before", () => {
    const family = given();
    family.send(present("0", "1"));
    family.reload();
    assert.deepEqual(familySnapshot.parse(JSON.parse(JSON.stringify(family.context))), family.context);
    assert.deepEqual(family.send(present("0", "2")), revocation("reused"));
  });
});

const arbitraryEvent = fc.oneof(
  fc
    .record({
      presented: fc.constantFrom("0", "1", "2", "3"),
      next: fc.constantFrom("4", "5", "6"),
      timeMs: fc.constantFrom(OPENED_MS, OPENED_MS + 5, EXPIRES_MS - 1, EXPIRES_MS),
      hasProof: fc.boolean(),
    })
    .map(({ presented, next, timeMs, hasProof }) => present(presented, next, timeMs, hasProof ? PROOF : hash("e"))),
  fc.constant<FamilyEvent>({ type: "revoke", timeMs: OPENED_MS + 7 }),
  fc.constantFrom(OPENED_MS, EXPIRES_MS).map((timeMs): FamilyEvent => ({ type: "deadline", timeMs })),
);

describe("token family, any events", () => {
  test("step gives what XState's own transition gives", () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 8 }), (events) => {
        const family = given();
        let [snapshot] = initialTransition(familyMachine, sampleFamily());
        for (const event of events) {
          if (family.isDone) break;
          const [next, actions] = transition(familyMachine, snapshot, event);
          snapshot = next;
          assert.deepEqual(family.send(event), effectsOf(actions));
          assert.deepEqual([family.state, family.context], [snapshot.value, snapshot.context]);
        }
      }),
    );
  });

  test("an ended family has told of a revocation exactly when it was revoked, and has no deadline", () => {
    fc.assert(
      fc.property(fc.array(arbitraryEvent, { maxLength: 8 }), (events) => {
        const family = given();
        const told = events.flatMap((event) => family.send(event)).length;
        assert.equal(told, family.state === "revoked" ? 1 : 0);
        assert.equal(family.isDone, family.context.end !== null);
        assert.equal(family.facts.deadlineMs, family.isDone ? null : family.context.expiresAtMs);
      }),
    );
  });
});
