/** The faults of deliveries in the language of the page. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { speak } from "../../../edge/web/dashboard/language/say.ts";
import { serviceRemark } from "../../../edge/web/dashboard/language/service-text.ts";
import { failureOf, refusedWith } from "../../../engine/notification/failure.ts";
import type { TargetBody } from "../../../src/contract/trading/notification.ts";

const shared = { name: "mine", events: ["*"], isActive: true };
const BODIES: readonly TargetBody[] = [
  { kind: "webhook", ...shared, url: "https://a.example/" },
  { kind: "telegram", ...shared, botToken: `1:${"t".repeat(30)}`, chatId: "42" },
  { kind: "email", ...shared, address: "me@example.com" },
];
const CODES = [
  ...["EAUTH", "CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "ERR_TLS_CERT_ALTNAME_INVALID", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["EPROTO", "ETIMEDOUT", "ENOTFOUND", "ECONNRESET", "ECONNREFUSED", "EOTHER"],
];

/** Every fault that a delivery can have. */
const faults = BODIES.flatMap((body) => [
  ...CODES.map((code) => failureOf(Object.assign(new Error("inside"), { code }), body).message),
  refusedWith(body.kind, 500),
  refusedWith(body.kind, 401, true),
]);

afterEach(() => speak("en"));

test("in English a fault of a delivery is as the service states it", () => {
  for (const fault of faults) assert.equal(serviceRemark(fault), fault);
});

test("in Turkish each has words of its own", () => {
  speak("tr");
  for (const fault of faults) {
    assert.doesNotMatch(serviceRemark(fault), /\b(the|server|is|not|it|its|no|with|refused|did|status)\b/, fault);
  }
  assert.equal(serviceRemark("the server refused it (status 410)"), "sunucu reddetti (durum 410)");
  assert.equal(serviceRemark("Telegram is not reachable"), "Telegram: ulaşılamıyor");
  assert.equal(
    serviceRemark("no TLS connection with the mail server: its certificate has expired"),
    "e-posta sunucusu: TLS bağlantısı kurulamadı, sertifikanın süresi dolmuş",
  );
  assert.equal(serviceRemark("url must start with https"), "url must start with https", "any other text is unchanged");
});
