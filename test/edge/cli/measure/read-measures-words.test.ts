/** Words, codes and days of announcements: replaced, prolonged and ended measures, codes without a suffix, capitals. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readMeasures } from "../../../../edge/cli/measure/read-measures.ts";
import { describeSentence } from "./support/describe-sentence.ts";

const FROM_TO = "05/03/2026 tarihli işlemlerden (seans başından) 20/03/2026 tarihli işlemlere (seans sonuna) kadar";
const DAYS = "2026-03-05..2026-03-20";

function check(cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) {
    test(`${expected}: ${text.slice(0, 90)}`, () => {
      assert.deepEqual(readMeasures(text).map(describeSentence), [expected]);
    });
  }
}

describe("each measure of an announcement in several wordings", () => {
  check([
    [`ARMGD.E paylarında ${FROM_TO} brüt takas esası uygulanacaktır.`, `certain ARMGD 3 ${DAYS}`],
    [`ARMGD.E paylarında brüt takas uygulaması ${FROM_TO} devam edecektir.`, `certain ARMGD 3 ${DAYS}`],
    [
      `ARMGD.E payı ${FROM_TO} açığa satış ve kredili işlem yasağı tedbiri kapsamında işlem görecektir.`,
      `certain ARMGD 1,2 ${DAYS}`,
    ],
    [`ARMGD.E paylarında ${FROM_TO} kredili alım işlemleri yapılamayacaktır.`, `certain ARMGD 2 ${DAYS}`],
    [
      `ARMGD.E paylarında ${FROM_TO} emir paketi tedbirinin uygulanmasına karar verilmiştir.`,
      `certain ARMGD 5 ${DAYS}`,
    ],
    [`ARMGD.E payları ${FROM_TO} tek fiyat yöntemiyle işlem görecektir.`, `certain ARMGD 4 ${DAYS}`],
    [`ARMGD.E paylarına ${FROM_TO} internet üzerinden emir iletilemeyecektir.`, `certain ARMGD 99 ${DAYS}`],
    [`ARMGD.E paylarında ${FROM_TO} internet emir kısıtlaması uygulanacaktır.`, `certain ARMGD 99 ${DAYS}`],
    [`ARMGD.E paylarında ${FROM_TO} brüt takas tedbiri getirilmiştir.`, `certain ARMGD 3 ${DAYS}`],
    [`${FROM_TO} ARMGD.E ve METRO.E paylarında brüt takas uygulanacaktır.`, `certain ARMGD,METRO 3 ${DAYS}`],
    // A word that could change the statement is never passed over.
    [`ARMGD.E paylarında ${FROM_TO} kademeli brüt takas uygulanacaktır.`, 'person: "kademeli" is not known'],
    [
      `ARMGD.E paylarında, açığa satış yasağına ilave olarak, ${FROM_TO} brüt takas uygulanacaktır.`,
      'person: "yasagina" is not known',
    ],
    [
      `ARMGD.E paylarında açığa satış yasağı, ${FROM_TO} brüt takas uygulanacaktır.`,
      "person: its measure is not clear",
    ],
    [
      `ARMGD.E paylarında brüt takas, METRO.E paylarında tek fiyat ${FROM_TO} uygulanacaktır.`,
      "person: its shares have different measures",
    ],
    [`Brüt takas ${FROM_TO} ARMGD.E paylarında uygulanacaktır.`, "person: its measure is not known"],
    [
      `METRO.E hariç olmak üzere ARMGD.E paylarında ${FROM_TO} brüt takas uygulanacaktır.`,
      "person: it limits or corrects a measure",
    ],
  ]);
});

describe("first and last days", () => {
  const rest = "brüt takas uygulanacaktır.";
  check([
    [`ARMGD.E paylarında 05/03/2026 tarihinden 20/03/2026 tarihine kadar (dahil) ${rest}`, `certain ARMGD 3 ${DAYS}`],
    [
      `ARMGD.E paylarında 05.03.2026 tarihinden (dahil) itibaren 20.03.2026 tarihine (dahil) kadar ${rest}`,
      `certain ARMGD 3 ${DAYS}`,
    ],
    [
      `ARMGD.E paylarında 5 Mart 2026 Perşembe gününden 20 Mart 2026 Cuma günü seans sonuna kadar ${rest}`,
      `certain ARMGD 3 ${DAYS}`,
    ],
    [`ARMGD.E paylarında 5 Mart 2026'dan 20 Mart 2026'ya kadar ${rest}`, `certain ARMGD 3 ${DAYS}`],
    [
      `ARMGD.E paylarında 05/03/2026 - 20/03/2026 tarihleri arasında (bu tarihler dahil) ${rest}`,
      `certain ARMGD 3 ${DAYS}`,
    ],
    [
      `ARMGD.E paylarında 05/03/2026 ile 20/03/2026 tarihleri arasında ${rest}`,
      "person: it does not state whether its last day is included",
    ],
    [
      `ARMGD.E paylarında 05/03/2026 ve 20/03/2026 tarihlerinde ${rest}`,
      "person: its dates are not a first and a last day",
    ],
    [
      `ARMGD.E paylarında 05/03/2026 tarihinden 20/03/2026 tarihine (hariç) kadar ${rest}`,
      "person: it limits or corrects a measure",
    ],
    [`ARMGD.E paylarında 05/03/2026 seans sonundan itibaren ${rest}`, "person: it begins at the end of a session"],
    [
      `ARMGD.E paylarında 01-05/03/2026 tarihlerinden 20/03/2026 tarihine kadar ${rest}`,
      'person: "tarihlerinden" between its dates is not known',
    ],
  ]);
});

describe("one measure in place of another", () => {
  check([
    [
      `ARMGD.E paylarında açığa satış yasağı yerine ${FROM_TO} brüt takas uygulanacaktır.`,
      `certain ARMGD 3 ${DAYS}; ends ARMGD 1 free from 2026-03-05`,
    ],
    [
      `ARMGD.E paylarında ${FROM_TO} brüt takas tedbiri yerine tek fiyat işlem yöntemi uygulanacaktır.`,
      `certain ARMGD 4 ${DAYS}; ends ARMGD 3 free from 2026-03-05`,
    ],
    [`ARMGD.E paylarında ${FROM_TO} depo şartı yerine brüt takas uygulanacaktır.`, 'person: "depo" is not known'],
    [
      `ARMGD.E payı yerine METRO.E paylarında ${FROM_TO} brüt takas uygulanacaktır.`,
      'person: "yerine" before its last share is not known',
    ],
    [
      `ARMGD.E paylarında ${FROM_TO} brüt takas yerine brüt takas uygulanacaktır.`,
      "person: it replaces a measure by itself",
    ],
    [`ARMGD.E paylarında ${FROM_TO} önceki tedbir yerine brüt takas uygulanacaktır.`, 'person: "onceki" is not known'],
    [`ARMGD.E paylarında ${FROM_TO} tedbir yerine brüt takas uygulanacaktır.`, "person: its measure is not clear"],
  ]);
});

describe("prolonged measures", () => {
  const until = "03/04/2026 tarihli işlemlere (seans sonuna) kadar";
  check([
    [
      `ARMGD.E paylarında uygulanmakta olan brüt takas tedbirinin süresi ${until} uzatılmıştır.`,
      "extends ARMGD 3 until 2026-04-03",
    ],
    [
      `ARMGD.E payındaki açığa satış ve kredili işlem yasağı ${until} uzatılacaktır.`,
      "extends ARMGD 1,2 until 2026-04-03",
    ],
    [
      `ARMGD.E paylarında ${FROM_TO} uygulanacağı duyurulan brüt takas tedbiri ${until} uzatılmıştır.`,
      "certain ARMGD 3 2026-03-21..2026-04-03",
    ],
    [
      `ARMGD.E paylarında 20/03/2026 tarihine kadar uygulanan brüt takas tedbiri ${until} uzatılmıştır.`,
      "certain ARMGD 3 2026-03-21..2026-04-03",
    ],
    [
      `ARMGD.E paylarında 05/03/2026 tarihinden itibaren uygulanan brüt takas tedbiri ${until} uzatılmıştır.`,
      "person: it prolongs a measure, and its dates are not clear",
    ],
    [
      `ARMGD.E paylarında brüt takas tedbiri 15 gün uzatılmıştır.`,
      "person: it prolongs a measure, and its dates are not clear",
    ],
    [
      `ARMGD.E paylarında uygulanan tedbirler ${until} uzatılmıştır.`,
      "person: it prolongs a measure that is not known",
    ],
    [
      `ARMGD.E paylarında 05/04/2026 tarihine kadar uygulanan brüt takas tedbiri ${until} uzatılmıştır.`,
      "person: it prolongs a measure, and its dates are not clear",
    ],
  ]);
});

describe("ended measures", () => {
  check([
    [
      "ARMGD.E paylarındaki brüt takas tedbiri 05/03/2026 tarihli işlemlerden (seans başından) itibaren sona ermiştir.",
      "ends ARMGD 3 free from 2026-03-05",
    ],
    [
      "ARMGD.E ve METRO.E paylarında uygulanan açığa satış ve kredili işlem yasağı 05/03/2026 tarihinden itibaren kaldırılmıştır.",
      "ends ARMGD,METRO 1,2 free from 2026-03-05",
    ],
    [
      "ARMGD.E paylarındaki brüt takas tedbiri 05/03/2026 tarihi seans sonu itibarıyla bitmiştir.",
      "ends ARMGD 3 free from 2026-03-06",
    ],
    [
      "ARMGD.E paylarındaki tek fiyat uygulaması 31/12/2026 günü seans sonunda sona erecektir.",
      "ends ARMGD 4 free from 2027-01-01",
    ],
    [
      "05/03/2026 tarihinden itibaren ARMGD.E paylarındaki emir paketi tedbirine son verilmiştir.",
      "ends ARMGD 5 free from 2026-03-05",
    ],
    [
      "ARMGD.E paylarındaki brüt takas tedbirinin süresi 05/03/2026 tarihinde seans sonunda dolmuştur.",
      "ends ARMGD 3 free from 2026-03-06",
    ],
    [
      "ARMGD.E paylarındaki brüt takas tedbiri 05/03/2026 tarihinde bitmiştir.",
      "person: it does not state whether the measure still applies on its day",
    ],
    [
      "ARMGD.E paylarındaki brüt takas tedbiri 05/03/2026 tarihi itibarıyla sona ermiştir.",
      "person: it does not state whether the measure still applies on its day",
    ],
    ["ARMGD.E paylarındaki brüt takas tedbiri sona ermiştir.", "person: it ends a measure and has no date"],
    ["ARMGD.E paylarındaki tüm tedbirler 05/03/2026 tarihinden itibaren kaldırılmıştır.", 'person: "tum" is not known'],
    [
      "ARMGD.E paylarındaki tedbirler 05/03/2026 tarihinden itibaren kaldırılmıştır.",
      "person: it ends a measure that is not known",
    ],
    [
      "ARMGD.E paylarındaki brüt takas 05/03/2026 tarihinden itibaren kaldırılmıştır ve tek fiyat uygulanacaktır.",
      "person: it ends a measure and states more",
    ],
    [
      "METRO.E dışında ARMGD.E paylarındaki brüt takas 05/03/2026 tarihinden itibaren kaldırılmıştır.",
      "person: it limits or corrects a measure",
    ],
  ]);
});

describe("codes without a suffix, and names of companies", () => {
  const rest = `${FROM_TO} brüt takas uygulanacaktır.`;
  check([
    [`ARMGD payları ${rest}`, `certain ARMGD 3 ${DAYS}`],
    [`ARMGD, A1CAP ve METRO paylarında ${rest}`, `certain ARMGD,A1CAP,METRO 3 ${DAYS}`],
    [`ARMGD.E ve METRO paylarında ${rest}`, `certain ARMGD,METRO 3 ${DAYS}`],
    [`Armada Gıda Tic. ve San. A.Ş. (ARMGD) paylarında ${rest}`, `certain ARMGD 3 ${DAYS}`],
    [
      `ARMADA GIDA TİCARET SANAYİ A.Ş. (ARMGD.E) ve METRO TİCARİ YATIRIMLAR A.Ş. (METRO.E) paylarında ${rest}`,
      `certain ARMGD,METRO 3 ${DAYS}`,
    ],
    [`THYAO (Türk Hava Yolları A.O.) paylarında ${rest}`, `certain THYAO 3 ${DAYS}`],
    [`Türk Hava Yolları A.O. THYAO payında ${rest}`, `certain THYAO 3 ${DAYS}`],
    [`THYAO'nun paylarında ${rest}`, `certain THYAO 3 ${DAYS}`],
    [`VBTS kapsamında THYAO işlem sırasında ${rest}`, `certain THYAO 3 ${DAYS}`],
    [`Armada Gıda paylarında ${rest}`, "person: it names no code of a share"],
    [`ARMADA GIDA paylarında ${rest}`, "person: it names no code of a share"],
    [`VBTS paylarında ${rest}`, "person: it names no code of a share"],
    [`ARMGD.E (brüt takas) paylarında ${FROM_TO} uygulanacaktır.`, `certain ARMGD 3 ${DAYS}`],
  ]);
});

describe("words between and before the codes", () => {
  const rest = `paylarında ${FROM_TO} brüt takas uygulanacaktır.`;
  check([
    [`ARMGD.E payı ve METRO.E ${rest}`, `certain ARMGD,METRO 3 ${DAYS}`],
    [`ARMGD.E ortağı METRO.E ${rest}`, 'person: "ortagi" before its last share is not known'],
    [`Metro Holding payı yerine ARMGD.E ${rest}`, 'person: "yerine" before its last share is not known'],
  ]);
});

describe("capitals, dotless letters and letters with marks of their own", () => {
  const sentence = `ARMGD.E payları ${FROM_TO} açığa satışa ve kredili işlemlere konu edilemeyecektir.`;
  const expected = `certain ARMGD 1,2 ${DAYS}`;
  const capitals = sentence.toLocaleUpperCase("tr");
  check([
    [capitals, expected],
    [capitals.replaceAll("İ", "I").replaceAll("Ş", "S").replaceAll("Ğ", "G"), expected],
    [sentence.normalize("NFD"), expected],
    [capitals.normalize("NFD"), expected],
    [capitals.toLowerCase().replace("armgd.e", "ARMGD.E"), expected],
    [
      "ARMGD.E PAYLARINDAKİ BRÜT TAKAS 05/03/2026 TARİHİNDEN İTİBAREN KALDIRILMIŞTIR.",
      "ends ARMGD 3 free from 2026-03-05",
    ],
    [
      `ARMGD PAYLARINDA ${FROM_TO.toLocaleUpperCase("tr")} BRÜT TAKAS UYGULANACAKTIR.`,
      "person: it names no code of a share",
    ],
    [
      `ARMADA GIDA A.Ş. (ARMGD) PAYLARINDA ${FROM_TO.toLocaleUpperCase("tr")} BRÜT TAKAS UYGULANACAKTIR.`,
      `certain ARMGD 3 ${DAYS}`,
    ],
    [
      `ARMGD.E VE METRO PAYLARINDA ${FROM_TO.toLocaleUpperCase("tr")} BRÜT TAKAS UYGULANACAKTIR.`,
      "person: METRO can be a word: in capitals a code needs its suffix",
    ],
  ]);
});

test("what continues with an ended measure is left to a person", () => {
  const text = `ARMGD.E paylarındaki brüt takas 05/03/2026 tarihinden itibaren kaldırılmıştır. İlgili payda uygulanan tedbirler (açığa satış) süre boyunca devam edecektir.`;
  assert.deepEqual(readMeasures(text).map(describeSentence), [
    "ends ARMGD 3 free from 2026-03-05",
    "person: it speaks of earlier measures",
  ]);
});
