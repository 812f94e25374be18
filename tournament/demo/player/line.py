"""HTTP to the site: a tablet's messages over a line that stays open, forms as a browser sends them."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

SECONDS = 20
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
# Django takes a form whose field is the cookie's value; the cookie is the sender's own: its names on http and https.
TOKEN = "c" * 32
CSRF = {"csrftoken": TOKEN, "__Host-csrftoken": TOKEN}


class Lost(Exception):
    """No answer of our server."""


class Post(Protocol):
    """What takes a tablet's messages to the site."""

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message; Lost where there is none, or none that can be used."""
        ...


class Answer(NamedTuple):
    """What a form was answered: its status, where it leads, the cookies it set, and the page."""

    status: int
    place: str
    cookies: dict[str, str]
    page: str


class Connection:
    """One line to the site, as a browser keeps it; opened again whenever it broke."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.opened: http.client.HTTPConnection | None = None

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A tablet's message and its answer."""
        headers = {"Authorization": f"Table {token}", "Content-Type": JSON}
        answer, content = self._ask("POST", f"/t/api/{path}/", json.dumps(body), headers)
        if answer.status != 200:
            raise Lost(f"status {answer.status}")
        return read_message(content)

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        known = dict(cookies) | CSRF
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in known.items()), "Content-Type": FORM}
        said = urlencode({"csrfmiddlewaretoken": TOKEN, **fields}, doseq=True)
        answer, content = self._ask("POST", path, said, headers)
        return Answer(answer.status, answer.getheader("Location", ""), _cookies(answer), content.decode())

    def open(self) -> http.client.HTTPConnection:
        if self.opened is None:
            self.opened = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
            self.opened.connect()
        return self.opened

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    def _ask(
        self, method: str, path: str, body: str, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            opened = self.open()
            opened.request(method, path, body.encode(), dict(headers))
            answer = opened.getresponse()
            return answer, answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            raise Lost(str(fault)) from fault


def read_message(content: bytes) -> dict[str, Any]:
    """An answer to a tablet; only one of our own server counts."""
    try:
        data: dict[str, Any] = json.loads(content)
    except ValueError as fault:
        raise Lost("not our server") from fault
    if data.get("app") != "uptown":
        raise Lost("not our server")
    return data


def _cookies(answer: http.client.HTTPResponse) -> dict[str, str]:
    pairs = (said.partition(";")[0].partition("=") for said in answer.headers.get_all("Set-Cookie", []))
    return {name: value for name, _, value in pairs}
