/** Announcements of measures in the words of the exchange: what is certain, what is left to a person. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMeasures } from "../../../../edge/cli/measure/read-measures.ts";
import { describeSentence } from "./support/describe-sentence.ts";

const SENTENCES: readonly (readonly [string, string])[] = [
  [
    "Volatilite Bazlı Tedbir Sistemi (VBTS) kapsamında ARMGD.E ve METRO.E payları 12/12/2025 tarihli işlemlerden (seans başından) 09/01/2026 tarihli işlemlere (seans sonuna) kadar açığa satışa ve kredili işlemlere konu edilemeyecektir.",
    "certain ARMGD,METRO 1,2 2025-12-12..2026-01-09",
  ],
  [
    "VBTS kapsamında ARMGD.E (Armada Gıda), METRO.E (Metro Holding) payları 20 Ekim 2025 tarihli işlemlerden (seans başından) 19 Kasım 2025 tarihli işlemlere (seans sonuna) kadar açığa satışa ve kredili işlemlere konu edilemeyecek.",
    "certain ARMGD,METRO 1,2 2025-10-20..2025-11-19",
  ],
  [
    "VBTS kapsamında, ARMGD.E payı 15/08/2026 tarihinden (seans başından) itibaren 29/08/2026 tarihine (seans sonuna) kadar açığa satışa ve kredili işlemlere konu edilemeyecektir.",
    "certain ARMGD 1,2 2026-08-15..2026-08-29",
  ],
  [
    "VBTS KAPSAMINDA, ARMGD.E PAYLARINDA 12/10/2026 TARIHLI ISLEMLERDEN (SEANS BASINDAN) 26/10/2026 TARIHLI ISLEMLERE (SEANS SONUNA) KADAR BRUT TAKAS UYGULANACAKTIR.",
    "certain ARMGD 3 2026-10-12..2026-10-26",
  ],
  [
    "ARMGD.E payları 19.09.2025 tarihli işlemlerden (seans başından) 17.10.2025 tarihli işlemlere (seans sonuna) kadar tek fiyat işlem yöntemi ile işlem görecektir.",
    "certain ARMGD 4 2025-09-19..2025-10-17",
  ],
  [
    "ARMGD.E payları 19/09/2025 tarihli işlemlerden (seans başından) 17/10/2025 tarihli işlemlere (seans sonuna) kadar emir paketi tedbiri ile işlem görecektir.",
    "certain ARMGD 5 2025-09-19..2025-10-17",
  ],
  [
    "ARMGD.E paylarında 19/09/2025 tarihli işlemlerden (seans başından) 17/10/2025 tarihli işlemlere (seans sonuna) kadar internet emir yasağı uygulanacaktır.",
    "certain ARMGD 99 2025-09-19..2025-10-17",
  ],
  [
    "ARMGD.E işlem sırası 03/11/2025 tarihinden itibaren ikinci bir duyuruya kadar kapatılmıştır.",
    "certain ARMGD 8 2025-11-03..",
  ],
  [
    "ARMGD.E payları 20 Ekim tarihli işlemlerden (seans başından) 19 Kasım tarihli işlemlere (seans sonuna) kadar açığa satışa konu edilemeyecek.",
    "person: 20 ekim is not a whole date",
  ],
  [
    "ARMGD.E payları 31/02/2026 tarihli işlemlerden (seans başından) 05/03/2026 tarihli işlemlere (seans sonuna) kadar brüt takas uygulanacaktır.",
    "person: 31/02/2026 is not a whole date",
  ],
  [
    "ARMGD.E payları 05/03/2026 tarihli işlemlerden (seans başından) 05/02/2026 tarihli işlemlere (seans sonuna) kadar brüt takas uygulanacaktır.",
    "person: its last day lies before its first",
  ],
  [
    "ARMGD.E paylarındaki brüt takas uygulaması 05/03/2026 tarihli işlemlerden itibaren kaldırılmıştır.",
    "ends ARMGD 3 free from 2026-03-05",
  ],
  [
    "ARMGD.E paylarında 05/03/2026 tarihli işlemlerden 09/03/2026 tarihli işlemlere kadar brüt takas uygulanmayacaktır.",
    "person: it ends a measure and has more than one date",
  ],
  [
    "VBTS kapsamında 02/10/2018 tarihinden itibaren 16/10/2018 tarihine kadar açığa satışa konu edilemeyeceği duyurulan ARMGD.E paylarındaki açığa satış yasağı 17/10/2018 tarihine kadar devam edecektir.",
    "person: it changes or repeats a measure",
  ],
  ["ARMGD.E paylarında 05/03/2026 tarihine kadar brüt takas uygulanacaktır.", "person: it has one date only"],
  ["ARMGD.E paylarında brüt takas uygulanacaktır.", "person: it has no date"],
  [
    "ARMGD.V paylarında 05/03/2026 tarihli işlemlerden 09/03/2026 tarihli işlemlere kadar brüt takas uygulanacaktır.",
    "person: ARMGD.V is not the code of a share",
  ],
  [
    "ARMGD.E paylarında 05/03/2026 tarihli işlemlerden 09/03/2026 tarihli işlemlere kadar depo şartı uygulanacaktır.",
    'person: "depo" is not known',
  ],
  [
    "ARMGD.E paylarında 05/03/2026 tarihli işlemlerden 09/03/2026 tarihli işlemlere kadar brüt takas, METRO.E paylarında tek fiyat uygulanacaktır.",
    "person: its shares have different measures",
  ],
  [
    "ARMGD.E işlem sırası 05/03/2026 tarihinde saat 10:52 itibarıyla geçici olarak kapatılmıştır.",
    "person: it limits or corrects a measure",
  ],
  ["ARMGD.E paylarında 05/03/2026 tarihinden itibaren brüt takas uygulanacaktır.", "certain ARMGD 3 2026-03-05.."],
  [
    "Dün 10:52:12 itibarıyla ARMGD.E işlem sırasında devre kesici tetiklenmiştir.",
    "person: it does not state that a measure applies",
  ],
  [
    "SPK'nın 06/02/2023 tarihli kararı uyarınca ikinci bir duyuru yapılıncaya kadar tüm paylarda açığa satış işlemleri yasaklanmıştır.",
    "person: it concerns the whole market",
  ],
  [
    "Not: VBTS kapsamında getirilen tedbirler, payın işlem gördüğü pazarın işlem kurallarından ayrı olarak değerlendirilir.",
    "note",
  ],
  ["EMİR PAKETİ TEDBİRİ", "note"],
];

for (const [text, expected] of SENTENCES) {
  test(`${expected}: ${text.slice(0, 90)}`, () => {
    assert.deepEqual(readMeasures(text).map(describeSentence), [expected]);
  });
}

test("a later stage keeps the measures in brackets of the same share for as long as it lasts", () => {
  const text = `AÇIĞA SATIŞ VE KREDİLİ İŞLEM

"VBTS kapsamında MANAS.E paylarında 19/09/2025 tarihli işlemlerden
(seans başından) 17/10/2025 tarihli işlemlere (seans sonuna) kadar brüt takas uygulanacaktır. İlgili payda halihazırda
uygulanmakta olan ve VBTS kapsamında önceki aşamalarda tanımlanan tedbirler de (açığa satış ve kredili işlem yasağı
tedbiri) brüt takas tedbirinin uygulandığı süre boyunca devam edecektir."

İlgili payda önceki aşamalarda tanımlanan tedbirler de (brüt takas) süre boyunca devam edecektir.`;
  assert.deepEqual(readMeasures(text).map(describeSentence), [
    "note",
    "certain MANAS 3 2025-09-19..2025-10-17",
    "certain MANAS 1,2 2025-09-19..2025-10-17",
    "note",
  ]);
});

test("an explanation between a measure and what continues with it changes nothing", () => {
  const text =
    'PSDTC.E payları 19/09/2025 tarihli işlemlerden (seans başından) 17/10/2025 tarihli işlemlere (seans sonuna) kadar emir paketi tedbiri ile işlem görecektir. Emir paketi tedbiri, "piyasa emri girişinin kısıtlanması" ve "emir iptalinin yasaklanması" uygulamalarını kapsamaktadır. İlgili payda halihazırda uygulanmakta olan tedbirler de (açığa satış ve kredili işlem yasağı ile brüt takas tedbirleri) emir paketi tedbirlerinin uygulandığı süre boyunca devam edecektir.';
  assert.deepEqual(readMeasures(text).map(describeSentence), [
    "certain PSDTC 5 2025-09-19..2025-10-17",
    "note",
    "certain PSDTC 1,2,3 2025-09-19..2025-10-17",
  ]);
});

test("no text makes it fail, and a text without a symbol states no measure", () => {
  for (const text of ["", "\n\n", "....", "(", "12/12/2025", "E. .E .E.", "ŞŞŞ.E"]) {
    for (const { kind } of readMeasures(text)) assert.notEqual(kind, "certain", text);
  }
});
