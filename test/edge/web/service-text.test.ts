/** Messages of the service in Turkish: each text of the service that can reach the page has a pattern. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, test } from "node:test";
import { limited } from "../../../edge/middleware/limits.ts";
import { speak } from "../../../edge/web/dashboard/language/say.ts";
import { serviceRemark, serviceText } from "../../../edge/web/dashboard/language/service-text.ts";
import { SERVICE } from "../../../edge/web/dashboard/language/turkish/service.ts";
import { body, priceOrZero, refuseField, stopLossPercent } from "../../../src/contract/fields.ts";
import { listFaults } from "../../../src/contract/issue.ts";
import { createApiKeyBody, createUserBody } from "../../../src/contract/operator/identity.ts";
import { levelBotBody, webhookBotBody } from "../../../src/contract/trading/bot.ts";
import { targetBody } from "../../../src/contract/trading/notification.ts";
import { changeGroupBody, createGroupBody } from "../../../src/contract/trading/oco.ts";
import { levelBotSellLevel, stopLossLevel } from "../../../src/domain/price/percent.ts";
import { parseSource } from "../../tidy/source.ts";
import { findTexts } from "./service-messages.ts";

const ROOT = new URL("../../../", import.meta.url);

/** The sources of the messages of operations that the page uses, and of the remarks that it shows. */
const SOURCES = [
  ...["src/domain/bot", "src/domain/oco", "src/domain/order", "src/domain/price", "src/domain/market/measure.ts"],
  ...["src/domain/market/rename.ts"],
  ...["src/domain/setup.ts", "src/domain/setup-change.ts", "src/domain/setup-end.ts", "src/domain/setup-entry.ts"],
  ...["src/domain/setup-protect.ts", "src/domain/setup-sizing.ts", "src/domain/setup-trigger.ts", "src/domain/time.ts"],
  ...["src/machine", "src/contract/trading/bot.ts", "src/contract/trading/notification.ts"],
  ...["src/contract/trading/oco.ts", "src/contract/operator/identity.ts", "engine/command/account.ts"],
  ...["engine/command/context.ts", "engine/command/runner.ts", "engine/command/operator/hold.ts"],
  ...["bot", "change", "entry", "exit", "limits", "oco", "order", "order-reply", "price-alert", "release", "reset"].map(
    (name) => `engine/command/trading/${name}.ts`,
  ),
  ...["sell-ledger", "setup", "setup-change"].map((name) => `engine/command/trading/${name}.ts`),
  ...["engine/query/trading", "engine/query/pages.ts", "engine/query/events.ts", "engine/projection/find-group.ts"],
  ...["engine/projection/setup.ts", "engine/projection/executions.ts", "engine/projection/named-brokerage.ts"],
  ...["engine/order/accounts.ts", "engine/partition/holds.ts"],
  ...["engine/partition/bands.ts", "engine/notification/failure.ts", "engine/notification/guarded-request.ts"],
  ...[
    "engine/notification/sender.ts",
    "engine/notification/targets.ts",
    "engine/identity/directory.ts",
    "engine/identity/tokens.ts",
  ],
  ...["engine/host/bus-answers.ts", "engine/host/symbols-missing.ts", "edge/client/engine-client.ts"],
  ...["edge/client/reference-client.ts", "edge/route/trading", "edge/route/bot/both-kinds.ts"],
  ...["edge/route/bot/level-bots.ts", "edge/route/bot/webhook-bots.ts", "edge/route/notification-targets.ts"],
  ...["edge/route/admin/users.ts", "edge/route/health.ts", "edge/operation/parameters.ts"],
  ...["edge/operation/validation.ts", "edge/middleware/auth.ts", "edge/middleware/body.ts"],
  ...["edge/middleware/errors.ts", "edge/middleware/idempotency.ts", "edge/middleware/if-match.ts"],
];

/** An answer to a read: the page shows its data alone. */
const READ_MESSAGE = /^(The|Your|Level|Webhook|OCO) (?!.*\b(was|were|is|has)\b)/;

function pathsUnder(path: string): readonly string[] {
  const url = new URL(path, ROOT);
  if (statSync(url).isFile()) return [path];
  return readdirSync(url).flatMap((name) => pathsUnder(`${path}/${name}`));
}

const FOUND = SOURCES.flatMap(pathsUnder).flatMap((path) =>
  findTexts(parseSource(path, readFileSync(new URL(path, ROOT), "utf8"))).flatMap(({ line, messages }) =>
    messages
      .filter((message) => !(path.startsWith("edge/route/") && READ_MESSAGE.test(message)))
      .map((message) => ({ place: `${path}:${line}`, message })),
  ),
);

