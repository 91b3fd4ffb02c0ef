/** A symbol, with the way to its chart and ticket. */
import { say } from "../language/say.ts";

export function ChartLink({ symbol }: { readonly symbol: string }) {
  return (
    <a href={`#/trade/${encodeURIComponent(symbol)}`} title={say("Chart and ticket of {symbol}", { symbol })}>
      <strong>{symbol}</strong>
    </a>
  );
}
