/** Remarks of the service at rows, pairs and symbols, and in events: see service.ts. */
export const REMARKS = {
  /** Remarks at rows, orders and pairs, and in events. */
  remark: {
    "{sold} of {total} sold": "{total} lotun {sold} lotu satıldı",
    "{sold} of {total} sold: {why}": "{total} lotun {sold} lotu satıldı: {why}",
    "{sold} of {total} sold, selling the rest": "{total} lotun {sold} lotu satıldı, kalan satılıyor",
    "{sold} of {total} sold: a part was filled after the brokerage had reported the end":
      "{total} lotun {sold} lotu satıldı: bir kısmı aracı kurum bitişi bildirdikten sonra gerçekleşti",
    "{sold} lots sold with {count} order": "{sold} lot {count} emirle satıldı",
    "{sold} lots sold with {count} orders": "{sold} lot {count} emirle satıldı",
    "stopped by its owner": "sahibi durdurdu",
    "split {word} to {id} on {day}: {rest}": "{day} tarihli {word} paydan {id} paya bölünme: {rest}",
    "bonus issue of {word} for 1 on {day}: {rest}": "{day} tarihli, 1 paya {word} bedelsiz: {rest}",
    "rights issue of {word} for 1 at {price} on {day}: {rest}":
      "{day} tarihli, 1 paya {word} bedelli ({price} fiyattan): {rest}",
    "dividend of {price} on {day}: {rest}": "{day} tarihli {price} temettü: {rest}",
    "{what}: no level fires until you release the group, as {why}":
      "{what}: siz grubu serbest bırakana kadar hiçbir seviye işlemez; neden: {why}",
    "split {word} to {id} on {day}": "{day} tarihli {word} paydan {id} paya bölünme",
    "bonus issue of {word} for 1 on {day}": "{day} tarihli, 1 paya {word} bedelsiz",
    "rights issue of {word} for 1 at {price} on {day}": "{day} tarihli, 1 paya {word} bedelli ({price} fiyattan)",
    "dividend of {price} on {day}": "{day} tarihli {price} temettü",
    "{why}: no lot is left to be sold": "{why}: satılacak lot kalmadı",
    "its levels were set on that day and the new price reaches them":
      "seviyeleri o gün verildi ve yeni fiyat onlara ulaşıyor",
    "its owner wants it so": "sahibi böyle istiyor",
    "an earlier action holds it": "önceki bir işlem grubu bekletiyor",
    "{why}: the stop-loss is being sold, and continues with the lots it had":
      "{why}: zarar durdur satılıyor ve mevcut lotlarıyla sürüyor",
    "a level would lie above every price": "bir seviye en yüksek fiyatı aşardı",
    "a quantity would be above the greatest one": "bir lot sayısı en yüksek sayıyı aşardı",
    "{price} for {lots} lots": "{lots} lot için {price}",
    "no level of the group changes": "grubun hiçbir seviyesi değişmiyor",
    "{count} take-profits of the group follow": "grubun {count} kâr al seviyesi değişti",
    "nothing is left to be sold": "satılacak bir şey kalmadı",
    "the stop-loss was at {level} and is at {price} now": "zarar durdur {level} idi, şimdi {price}",
    "{why}: its group will be held": "{why}: grubu bekletilecek",
    "the account was just known to hold no more": "hesapta başka lot kalmadığı biliniyor",
    "{count} orders of one day did not sell it": "bir günde {count} emirle satılamadı",
    "sent once more with {lots} of {total} lots: {why}": "{total} lotun {lots} lotu için yeniden gönderildi: {why}",
    "{lots} lots were bought after the stop-loss was over: nothing watches them":
      "zarar durdur bittikten sonra {lots} lot alındı: bu lotlar izlenmiyor",
    "{lots} lots were bought after the stop-loss had fired, and are sold too":
      "zarar durdur tetiklendikten sonra {lots} lot alındı, bunlar da satılıyor",
    "it would sell more than is left": "kalandan fazla lot satardı",
    "rejected by the brokerage": "aracı kurum reddetti",
    "cancelled by the brokerage": "aracı kurum iptal etti",
    "settled by an operator": "bir operatör sonuçlandırdı",
    "an operator holds it": "bir operatör bekletiyor",
    "its first price of the session is {price}, the last one before was {level}":
      "seansın ilk fiyatı {price}, önceki son fiyat {level}",
    "order {id} is in doubt, {sold} of {total} known as filled":
      "{id} numaralı emrin sonucu belirsiz, {total} lotun {sold} lotunun gerçekleştiği biliniyor",
    "order {id} is in doubt, {sold} of {total} known as filled: {why}":
      "{id} numaralı emrin sonucu belirsiz, {total} lotun {sold} lotunun gerçekleştiği biliniyor: {why}",
    "{why}: an operator decides": "{why}: kararı bir operatör verir",
    "an operator decides": "kararı bir operatör verir",
    "the brokerage does not know it any more": "aracı kurum emri artık tanımıyor",
    "the brokerage cannot report the outcome": "aracı kurum sonucu bildiremiyor",
    "the brokerage reports it as completed without the filled quantity":
      "aracı kurum emri gerçekleşmiş bildiriyor, lot sayısını vermiyor",
    "the brokerage reports it as completed without the price":
      "aracı kurum emri gerçekleşmiş bildiriyor, fiyatı vermiyor",
    "the brokerage does not know order {id} any more": "aracı kurum {id} numaralı emri artık tanımıyor",
    "order {id} is in doubt, as {why}": "{id} numaralı emrin sonucu belirsiz, {why}",
    "the pending OCO waits until it is found or removed": "bekleyen OCO, emir bulunana veya kaldırılana kadar bekler",
    "exit.at {time} had passed before the group was made, so it does not sell at that time":
      "satış zamanı {time} grup oluşturulmadan geçti, grup o zaman satmaz",
    "the order was filled after its end": "emir bittikten sonra gerçekleşti",
    "the order was filled after its end, and is registered again":
      "emir bittikten sonra gerçekleşti ve yeniden kaydedildi",
    "the order was filled on a later day than it ended": "emir, bittiği günden sonraki bir gün gerçekleşti",
    "the brokerage refuses to cancel the buy, which stays open: {why}":
      "aracı kurum alışı iptal etmeyi reddediyor, emir açık: {why}",
    "the brokerage reported no price of the fill": "aracı kurum gerçekleşme fiyatını bildirmedi",
  },
  /** The outcome of a bot's pairs and signals. */
  pair: {
    "no price of the buy is known: it counts as {price}": "alışın fiyatı bilinmiyor: {price} sayılıyor",
    "the brokerage reports the order as ended, without what was filled or its price: it is asked again":
      "aracı kurum emri bitmiş bildiriyor, gerçekleşen lotu veya fiyatı vermiyor: yeniden sorulur",
    "no sell level: {why}": "satış seviyesi yok: {why}",
    "no price of the buy is known": "alışın fiyatı bilinmiyor",
    "the order was filled after its end had been reported": "emir, bittiği bildirildikten sonra gerçekleşti",
    "{why} with {lots} of {total} unsold": "{why}, {total} lotun {lots} lotu satılmadı",
    "{lots} lots that were bought late are to be sold": "geç alınan {lots} lot satılacak",
    "the brokerage reported no price for {lots} lots: the profit leaves them out":
      "aracı kurum {lots} lotun fiyatını bildirmedi: kâr bunları içermez",
    "buy failed: {why}": "alış başarısız: {why}",
    "sell failed: {why}": "satış başarısız: {why}",
    "the order ended": "emir bitti",
    "the order ended: {why}": "emir bitti: {why}",
    "the brokerage rejected the order": "aracı kurum emri reddetti",
    "the brokerage rejected the order: {why}": "aracı kurum emri reddetti: {why}",
    "the order was cancelled": "emir iptal edildi",
    "the order was cancelled: {why}": "emir iptal edildi: {why}",
    "{name} {period} was left out of the bot; its open pair is still sold at its sell signal":
      "{name} {period} bottan çıkarıldı; açık işlemi yine satış sinyaliyle satılır",
    "buy signal {name} {period} ignored: {why}": "{name} {period} alış sinyali işleme alınmadı: {why}",
    "sell signal {name} {period} ignored: {why}": "{name} {period} satış sinyali işleme alınmadı: {why}",
    "buy signal {name} {period} matches no detail: {why}": "{name} {period} alış sinyali hiçbir satıra uymuyor: {why}",
    "sell signal {name} {period} matches no detail: {why}":
      "{name} {period} satış sinyali hiçbir satıra uymuyor: {why}",
    "sell signal {name} {period} is kept: it is done once the buy has completed":
      "{name} {period} satış sinyali bekletiliyor: alış tamamlanınca işlenir",
    "a pair is open already": "açık bir işlem zaten var",
    "the bot has no pair numbers left": "botun işlem numarası kalmadı",
    "no pair is open": "açık işlem yok",
    "a sell waits for the buy of the pair already": "bir satış zaten alışın tamamlanmasını bekliyor",
    "the pair is being sold already": "işlem zaten satılıyor",
    "the bot has no details": "botun sembolü yok",
    "the price is not known": "fiyat bilinmiyor",
    "price {price} is outside the buy limits": "{price} fiyatı alış sınırlarının dışında",
    "price {price} is outside the sell limits": "{price} fiyatı satış sınırlarının dışında",
    "{field} {text} is not {value}": "{field} uymuyor: {text}, beklenen {value}",
  },
  /** New names of symbols. */
  rename: {
    "{from} was renamed to {to}: its levels are watched under the new name":
      "{from} sembolünün adı {to} oldu: seviyeleri yeni adıyla izleniyor",
  },
  /** Measures of the exchange. */
  measure: {
    "a measure of the exchange closed its order book": "bir borsa tedbiri sembolün emir defterini kapattı",
    "a measure of the exchange closed this way of orders": "bir borsa tedbiri bu emir kanalını kapattı",
    "a measure of the exchange takes it out of this session": "bir borsa tedbiri sembolü bu seansın dışında tutuyor",
    "sells of reached levels wait until the measure ends": "ulaşılan seviyelerin satışı tedbir bitene kadar bekler",
    "sells of reached levels wait for continuous trading": "ulaşılan seviyelerin satışı sürekli işlemi bekler",
    "sells are limit orders at the floor of the day if it is known":
      "satışlar, biliniyorsa günün taban fiyatından limit emirdir",
    "a stop-loss is sold in orders of at most {amount}": "zarar durdur en çok {amount} tutarlı emirlerle satılır",
    "the largest value of an order is not known, and a stop-loss is sold as before":
      "bir emrin en yüksek tutarı bilinmiyor, zarar durdur önceki gibi satılır",
    "a market order fills in an auction, and its rest is sold on":
      "piyasa emri tek fiyat seansında gerçekleşir, kalanı satılmaya devam eder",
    "stop-losses and take-profits sell as before": "zarar durdur ve kâr al önceki gibi satar",
  },
} as const;
