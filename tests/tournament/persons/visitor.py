"""A visitor with a browser: opens a page, reads it, and presses a button of it with what was typed.

As in a browser, every field that a form has is sent along, hidden ones, too; one that it does not have can only be
forged. A redirect is followed: `status` is what the press was answered, the page is where it led to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode, urljoin

from django.contrib.auth.models import User
from django.test import Client

from tests.factories import PASSWORD, signed_in, words_of

# Fields that hold no text of their own, and what a browser never sends unless it was pressed.
PRESSED = ("submit", "image", "button", "reset")
TICKED = ("checkbox", "radio")


@dataclass
class Field:
    """One field of a form: what it is sent with, whether it is sent at all, and what it offers to choose from."""

    name: str
    kind: str
    value: str = ""
    is_sent: bool = True
    offers: list[str] = field(default_factory=list)


@dataclass
class Button:
    """A button: what it sends and where to, if not where its form does; what is read on it, and said of it."""

    name: str
    value: str
    action: str = ""
    label: str = ""
    words: str = ""

    def is_called(self, wanted: str) -> bool:
        """By its words, by its name, or by both name and value as they are sent: “what=withdraw”."""
        return wanted in (self.words, self.label, self.name, f"{self.name}={self.value}")


@dataclass
class Form:
    action: str
    method: str
    fields: list[Field] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.fields]

    def ticks(self, name: str) -> list[str]:
        """The values that can be ticked under a name."""
        return [each.value for each in self.fields if each.name == name and each.kind in TICKED]

    def ticked(self, name: str) -> list[str]:
        return [each.value for each in self.fields if each.name == name and each.kind in TICKED and each.is_sent]

    def value(self, name: str) -> str:
        """What a field says as the page was opened."""
        return next(each.value for each in self.fields if each.name == name and each.is_sent)

    def filled(self, typed: dict[str, Any]) -> list[tuple[str, str]]:
        """What a browser sends once this was typed, chosen or ticked; a list is what is ticked under its name."""
        for name, value in typed.items():
            self._check(name, value)
        sent = [(each.name, each.value) for each in self.fields if each.is_sent and each.name not in typed]
        for name, value in typed.items():
            sent += [(name, str(one)) for one in (value if isinstance(value, list) else [value])]
        return sent

    def _check(self, name: str, value: Any) -> None:
        fields = [each for each in self.fields if each.name == name]
        assert fields, f"The form has no field {name}: {self.names}"
        offered = [text for each in fields for text in (each.offers or ([each.value] if each.kind in TICKED else []))]
        chosen = [str(one) for one in (value if isinstance(value, list) else [value])]
        assert not offered or set(chosen) <= set(offered), f"{name} offers {offered}, not {chosen}"


class _Reader(HTMLParser):
    """The forms of a page, with fields and buttons outside a form that name it."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.by_id: dict[str, Form] = {}
        self.elsewhere: list[tuple[str, Field | Button]] = []
        self.address = address
        self.form: Form | None = None
        self.button: Button | None = None
        self.select: Field | None = None
        self.text: Field | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            assert self.form is None, f"A form within a form at {self.address}: browsers read only the outer one."
            action = urljoin(self.address, given.get("action") or self.address)
            self.form = Form(action, given.get("method", "get").lower())
            self.forms.append(self.form)
            self.by_id[given.get("id", "")] = self.form
        elif "disabled" in given:
            return
        elif tag == "input":
            self._input(given)
        elif tag == "button":
            self.button = self._button(given)
            self._add(given, self.button)
        elif tag == "select":
            self.select = Field(given.get("name", ""), "select")
            self._add(given, self.select)
        elif tag == "option" and self.select is not None:
            value = given.get("value", "")
            if "selected" in given or not self.select.offers:
                self.select.value = value
            self.select.offers.append(value)
        elif tag == "textarea":
            self.text = Field(given.get("name", ""), "textarea")
            self._add(given, self.text)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "button" and self.button is not None:
            self.button.words = " ".join(self.button.words.split())
            self.button = None
        elif tag == "select":
            self.select = None
        elif tag == "textarea":
            self.text = None

    def handle_data(self, data: str) -> None:
        if self.button is not None:
            self.button.words += data
        if self.text is not None:
            self.text.value += data

    def _button(self, given: dict[str, str]) -> Button:
        action = urljoin(self.address, given["formaction"]) if given.get("formaction") else ""
        return Button(given.get("name", ""), given.get("value", ""), action, given.get("aria-label", ""))

    def _input(self, given: dict[str, str]) -> None:
        kind, name, value = given.get("type", "text"), given.get("name", ""), given.get("value", "")
        if kind in PRESSED:
            button = self._button(given)
            button.words = value
            self._add(given, button)
            return
        if kind in TICKED:
            self._add(given, Field(name, kind, value or "on", "checked" in given))
            return
        self._add(given, Field(name, kind, value))

    def _add(self, given: dict[str, str], what: Field | Button) -> None:
        if "form" in given:
            self.elsewhere.append((given["form"], what))
        elif self.form is not None:
            _put(self.form, what)

    def close(self) -> None:
        super().close()
        for name, what in self.elsewhere:
            if name in self.by_id:
                _put(self.by_id[name], what)


