"""The log: a dozen different acts at the desk, each with who, from where, before and after in words; found and kept."""

from __future__ import annotations

import ast
import csv
import html
import io
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event, make_round, make_teams
from tests.quick import remembered
from tournament import phrases, services
from tournament.archive import store
from tournament.models import Event, Game
from tournament.phrases import in_words
from tournament.queries.history import Act, acts_found

ADDRESS = "10.0.0.5"
# What writes into the journal, and which of its arguments is the act.
WRITERS = {"note": 2, "_note": 2, "_tell": 3}
# What is sent, and what the log says of it: act, text, before, after.
ACTS = [
    ("money/teams/1/charges/", {"way": "more", "cents": "7.50", "reason": "late"},
     ("charge", "1 Aces: $7.50 more to pay (receipt 1): late", "paid $0, owes $25", "paid $0, owes $32.50")),
    ("money/teams/1/payments/", {"cents": "12.50"},
     ("pay", "1 Aces paid $12.50 (receipt 2)", "paid $0, owes $32.50", "paid $12.50, owes $20")),
    ("money/teams/1/refunds/", {"cents": "2.50", "reason": "overpaid"},
     ("refund", "1 Aces got $2.50 back (receipt 3): overpaid", "paid $12.50, owes $20", "paid $10, owes $22.50")),
    ("money/receipts/3/reversal/", {"reason": "wrong team"},
     ("reverse", "Receipt 3 taken back (receipt 4): wrong team", "paid $10, owes $22.50", "paid $12.50, owes $20")),
    ("money/cash/", {"way": "in", "cents": "50", "reason": "change"},
     ("cash", "$50 put into the cash box (receipt 5): change", "$12.50 in hand", "$62.50 in hand")),
    ("money/prizes/", {"by": "place", "values": "100, 50"},
     ("prizes", "Prizes for 2 places", "", "by place · prizes $100, $50")),
    ("teams/3/pot/", {"on": "no"},
     ("pot", "Out of the Boston pot: 3 Night Owls", "in the pot yes", "in the pot no")),
    ("setup/officials/", {"username": "newton", "role": "verifier", "password": "a long enough secret"},
     ("appoint", "newton appointed as verifier, with a new account", "", "Verifier")),
    ("setup/officials/", {"username": "newton", "role": "director"},
     ("appoint", "newton appointed as director", "Verifier", "Director")),
    ("rounds/1/start/", {}, ("start", "Game 1 started: 2 tables", "drawn", "in play")),
    ("games/{game}/entries/", {"seat": "0", "bid": "4", "books": "11"},
     ("record", "Game 1, table 1: hand 1 written", "", "bid 4 · books 11 · dealer: seat 1 · hand · bid by seat 1")),
    ("games/{game}/undo/", {"position": "1"},
     ("undo", "Game 1, table 1: entry 1 undone", "bid 4 · books 11 · dealer: seat 1 · hand · bid by seat 1", "")),
    ("teams/4/withdrawal/", {"after_round": "0", "seating": "keep"},
     ("withdraw", "4 Eagles: withdrawn after round 0; last seen in round 1", "Playing", "Left")),
]  # fmt: skip


@remembered
def evening(dana: User) -> Event:
    event = make_event(director=dana, rounds_planned=2)
    teams = make_teams(event, 4)
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, pot_cents=500)
    event.teams.update(paid=False)
    make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])], state="planned")
    return event


def at(dana: User) -> Client:
    client = Client(REMOTE_ADDR=ADDRESS)
    client.force_login(dana)
    return client


def newest(event: Event, action: str) -> Act:
    return acts_found(event, action=action)[0]


def test_every_act_is_in_the_log_with_before_and_after(dana: User) -> None:
    event, client = evening(dana), at(dana)
    game = Game.objects.get(round__event=event, table=1)
    for path, said, (action, text, before, after) in ACTS:
        answer = client.post(f"/desk/{event.slug}/{path.format(game=game.pk)}", said)
        assert answer.status_code in (200, 204, 302), (path, answer.content.decode()[-3000:])
        act = newest(event, action)
        assert (act.text, in_words(act.before), in_words(act.after)) == (text, before, after)
        assert (act.by, act.address) == ("dana", ADDRESS)
    page = html.unescape(client.get(f"/desk/{event.slug}/log/").content.decode())
    lines = client.get(f"/desk/{event.slug}/log/?format=csv").content.decode("utf-8-sig")
    rows = {tuple(row[at] for at in (1, 2, 3, 4, 5, 6)) for row in csv.reader(io.StringIO(lines))}
    for _, _, (action, text, before, after) in ACTS:
        assert ("dana", ADDRESS, phrases.ACTS[action], text, before, after) in rows
        assert [words for words in (text, before, after) if words not in page] == []


