/** Pending OCOs: their levels, and the forms that make and change one. */
export const SETUP = {
  "{quantity} at about {price} (-{percent}%)": "{quantity} lot, yaklaşık {price} (-%{percent})",
  "{quantity} at about {price} (+{percent}%)": "{quantity} lot, yaklaşık {price} (+%{percent})",
  "Once the whole order is filled, its stop-loss and take-profits are under watch.":
    "Emrin tamamı gerçekleşince zarar durdur ve kâr al seviyeleri izlenmeye başlar.",
  "Filled lots are protected by the stop-loss and take-profits immediately.":
    "Gerçekleşen lotlar hemen zarar durdur ve kâr al ile korunur.",
  "The buy is sent when the price rises to {price}.": "Fiyat yükselip şuna ulaşınca alış emri gönderilir: {price}.",
  "The buy fills at the market price.": "Alış piyasa fiyatından gerçekleşir.",
  "The price has reached the limit: the buy can fill now.": "Fiyat limite ulaştı: alış şimdi gerçekleşebilir.",
  "The buy fills when the price falls to {price}.": "Fiyat düşüp şuna ulaşınca alış gerçekleşir: {price}.",
  Unit: "Birim",
  "{quantity} at {percent}% above the fill": "{quantity} lot, gerçekleşme fiyatının %{percent} üstünde",
  "{quantity} at {percent}% below the fill": "{quantity} lot, gerçekleşme fiyatının %{percent} altında",
  "Buy is cancelled": "Alış iptali",
  "% above": "% üstünde",
  "% below": "% altında",
  "a take-profit": "kâr al",
  "As it is now:": "Şimdiki hali:",
  "Change the pending OCO": "Bekleyen OCO'yu değiştir",
  "Change the pending OCO of {name}": "Bekleyen OCO'yu değiştir: {name}",
  "Change the pending OCO of {symbol}?": "{symbol} için bekleyen OCO değiştirilsin mi?",
  "Check the pending OCO": "Bekleyen OCO'yu kontrol et",
  "Choose a buy order": "Bir alış emri seçin",
  "Money at risk: about {loss}, if {lots} lots are bought at {price} and sold at {stop}. A sale at market can bring less.":
    "Riskteki tutar: {lots} lot {price} fiyatından alınıp {stop} fiyatından satılırsa yaklaşık {loss}. Piyasa emriyle satış daha az getirebilir.",
  "Must be higher than the price of the buy, {price}.": "Alış fiyatından ({price}) yüksek olmalı.",
  "Must be lower than the price of the buy, {price}.": "Alış fiyatından ({price}) düşük olmalı.",
  "New pending OCO": "Yeni bekleyen OCO",
  "No buy order without a pending OCO is open.": "Bekleyen OCO'su olmayan açık alış emri yok.",
  "Nothing of the pending OCO is changed yet.": "Bekleyen OCO'da henüz bir değişiklik yapmadınız.",
  "Order {orderNo}: buy {lots} {symbol} at {price} or better":
    "Emir {orderNo}: {symbol}, {lots} lot al, en çok {price} fiyattan",
  "Order {orderNo}: buy {lots} {symbol} at market": "Emir {orderNo}: {symbol}, {lots} lot al, piyasa fiyatından",
  price: "fiyat",
  "Percentages count from the price of the fill.": "Yüzdeler gerçekleşme fiyatına göre hesaplanır.",
  "Protect the buy of {lots} {symbol}?": "{lots} lot {symbol} alımı korunsun mu?",
  "Register the pending OCO": "Bekleyen OCO'yu kaydet",
  "Stop-loss sells": "Zarar durdur satış zamanı",
  "Take-profit {number}": "Kâr al {number}",
  "The group is made once the whole order is filled. Until then nothing protects a part that is filled; if the order ends with a part filled, no group is made.":
    "Grup, emrin tamamı gerçekleşince oluşturulur. O zamana kadar gerçekleşen kısım korunmaz; emir kısmen gerçekleşip sona ererse grup oluşturulmaz.",
  "the limit of the buy": "alışın limit fiyatı",
  "The money at risk is not known.": "Riskteki tutar bilinmiyor.",
  "the order": "emir",
  "The pending OCO has changed in the meantime: nothing was changed. Above is what it is now. What you typed remains.":
    "Bekleyen OCO bu arada değişti, değişikliğiniz uygulanmadı. Yukarıda şimdiki hali var. Yazdıklarınız duruyor.",
  "The price is {price} now: {levels} would sell as soon as the buy is filled.":
    "Fiyat şu anda {price}: alım gerçekleşir gerçekleşmez {levels} satış yapar.",
  "the stop-loss": "zarar durdur",
  "The stop-loss sells {lots} lots more than the order buys.": "Zarar durdur, emrin aldığından {lots} lot fazla satar.",
  "This order is not open any more, or has a pending OCO. The service looks it up when you register.":
    "Bu emir artık açık değil veya bekleyen OCO'su var. Kaydettiğinizde servis emri sorgular.",
  "Trailing distance": "İzleyen zarar durdur mesafesi",
} as const;
