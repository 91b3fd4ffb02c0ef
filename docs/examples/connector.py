"""A connector in Python, without any package: python3 connector.py [host] [port]. It keeps all in memory: a real one keeps
orders, answers and epochs in a file, or tells a weaker `resend`."""
import json, socket, sys
from datetime import datetime, timezone

now = lambda: datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
no = lambda code, message: {"ok": False, "code": code, "message": message}
orders, answers, bars, epochs, since = {}, {}, {}, {}, now()

def fenced(fence, name=None):  # Too late: of an earlier leader, or no later attempt than one that was NOT_FOUND.
    if not fence: return False
    highest = epochs[fence["partition"]] = max(fence["epoch"], epochs.get(fence["partition"], 0))
    return fence["epoch"] < highest or (fence["epoch"], fence.get("attempt", 0)) <= bars.get(name, (-1, 0))

def place(r):
    name = r["clientOrderId"]
    if name in answers: return answers[name]  # the first answer is the answer for ever
    if r["quantity"] > 1_000_000: answers[name] = no("REJECTED", "too many lots"); return answers[name]
    keys = ("clientOrderId", "accountNumber", "symbol", "buySell", "orderType", "quantity", "price")
    order = {k: r[k] for k in keys} | {"orderNo": f"P{len(orders) + 1}", "orderStatus": 2, "averagePrice": 100,
        "filledQuantity": r["quantity"], "createdDate": now(), "updatedDate": now()}
    orders[order["orderNo"]] = order
    publish("broker.PYTHON.updates", order)
    answers[name] = {"ok": True, "data": {"orderNo": order["orderNo"], "orderStatus": 2}}
    return answers[name]

def answer(operation, r):
    fence, name = (r if operation == "fence" else r.get("fence")), r.get("clientOrderId")
    if fenced(fence, name if operation == "place" else None): return no("FENCED", "too late")
    if operation == "status": return {"ok": True, "data": {"protocol": 3, "session": "up", "since": since,
        "resend": "idempotent", "supports": {"orderStatus": True, "positions": False}}}
    if operation == "fence": return {"ok": True, "data": {"partition": r["partition"], "epoch": epochs[r["partition"]]}}
    if operation == "accounts": return {"ok": True, "data": [{"accountNumber": f"P{r['userId']}", "number": f"P{r['userId']}",
        "name": "Cash", "isActive": True, "isDefault": True}]}
    if operation == "dailyOrders": return {"ok": True, "data": list(orders.values())}
    if operation == "place": return place(r)
    if operation == "findOrder":
        found = [o for o in orders.values() if r.get("orderNo", o["orderNo"]) == o["orderNo"] and name in (None, o["clientOrderId"])]
        if not found and name and fence: bars[name] = max(bars.get(name, (-1, 0)), (fence["epoch"], fence["attempt"]))
        return {"ok": True, "data": found[0]} if found else no("NOT_FOUND", "no such order")
    return no("REJECTED", f"{operation} is not supported")

def publish(subject, value):
    data = json.dumps(value).encode()
    wire.sendall(b"PUB %s %d\r\n%s\r\n" % (subject.encode(), len(data), data))

wire = socket.create_connection((sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 4222))
# The queue group: of two that run by mistake one gets a request, never both. One alone should run.
wire.sendall(b'CONNECT {"verbose":false,"pedantic":false}\r\nSUB broker.PYTHON.* gateway 1\r\nPING\r\n')
lines = wire.makefile("rb")
for line in lines:
    if line.startswith(b"PING"): wire.sendall(b"PONG\r\n")
    if not line.startswith(b"MSG"): continue
    _, subject, _, *reply, size = line.split()
    data = lines.read(int(size) + 2)[:-2]
    if not reply: continue  # our own updates come back: nobody waits for an answer
    try: publish(reply[0].decode(), answer(subject.decode().split(".")[2], json.loads(data)))
    except (ValueError, KeyError, TypeError, AttributeError): publish(reply[0].decode(), no("REJECTED", "that is no request"))
