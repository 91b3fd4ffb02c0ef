/** Messages of the service about the fields of a request: see service.ts. */
export const RULES = {
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
    "{field} must be at least {least}": "{field} en az {least} olmalı",
    "{field} must be at most {most}": "{field} en çok {most} olmalı",
    "{field} must be above {number}": "{field} {number} değerinden büyük olmalı",
    "{field} must be below {number}": "{field} {number} değerinden küçük olmalı",
    "{field} must be greater than 0": "{field} sıfırdan büyük olmalı",
    "{field} must be at most {most} characters": "{field} en çok {most} karakter olmalı",
    "{field} must have at most {most} characters": "{field} en çok {most} karakter olmalı",
    "{field} must have 1 to {most} characters": "{field} 1 ile {most} karakter arasında olmalı",
    "{field} must have 1 to {most} characters and not only blanks":
      "{field} 1 ile {most} karakter arasında olmalı ve yalnızca boşluktan oluşmamalı",
    "{field} must not be blank, nor begin or end with a blank": "{field} boş olamaz, boşlukla başlayamaz ve bitemez",
    "{field} must not be only blanks": "{field} yalnızca boşluktan oluşamaz",
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
    "{name} is not a field": "“{name}” adında bir alan yok",
    "{name} is not a field; did you mean {suggestion}?":
      "“{name}” adında bir alan yok; “{suggestion}” mı demek istediniz?",
    "{name} is not a parameter": "“{name}” adında bir parametre yok",
    "{name} is not a parameter; did you mean {suggestion}?":
      "“{name}” adında bir parametre yok; “{suggestion}” mı demek istediniz?",
    "{field} must be in the future": "{field} gelecekte olmalı",
    "{field} {time} must have a time of day": "{field} bir saat de içermeli: {time}",
    "{field} must be an ISO 8601 time such as {example}": "{field} {example} gibi bir ISO 8601 zamanı olmalı",
    "{field} must be 1 to 16 of A-Z, 0-9 and _": "{field} A-Z, 0-9 ve _ karakterlerinden 1 ile 16 karakter olmalı",
    "{field} is not an ISO 8601 time such as {example}": "{field} {example} gibi bir ISO 8601 zamanı olmalı",
    "{field} {value} is not in the years 1970 to 9999": "{field} 1970 ile 9999 yılları arasında olmalı: {value}",
    "{field} {value} does not exist": "{field} var olmayan bir zaman: {value}",
    "{field} is not a value that this list returned": "{field} bu listenin verdiği bir değer değil",
    "{field} must not be after {other}": "{field} {other} değerinden sonra olamaz",
    "{field} must lie at most {most} periods of the interval before {other}":
      "{field} {other} değerinden en çok {most} periyot önce olabilir",
    "exactly one of {field} and {other} must be given": "{field} ve {other} alanlarından yalnızca biri verilmeli",
    "exactly one of {field}, {other} and {third} must be given":
      "{field}, {other} ve {third} alanlarından yalnızca biri verilmeli",
    "events: choose at least one": "en az bir olay işaretleyin",
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
} as const;
