"""What the script of a tablet makes of a form on its page: a message, or the question what is wrong with a hand."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from tournament.forms.hand import read_hand
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Game
from tournament.queries.scored import active_entries
from tournament.queries.sheet import sheet_now

NOTHING: Mapping[str, Any] = {}


def send(tablet: Client, kind: str, game: Game, form: Mapping[str, Any] = NOTHING) -> dict[str, str]:
    """Send what a form says and return the server's answer; the form's `client_key` is the uid of the message.

    `kind` is that of the form: hand, void, undo, seat, dealer, call, uncall, sign or unsign.
    """
    lines = [str(entry.client_key) for entry in active_entries(Game.objects.get(pk=game.pk).entries.all())]
    position = int(form.get("position") or len(lines) + 1)
    last = lines[-1] if lines else ""
    fields: dict[str, dict[str, Any]] = {
        "void": {"position": position, "rule": form.get("rule", "")},
        "undo": {"position": position, "of": form.get("of") or last},
        "seat": {"side": _number(form, "side")},
        "dealer": {"seat": _number(form, "dealer")},
        "call": {"about": form.get("kind", "")},
        "unsign": {"side": _number(form, "side")},
        "sign": {"side": _number(form, "side"), "name": form.get("name", ""), "lines": form.get("lines", lines)},
    }
    if kind == "hand":
        fields[kind] = {"position": position, "facts": read_hand(sheet_now(game), form).checked().facts}
    uid = form.get("client_key") or str(uuid.uuid4())
    item = {"uid": uid, "kind": kind, "game": game.pk, "after": None, **fields.get(kind, {})}
    answer: dict[str, str] = post(tablet, {"items": [item]}).json()["results"][0]
    return answer


def post(tablet: Client, data: Mapping[str, Any]) -> Any:
    """A message with the tablet's own key, as its script sends it."""
    key = tablet.cookies[TABLE_COOKIE].value
    address, headers = reverse("api-submissions"), {"Authorization": f"Table {key}"}
    return tablet.post(address, json.dumps(data), content_type="application/json", headers=headers)


def check(tablet: Client, form: Mapping[str, Any], **options: Any) -> Any:
    """The page with what is wrong with a hand: the script asks for it where one is not complete or was refused."""
    return tablet.get(reverse("tablet"), {**form, "check": "1"}, **options)


def _number(form: Mapping[str, Any], name: str) -> Any:
    text = str(form.get(name, ""))
    return int(text) if text.isdigit() else text