def _put(form: Form, what: Field | Button) -> None:
    if isinstance(what, Button):
        form.buttons.append(what)
    elif what.name and what.kind != "file":
        form.fields.append(what)


class Page:
    """A page as somebody sees it."""

    def __init__(self, visitor: Visitor, answer: Any, status: int, address: str) -> None:
        self.visitor, self.answer, self.status, self.address = visitor, answer, status, address
        self.words = words_of(answer)
        reader = _Reader(address)
        reader.feed(answer.content.decode())
        reader.close()
        self.forms = reader.forms

    def form(self, wanted: str) -> Form:
        """The first form with this button: by its words, its name, or name and value."""
        found = self._find(wanted)
        buttons = [button.words for form in self.forms for button in form.buttons]
        assert found, f"No button “{wanted}” at {self.address} ({self.status}). There are {buttons}: {self.words[:600]}"
        return found[0]

    def has(self, wanted: str) -> bool:
        return self._find(wanted) is not None

    def form_to(self, address: str) -> Form:
        """The first form that posts to this address."""
        found = next((form for form in self.forms if form.action == address and form.method == "post"), None)
        assert found, f"No form to {address} at {self.address}: {[form.action for form in self.forms]}"
        return found

    def press(self, wanted: str, *, forged: dict[str, Any] | None = None, **typed: Any) -> Page:
        """Press a button with what was typed; `forged` is sent although the form has no field for it."""
        self.form(wanted)
        found = self._find(wanted)
        assert found
        return self.send(*found, forged=forged, **typed)

    def send(self, form: Form, button: Button, *, forged: dict[str, Any] | None = None, **typed: Any) -> Page:
        sent = form.filled(typed) + [(name, str(value)) for name, value in (forged or {}).items()]
        if button.name:
            sent.append((button.name, button.value))
        return self.visitor.post(button.action or form.action, sent)

    def _find(self, wanted: str) -> tuple[Form, Button] | None:
        for form in self.forms:
            for button in form.buttons:
                if form.method == "post" and button.is_called(wanted):
                    return form, button
        return None


class Visitor:
    """Somebody with a browser: signed in, or nobody that the site knows; at an address of its own if one is given."""

    def __init__(self, user: User | None = None, at: str = "") -> None:
        self.client = signed_in(user) if user else Client()
        if at:
            self.client.defaults["REMOTE_ADDR"] = at

    def open(self, address: str) -> Page:
        answer = self.client.get(address, follow=True)
        first, last = self._way(answer, address)
        return Page(self, answer, first, last)

    def post(self, address: str, sent: list[tuple[str, str]] | dict[str, Any]) -> Page:
        body = urlencode(sent, doseq=True)
        answer = self.client.post(address, body, content_type="application/x-www-form-urlencoded", follow=True)
        first, last = self._way(answer, address)
        return Page(self, answer, first, last)

    @staticmethod
    def _way(answer: Any, address: str) -> tuple[int, str]:
        """With what it was answered at first, and where that led to."""
        chain = answer.redirect_chain
        return (chain[0][1], chain[-1][0]) if chain else (answer.status_code, address)


def confirmed(page: Page) -> Page:
    """What comes once a page that asks first was answered with its first button; the page itself if it asks nothing."""
    for form in page.forms:
        if "confirmed" in form.names and form.buttons:
            return page.send(form, form.buttons[0])
    return page


def with_password(page: Page) -> Page:
    """What comes once the password was typed where a page asks for it again; the page itself if it does not."""
    for form in page.forms:
        if "again_password" in form.names:
            return page.send(form, form.buttons[0], again_password=PASSWORD)
    return page