const PERCENT_BODY = body({ price: priceOrZero, stopLossPercent });
const SCHEMAS = [
  createGroupBody,
  changeGroupBody,
  levelBotBody,
  webhookBotBody,
  targetBody,
  createApiKeyBody,
  PERCENT_BODY,
];

/** Bodies that break many rules of a schema. */
const VALUES = [
  undefined,
  null,
  "",
  " ",
  "x".repeat(600),
  -1,
  0.5,
  1e12,
  true,
  [],
  [{}],
  {},
  { no: 1 },
  "\u0001",
  -0,
  100,
  new Array(600).fill({}),
];

function faultsOf(): readonly string[] {
  const kinds = ["webhook", "telegram", "email", "none"];
  return [...SCHEMAS, createUserBody].flatMap((schema) => {
    const names = "shape" in schema ? Object.keys(schema.shape) : ["name", "events", "url", "botToken", "chatId"];
    return VALUES.flatMap((value) =>
      kinds.flatMap((kind) => {
        const given = Object.fromEntries(names.map((name) => [name, value]));
        const parsed = schema.safeParse({ dueDat: 1, ...given, ...(schema === targetBody && { kind }) });
        return parsed.success ? [] : listFaults(parsed.error).map(({ message }) => message);
      }),
    );
  });
}

const allowance = { isAllowed: false, policy: "", remaining: 0, resetSeconds: 12 };

/** Messages that the service puts together from parts, each of which the scan finds. */
const COMPOSED = [
  ...["entry.price (7)", "entry.triggerPrice (7)"].flatMap((field) => [
    `takeProfitItems[0].price must be higher than ${field}`,
    `stopLossPrice must be lower than ${field}`,
  ]),
  ...["group", "pending OCO", "bot"].map((what) => `If-Match does not name the version of the ${what}, which is 3 now`),
  "end what the account still has: OCO groups (2), pending OCOs (1), bots (1), orders without an answer (1)",
  "order 7 is in doubt, 3 of 10 known as filled: the brokerage cannot report the outcome; an operator decides",
  "The pending OCO was registered; the stop-loss sells 5 lots, and the order buys 3",
  "The order was completed already: OCO group 4 was made; no price of THYAO is known yet",
  ...[
    "split 1 to 4 on 2026-03-02",
    "bonus issue of 1 for 1 on 2026-03-02",
    "rights issue of 0.5 for 1 at 7.5 on 2026-03-02",
    "dividend of 1.25 on 2026-03-02",
  ].flatMap((action) => [
    `${action}: no level of the group changes`,
    `${action}: no level fires until you release the group, as its owner wants it so`,
  ]),
  "the brokerage rejected the order: no money",
  "the order was cancelled: too late",
];

/** Messages of rules that are called here, as their texts are put together from parts. */
function madeMessages(): readonly string[] {
  const refusals = [stopLossLevel(0.01, 99, "BIST"), levelBotSellLevel(9_999_999, 10, 0)];
  const messages = refusals.map((refusal) => (refusal.ok ? "" : refusal.message));
  const over = (cost: number, what: string) => limited({ ...allowance, cost, limit: 30 }, what).message;
  return [
    ...messages,
    ...[over(1, "requests an hour"), over(40, "requests an hour"), over(1, "token requests a minute")],
    ...COMPOSED,
    ...["pageSiz", "zzz"].map((name) => refuseField([name], ["pageSize"], "parameter")),
    ...["events: choose at least one", "halted at the dashboard", "resumed at the dashboard"],
  ];
}

