/** Words that several folders of the page use. */
export const SHARED = {
  Back: "Geri",
  Buy: "Al",
  Cancel: "İptal et",
  "Choose a symbol.": "Bir sembol seçin.",
  Limit: "Limit",
  Lots: "Lot",
  Market: "Piyasa",
  Note: "Not",
  Price: "Fiyat",
  Sell: "Sat",
  State: "Durum",
  "Stop-loss": "Zarar durdur",
  Symbol: "Sembol",
  "Take-profit": "Kâr al",
  "Yes, cancel it": "Evet, iptal et",
} as const;
