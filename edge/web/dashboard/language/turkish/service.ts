/**
 * Messages of the service, by topic: the English pattern and its Turkish sentence. A value in braces is written by its
 * name: `field` and `other` as the label of a field, `number` and `lots` as a number, `price` as a price, `told` and
 * `why` as a message of their own; any other is repeated.
 */
import { BOT } from "./bot.ts";
import { GROUP } from "./group.ts";
import { PAGE } from "./page.ts";
import { SHARED } from "./shared.ts";
import { TRADE } from "./trade.ts";

/** Elements of lists: `takeProfitItems[0]` is the first. */
export const ITEM_NAMES: Readonly<Record<string, string>> = {
  ...{ takeProfitItems: "Kâr al {number}", stopLossLadder: "Kademe {number}" },
  ...{ levelBotDetails: "Sembol {number}", webhookBotDetails: "Sembol {number}", events: "Olay {number}" },
  ...{ statuses: "Durum {number}", scopes: "Yetki {number}" },
};

/** A label that is a phrase, as a name in a sentence. */
const quoted = (label: string): string => `“${label}”`;

/** The labels that forms show for the fields of requests. A path is looked up before the name at its end. */
export const FIELD_NAMES: Readonly<Record<string, string>> = {
  ...{ "the body": "İstek", "the query": "İstek parametreleri", "the path": "İstek adresi" },
  ...{ symbol: SHARED.Symbol, price: SHARED.Price, quantity: SHARED.Lots, name: SHARED.Name, notes: SHARED.Note },
  ...{ stopLossPrice: GROUP["Stop-loss price"], stopLossQuantity: SHARED["Lots to protect"] },
  ...{ stopLossPercent: "Zarar durdur yüzdesi", percent: "Yüzde", quantityPercent: "Lot yüzdesi" },
  ...{ takeProfitItems: SHARED["Take-profits"], dueDate: SHARED["Watched until"], entryPrice: "Giriş fiyatı" },
  ...{ stopLossTrailing: GROUP["Trailing stop-loss"], activationPrice: "İzlemenin başlama fiyatı" },
  ...{ distance: "İzleyen zarar durdur mesafesi", distancePercent: "İzleyen zarar durdur yüzdesi" },
  ...{ stopLossLadder: GROUP["Stop-loss on a ladder"], afterTakeProfits: "satılan kâr al sayısı", offset: "fark" },
  ...{ "exit.stopLoss": SHARED["If an order leaves lots"], "exit.at": "Satış zamanı", exit: "Zarar durdur satışı" },
  ...{ "exit.beforeCloseMinutes": "Kapanıştan önceki dakika" },
  ...{ entry: "Giriş emri", "entry.price": TRADE["Limit price"], triggerPrice: TRADE["Trigger price"] },
  ...{ expiresAt: "Alışın iptal zamanı", orderType: TRADE["Order type"], buySell: TRADE.Side },
  ...{ cashAmount: "Alış tutarı", riskAmount: "Risk tutarı", brokerOrderNo: "Emir numarası" },
  ...{ brokerageCode: "Aracı kurum", accountNumber: "Hesap", protectPartial: "Kısmi gerçekleşmeyi koru" },
  ...{
    buyGap: quoted(BOT["Buy after a fall of"]),
    targetProfit: quoted(BOT["Sell at a gain of, %"]),
    profit: quoted(BOT["Buy until a profit of"]),
  },
  ...{ sellGap: quoted(BOT["Sell after a rise of"]), confirmTicks: "Yükselişi onaylayan fiyat sayısı" },
  ...{
    minBuyPrice: quoted(BOT["Buy at least at"]),
    maxBuyPrice: quoted(BOT["Buy at most at"]),
    algoName: BOT.Algorithm,
  },
  ...{
    minSellPrice: quoted(BOT["Sell at least at"]),
    maxSellPrice: quoted(BOT["Sell at most at"]),
    period: BOT.Period,
  },
  ...{ levelBotDetails: "Semboller", webhookBotDetails: "Semboller", isActive: SHARED.Active },
  ...{ events: PAGE.Events, url: SHARED.Address, address: PAGE["E-mail address"], chatId: PAGE.Chat },
  ...{ botToken: PAGE["Bot token"], kind: PAGE.Channel, scopes: PAGE.Scopes, userId: PAGE["User number"] },
  ...{ state: SHARED.State, reason: "Gerekçe", confirm: "Onay", includingStops: "Zarar durdur emirleri dahil" },
  ...{ from: "Başlangıç", to: "Bitiş", startDate: "Başlangıç", endDate: "Bitiş" },
};

