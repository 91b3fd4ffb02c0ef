/** Parts that several views use: numbers, tables, questions, orders in doubt. */
export const PART = {
  "{lots} too many committed": "{lots} lot fazla bağlı",
  "The service counts all lots of a stop-loss as committed, also {lots} that take-profits have sold.":
    "Servis, zarar durdurun tüm lotlarını bağlı sayar; kâr al ile satılan {lots} lot da buna dahildir.",
  "Group {id}: {lots}": "Grup {id}: {lots}",
  "Order {number}: {lots}": "Emir {number}: {lots}",
  "Bots: {lots}": "Botlar: {lots}",
  "Pending: {lots} after the buy": "Bekleyen: alıştan sonra {lots}",
  "{count} s": "{count} sn",
  "{count} min": "{count} dk",
  "{count} h": "{count} sa",
  "{minutes} min {seconds} s": "{minutes} dk {seconds} sn",
  "{hours} h {minutes} min": "{hours} sa {minutes} dk",
  "{days} d {hours} h": "{days} g {hours} sa",
  "Digits only.": "Yalnızca rakam girin; binlik ayırıcı nokta olabilir.",
  "Digits, and at most {count} more after a point.":
    "Rakam girin; virgülden sonra en fazla {count} rakam olabilir. Yalnız noktayla yazılan 1.312 iki türlü okunur: bin üç yüz on iki için 1312, ondalık sayı için virgülle, 1,31 gibi yazın.",
  Triggered: "Tetiklendi",
  Failed: "Başarısız",
  Cancelled: "İptal edildi",
  Waiting: "Bekliyor",
  Open: "Açık",
  Rejected: "Reddedildi",
  "Orders and alarms": "Emirler ve alarmlar",
  none: "yok",
  "{count} without a copy": "{count} bölümün kopyası yok",
  "a copy is far behind": "bir kopya çok geride",
  "the servers of the log cannot be trusted": "günlük sunucularına güvenilemiyor",
  "{led} of {count} partitions led": "{count} bölümden {led} tanesi yönetiliyor",
  "copies have all": "kopyalar güncel",
  "copies lack {count}": "kopyalarda {count} kayıt eksik",
  "Keep it": "Vazgeç",
  "Copied: {label}": "Kopyalandı: {label}",
  "Copy: {label}": "Kopyala: {label}",
  Copied: "Kopyalandı",
  Copy: "Kopyala",
  "yyyy-mm-dd hh:mm": "gg.aa.yyyy ss:dd",
  "Choose from a calendar": "Takvimden seç",
  "Give the whole date and time, or none: {form}.": "Tarih ve saati tam girin ({form}) veya boş bırakın.",
  "Percent of {whole}": "Yüzde: {whole}",
  "Type {word} to confirm": "Onaylamak için {word} yazın",
  "Stop-loss of {lots} lots at {price} of OCO group {id}":
    "{id} numaralı OCO grubunun zarar durdur emri, {lots} lot, {price}",
  "Take-profit of {lots} lots at {price} of OCO group {id}":
    "{id} numaralı OCO grubunun kâr al emri, {lots} lot, {price}",
  "stop-loss of {lots} lots at {price}": "zarar durdur {lots} lot, {price} fiyatından",
  "take-profit of {lots} lots at {price}": "kâr al {lots} lot, {price} fiyatından",
  "An order that you placed": "Sizin verdiğiniz bir emir",
  "No level protects these lots. The bot sends no other order for this trade.":
    "Bu lotları koruyan bir seviye yok. Bot bu işlem için başka emir göndermez.",
  "Nothing is under watch: the group is made when the brokerage reports the fill.":
    "Henüz hiçbir şey izlenmiyor: grup, aracı kurum gerçekleşmeyi bildirdiğinde oluşturulur.",
  "No level depends on this order.": "Bu emre bağlı bir seviye yok.",
  "Nothing of the group is under watch: no stop-loss protects its lots.":
    "Grubun hiçbir seviyesi izlenmiyor: lotlarını koruyan bir zarar durdur yok.",
  "No stop-loss is under watch. Under watch: {levels}.": "İzlenen zarar durdur yok. İzlenenler: {levels}.",
  "Under watch: {levels}.": "İzlenenler: {levels}.",
  "Look at order {orderNo} at {brokerage}. If it bought nothing, remove the pending OCO (Pending). If it bought lots, remove it as well and make a group for them.":
    "{orderNo} numaralı emri aracı kurumda kontrol edin ({brokerage}). Alış yapmadıysa bekleyen OCO’yu kaldırın (Bekleyenler). Alış yaptıysa yine kaldırın ve alınan lotlar için bir grup oluşturun.",
  "Look at order {orderNo} at {brokerage}: how many lots were filled in all, and at which price?":
    "{orderNo} numaralı emri aracı kurumda kontrol edin ({brokerage}): toplam kaç lot, hangi fiyattan gerçekleşti?",
  "Then settle it with one of these commands.": "Sonra bu komutlardan biriyle sonuçlandırın.",
  "Report it to your operator.": "Sonucu operatörünüze bildirin.",
  "Look for it at {brokerage}.": "Emri aracı kurumda arayın ({brokerage}).",
  "Then settle it: it exists under a number, it does not exist and is refused, or it does not exist and is sent again.":
    "Sonra sonuçlandırın: emir bir numarayla vardır, emir yoktur ve reddedilmiş sayılır, ya da emir yoktur ve yeniden gönderilir.",
  "The service asks for it as well. If it remains without an answer, report what you found to your operator.":
    "Servis de emri sorguluyor. Yanıt gelmezse bulduğunuzu operatörünüze bildirin.",
} as const;
