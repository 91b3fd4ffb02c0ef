/** Claims equal those in a plain map, independently of what the filter in front of the journal knows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClaimFilter } from "../../../engine/actor/claim-filter.ts";
import { Claims } from "../../../engine/actor/claims.ts";
import type { Row } from "../../../engine/ports/storage.ts";
import { KeptRow } from "../../../engine/store/journal/row.ts";
import { hashOfPair } from "../../../engine/store/journal/set-hash.ts";
import { claimKey } from "../../../engine/table/keys.ts";
import fc from "../../support/property.ts";

class Rows {
  readonly rows = new Map<string, Uint8Array>();
  readCount = 0;

  read(key: string): Uint8Array | undefined {
    this.readCount += 1;
    return this.rows.get(key);
  }
  insert(key: string, value: Uint8Array | string): Row {
    assert.ok(!this.rows.has(key));
    this.rows.set(key, Buffer.from(value));
    return this.rowOf(key, value);
  }
  remove(row: Row | string): void {
    assert.ok(typeof row !== "string");
    assert.equal(row.hash, this.rowOf(row.key, this.rows.get(row.key) ?? "").hash, "the row is as the key holds it");
    this.rows.delete(row.key);
  }
  rowOf(key: string, value: Uint8Array | string): Row {
    return new KeptRow(key, hashOfPair(key, Buffer.from(value)));
  }
}

const steps = fc.array(fc.tuple(fc.constantFrom("take", "release", "restart"), fc.nat(30), fc.nat(1_000)), {
  maxLength: 200,
});

test("claims are as a map holds them, over restarts", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const rows = new Rows();
      const twin = new Map<string, number>();
      let claims = new Claims(rows, new ClaimFilter());
      for (const [what, number, holder] of given) {
        const claim = `group/${number}/PAPER/A${number}/ACME`;
        if (what === "restart") {
          const filter = new ClaimFilter();
          for (const key of rows.rows.keys()) filter.add(key.slice(2));
          claims = new Claims(rows, filter);
        } else if (what === "take" && !twin.has(claim)) {
          twin.set(claim, holder);
          claims.take(claim, holder);
        } else if (what === "release" && twin.has(claim)) {
          claims.release(claim, twin.get(claim) ?? 0);
          twin.delete(claim);
        }
        assert.equal(claims.holderOf(claim), twin.get(claim));
      }
      for (const [claim, holder] of twin) assert.equal(claims.holderOf(claim), holder);
      assert.equal(rows.rows.size, twin.size);
    }),
  );
});

test("a claim that is held is not taken again", () => {
  const claims = new Claims(new Rows());
  claims.take("a", 1);
  assert.throws(() => claims.take("a", 2));
});

test("without a filter the journal is asked", () => {
  const rows = new Rows();
  rows.rows.set(claimKey("a"), Buffer.from("7"));
  const claims = new Claims(rows);
  assert.equal(claims.holderOf("a"), 7);
});

test("a free claim is seldom looked up", () => {
  const rows = new Rows();
  const claims = new Claims(rows, new ClaimFilter());
  for (let number = 0; number < 20_000; number += 1) claims.take(`group/${number}/PAPER/A1/ACME`, number);
  assert.ok(rows.readCount < 200, `${rows.readCount} of 20,000`);
});
