/**
 * Messages of the service, by topic: the English pattern and its Turkish sentence. A value in braces is written by its
 * name: `field` and `other` as the label of a field, `number` and `lots` as a number, `price` as a price, `told` and
 * `why` as a message of their own; any other is repeated.
 */
import { REMARKS } from "./service-remarks.ts";
import { RULES } from "./service-rules.ts";

export const SERVICE = {
  ...RULES,
  ...REMARKS,
  /** OCO groups: making and changing them. */
  group: {
    "The OCO group was created": "OCO grubu oluşturuldu",
    "The OCO group was created; {rest}": "OCO grubu oluşturuldu; {rest}",
    "The OCO group was changed": "OCO grubu değiştirildi",
    "The OCO group was changed; {rest}": "OCO grubu değiştirildi; {rest}",
    "The OCO group was cancelled": "OCO grubu iptal edildi",
    "What could be cancelled of the OCO group was cancelled; a sell that is on its way to the brokerage was not":
      "OCO grubunun iptal edilebilen kısmı iptal edildi; aracı kuruma gönderilmekte olan satış iptal edilemedi",
    "The OCO group was released": "OCO grubu serbest bırakıldı",
    "The OCO group was released; {rest}": "OCO grubu serbest bırakıldı; {rest}",
    "The exit is being stopped": "çıkış durduruluyor",
    "{symbol} is at {price}, at or under the stop-loss {level}, so it sells immediately":
      "{symbol} fiyatı {price}, zarar durdur seviyesinde ({level}) veya altında olduğundan hemen satılıyor",
    "{symbol} is at {price}, at or over the take-profit {level}, so it sells immediately":
      "{symbol} fiyatı {price}, kâr al seviyesinde ({level}) veya üstünde olduğundan hemen satılıyor",
    "no price of {symbol} is known yet": "{symbol} için henüz fiyat yok",
    "the stop-loss {level} lies under today's floor {price}, so no price reaches it today":
      "zarar durdur ({level}) bugünün taban fiyatının ({price}) altında, bugün bu fiyata ulaşılamaz",
    "{symbol} is under measures of its exchange ({text}): {rest}": "{symbol} için borsa tedbiri var ({text}): {rest}",
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
    "{field} must be higher than stopLossPrice": "{field} zarar durdur fiyatından yüksek olmalı",
    "{field} must be higher than entry.price ({price})": "{field} alışın limit fiyatından ({price}) yüksek olmalı",
    "{field} must be higher than entry.triggerPrice ({price})": "{field} tetik fiyatından ({price}) yüksek olmalı",
    "{field} must be lower than entry.price ({price})": "{field} alışın limit fiyatından ({price}) düşük olmalı",
    "{field} must be lower than entry.triggerPrice ({price})": "{field} tetik fiyatından ({price}) düşük olmalı",
    "takeProfitItems price {price} must be higher than stopLossPrice {level}":
      "kâr al fiyatı ({price}) zarar durdur fiyatından ({level}) yüksek olmalı",
    "stopLossTrailing.activationPrice {price} must be higher than stopLossPrice {level}":
      "izlemenin başlama fiyatı ({price}) zarar durdur fiyatından ({level}) yüksek olmalı",
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
  /** Pending OCOs and entries. */
  pending: {
    "The pending OCO was registered": "bekleyen OCO kaydedildi",
    "The pending OCO was registered; {rest}": "bekleyen OCO kaydedildi; {rest}",
    "The pending OCO was changed": "bekleyen OCO değiştirildi",
    "The pending OCO was changed; {rest}": "bekleyen OCO değiştirildi; {rest}",
    "The pending OCO was removed": "bekleyen OCO kaldırıldı",
    "The entry was placed": "giriş emri iletildi",
    "The entry was cancelled by the brokerage": "giriş emri aracı kurum tarafından iptal edildi",
    "The entry was rejected by the brokerage": "giriş emri aracı kurum tarafından reddedildi",
    "The entry is being cancelled at the brokerage; what was filled of it becomes a group":
      "girişin alış emri aracı kurumda iptal ediliyor; gerçekleşen kısmı grup olur",
    "The order was completed already: OCO group {id} was made":
      "emir zaten gerçekleşmişti: {id} numaralı OCO grubu oluşturuldu",
    "The order was completed already: OCO group {id} was made; {rest}":
      "emir zaten gerçekleşmişti: {id} numaralı OCO grubu oluşturuldu; {rest}",
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
    "The order was placed; {rest}": "emir iletildi; {rest}",
    "The order was cancelled by the brokerage": "emir aracı kurum tarafından iptal edildi",
    "The order was rejected by the brokerage": "emir aracı kurum tarafından reddedildi",
    "The order was cancelled": "emir iptal edildi",
    "symbol {symbol} is not known": "{symbol} bilinen bir sembol değil",
    "symbol {symbol} is not active": "{symbol} etkin bir sembol değil",
    "symbol {symbol} was renamed: it is {name} now": "{symbol} sembolünün adı değişti: artık {name}",
    "the levels of {symbol} follow a change of its name now; retry in a moment":
      "{symbol} seviyeleri şu anda yeni adına geçiyor; birazdan yeniden deneyin",
    "symbol {symbol} is not known yet: ask again in a moment": "{symbol} henüz bilinmiyor: birazdan yeniden deneyin",
    "buySell must be 1 (buy) or 2 (sell)": "yön alış veya satış olmalı",
    "orderType must be 1 (market) or 2 (limit)": "emir türü piyasa veya limit olmalı",
    "price {price} of a market order must be 0": "piyasa emrinde fiyat sıfır olmalı: {price}",
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
    "The price alert was created": "fiyat uyarısı oluşturuldu",
    "The price alert was changed": "fiyat uyarısı değiştirildi",
    "The price alert was changed; {rest}": "fiyat uyarısı değiştirildi; {rest}",
    "The price alert was removed": "fiyat uyarısı kaldırıldı",
    "The price is reached already: the alert was sent": "fiyata zaten ulaşıldı: uyarı gönderildi",
    "the price is reached already: the alert was sent": "fiyata zaten ulaşıldı: uyarı gönderildi",
    "price alert {id} was not found": "{id} numaralı fiyat uyarısı bulunamadı",
    "price alert {id} is over: its price was reached": "{id} numaralı fiyat uyarısı bitti: fiyatına ulaşıldı",
    "price alert {id} is over: its time has passed": "{id} numaralı fiyat uyarısı bitti: süresi doldu",
    "at most {most} price alerts of a user can be under watch": "aynı anda en çok {most} fiyat uyarısı izlenebilir",
    "The target was made": "kanal oluşturuldu",
    "The target was changed": "kanal değiştirildi",
    "The target was removed": "kanal kaldırıldı",
    "The test was sent": "test gönderildi",
    "The test message was taken": "test mesajı alındı",
    "notification target {id} was not found": "{id} numaralı kanal bulunamadı",
    "there may be at most {most} targets": "en çok {most} kanal olabilir",
    "kind of a target cannot be changed": "bir kanalın türü değiştirilemez",
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
    "{what} refused the sign-in (status {status})": "{what} oturum açmayı reddetti (durum {status})",
    "{what} refused the sign-in": "{what} oturum açmayı reddetti",
    "{what} refused it (status {status})": "{what} reddetti (durum {status})",
    "no TLS connection with {what}: {why}": "{what}: TLS bağlantısı kurulamadı, {why}",
    "no TLS connection with {what}": "{what}: TLS bağlantısı kurulamadı",
    "time-out: {what} did not answer": "zaman aşımı: {what} yanıt vermedi",
    "{what} is not reachable: its name does not resolve to a public address":
      "{what}: ulaşılamıyor, adı genel bir adrese çözümlenmiyor",
    "{what} is not reachable": "{what}: ulaşılamıyor",
    "{what} broke the connection off": "{what} bağlantıyı kesti",
    "it could not be handed to {what}": "{what}: iletilemedi",
    "the server": "sunucu",
    "the mail server": "e-posta sunucusu",
    "its certificate has expired": "sertifikanın süresi dolmuş",
    "its certificate is not valid yet": "sertifika henüz geçerli değil",
    "its certificate is for another name": "sertifika başka bir ada ait",
    "its certificate is not trusted": "sertifikaya güvenilmiyor",
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
    "the brokerage refused the login: {why}": "aracı kurum oturum açmayı reddetti: {why}",
    "the brokerage did not answer the login; try again":
      "aracı kurum oturum açma isteğine yanıt vermedi; yeniden deneyin",
    "it gave no reason": "gerekçe bildirmedi",
    "A code was sent by SMS": "SMS ile bir kod gönderildi",
    "You are logged in to the brokerage": "aracı kurumda oturum açıldı",
    "The account is set back": "hesap sıfırlandı",
    "The account is being sold": "hesabın pozisyonları satılıyor",
    "The trading state was set": "işlem durumu değiştirildi",
    "The limits were set": "limitler belirlendi",
    "trading is halted: {why}": "işlemler durduruldu: {why}",
    "only sells are taken: {why}": "yalnızca satış emirleri alınıyor: {why}",
    "halted at the dashboard": "panelden durduruldu",
    "resumed at the dashboard": "panelden yeniden başlatıldı",
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
    "the request failed and may have had an effect; {rest}": "istek başarısız oldu ama etkili olmuş olabilir; {rest}",
    "no answer came in time and the request may have had an effect; {rest}":
      "zamanında yanıt gelmedi, istek etkili olmuş olabilir; {rest}",
    "look the state up before you repeat it, or repeat it with the same Idempotency-Key":
      "yinelemeden önce sonucuna bakın",
    "the request failed": "istek başarısız oldu",
    "the request is too large": "istek çok büyük",
    "the list is changing; try again": "liste değişiyor; yeniden deneyin",
    "something went wrong here; request id {id}": "serviste bir hata oluştu; istek numarası {id}",
    "the request is not valid": "istek geçerli değil",
    "no engine answers for partition {text}": "servisin {text} numaralı bölümü yanıt vermiyor",
    "keys and revocations are not known yet": "anahtarlar henüz bilinmiyor; birazdan yeniden deneyin",
    "the method is not allowed at this path; use {text}": "bu adreste yalnızca şu işlemler yapılabilir: {text}",
    "{name} is not honoured here": "istekteki {name} koşulu bu işlemde kullanılamaz",
    "internal error": "serviste bir hata oluştu",
    "the body is larger than {most} bytes": "istek {most} bayttan büyük",
    "the body was not sent to its end": "istek sonuna kadar gönderilmedi",
    "nothing is served at this path": "bu adreste bir şey yok",
    "Idempotency-Key was used with another request": "bu istek numarası başka bir istekle kullanılmış",
    "Idempotency-Key must be 1 to {most} characters": "istek numarası 1 ile {most} karakter arasında olmalı",
    "{symbol} is not held": "{symbol} bekletilmiyor",
    "the first request with this Idempotency-Key is still running": "aynı isteğin ilki hâlâ sürüyor",
    "If-Match must be * or a list of entity tags in quotes": "istekteki sürüm (If-Match) geçerli değil",
    "requests an hour": "saatlik istek",
    "token requests a minute": "dakikalık oturum isteği",
    "{what}: the limit of {most} is reached; try again in {count} s":
      "{what}: {most} sınırına ulaşıldı; {count} sn sonra yeniden deneyin",
    "{what}: {count} together are above the limit of {most} and never fit; send at most {least}":
      "{what}: {count} adet, {most} sınırını aşıyor; en çok {least} gönderin",
    "{what} that were missed are being read back: ask again in a moment":
      "kaçırılan fiyatlar okunuyor: birazdan yeniden deneyin ({what})",
    "prices of {symbol}": "{symbol} fiyatları",
    "{what} is in quarantine after a fault and waits for an operator":
      "{what} bir hata nedeniyle karantinada ve bir operatörü bekliyor",
    "the group": "grup",
    "the price alert": "fiyat uyarısı",
    "the pending OCO": "bekleyen OCO",
    "the bot": "bot",
    "cursor is not a value that this list returned": "listenin devamı okunamıyor; listeyi yeniden açın",
    "Last-Event-ID is not the id of an event": "olayların devamı okunamıyor; sayfayı yenileyin",
    "Last-Event-ID is not the id of an event of this user and installation":
      "olayların devamı okunamıyor, başka bir kurulumun numarası; sayfayı yenileyin",
    "Last-Event-ID lies in the future: no such event has happened":
      "olayların devamı okunamıyor, böyle bir olay olmadı; sayfayı yenileyin",
    "the symbol was not found": "sembol bulunamadı",
  },
} as const;
