"""Publishes prices over NATS by its plain protocol: python3 publish_prices.py SYMBOL=PRICE ... [--nats host:port]"""
import json, socket, sys

given = sys.argv[1:]
host, port = given[given.index("--nats") + 1].split(":") if "--nats" in given else ("127.0.0.1", "4222")
prices = [one.split("=") for one in given if "=" in one]
if not prices: sys.exit(__doc__)

with socket.create_connection((host, int(port))) as link:
    lines = link.makefile("rb")
    lines.readline()  # INFO: what the server is.
    link.sendall(b'CONNECT {"verbose":false,"name":"publisher"}\r\n')
    for symbol, price in prices:
        payload = json.dumps({"price": float(price)}).encode()
        link.sendall(b"PUB ticks.%s %d\r\n%s\r\n" % (symbol.encode(), len(payload), payload))
    link.sendall(b"PING\r\n")  # Answered after all that came before it was taken.
    while (line := lines.readline()) != b"PONG\r\n":
        if line.startswith(b"-ERR") or not line: sys.exit(f"the server refused: {line.decode()}")
print(f"published {len(prices)} prices")
