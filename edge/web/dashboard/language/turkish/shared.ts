/** Words that several folders of the page use. */
export const SHARED = {
  Back: "Geri",
  Buy: "Al",
  Cancel: "İptal et",
  Limit: "Limit",
  Lots: "Lot",
  Market: "Piyasa",
  Note: "Not",
  Price: "Fiyat",
  Sell: "Sat",
  "Stop-loss": "Zarar durdur",
  Symbol: "Sembol",
  "Take-profit": "Kâr al",
} as const;
