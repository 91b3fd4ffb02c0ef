/**
 * The words of announcements of measures, in lower case and without Turkish letters. Plain functions.
 *
 * Invariant: a word that is not listed here makes a sentence uncertain. So a word is added only if it changes nothing
 * of what its sentence states.
 */
import type { Effects } from "../../../src/domain/market/measure.ts";

const CLOSED = 8;
const NO_CANCELLING = 5;
/** The measure of VBTS that refuses market orders, and the cancelling and reducing of others. */
const ORDER_PACKAGE = /emir paketi/;
const ORDER_PACKAGE_EFFECTS: Effects = { noMarket: true, noCancel: true, noReduce: true };
/** Types of behaviour 10.6. */
const TYPES: readonly (readonly [RegExp, number])[] = [
  [/aciga satis/, 1],
  [/kredili islem|kredili alim/, 2],
  [/brut takas/, 3],
  [/tek fiyat/, 4],
  [/emir paketi|emir iptal(i|inin)? yasa/, 5],
  [/kapatil(acaktir|mistir)/, CLOSED],
  [/internet emir|internet uzerinden (girilen )?emir|emir iletim kanal/, 99],
];

/** Verbs that put a measure into force. */
export const IN_FORCE =
  /konu edil(e)?meyecek|uygulanacak|uygulanmasina karar ver|uygulanmaya baslan(acak|mis)|islem gorecek|yapilamayacak|(iletile|gonderile|girile)meyecek|kapatilacaktir|kapatilmistir|kisitlan(acak|mis)tir|yasaklan(acak|mis)tir|getiril(ecek|mis)tir|devam edecek/;
/** Verbs that end a measure. */
export const ENDED =
  /(kaldiril|sonlandiril|son veril)(mis|ecek|acak)tir|kaldirilmasina karar ver|sona er(mis|ecek)tir|bit(mis|ecek)tir|dol(mustur|acaktir)|uygulanmayacak/;
export const EXTENDED = /uzatil(mis|acak)tir|uzatilmasina karar ver/;
/** Words of a change that is not one of the verbs above. */
export const CHANGE =
  /kaldiril|sona er|sona? veril|sonlandiril|bitmis|bitecek|biten|suresi dol|uzat|uygulanma[my]|duyurul/;
/** Words that limit what a sentence states, or that take something back. */
export const LIMITING =
  /edilebilecek|iptal edil|haric|disinda|sadece|yalniz|degistiril|duzeltil|ertelen|sirasiyla|gecici|saat |degil|ancak|halinde|takdirde|kosul/;

const WORDS = new RegExp(
  `^(?:${[
    // Shares and their orders.
    "ilgili|adi|gecen|soz|konusu|pay(?:i|a|da|in|inin|ina|inda|indaki|lar|lari|larin|larina|larinin|larinda|larindaki)?",
    "islem|islem(?:i|in|ler|leri|lerin|lerine|lere|lerde|lerden)|sira(?:si|sina|sinin|sinda|lari|larinin|larinda)",
    "gor(?:ecek|ecektir)|emir|emir(?:ler|leri|lerin|lerinin)|girisi|iletimi|iletim|kanal(?:lari|larinin|larina)?|girilen",
    "internet|uzerinden|ve|ile|de|da|nin|in|un|nun|a|e|ya|ye|na|ne",
    // Days.
    "tarih(?:i|li|inden|ine|inde|leri|ler|lerinde)?|gun|gun(?:u|unden|une|unun)|seans(?:i|in|inin)?|islemlerin",
    "basi|basindan|basinda|baslangicindan|acilisi|acilisindan|sonu|sonuna|sonunda|sonundan|kapanisi|kapanisina|kapanista",
    "itibaren|itibariyla|itibariyle|baslayarak|kadar|dahil|arasinda|olmak|uzere|bu|her|iki|dan|den|tan|ten",
    "pazartesi|sali|carsamba|persembe|cuma|ikinci|yeni|bir|duyuruya|duyuru|yapilincaya",
    // Measures.
    "vbts|volatilite|bazli|sistemi|kapsaminda|kapsamindaki|borsa|istanbul|borsamiz|borsamizca|tarafindan",
    "tedbir|tedbir(?:i|in|ine|inin|ler|leri|lerin|lerinin)|uygulama|uygulama(?:si|sina|sinin|lar|lari)|suresi|suresinin",
    "aciga|satis(?:a|i|in|lar|lari|lara)?|kredili|alim(?:lar|lara)?|brut|takas(?:a|i|in)?|esasi|esasli|usulu|tek|fiyat(?:li)?",
    "yontemi|yontemiyle|yontemine|paketi|iptal|iptali|iptalinin|yasak|yasagi|yasaginin|kisiti|kisitinin|kisitlamasi",
    // Verbs.
    "konu|edil(?:e)?meyecek(?:tir)?|uygulanan|uygulanmakta|olan|halihazirda|uygulanacak(?:tir)?|uygulanmaya|baslan(?:acak|mis)tir",
    "uygulanmasina|karar|verilmistir|yapilamayacak(?:tir)?|(?:iletile|gonderile|girile)meyecek(?:tir)?|devam|edecek(?:tir)?",
    "kapatil(?:acak|mis)tir|kisitlan(?:acak|mis)tir|yasaklan(?:acak|mis)tir|getiril(?:ecek|mis)tir",
    "kaldiril(?:acak|mis)tir|kaldirilmasina|sonlandiril(?:acak|mis)tir|son|sona|verilecektir|er(?:ecek|mis)tir",
    "bit(?:ecek|mis)tir|dol(?:acaktir|mustur)|uygulanmayacak(?:tir)?|uzatil(?:acak|mis)tir|uzatilmasina",
    "yerine",
  ].join("|")})$`,
);

/** Words of an earlier announcement that a prolongation repeats. */
const REPEATED = /^(?:uygulanacagi|duyurulan|duyurulmus|getirilen)$/;

/** The types of behaviour 10.6 that a text names. */
export function typesOf(plain: string): readonly number[] {
  return TYPES.filter(([words]) => words.test(plain)).map(([, type]) => type);
}

/** The effects of a measure of a type, if the text states more than its type does by itself. */
export function effectsOf(plain: string, restrictionType: number): Effects | undefined {
  return restrictionType === NO_CANCELLING && ORDER_PACKAGE.test(plain) ? ORDER_PACKAGE_EFFECTS : undefined;
}

/**
 * The first word whose meaning for a measure is not known. `mayRepeat`: words about an earlier announcement are known.
 */
export function unknownWordOf(plain: string, mayRepeat = false): string | undefined {
  const words = plain.match(/[\p{L}\d]+/gu) ?? [];
  return words.find((word) => !WORDS.test(word) && !(mayRepeat && REPEATED.test(word)));
}

/** Whether types contain the closing of an order book whose text does not name the book. */
export function isClosingUnclear(types: readonly number[], plain: string): boolean {
  return types.includes(CLOSED) && !/islem sira/.test(plain);
}