export const SERVICE = {
  /** Rules of single fields. */
  field: {
    "{field} is required": "{field} gerekli",
    "{field} is not valid": "{field} geçerli değil",
    "{field} must not be empty": "{field} boş olamaz",
    "{field} must be a whole number": "{field} tam sayı olmalı",
    "{field} must be a number": "{field} sayı olmalı",
    "{field} must be a string": "{field} metin olmalı",
    "{field} must be a boolean": "{field} evet veya hayır olmalı",
    "{field} must be an array": "{field} liste olmalı",
    "{field} must be an object": "{field} nesne olmalı",
    "{field} must be text": "{field} metin olmalı",
    "{field} must be at least {least}": "{field} en az {least} olmalı",
    "{field} must be at most {most}": "{field} en çok {most} olmalı",
    "{field} must be above {number}": "{field} {number} değerinden büyük olmalı",
    "{field} must be below {number}": "{field} {number} değerinden küçük olmalı",
    "{field} must be greater than 0": "{field} sıfırdan büyük olmalı",
    "{field} must be at least {least} characters": "{field} en az {least} karakter olmalı",
    "{field} must be at most {most} characters": "{field} en çok {most} karakter olmalı",
    "{field} must have at most {most} characters": "{field} en çok {most} karakter olmalı",
    "{field} must have 1 to {most} characters": "{field} 1 ile {most} karakter arasında olmalı",
    "{field} must have 1 to {most} characters and not only blanks":
      "{field} 1 ile {most} karakter arasında olmalı ve yalnızca boşluktan oluşmamalı",
    "{field} must not be blank, nor begin or end with a blank": "{field} boş olamaz, boşlukla başlayamaz ve bitemez",
    "{field} must not be only blanks": "{field} yalnızca boşluktan oluşamaz",
    "{field} must have at least {least} items": "{field} en az {least} öğe içermeli",
    "{field} must have at most {most} items": "{field} en çok {most} öğe içermeli",
    "{field} must have at least 1 element": "{field} en az bir öğe içermeli",
    "{field} must have at most {most} elements": "{field} en çok {most} öğe içermeli",
    "{field} must not be -0": "{field} eksi sıfır olamaz",
    "{field} must not hold control characters": "{field} denetim karakteri içeremez",
    "{field} must be {choices}": "{field} şu değerlerden biri olmalı: {choices}",
    "{field} must be {choices}, separated by commas": "{field} virgülle ayrılmış şu değerlerden oluşmalı: {choices}",
    "{field} must be a whole number above 0": "{field} sıfırdan büyük bir tam sayı olmalı",
    "{field} must be a whole number from {least} to {most}": "{field} {least} ile {most} arasında bir tam sayı olmalı",
    "{field} must be given once": "{field} bir kez verilmeli",
    "{name} is not a field": "{name} adında bir alan yok",
    "{name} is not a field; did you mean {suggestion}?": "{name} adında bir alan yok; {suggestion} mı demek istediniz?",
    "{name} is not a parameter": "{name} adında bir parametre yok",
    "{name} is not a parameter; did you mean {suggestion}?":
      "{name} adında bir parametre yok; {suggestion} mı demek istediniz?",
    "{field} must be in the future": "{field} gelecekte olmalı",
    "{field} {time} must have a time of day": "{field} bir saat de içermeli: {time}",
    "{field} must be an ISO 8601 time such as {example}": "{field} {example} gibi bir ISO 8601 zamanı olmalı",
    "{field} is not an ISO 8601 time such as {example}": "{field} {example} gibi bir ISO 8601 zamanı olmalı",
    "{field} {value} is not in the years 1970 to 9999": "{field} 1970 ile 9999 yılları arasında olmalı: {value}",
    "{field} {value} does not exist": "{field} var olmayan bir zaman: {value}",
    "{field} {value} must be a date without a time": "{field} saatsiz bir tarih olmalı: {value}",
    "{field} is not a value that this list returned": "{field} bu listenin verdiği bir değer değil",
    "{field} must not be after {other}": "{field} {other} değerinden sonra olamaz",
    "{field} must lie at most {most} periods of the interval before {other}":
      "{field} {other} değerinden en çok {most} periyot önce olabilir",
    "exactly one of {field} and {other} must be given": "{field} ve {other} alanlarından yalnızca biri verilmeli",
    "exactly one of {field}, {other} and {third} must be given":
      "{field}, {other} ve {third} alanlarından yalnızca biri verilmeli",
    "{field}: {told}": "{field}: {told}",
    "tick at least one": "en az birini işaretleyin",
  },
  /** Prices, quantities and percents. */
  number: {
    "{field} {price} is not a multiple of {level}": "{field} {price} fiyat adımına uymuyor, adım {level}",
    "{field} {number} is not a price from {least} to {most}":
      "{field} geçerli bir fiyat değil: {number} (aralık {least} – {most})",
    "{field} {number} is not a price up to {most}": "{field} geçerli bir fiyat değil: {number} (en çok {most})",
    "{field} {number} has more than two decimals": "{field} en çok iki ondalık basamaklı olabilir: {number}",
    "{field} {number} is not an integer from {least} to {most}":
      "{field} {least} ile {most} arasında bir tam sayı olmalı: {number}",
    "{field} {number} is not a number of at least 0": "{field} sıfır veya daha büyük bir sayı olmalı: {number}",
    "{field} {number} is not a percent greater than 0": "{field} sıfırdan büyük bir yüzde olmalı: {number}",
    "{field} {number} is not below {most}": "{field} {most} değerinden küçük olmalı: {number}",
    "{field} {number} is over {most}": "{field} en çok {most} olabilir: {number}",
    "{field} {number} is not a percent from {least} to {most} with at most two decimals":
      "{field} {least} ile {most} arasında, en çok iki ondalık basamaklı bir yüzde olmalı: {number}",
    "{field} {number} from averagePrice {price} gives no price on the tick table":
      "{field} {number}, {price} gerçekleşme fiyatıyla geçerli bir fiyat vermiyor",
    "sellGap {number} and targetProfit {count} from averagePrice {price} give no price on the tick table":
      "satış artışı {number} ve kâr hedefi {count}, {price} gerçekleşme fiyatıyla geçerli bir fiyat vermiyor",
    "{field} {amount} is not an amount greater than 0": "{field} sıfırdan büyük bir tutar olmalı: {amount}",
    "{field} {amount} is less than {what}: it buys no lot": "{field} bir lot almaya yetmiyor: {amount}, gereken {what}",
    "{field} {amount} buys more than {most} lots at {what}":
      "{field} çok yüksek: {amount}, {what} ile {most} lottan fazlasını alır",
    "the price {price}": "fiyat {price}",
    "the risk of one lot, from {price} to {level}": "bir lotun riski ({price} – {level})",
    "the stop-loss {level} is not under {price}": "zarar durdur ({level}) {price} fiyatının altında değil",
    "{field} needs a price of {symbol} that is at most 60 s old; give entry.quantity":
      "{field} için {symbol} fiyatı 60 saniyeden eski olmamalı; lot sayısını girin",
    "{field} needs a stop-loss under the price of the entry, and {what}":
      "{field} için zarar durdur giriş fiyatının altında olmalı: {what}",
  },
  /** OCO groups: making and changing them. */
  group: {
    "The OCO group was created": "OCO grubu oluşturuldu",
    "The OCO group was created; {told}": "OCO grubu oluşturuldu; {told}",
    "The OCO group was changed": "OCO grubu değiştirildi",
    "The OCO group was changed; {told}": "OCO grubu değiştirildi; {told}",
    "The OCO group was cancelled": "OCO grubu iptal edildi",
    "What could be cancelled of the OCO group was cancelled; a sell that is on its way to the brokerage was not":
      "OCO grubunun iptal edilebilen kısmı iptal edildi; aracı kuruma gönderilmekte olan satış iptal edilemedi",
    "The OCO group was released": "OCO grubu serbest bırakıldı",
    "The OCO group was released; {told}": "OCO grubu serbest bırakıldı; {told}",
    "The exit is being stopped": "çıkış durduruluyor",
    "{symbol} is at {price}, at or under the stop-loss {level}, so it sells immediately":
      "{symbol} fiyatı {price}, zarar durdur seviyesinde ({level}) veya altında olduğundan hemen satılıyor",
    "{symbol} is at {price}, at or over the take-profit {level}, so it sells immediately":
      "{symbol} fiyatı {price}, kâr al seviyesinde ({level}) veya üstünde olduğundan hemen satılıyor",
    "no price of {symbol} is known yet": "{symbol} için henüz fiyat yok",
    "the stop-loss {level} lies under today's floor {price}, so no price reaches it today":
      "zarar durdur ({level}) bugünün taban fiyatının ({price}) altında, bugün bu fiyata ulaşılamaz",
    "{symbol} is under measures of its exchange ({text}): {told}": "{symbol} için borsa tedbiri var ({text}): {told}",
    "{symbol} is held and no level of it fires until it is released: {why}":
      "{symbol} bekletiliyor, serbest bırakılana kadar hiçbir seviyesi tetiklenmez: {why}",
    "trading is halted, so no level of it fires: {why}":
      "işlemler durduruldu, grubun hiçbir seviyesi tetiklenmez: {why}",
    "trading is halted, so its take-profits do not fire: {why}":
      "işlemler durduruldu, grubun kâr al seviyeleri tetiklenmez: {why}",
    "it may sell {lots} {symbol}, and the account held {held} at {time}":
      "{lots} lot {symbol} satabilir, hesapta ise {held} lot vardı ({time})",
    "an active OCO group already exists for symbol {symbol}; cancel it first":
      "{symbol} için etkin bir OCO grubu zaten var; önce onu iptal edin",
    "OCO order {id} was not found": "{id} numaralı OCO emri bulunamadı",
    "If-Match does not name the version of the {what}, which is {version} now":
      "{what} bu arada değişti, şimdiki sürümü {version}",
    group: "grup",
    "pending OCO": "bekleyen OCO",
    bot: "bot",
    "the group has no Active row that can be cancelled": "grubun iptal edilebilecek etkin satırı yok",
    "the group has no Active row that can be changed": "grubun değiştirilebilecek etkin satırı yok",
    "the group has no row under watch": "grubun izlenen satırı yok",
    "the stop-loss is being sold, so the group cannot be changed now":
      "zarar durdur satılıyor, grup şu anda değiştirilemez",
    "the stop-loss of the group is not being sold": "grubun zarar durdur emri satışta değil",
    "an order of the stop-loss is not settled yet, so it cannot be set Active again now":
      "zarar durdurun bir emri henüz sonuçlanmadı, şu anda yeniden etkinleştirilemez",
    "the stop-loss is not Active, so {field} and {other} cannot be changed":
      "zarar durdur etkin değil, {field} ve {other} değiştirilemez",
    "the stop-loss is not Active, so {field} and {other} cannot be changed; stopLossPrice sets it Active again while a take-profit is Active":
      "zarar durdur etkin değil, {field} ve {other} değiştirilemez; bir kâr al etkinken zarar durdur fiyatı onu yeniden etkinleştirir",
    "the stop-loss is not Active, so {field} cannot be changed": "zarar durdur etkin değil, {field} değiştirilemez",
    "stopLossQuantity must be above what the take-profits have sold ({sold})":
      "korunacak lot, kâr al emirlerinin sattığından ({sold}) fazla olmalı",
    "takeProfitItems quantities together ({total}) must not be above stopLossQuantity ({most})":
      "kâr al seviyelerinin toplam lotu ({total}), korunacak lottan ({most}) fazla olamaz",
    "{field} must be higher than {other}": "{field}, {other} değerinden yüksek olmalı",
    "{field} must be lower than {other}": "{field}, {other} değerinden düşük olmalı",
    "{field} must be higher than {other} ({price})": "{field}, {other} değerinden ({price}) yüksek olmalı",
    "{field} must be lower than {other} ({price})": "{field}, {other} değerinden ({price}) düşük olmalı",
    "{field} price {price} must be higher than {other} {level}":
      "kâr al fiyatı {price}, {other} değerinden ({level}) yüksek olmalı ({field})",
    "{field} {price} must be higher than {other} {level}":
      "{field} ({price}), {other} değerinden ({level}) yüksek olmalı",
    "{field} {id} is named twice": "{field} iki kez verildi: {id}",
    "takeProfitItems would give the group more than {most} rows; make a new group":
      "grup en çok {most} satır alabilir; yeni bir grup oluşturun",
    "{field} {id} is not a take-profit of this group": "{field}: {id} bu grubun kâr al satırı değil",
    "{field} {id} is not Active any more": "{field}: {id} artık etkin değil",
    "take-profit {id} is being sold and cannot be changed": "{id} numaralı kâr al satılıyor, değiştirilemez",
    "take-profit {id} is being sold and cannot be left out": "{id} numaralı kâr al satılıyor, çıkarılamaz",
    "{field} commits {lots} more lots of {symbol} than may be sold: the account holds {held}, open orders sell {selling}, and groups and bots may sell {committed} (SELL_LEDGER=refuse)":
      "{field}: {symbol} için satılabilir lot yetersiz, istenen {lots}. Hesapta {held} lot var, açık emirler {selling} lot satıyor, gruplar ve botlar {committed} lot satabilir",
    "too many requests of this account wait for its sell ledger":
      "bu hesap için bekleyen istek sayısı çok fazla; biraz sonra yeniden deneyin",
    "OCO order {id} has not fired: it has no receipt": "{id} numaralı OCO emri tetiklenmedi: makbuzu yok",
  },
  /** Terms of a group: sale by the clock, trailing, ladder. */
  terms: {
    "exit must name stopLoss, at or beforeCloseMinutes": "zarar durdur satışı için en az bir koşul verilmeli",
    "exit.beforeCloseMinutes needs a trading calendar; the exchange of the symbol does not have one":
      "kapanıştan önceki dakika için işlem takvimi gerekir; sembolün borsasının takvimi yok",
    "exit.beforeCloseMinutes: the calendar {calendar} has no close in the next 60 days":
      "kapanıştan önceki dakika: {calendar} takviminde önümüzdeki 60 günde kapanış yok",
    "stopLossTrailing must have either distance or distancePercent":
      "izleyen zarar durdur için mesafe veya yüzde verilmeli, ikisi birden değil",
    "entryPrice is of use with stopLossLadder only": "giriş fiyatı yalnızca kademeli zarar durdurla kullanılır",
    "{field} must be above the value of the rung before": "{field} önceki kademenin değerinden büyük olmalı",
    "{field} previousTakeProfit needs at least 2 take-profits":
      "{field}: önceki kâr al fiyatı için en az 2 kâr al gerekir",
    "{field} entry needs entryPrice": "{field}: giriş fiyatı verilmeli",
    "{field} must lie under the take-profit after which it counts":
      "{field} ardından geçerli olduğu kâr al fiyatının altında olmalı",
  },
  /** Pending OCOs and entries. */
  pending: {
    "The pending OCO was registered": "bekleyen OCO kaydedildi",
    "The pending OCO was registered; {told}": "bekleyen OCO kaydedildi; {told}",
    "The pending OCO was changed": "bekleyen OCO değiştirildi",
    "The pending OCO was changed; {told}": "bekleyen OCO değiştirildi; {told}",
    "The pending OCO was removed": "bekleyen OCO kaldırıldı",
    "The entry was placed": "giriş emri iletildi",
    "The entry was cancelled by the brokerage": "giriş emri aracı kurum tarafından iptal edildi",
    "The entry was rejected by the brokerage": "giriş emri aracı kurum tarafından reddedildi",
    "The entry is being cancelled at the brokerage; what was filled of it becomes a group":
      "girişin alış emri aracı kurumda iptal ediliyor; gerçekleşen kısmı grup olur",
    "The order was completed already: OCO group {id} was made":
      "emir zaten gerçekleşmişti: {id} numaralı OCO grubu oluşturuldu",
    "The order was completed already: OCO group {id} was made; {told}":
      "emir zaten gerçekleşmişti: {id} numaralı OCO grubu oluşturuldu; {told}",
    "No group was made: {why}": "grup oluşturulmadı: {why}",
    "The brokerage has not answered yet and the order may exist; the pending OCO follows it":
      "aracı kurum henüz yanıt vermedi, emir oluşmuş olabilir; bekleyen OCO emri izliyor",
    "the entry was not sent: it waited too long for the brokerage or for its quota, and no order exists":
      "giriş emri gönderilmedi: aracı kurum veya emir kotası için çok beklendi, emir yok",
    "the entry was ended before it was sent: pending OCO {id}": "giriş gönderilmeden sona erdi: bekleyen OCO {id}",
    "the entry was ended before it was sent": "giriş gönderilmeden sona erdi",
    "{symbol} must rise to {level} before the entry buys": "{symbol} {level} fiyatına yükselince alış yapılır",
    "{symbol} is at {price}, at or over the trigger {level}, so it buys immediately":
      "{symbol} fiyatı {price}, tetik fiyatında ({level}) veya üstünde olduğundan hemen alınıyor",
    "pending OCO {id} is an entry of symbol {symbol}; remove it first":
      "{id} numaralı bekleyen OCO zaten bir {symbol} girişi; önce onu kaldırın",
    "pending OCO {id} was not found": "{id} numaralı bekleyen OCO bulunamadı",
    "pending OCO {id} is over: {why}": "{id} numaralı bekleyen OCO sona erdi: {why}",
    "it became the OCO group {id}": "{id} numaralı OCO grubu oldu",
    "no group was made: {why}": "grup oluşturulmadı: {why}",
    "its order was refused: {why}": "emri reddedildi: {why}",
    "it was removed": "kaldırıldı",
    "its trigger was not reached in time": "tetik fiyatına zamanında ulaşılmadı",
    "its order was cancelled or rejected": "emri iptal edildi veya reddedildi",
    "its order was cancelled or rejected after a part of it was filled":
      "emri bir kısmı gerçekleştikten sonra iptal edildi veya reddedildi",
    "the pending OCO does not wait for its order any more": "bekleyen OCO artık emrini beklemiyor",
    "a part is filled and has its group {id}; change that one":
      "alışın bir kısmı gerçekleşti ve {id} numaralı grubu var; onu değiştirin",
    "stopLossQuantity of an entry is what it buys, and cannot be given":
      "bir girişte korunacak lot alınan lottur, ayrıca verilemez",
    "expiresAt is only for an entry": "iptal zamanı yalnızca bir giriş için verilebilir",
    "the buy of the entry is being cancelled": "girişin alış emri iptal ediliyor",
    "{field} is only for a stop entry (orderType 3)": "{field} yalnızca stop emri için verilebilir",
    "{field} is required for a stop entry": "stop emri için {field} gerekli",
    "entry.price {price} of a stop entry must be 0: it buys at market":
      "stop emrinde fiyat sıfır olmalı, piyasa fiyatından alır: {price}",
    "the trigger was reached already, and the buy was sent": "tetik fiyatına ulaşıldı, alış emri gönderildi",
    "{field} of {lots} lots is less than one lot": "{field}: {lots} lottan bir lot bile düşmüyor",
    "a pending record already exists for this brokerOrderNo": "bu emrin zaten bir bekleyen OCO’su var",
    "brokerOrderNo is the buy of pending OCO {id}, which has its exits":
      "bu emir {id} numaralı bekleyen OCO’nun alışı, çıkışları zaten var",
    "brokerOrderNo is not a buy order": "bu emir alış emri değil",
    "brokerOrderNo is an order of another symbol than {symbol}": "bu emir başka bir sembolün emri, beklenen {symbol}",
    "brokerOrderNo is cancelled or rejected": "bu emir iptal edilmiş veya reddedilmiş",
    "brokerOrderNo is not an order of the account": "bu emir hesabın bir emri değil",
    "the brokerage cannot be reached now; nothing was registered": "aracı kuruma şu anda ulaşılamıyor; kayıt yapılmadı",
    "the stop-loss sells {lots} lots, and the order buys {count}":
      "zarar durdur {lots} lot satar, emir {count} lot alır",
    "dueDate has passed": "izleme sonu geçti",
  },
  /** Orders. */
  order: {
    "The order was placed": "emir iletildi",
    "The order was placed; {told}": "emir iletildi; {told}",
    "The order was cancelled by the brokerage": "emir aracı kurum tarafından iptal edildi",
    "The order was rejected by the brokerage": "emir aracı kurum tarafından reddedildi",
    "The order was cancelled": "emir iptal edildi",
    "symbol {symbol} is not known": "{symbol} bilinen bir sembol değil",
    "symbol {symbol} is not active": "{symbol} etkin bir sembol değil",
    "symbol {symbol} is not known yet: ask again in a moment": "{symbol} henüz bilinmiyor: birazdan yeniden deneyin",
    "buySell must be 1 (buy) or 2 (sell)": "yön alış veya satış olmalı",
    "orderType must be 1 (market) or 2 (limit)": "emir türü piyasa veya limit olmalı",
    "price {price} of a market order must be 0": "piyasa emrinde fiyat sıfır olmalı: {price}",
    "price of a market order must be 0": "piyasa emrinde fiyat sıfır olmalı",
    "price is required for a limit order": "limit emir için fiyat gerekli",
    "the brokerage refused the order: {why}": "aracı kurum emri reddetti: {why}",
    "the order was not taken now, and none exists: {why}": "emir şu anda alınmadı ve oluşmadı: {why}",
    "the brokerage does not know the order referred to": "aracı kurum sözü edilen emri tanımıyor",
    "the brokerage does not know the order": "aracı kurum emri tanımıyor",
    "the order was not found at the brokerage": "emir aracı kurumda bulunamadı",
    "the brokerage has not answered yet and the order may exist: repeat the same Idempotency-Key or read the daily orders":
      "aracı kurum henüz yanıt vermedi, emir oluşmuş olabilir: yeniden sorun veya günün emirlerine bakın",
    "the order was not sent: it waited too long for the brokerage or for its quota, and no order exists":
      "emir gönderilmedi: aracı kurum veya emir kotası için çok beklendi, emir yok",
    "the brokerage did not answer, and the order may have been cancelled: read the daily orders":
      "aracı kurum yanıt vermedi, emir iptal edilmiş olabilir: günün emirlerine bakın",
    "the brokerage refused to cancel the order: {why}": "aracı kurum emri iptal etmeyi reddetti: {why}",
    "it is completed or rejected": "emir gerçekleşmiş veya reddedilmiş",
    "the order cannot be cancelled now: {why}": "emir şu anda iptal edilemiyor: {why}",
    "the brokerage cannot be reached now; nothing was cancelled": "aracı kuruma şu anda ulaşılamıyor; iptal yapılmadı",
    "quantity {lots} makes an order of {amount}, above maxOrderValue {level} of the account":
      "{lots} lotluk emrin tutarı {amount}, hesabın emir limiti {level}",
    "the account has sent {count} orders in the last minute, and maxOrdersPerMinute is {most}":
      "hesap son bir dakikada {count} emir gönderdi, limit dakikada {most} emir",
  },
  /** Bots. */
  bot: {
    "The level bot was created": "seviye botu oluşturuldu",
    "The level bot was updated": "seviye botu değiştirildi",
    "The level bot was deleted": "seviye botu sonlandırıldı",
    "The webhook bot was created": "webhook botu oluşturuldu",
    "The webhook bot was updated": "webhook botu değiştirildi",
    "The webhook bot was deleted": "webhook botu sonlandırıldı",
    "The webhook bot has a new address": "webhook botunun yeni bir adresi var",
    "The bot was updated; what was left out buys no more, and its open pair orders are still sold as before":
      "bot değiştirildi; çıkarılan semboller artık alınmaz, açık işlemleri önceki gibi satılır",
    "bot {id} was not found": "{id} numaralı bot bulunamadı",
    "brokerageCode and accountNumber of a bot cannot be changed": "bir botun aracı kurumu ve hesabı değiştirilemez",
    "the bot has open pair orders ({count}): it can be deleted once they are sold":
      "botun açık işlemleri var ({count}): satıldıktan sonra sonlandırılabilir",
    "{field} repeats the symbol of another element": "{field} başka bir satırın sembolünü yineliyor",
    "{field} repeats the symbol, algoName and period of another element":
      "{field} başka bir satırın sembolünü, algoritmasını ve periyodunu yineliyor",
    "{field} must not be higher than maxBuyPrice": "{field} en yüksek alış fiyatından büyük olamaz",
    "{field} must not be higher than maxSellPrice": "{field} en yüksek satış fiyatından büyük olamaz",
    "levelBotDetails leaves out too many symbols that still have open pairs ({count})":
      "açık işlemi olan çok fazla sembol çıkarılıyor ({count})",
  },
  /** Alerts, and why a test message was not taken. */
  alert: {
    "The target was made": "uyarı oluşturuldu",
    "The target was changed": "uyarı değiştirildi",
    "The target was removed": "uyarı kaldırıldı",
    "The test was sent": "test gönderildi",
    "The test message was taken": "test mesajı alındı",
    "notification target {id} was not found": "{id} numaralı uyarı bulunamadı",
    "there may be at most {most} targets": "en çok {most} uyarı olabilir",
    "kind of a target cannot be changed": "bir uyarının kanalı değiştirilemez",
    "kind email cannot be sent here: SMTP_URL is not set": "bu serviste e-posta gönderilemez: SMTP_URL ayarlanmamış",
    "{field} must be event types, like oco.triggered or order.*":
      "{field} oco.triggered veya order.* gibi olay türleri olmalı",
    "{field} must be a Telegram bot's token": "{field} bir Telegram botunun anahtarı olmalı",
    "{field} must be a chat's number or @name": "{field} bir sohbetin numarası veya @adı olmalı",
    "{field} must be an e-mail address": "{field} bir e-posta adresi olmalı",
    "{field} must be an address like {example}": "{field} {example} gibi bir adres olmalı",
    "{field} must start with https://": "{field} https:// ile başlamalı",
    "{field} must hold no user and password": "{field} kullanıcı adı ve parola içeremez",
    "{field} is not an address": "{field} bir adres değil",
    "{field} is not a public address ({text})": "{field} herkese açık bir adres değil ({text})",
    "the server": "sunucu",
    "the mail server": "e-posta sunucusu",
    "{what} refused it (status {status})": "{what} mesajı reddetti (durum {status})",
    "{what} refused the sign-in (status {status})": "{what} oturum açmayı reddetti (durum {status})",
    "{what} refused the sign-in": "{what} oturum açmayı reddetti",
    "no TLS connection with {what}": "{what} ile TLS bağlantısı kurulamadı",
    "no TLS connection with {what}: {why}": "{what} ile TLS bağlantısı kurulamadı: {why}",
    "its certificate has expired": "sertifikasının süresi dolmuş",
    "its certificate is not valid yet": "sertifikası henüz geçerli değil",
    "its certificate is for another name": "sertifikası başka bir ad için",
    "its certificate is not trusted": "sertifikasına güvenilmiyor",
    "time-out: {what} did not answer": "zaman aşımı: {what} yanıt vermedi",
    "{what} is not reachable": "{what} erişilebilir değil",
    "{what} is not reachable: its name does not resolve to a public address":
      "{what} erişilebilir değil: adı herkese açık bir adrese çözülmüyor",
    "{what} broke the connection off": "{what} bağlantıyı kesti",
    "it could not be handed to {what}": "mesaj teslim edilemedi: {what}",
  },
  /** Accounts, brokerages and trading states. */
  account: {
    "brokerageCode is not known": "aracı kurum bilinmiyor",
    "accountNumber is not one of your accounts": "bu hesap sizin hesaplarınızdan biri değil",
    "brokerageCode is not a paper brokerage of this engine": "bu aracı kurum sanal değil; hesabı sıfırlanamaz",
    "log in to the brokerage first": "önce aracı kurumda oturum açın",
    "the brokerage does not report balances": "aracı kurum bakiye bildirmiyor",
    "the brokerage refused this: {why}": "aracı kurum reddetti: {why}",
    "the brokerage refused this": "aracı kurum reddetti",
    "the brokerage does not know this": "aracı kurum bunu tanımıyor",
    "the brokerage cannot be reached now": "aracı kuruma şu anda ulaşılamıyor",
    "the brokerage cannot be reached now; nothing was set back":
      "aracı kuruma şu anda ulaşılamıyor; hesap sıfırlanmadı",
    "end what the account still has: {remains}": "önce hesaptakileri sonlandırın: {remains}",
    "OCO groups ({count})": "OCO grupları ({count})",
    "pending OCOs ({count})": "bekleyen OCO’lar ({count})",
    "bots ({count})": "botlar ({count})",
    "orders without an answer ({count})": "yanıtı gelmeyen emirler ({count})",
    "The account is set back": "hesap sıfırlandı",
    "The account is being sold": "hesabın pozisyonları satılıyor",
    "The trading state was set": "işlem durumu değiştirildi",
    "The limits were set": "limitler belirlendi",
    "trading is halted: {why}": "işlemler durduruldu: {why}",
    "only sells are taken: {why}": "yalnızca satış emirleri alınıyor: {why}",
    "includingStops is only for the state halted":
      "zarar durdur emirleri yalnızca durdurulmuş işlemlerle durdurulabilir",
    'confirm must be "{word}" to leave halted': "durdurmayı kaldırmak için onay alanına {word} yazın",
  },
  /** Users, keys and sessions. */
  key: {
    "The user was created": "kullanıcı oluşturuldu",
    "The API key was created": "API anahtarı oluşturuldu",
    "The API key was revoked": "API anahtarı iptal edildi",
    "user {id} was not found": "{id} numaralı kullanıcı bulunamadı",
    "API key {key} of user {id} was not found": "{id} numaralı kullanıcının {key} numaralı API anahtarı bulunamadı",
    "the API key is missing, unknown or revoked": "API anahtarı eksik, bilinmiyor veya iptal edilmiş",
    "the API key does not have any of the requested scopes": "API anahtarında istenen yetkilerin hiçbiri yok",
    "the refresh token is unknown, expired, used or revoked": "oturum yenilenemedi, süresi dolmuş veya iptal edilmiş",
    "the refresh token is not valid": "oturum yenilenemedi, yenileme anahtarı geçerli değil",
    "the X-API-Key header must hold a valid API key": "geçerli bir API anahtarı gerekli",
    "an access token is required": "oturum açmanız gerekli",
    "the access token is too long": "oturum anahtarı çok uzun",
    "the access token has expired": "oturumun süresi doldu",
    "the access token was revoked": "oturum iptal edildi",
    "the access token is not valid": "oturum anahtarı geçerli değil",
    "the access token is malformed": "oturum anahtarı bozuk",
    "the access token lacks the scope {scope}": "oturumunuzda bu işlemin yetkisi yok: {scope}",
    "{field} must name at least one scope": "{field} en az bir yetki içermeli",
  },
  /** The service itself: busy, stopping, at a limit. */
  service: {
    "the service is not ready": "servis henüz hazır değil",
    "the service is not available now": "servis şu anda kullanılamıyor",
    "the service is not available now; nothing was done": "servis şu anda kullanılamıyor; işlem yapılmadı",
    "the engine is not ready, try again": "servis henüz hazır değil, yeniden deneyin",
    "the engine is stopping; the outcome is not known yet: repeat with the same Idempotency-Key, or look it up":
      "servis kapanıyor, sonuç henüz bilinmiyor: yeniden deneyin veya sonuca bakın",
    "the symbols are not known yet, as no engine leads the shared partition; nothing was done, try again":
      "semboller henüz bilinmiyor; işlem yapılmadı, yeniden deneyin",
    "the service gave a malformed answer": "servis bozuk bir yanıt verdi",
    "the request failed and may have had an effect; {told}": "istek başarısız oldu ama etkili olmuş olabilir; {told}",
    "no answer came in time and the request may have had an effect; {told}":
      "zamanında yanıt gelmedi, istek etkili olmuş olabilir; {told}",
    "look the state up before you repeat it, or repeat it with the same Idempotency-Key":
      "yinelemeden önce sonucuna bakın",
    "the request failed": "istek başarısız oldu",
    "the request is too large": "istek çok büyük",
    "the list is changing; try again": "liste değişiyor; yeniden deneyin",
    "something went wrong here": "serviste bir hata oluştu",
    "something went wrong here; request id {id}": "serviste bir hata oluştu; istek numarası {id}",
    "the request is not valid": "istek geçerli değil",
    "the body is larger than {most} bytes": "istek {most} bayttan büyük",
    "the body was not sent to its end": "istek sonuna kadar gönderilmedi",
    "nothing is served at this path": "bu adreste bir şey yok",
    "Idempotency-Key was used with another request": "bu istek numarası başka bir istekle kullanılmış",
    "the first request with this Idempotency-Key is still running": "aynı isteğin ilki hâlâ sürüyor",
    "If-Match must be * or a list of entity tags in quotes": "istekteki sürüm (If-Match) geçerli değil",
    "requests an hour: {why}": "saatlik istek: {why}",
    "signals a minute: {why}": "dakikalık sinyal: {why}",
    "token requests a minute: {why}": "dakikalık oturum isteği: {why}",
    "{operation}: the limit of {most} is reached; try again in {count} s":
      "{operation}: {most} sınırına ulaşıldı; {count} sn sonra yeniden deneyin",
    "the limit of {most} is reached; try again in {count} s":
      "{most} sınırına ulaşıldı; {count} sn sonra yeniden deneyin",
    "{operation}: {count} together are above the limit of {most} and never fit; send at most {least}":
      "{operation}: {count} adet, {most} sınırını aşıyor; en çok {least} gönderin",
    "{count} together are above the limit of {most} and never fit; send at most {least}":
      "{count} adet, {most} sınırını aşıyor; en çok {least} gönderin",
    "{text} that were missed are being read back: ask again in a moment":
      "kaçırılan fiyatlar okunuyor: birazdan yeniden deneyin ({text})",
    "the group is in quarantine after a fault and waits for an operator":
      "grup bir hata nedeniyle karantinada ve bir operatörü bekliyor",
    "the pending OCO is in quarantine after a fault and waits for an operator":
      "bekleyen OCO bir hata nedeniyle karantinada ve bir operatörü bekliyor",
    "the bot is in quarantine after a fault and waits for an operator":
      "bot bir hata nedeniyle karantinada ve bir operatörü bekliyor",
    "cursor is not a value that this list returned": "listenin devamı okunamıyor; listeyi yeniden açın",
    "Last-Event-ID is not the id of an event": "olayların devamı okunamıyor; sayfayı yenileyin",
    "Last-Event-ID is not the id of an event of this user and installation":
      "olayların devamı okunamıyor, başka bir kurulumun numarası; sayfayı yenileyin",
    "Last-Event-ID lies in the future: no such event has happened":
      "olayların devamı okunamıyor, böyle bir olay olmadı; sayfayı yenileyin",
    "the symbol was not found": "sembol bulunamadı",
    "the symbol list was not found": "sembol listesi bulunamadı",
  },
} as const;
