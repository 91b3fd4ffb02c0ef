"""A client of the whole interface, made from the document that the service gives of itself. No package is needed.

python3 client.py <operationId> [JSON object of parameters and fields]
"""
import json, os, sys, urllib.error, urllib.parse, urllib.request


class Api:
    """Each operation of /openapi.json is a method by its operationId; what it is given goes where the document says."""

    def __init__(self, url=None, api_key=None):
        self.url = url or os.environ.get("API_URL") or "http://127.0.0.1:8080"
        self._key = api_key or os.environ.get("API_KEY") or self._first_key()
        try:
            with urllib.request.urlopen(self.url + "/openapi.json") as answer:
                paths = json.load(answer)["paths"]
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"the service does not answer at {self.url} ({error}): start it, or set API_URL to its address")
        self._operations = {
            operation["operationId"]: (method.upper(), path, {one["name"]: one["in"] for one in operation.get("parameters", [])})
            for path, methods in paths.items()
            for method, operation in methods.items()
        }
        self._log_in()

    def __getattr__(self, name):
        if name not in self._operations:
            raise AttributeError(f"there is no operation {name}")
        return lambda **given: json.load(self.open(name, given))

    def events(self, last_id=None, **given):
        """Your events, each once and in order, as (type, fields). Begins with ("connected", {}); where the connection is
        lost it goes on after the last event, with another "connected"."""
        while True:
            event, headers = {}, {"Last-Event-ID": last_id} if last_id else {}
            try:
                stream = self.open("followEvents", given, headers)
                yield "connected", {}
                for line in stream:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field: event[field] = value
                    elif "data" in event:
                        last_id = event.get("id", last_id)
                        yield event["event"], json.loads(event["data"])
                    if not field: event = {}
            except (urllib.error.URLError, ConnectionError):
                pass

    def open(self, name, given, headers={}):
        """Calls an operation and gives its answer as it comes. Raises RuntimeError with what the service said."""
        method, path, places = self._operations[name]
        for field in [field for field in given if places.get(field) == "path"]:
            path = path.replace("{%s}" % field, urllib.parse.quote(str(given[field]), safe=""))
        query = {field: value for field, value in given.items() if places.get(field) == "query"}
        body = {field: value for field, value in given.items() if field not in places}
        headers = headers | {field: value for field, value in given.items() if places.get(field) == "header"}
        if name != "exchangeToken": headers["Authorization"] = f"Bearer {self._token}"
        if body: headers["Content-Type"] = "application/json"
        url = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url, json.dumps(body).encode() if body else None, headers, method=method)
        try:
            return urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            said = error.read().decode()
            if error.code == 401 and name != "exchangeToken":  # The token has ended.
                self._log_in()
                return self.open(name, given)
            raise RuntimeError(f"{name}: {error.code} {said}") from None

    def _first_key(self):
        try:
            return open("data/bootstrap-api-key").read().strip()
        except OSError:
            sys.exit("no API key: set API_KEY, or run this where data/bootstrap-api-key of the service is")

    def _log_in(self):
        given = {"grant_type": "api_key", "X-API-Key": self._key}
        self._token = json.load(self.open("exchangeToken", given))["access_token"]


if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    print(json.dumps(getattr(Api(), sys.argv[1])(**json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")), indent=2))