/** Texts that the scan finds and that need no pattern, by the reason. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  "a part of a message that has a pattern": [
    ...[
      "symbol, algoName and period",
      "; stopLossPrice sets it Active again while a take-profit is Active",
      "left out",
    ],
    ...["stopLossPrice 7 from averagePrice 7", "7 gives no price on the tick table", "sellGap 7 and targetProfit 7"],
    ...["7 from averagePrice 7 give no price on the tick table", "valueCap 7", "entry.price (7)"],
    ...["entry.triggerPrice (7)", "stopLossPrice must be lower than stopLossPrice", "at or under the stop-loss 7"],
    ...["at or over the take-profit 7", "orders without an answer", "left out (7)", "level bot", "webhook bot"],
    ...["the body", "the query", "the path"],
  ],
  "the page chooses the states of rows itself": ["1 (Active), 2 (Triggered), 3 (TriggerFailed) or 4 (Cancelled)"],
  "the reason is for the log": ["7 has no address"],
  "the text of an e-mail": ["level bot\n\n7\n", "webhook bot\n\n7\n"],
  "the page sends no batch": [
    ...["1 order was", "7 orders were", "7 of 7 cancelled", "The batch was placed", "The orders were cancelled"],
  ],
  "the page knows the commands, and sends JSON with a user": [
    ...["unknown command", "no user", "Content-Type must be 7, in UTF-8"],
    "Content-Encoding is not supported: send the body as it is",
  ],
  "the receipt of the page has words of its own": [
    "stop-loss: the live price 7 was at or under 7",
    "take-profit: the live price 7 was at or over 7",
    "flatten at 2026-03-02T10:00:00.000Z",
    "stop-loss: its time 2026-03-02T10:00:00.000Z came",
  ],
};

describe("messages of the service in Turkish", () => {
  beforeEach(() => speak("tr"));
  afterEach(() => speak("en"));

  test("a pattern and its translation name the same values", () => {
    const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([name]) => name).sort();
    for (const topic of Object.values(SERVICE))
      for (const [text, translation] of Object.entries(topic)) {
        assert.deepEqual(namesIn(translation), namesIn(text), text);
        assert.equal(new Set(namesIn(text)).size, namesIn(text).length, text);
        assert.doesNotMatch(translation, /[.]$/, text);
      }
  });

  test("each text of the service that can reach the page has a pattern", () => {
    const allowed = new Set(Object.values(NOT_SHOWN).flat());
    const missing = FOUND.filter(({ message }) => serviceText(message) === message && !allowed.has(message));
    assert.ok(FOUND.length > 300, `${FOUND.length} texts`);
    assert.deepEqual(
      missing.map(({ place, message }) => `${place} ${message}`),
      [],
      "add a pattern to language/turkish/service*.ts",
    );
  });

  test("each exception is a text of the service, without a pattern", () => {
    const untranslated = new Set(FOUND.map(({ message }) => message).filter((one) => serviceText(one) === one));
    assert.deepEqual(
      Object.values(NOT_SHOWN)
        .flat()
        .filter((message) => !untranslated.has(message)),
      [],
    );
  });

  test("each rule of a form's fields has a pattern", () => {
    const faults = new Set([...faultsOf(), ...madeMessages()]);
    assert.ok(faults.size > 100, `${faults.size} faults`);
    assert.deepEqual(
      [...faults].filter((message) => serviceText(message) === message),
      [],
    );
  });

  test("each pattern is reached by a message", () => {
    const messages = [...FOUND.map(({ message }) => message), ...faultsOf(), ...madeMessages()];
    const reached = new Set<string>();
    for (const message of messages) serviceText(message, (pattern) => reached.add(pattern));
    assert.deepEqual(
      Object.values(SERVICE)
        .flatMap((topic) => Object.keys(topic))
        .filter((pattern) => !reached.has(pattern)),
      [],
    );
  });

  test("a message is a Turkish sentence, its fields named as the form names them, its numbers with a comma", () => {
    const told = {
      "stopLossQuantity must be at least 1": "Korunacak lot en az 1 olmalı.",
      "takeProfitItems[0].price must be higher than stopLossPrice":
        "Kâr al 1: fiyat zarar durdur fiyatından yüksek olmalı.",
      "stopLossPrice 1300.01 is not a multiple of 0.25":
        "Zarar durdur fiyatı 1.300,01 fiyat adımına uymuyor, adım 0,25.",
      "end what the account still has: OCO groups (2), bots (1)":
        "Önce hesaptakileri sonlandırın: OCO grupları (2), botlar (1).",
      "dueDat is not a field; did you mean dueDate?": "“dueDat” adında bir alan yok; “dueDate” mı demek istediniz?",
      "the brokerage refused the order: no money": "Aracı kurum emri reddetti: no money.",
      "The OCO group was created; no price of THYAO is known yet; THYAO is held and no level of it fires until it is released: an operator holds it":
        "OCO grubu oluşturuldu; THYAO için henüz fiyat yok; THYAO bekletiliyor, serbest bırakılana kadar hiçbir seviyesi tetiklenmez: bir operatör bekletiyor.",
    };
    for (const [message, sentence] of Object.entries(told)) assert.equal(serviceText(message), sentence);
    assert.equal(serviceRemark("an operator holds it"), "bir operatör bekletiyor");
  });

  test("an unknown message, a translated one, and each of an English page are unchanged", () => {
    for (const message of ["the moon has risen", "Korunacak lot en az 1 olmalı.", "one; two", ""])
      assert.equal(serviceText(message), message);
    speak("en");
    assert.equal(serviceText("stopLossQuantity must be at least 1"), "stopLossQuantity must be at least 1");
    assert.equal(serviceRemark("an operator holds it"), "an operator holds it");
  });
});
