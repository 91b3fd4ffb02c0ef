"""Keeps a position protected: a stop 4 % under the price, and half of it sold 3 % over. When that half is sold, what is
left gets levels of its own around the new price; when the stop is sold, the strategy ends.

python3 strategy.py <SYMBOL> [how often to protect again before it ends]
"""
import sys, time
from client import Api

ACTIVE, STOP_LOSS = 1, 2
symbol, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1
api = Api()
account = api.listAccounts()["data"][0]
place = {field: account[field] for field in ("brokerageCode", "accountNumber")}


def group():
    return [row for row in api.listOcoOrders(**place)["data"] if row["symbol"] == symbol and row["status"] == ACTIVE]


def lots():
    time.sleep(1)  # Positions may be asked for once a second.
    held = api.listPositions(**place, includeOrders=False)["data"]
    return next((int(one["quantity"]) for one in held if one["symbol"] == symbol), 0)


def protect():
    """Says whether there is anything to protect. A whole group that is there already, from an earlier run, stays."""
    rows = group()
    if any(row["orderType"] != STOP_LOSS for row in rows): return True
    for row in rows: api.cancelOcoOrder(id=row["id"], brokerageCode=place["brokerageCode"])
    quantity = lots()
    if quantity == 0: return False
    price = api.listLastPrices(symbols=symbol)["data"][0]["price"]
    stop, profit = round(price * 0.96), round(price * 1.03)  # Whole lira are on the tick table up to 2,500.
    made = api.createOcoOrder(**place, symbol=symbol, stopLossPrice=stop, stopLossQuantity=quantity,
        takeProfitItems=[{"price": profit, "quantity": max(1, quantity // 2)}])["data"]
    print(f"group {made['groupId']}: {quantity} lots, stop at {stop}, half at {profit}", flush=True)
    return True


for kind, event in api.events(types="oco.triggered"):
    if kind == "oco.triggered":
        row = event["row"]
        if row["symbol"] != symbol: continue
        print(f"{'stop' if row['orderType'] == STOP_LOSS else 'half'} sold at {row['triggeredPrice']}", flush=True)
        rounds -= 1
    # Also at "connected" and "gap": what happened before is seen in the rows.
    if not protect():
        print("nothing is left to protect")
        break
    if rounds == 0: break
