/** A group that is right in every field. */
export const group = {
  brokerageCode: "PAPER",
  accountNumber: "1001",
  symbol: "AAA",
  stopLossPrice: 9.5,
  stopLossQuantity: 10,
  takeProfitItems: [{ price: 11, quantity: 5 }],
};
