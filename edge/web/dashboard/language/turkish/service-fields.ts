/** The labels of the fields that messages of the service name, as the forms have them. */
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
  ...{
    "exit.stopLoss": SHARED["If an order leaves lots unsold"],
    "exit.at": "Satış zamanı",
    exit: "Zarar durdur satışı",
  },
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
  ...{ until: SHARED["Watched until"], repeat: "Yineleme", direction: "Koşul" },
  ...{ state: SHARED.State, reason: "Gerekçe", confirm: "Onay", includingStops: "Zarar durdur emirleri dahil" },
  ...{ from: "Başlangıç", to: "Bitiş", startDate: "Başlangıç", endDate: "Bitiş" },
};