def test_log_is_searched_for_names_reasons_addresses_and_what_stood_before(dana: User) -> None:
    event, client = evening(dana), at(dana)
    said = {"number": "2", "name": "Łucky Books", "player1": "Ann 2", "player2": "Bea 2"}
    assert client.post(f"/desk/{event.slug}/teams/2/", said | {"city": "Columbus"}).status_code == 302
    assert client.post(f"/desk/{event.slug}/teams/2/", said | {"city": "Dayton"}).status_code == 302
    found = {
        words: [act.text for act in acts_found(event, text=words)]
        for words in ("Łucky dana", "columbus dayton", ADDRESS, "dana 10.0.0", "Books", "nothing of the kind")
    }
    changed = ["2 Łucky Books changed"] * 2
    assert found == {
        "Łucky dana": changed,
        "columbus dayton": changed[:1],
        ADDRESS: changed,
        "dana 10.0.0": changed,
        "Books": changed,
        "nothing of the kind": [],
    }


def test_in_words() -> None:
    kept = {"fee_cents": 2050, "in_pot": True, "players": ["Ann", "Bea"], "bidder": 0, "note": "", "bids": [{"a": 1}]}
    assert in_words(kept) == "bid by side 1 · bids a 1 · fee 20.50 · in pot yes · players Ann, Bea"
    assert (in_words(None), in_words("x" * 301)) == ("", "x" * 299 + "…")


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({"kind": "renege"}, "Renege"),
        ({"kind": "of a later version"}, "of a later version"),
        ({"role": "verifier"}, "Verifier"),
        ({"code": "ABCD", "how": "back"}, "taken back"),
        ({"entry": "agreed_stop", "rule": "43"}, "stopped by agreement · rule 43"),
        ({"entry": "ruling", "side": 0, "rule": "bw.renege"}, "ruling · renege · side 1"),
        ({"entry": "void", "rule": "no.such"}, "void hand · no.such"),
        ({"verify_own": True, "verify_closing": "warns"}, None),
        ({"sheet": "bid_whist/no-kitty-2021", "movement": "swiss"}, None),
        ({"entry": "hand", "client_key": "0b5d", "seat": 3}, "hand · bid by seat 4"),
    ],
)
def test_keys_of_the_program_are_said_in_words(kept: dict[str, Any], said: str | None) -> None:
    words = in_words(kept)
    assert said is None or words == said
    keys = [one for one in kept.values() if isinstance(one, str) and said is None]
    assert [one for one in [*keys, "_"] if one in words] == []


def test_every_act_has_words_and_no_words_are_left_over() -> None:
    earlier = {"other-hall", "pin", "wrong-pin"}  # Logs still hold what earlier versions wrote.
    assert written_acts() | earlier == set(phrases.ACTS)
    assert not written_acts() & earlier


def test_the_log_names_acts_in_words(db: None, dana: User) -> None:
    event = evening(dana)
    client = at(dana)
    client.post(f"/desk/{event.slug}/money/cash/", {"way": "in", "cents": "50", "reason": "change"})
    page = client.get(f"/desk/{event.slug}/log/").content.decode()
    assert '<option value="cash">Cash box</option>' in page
    assert '<div class="why">cash box</div>' in page


def written_acts() -> set[str]:
    """What the services give to the journal as an act: it comes after whoever acts, event and what it is about."""
    calls = [
        call
        for path in (*Path(services.__path__[0]).glob("*.py"), Path(store.__file__))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in WRITERS
    ]
    given = [call.args[WRITERS[call.func.id]] for call in calls if isinstance(call.func, ast.Name)]
    return {act.value for act in given if isinstance(act, ast.Constant) and isinstance(act.value, str)}
