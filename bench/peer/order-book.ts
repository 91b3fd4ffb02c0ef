/**
 * nodejs-order-book driven as a stop book, a book a symbol: stop-losses are stop orders, take-profits limit orders. A
 * tick is a trade of one lot at its price, which moves the book's market price and makes it check its stops.
 */
import { OrderBook } from "nodejs-order-book";
import { bySymbol, type MakePeer } from "./peer.ts";

type Book = InstanceType<typeof OrderBook>;
/** The side's names are values of an enum that the package does not export. */
const SELL = "sell" as Parameters<Book["market"]>[0]["side"];
const BUY = "buy" as Parameters<Book["market"]>[0]["side"];

export const orderBook: MakePeer = (groups, startPrice) => {
  const books = new Map<string, Book>();
  let sequence = 0;
  let fired = 0;
  const trade = (book: Book, price: number): void => {
    sequence += 1;
    const bought = book.limit({ id: `t${sequence}`, side: BUY, size: 1, price });
    const sold = book.market({ side: SELL, size: 1 });
    // The lot bought and the lot sold are done; any other done order was a stop or a take-profit.
    fired += bought.done.length + sold.done.length - 1 + (sold.activated?.length ?? 0);
  };
  for (const [symbol, own] of bySymbol(groups)) {
    const book = new OrderBook();
    books.set(symbol, book);
    trade(book, startPrice);
    for (const { id, stopLoss, takeProfits } of own) {
      book.stopMarket({ side: SELL, size: 2, stopPrice: stopLoss });
      for (const [index, price] of takeProfits.entries())
        book.limit({ id: `${id}/${index}`, side: SELL, size: 1, price });
    }
  }
  fired = 0;
  return {
    name: "nodejs-order-book as a stop book",
    onTick: (symbol, price) => {
      const book = books.get(symbol);
      if (book !== undefined) trade(book, price);
    },
    firedCount: () => fired,
  };
};
