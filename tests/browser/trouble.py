"""What the network does to what a tablet sends, three times; then it works."""

from __future__ import annotations

import json
from typing import Any


class Trouble:
    """A network that loses answers, gives them twice, or has others answer, by its name."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name, self.left = page, name, 3
        self.asked: set[Any] = set()
        page.on("request", lambda asked: self.asked.add(asked))
        for ended in ("requestfinished", "requestfailed"):
            page.on(ended, lambda asked: self.asked.discard(asked))
        page.route("**/t/api/submissions/", self.answer)

    def hurry(self) -> None:
        """Let what the tablet waits between two tries pass at once, but never the time of an answer."""
        if not self.asked:
            self.page.clock.fast_forward(30_000)

    def answer(self, route: Any) -> None:
        if self.left == 0 and self.name != "doubled":
            route.continue_()
            return
        self.left = max(self.left - 1, 0)
        if self.name == "lost":
            route.fetch()
            route.abort()
        elif self.name == "doubled":
            route.fetch()
            route.fulfill(response=route.fetch())
        elif self.name == "portal":
            route.fulfill(status=200, content_type="text/html", body="<h1>Hotel Columbus: sign in</h1>")
        elif self.name == "foreign":
            body: dict[str, Any] = {"app": "router", "results": []}
            route.fulfill(status=200, content_type="application/json", body=json.dumps(body))
        elif self.name == "other-server":
            body = {"app": "uptown", "instance": "another", "epoch": "x", "results": []}
            route.fulfill(status=200, content_type="application/json", body=json.dumps(body))
        elif self.name == "broken":
            route.fulfill(status=503, content_type="application/json", body=json.dumps({"app": "uptown"}))
