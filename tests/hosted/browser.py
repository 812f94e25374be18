"""A browser before a hosted site: it keeps cookies, and sends forms as a page's own."""

from __future__ import annotations

import contextlib
import http.client
import re
from base64 import b32decode
from http.cookies import SimpleCookie
from typing import NamedTuple
from urllib.parse import urlencode

from django_otp.oath import totp

SET_UP = "/sign-in/second-factor/"
KEY = re.compile(r'<code class="wrap">([A-Z2-7 ]+)<')
# How new a page says that it is, where it asks for news.
VERSION = re.compile(r"[?&](?:amp;)?version=(\d+)")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


class Page(NamedTuple):
    """What came back; names of headers are in small letters."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode(errors="replace")


class Browser:
    """One person's browser. TLS ends before the site, as nginx tells it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def get(self, path: str, **headers: str) -> Page:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, form: str = "", **fields: str) -> Page:
        """Send the form of a page; without `form` it is on the page of the same address."""
        return self.send(path, self.token_of(form or path), **fields)

    def token_of(self, path: str) -> str:
        """What the forms of a page are sent with."""
        token = TOKEN.search(self.get(path).text)
        return token[1] if token else ""

    def send(self, path: str, token: str, **fields: str) -> Page:
        """Send a form whose page was read before."""
        fields["csrfmiddlewaretoken"] = token
        return self._ask("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})

    def sign_in(self, name: str, password: str = "a long enough password") -> Page:
        """Sign a director in for the first time: with the password, and an authenticator app that is set up by it."""
        self.post("/sign-in/", username=name, password=password)
        shown = KEY.search(self.get(SET_UP).text)
        key = b32decode(shown[1].replace(" ", "")) if shown else b""
        return self.post(SET_UP, code=f"{totp(key):06d}")

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Page:
        headers |= {"Referer": f"https://127.0.0.1:{self.port}/", "Host": f"127.0.0.1:{self.port}"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as line:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            page = Page(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        for one in answer.headers.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(one).items():
                self.cookies[name] = morsel.value
        return page
