"""The event file keeps every fact: an empty installation prints the same books from it, to the letter and the cell."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from scoring.document import find_sheet
from scoring.options import choose
from tests.factories import MADE_FIVE, make_event, make_round, make_teams, pairs_of, play
from tests.sure import fresh, refusal_of
from tests.tournament.archive.filed import resealed, told
from tests.tournament.archive.test_import import changed, small
from tests.tournament.reports.books import books_elsewhere, books_of
from tests.tournament.reports.evenings import (
    SHEETS,
    club_24,
    eventful,
    in_play,
    random_event,
)
from tournament import PROGRAM
from tournament.access import Actor
from tournament.archive.reading import checksum, counts_of, read_event_file
from tournament.archive.store import export_event, import_event, summary
from tournament.archive.things import VERSIONS
from tournament.errors import ValidationFailed
from tournament.migrations._option_names import documented
from tournament.models import Entry, Event, Journal, Notice
from tournament.queries.history import acts_found
from tournament.services.corrections import correct_sheet
from tournament.services.rounds import close_round
from tournament.services.substitutions import swap_teams

FILES = settings.ROOT / "fixtures" / "event_files"


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def written(event: Event) -> Any:
    return json.loads(json.dumps(export_event(event)))


def events(dana: User) -> list[Event]:
    """An evening on which everything happens, club-24, the whole demo with its playoffs, one of every family."""
    own = [eventful(dana), club_24(dana)]
    demo = import_event(Actor(dana), read(settings.ROOT / "fixtures" / "demo" / "autumn-open.json"))
    return [*own, demo, *(in_play(random_event(family, 7, dana, rounds=1)) for family in SHEETS)]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_an_empty_installation_prints_the_same_books(dana: User, tmp_path: Path) -> None:
    """In one direction the other installation is always SQLite; run on PostgreSQL this goes there and back."""
    kept = []
    for number, event in enumerate(events(dana)):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(export_event(event)), encoding="utf-8")
        kept.append((file, told(event), books_of(event)))
    assert len(kept) == 3 + len(SHEETS)
    elsewhere = books_elsewhere(tmp_path / "installation", [file for file, _, _ in kept])
    for (_, facts, books), other in zip(kept, elsewhere, strict=True):
        back = other.pop("file")
        assert other == books
        returned = import_event(Actor(dana), back)
        assert told(returned) == facts
        if connection.vendor != "sqlite":
            assert books_of(returned) == books


def test_everything_that_happened_is_in_the_file(dana: User) -> None:
    file = written(eventful(dana))
    tables = {table["table"]: table for table in file["rounds"][0]["tables"]}
    assert [
        (line["line"], line["source"], line["by"], line.get("reason", ""), line.get("facts", {}).get("entry"))
        for line in tables[1]["lines"]
    ] == [
        (1, "table", "Table 1", "", None),
        (2, "table", "Table 1", "", "hand"),
        (2, "table", "Table 1", "undone", "removed"),
        (2, "table", "Table 1", "", None),
        (3, "desk", "dana", "", "adjustment"),
        (3, "desk", "dana", "the card was led in turn", "removed"),
    ]
    assert [(call["kind"], "answered_at" in call) for call in tables[1]["calls"]] == [
        ("renege", True),
        ("score", False),
    ]
    assert [(one["side"], one["by"], "code" in one) for one in tables[2]["signed"]] == [
        (0, "dana", False),
        (1, "dana", False),
        (0, "dana", True),
        (1, "dana", True),
    ]
    assert [(notice["team"], "seen_at" in notice) for notice in tables[2]["notices"]] == [(3, True), (4, False)]
    assert [(look["accepted"], "code" in look) for look in tables[3]["looks"]] == [(False, True), (True, False)]
    assert file["officials"] == [["dana", "director"], ["vic", "verifier"]]
    assert {"record", "undo", "withdraw", "correct-final", "print", "pause"} <= {
        act["action"] for act in file["journal"]
    }
    corrected = next(act for act in file["journal"] if act["action"] == "correct-final")
    assert (corrected["key"], corrected["by"], corrected["address"]) == ("1/2/1", "dana", "192.168.1.7")
    sums = {"counts": counts_of(file), "sha256": checksum(file)}
    assert file["manifest"] == {"version": 3, "program": PROGRAM, **sums}


def test_names_of_the_file_are_nobody_s_accounts_here(dana: User, otis: User) -> None:
    copied = import_event(Actor(otis), written(eventful(dana)))
    assert list(copied.officials.values_list("user__username", "role")) == [("otis", "director")]
    entries = Entry.objects.filter(game__round__event=copied)
    assert {(entry.entered_by_id, entry.device_id) for entry in entries} == {(None, None)}
    acts = Journal.objects.filter(event=copied).values_list("user__username", "action")
    assert {(name, action) for name, action in acts if name} == {("otis", "import")}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_of_every_released_version_still_opens(version: int, dana: User) -> None:
    data = read(FILES / f"version-{version}.json")
    assert data.get("version", data.get("manifest", {}).get("version")) == version
    event = import_event(Actor(dana), copy.deepcopy(data))
    again = written(event)
    assert [team["name"] for team in again["teams"]] == [team["name"] for team in data["teams"]]
    games = [[table["game"] for table in round_["tables"]] for round_ in data["rounds"]]
    assert [[table["game"] for table in round_["tables"]] for round_ in again["rounds"]] == games
    assert again["ledger"] == data["ledger"]
    # Until version 2 a file had the sentences.
    acts = [act.text for act in Journal.objects.filter(event=event).order_by("pk")]
    assert version == VERSIONS[-1] or acts[:-1] == [act["text"] for act in data.get("journal", [])]
    notices = [
        one["text"] for table in data["rounds"][0]["tables"] for one in table.get("notices", []) if "text" in one
    ]
    assert version == VERSIONS[-1] or [notice.text for notice in Notice.objects.order_by("pk")] == notices
    if version == VERSIONS[-1]:
        # Fields and options that came later are told as well.
        del data["manifest"], data["sign_with"]
        now = told(event)
        assert now["printed"] == now["printed"] | data.pop("printed")
        assert {key: value for key, value in now.items() if key in data} == data


def test_files_without_a_version_are_the_first_one(dana: User) -> None:
    file = read(settings.ROOT / "fixtures" / "golden" / "club-24" / "event.json")
    assert "version" not in file
    assert summary(read_event_file(file, timezone.localdate())).startswith("24 teams, 6 rounds, ")


CHANGES: list[tuple[Any, ...]] = [
    ('"books": 9', '"books": 10'),
    ("Eventful Evening", "Eventful evening"),
    ('"the card was led in turn"', '"the card was not led in turn"'),
    ('"cents": 2000', '"cents": 2001'),
    ('"address": "192.168.1.7"', '"address": "192.168.1.8"'),
]


def test_a_changed_byte_is_noticed(dana: User) -> None:
    text = json.dumps(export_event(eventful(dana)))
    for old, new in CHANGES:
        assert old in text
        with pytest.raises(ValidationFailed, match="changed or damaged after it was written"):
            import_event(Actor(dana), json.loads(text.replace(old, new, 1)))
    assert Event.objects.count() == 1


def test_a_file_that_lost_something_is_refused(dana: User) -> None:
    data = written(eventful(dana))
    without = {key: value for key, value in data.items() if key != "manifest"}
    for wrong, sentence in (
        (without, "A file of version 3 has a manifest; this one has lost it."),
        (without | {"version": 4}, "this site reads event files of versions 1, 2 and 3, and this is 4"),
        (data | {"manifest": 5}, "has lost it"),
        (data | {"manifest": data["manifest"] | {"version": 1}}, "does not give the checksum"),
        (resealed(data, acts=3), f"The manifest counts 3 acts, and the file holds {len(data['journal'])}."),
    ):
        with pytest.raises(ValidationFailed, match=sentence):
            import_event(Actor(dana), copy.deepcopy(wrong))


WRONG_LINES: list[tuple[Any, ...]] = [
    (
        1,
        lambda lines: lines.pop(0),
        "field lines: line 5: the game has no such entry|they are not those of the game",
    ),
    (1, lambda lines: lines[1].pop("facts"), "field lines: "),
    (1, lambda lines: lines[0].update(source="gossip"), "line 1: “gossip” is not known"),
    (1, lambda lines: lines[0].update(cause="because"), "line 1: “because” is not known"),
    (1, lambda lines: lines[0].update(line=9), "line 2: the number of the line is needed, in order"),
    (1, lambda lines: lines[1].update(facts={"entry": "hand"}), "line 2: "),
    (1, lambda lines: lines[1].update(facts={"entry": "dance"}), "line 2: “dance” is not an entry"),
    (1, lambda lines: lines[1].update(facts=[]), "line 2: what is on the line must be an object"),
    (1, lambda lines: lines[4].update(facts={"entry": "award", "to": 7}), "line 5: "),
    (1, lambda lines: lines[1].update(facts={"entry": "removed"}), "line 2: there was no line there to remove"),
    (1, lambda lines: lines[1].update(at="noon"), "line 2: “noon” is not a time"),
    (1, lambda lines: lines[5].update(facts=lines[4]["facts"]), "they are not those of the game"),
    (3, lambda lines: lines.pop(0), "they are not those of the game"),
    (3, lambda lines: lines[0].update(facts={"entry": "opening", "scores": [9, 9]}), "they are not those of the"),
    (3, lambda lines: lines[0].update(facts={"entry": "opening", "scores": [1]}), "line 1: “scores” needs 2"),
    (3, lambda lines: lines[0].update(line=0, facts=lines[1]["facts"]), "line 1: only totals continued"),
]


def test_lines_that_do_not_fit_are_refused(dana: User) -> None:
    written_file = json.dumps(export_event(eventful(dana)))
    for table, change, sentence in WRONG_LINES:
        data = json.loads(written_file)
        change(data["rounds"][0]["tables"][table - 1]["lines"])
        with pytest.raises(ValidationFailed, match=sentence):
            import_event(Actor(dana), resealed(data))


PLAYOFF = {"round": 3, "table": 1, "teams": [1, 2], "match": "M1"}
LOTS = {"method": "lots", "teams": [2, 1]}
KEPT = {"kind": "keep", "source": "M1", "before": [1], "after": [2]}
DRAWN = {"kind": "drawn", "source": "seeds"}
ACT = {"at": "2026-11-21T19:00:00Z", "action": "x", "noun": "y", "text": "z"}
SUNG = {"at": "2026-11-21T19:00:00Z", "action": "sing", "noun": "event", "code": "loud", "facts": {"songs": 2}}
EXTENDED = SUNG | {"action": "extend", "noun": "round", "code": "more"}
MORE = {"round": 1, "minutes": 5, "reason": "late", "now": 5}
FROM_PAPER = {
    "round": 1,
    "tables": [{"table": 1, "teams": [1, 2], "game": {"opening": {"scores": [3, 1], "hands": 10_000}, "entries": []}}],
}

LEG = "Round 3, table 1, field leg: a whole number from 1 to 999 is needed."
NUMBER = "field number: a whole number from 1 to 32,767 is needed."
DECISION = "Decision 1: it needs a method (lots, head-to-head or bye) and at least two teams, each once."
PLACING = (
    "Placing 1: it needs a kind (drawn, keep, replay, out or in) and teams of the file, each once; "
    "drawn are two at least."
)
PRIZES = "Field prizes: at most 500, in cents by place, or percentages that are 100 at most together."
STORED = "The file holds a character that cannot be stored, or a number beyond all numbers."
DEEP = "Field note is nested too deeply: at most 99 levels can be read."
NO_ACT = "Journal, line 1: it needs a time, an action, a noun, and a code with its facts."


def nested(depth: int) -> Any:
    deep: Any = "x"
    for _ in range(depth):
        deep = [deep]
    return deep


# What a file of a small event says, and the one sentence with which it is refused.
REFUSED: list[tuple[dict[str, Any], str]] = [
    *(({"playoffs": {"games": [PLAYOFF | {"leg": leg}]}}, LEG) for leg in (-3, 100_000)),
    *(({"decisions": [LOTS | {"number": number}]}, f"Decision 1, {NUMBER}") for number in (-1, 40_000)),
    *(({"placings": [KEPT | {"number": number}]}, f"Placing 1, {NUMBER}") for number in (-1, 40_000)),
    ({"decisions": [LOTS, LOTS | {"number": 1}]}, "Decisions: every one has a number of its own."),
    ({"decisions": [LOTS | {"seed": -5}]}, "Decision 1, field seed: a whole number from 0 to 2,147,483,647 is needed."),
    *(({"decisions": [{"method": "bye", "teams": teams}]}, DECISION) for teams in ([1], [1, 2, 1])),
    ({"decisions": [{"method": "lots", "teams": [1, 1]}]}, DECISION),
    *(({"decisions": decisions}, DECISION) for decisions in ([5], "lots")),
    *(({"placings": [DRAWN | {"before": before}]}, PLACING) for before in ([1], [2, 2], [7, 8])),
    ({"placings": [KEPT | {"after": [7]}]}, PLACING),
    *(({"placings": placings}, PLACING) for placings in ([5], "drawn")),
    *(
        ({"prizes": {"by": "percent", "percent": percent}}, PRIZES)
        for percent in (["1e3000000"], ["1e-99999"] * 3, ["60", "50"], [], "50", ["0"] * 501)
    ),
    *(({"prizes": {"by": "place", "prizes": prizes}}, PRIZES) for prizes in ([0] * 501, [1.5])),
    *(({"note": nested(depth)}, DEEP) for depth in (100, 450, 5000)),
    *(({"journal": [ACT | {"before": [text]}]}, STORED) for text in ("half \ud83d", "nought \x00", float("inf"))),
    *(({"journal": [{key: SUNG[key] for key in SUNG if key != missing}]}, NO_ACT) for missing in ("code", "facts")),
    ({"journal": [EXTENDED | {"facts": MORE}]}, NO_ACT),
    (
        {"rounds": [FROM_PAPER]},
        "Round 1, table 1, field opening.hands: at most 9,999 hands can have been played before.",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), REFUSED)
def test_what_no_site_would_write_is_refused(change: dict[str, Any], sentence: str, dana: User) -> None:
    assert refusal_of(lambda: import_event(Actor(dana), small() | change)).texts == (sentence,)
    assert not Event.objects.exists()


# Where a file tells a time, what is told with it, and how the place is named.
TIMES: list[tuple[str, Callable[[str], Any], str]] = [
    ("rounds 0 started_at", lambda time: time, "Round 1, field started_at"),
    ("rounds 0 closed_at", lambda time: time, "Round 1, field closed_at"),
    ("rounds 0 tables 1 seated", lambda time: [{"side": 0, "at": time}], "Round 1, table 2, field seated"),
    ("rounds 0 tables 1 signed", lambda time: [{"side": 0, "at": time}], "Round 1, table 2, field signed"),
    ("ledger", lambda time: [{"receipt": 1, "kind": "fee", "cents": 500, "at": time}], "Ledger, line 1, field at"),
    ("journal", lambda time: [ACT | {"at": time}], "Journal, line 1, field at"),
]


@pytest.mark.parametrize(("path", "told_with", "where"), TIMES)
@pytest.mark.parametrize(
    "time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00Z", "2201-01-01T00:00:00Z"]
)
def test_times_long_before_and_after_any_tournament_are_refused(
    time: str, path: str, told_with: Callable[[str], Any], where: str, dana: User
) -> None:
    with pytest.raises(ValidationFailed, match=f"{where}: “.*” is not between the years 1900 and 2200"):
        import_event(Actor(dana), changed(path, told_with(time)))


def test_the_largest_seed_of_a_drawing_goes_through_the_file(dana: User) -> None:
    event = import_event(Actor(dana), small() | {"decisions": [LOTS | {"seed": 2_147_483_647}]})
    assert written(event)["decisions"][0]["seed"] == 2_147_483_647


def test_acts_that_are_no_longer_done_stay_in_the_log_and_in_the_file(dana: User, event: Event, desk: Client) -> None:
    Journal.objects.create(
        event=event,
        user=dana,
        by="dana",
        action="other-hall",
        noun="event",
        code="games",
        facts={"games": 3},
        after=["Game 1, table 2"],
    )
    back = import_event(Actor(dana), written(event))
    assert told(back) == told(event)
    assert "3 games imported from the other hall" in desk.get(f"/desk/{back.slug}/log/").content.decode()


def test_acts_and_notices_of_an_unknown_code_are_read_and_shown(dana: User, desk: Client) -> None:
    data = written(eventful(dana))
    act = {"at": "2026-11-21T19:00:00Z", "noun": "event", "facts": {"songs": 2}}
    data["journal"] += [act | {"action": "sing", "code": "loud"}, act | {"action": "start", "code": "x" * 40}]
    table = data["rounds"][0]["tables"][0]
    notice = {"team": table["teams"][0], "at": "2026-11-21T19:00:00Z", "code": "sung", "facts": {"songs": 3}}
    table["notices"] = [notice]
    event = import_event(Actor(dana), resealed(data))
    page = desk.get(f"/desk/{event.slug}/log/").content.decode()
    assert "sing, loud (songs: 2)" in page
    assert f"start, {'x' * 20} (songs: 2)" in page
    assert "sung (songs: 3)" in [notice.text for notice in Notice.objects.filter(game__round__event=event)]
    assert told(import_event(Actor(dana), written(event))) == told(event)


def test_an_act_that_says_what_stood_before_is_read(dana: User) -> None:
    event = import_event(Actor(dana), small() | {"journal": [EXTENDED | {"facts": MORE | {"was": 0}}]})
    assert "Game 1: 5 minutes more: late" in [row.text for row in acts_found(event)]


def test_a_forged_journal_breaks_no_page(dana: User, desk: Any) -> None:
    data = written(eventful(dana))
    act = {"at": "2026-11-21T19:00:00Z", "action": "print", "noun": "event", "text": "x", "after": [1]}
    more = [act, act | {"after": {"codes": 5}}, act | {"action": "correct-final", "noun": "game", "key": "9/9/9"}]
    event = import_event(Actor(dana), resealed(data | {"journal": [*data["journal"], *more]}))
    for page in ("desk/{}/log/", "desk/{}/papers/", "desk/{}/", "e/{}/"):
        assert desk.get(f"/{page.format(event.slug)}").status_code == 200
    assert desk.post(f"/desk/{event.slug}/papers/new-score-sheets.pdf").status_code == 200


def test_an_event_of_the_longest_name_is_read_back(dana: User) -> None:
    event = make_event("N" * 60, dana, slug="n", place="P" * 60)
    copied = import_event(Actor(dana), written(event))
    assert (copied.name, copied.place) == ("N" * 60, "P" * 60)


# Teams that were swapped after the game: what they were told stays with the table where they no longer sit.
def test_a_notice_to_a_team_that_was_swapped_away_is_in_the_file_and_comes_back(dana: User, event: Event) -> None:
    games = list(make_round(event, pairs_of(make_teams(event, 4))).games.order_by("table"))
    for game in games:
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    facts = MADE_FIVE | {"books": 12}
    correct_sheet(Actor(dana), games[0], position=1, revision=0, facts=facts, reason="as on the film")
    swap_teams(Actor(dana), event, 1, 1, 3, "wrong tables")
    back = import_event(Actor(dana), json.loads(json.dumps(export_event(event))))
    assert told(back) == told(event)
    found = Notice.objects.filter(team__event=back, game__table=1).order_by("pk")
    assert list(found.values_list("team__number", "code")) == [
        (1, "corrected"),
        (2, "corrected"),
        (3, "swapped"),
        (2, "swapped"),
    ]


# Events of an earlier program that have options by other names than the sheets document: read, and rewritten.
@pytest.mark.parametrize(
    ("sheet", "options", "own"),
    [
        (
            "bid_whist/no-kitty-2021",
            {"tiebreak_order": ["Games Won", "drawing of lots"]},
            {"tiebreak_order": ["Games Won", "lots"]},
        ),
        ("bid_whist/standard", {"bw.var.min4": True, "bw.win_at": 5}, {"lowest_bid": 4, "win_at": 5}),
        ("bid_whist/standard", {"two_sets": "yes", "set_limit": 2}, {"set_limit": 2}),
        ("bid_whist/standard", {"low_over_high": False, "boston": "any 13 books"}, {"boston": "any-13"}),
        ("spades/standard", {"passing": True, "bags": "no"}, {"passing": "three-cards", "bag_limit": None}),
        ("back_alley/partnership", {"25deals": True, "fixed_deal": False}, {"one_card_deals": 1, "fixed_deal": None}),
        ("back_alley/high-two", {"25deals": True}, {}),
        (
            "okinawa/standard",
            {"throw_up": False, "level_at_end": "one more hand"},
            {"throw_up": "none", "level_at_end": "one-more"},
        ),
    ],
)
def test_other_names_become_those_of_the_sheet(sheet: str, options: dict[str, Any], own: dict[str, Any]) -> None:
    assert documented(sheet, options) == own
    assert documented(sheet, own) == own
    assert choose(find_sheet(sheet).rules, own)[1] == ()


def test_an_event_file_with_other_names_is_read() -> None:
    game = {"options": {"pot_entry": "opt-in per team"}, "entries": []}
    data = {
        "event": "Fall Classic",
        "sheet": "bid_whist/no-kitty-2021",
        "options": {"pot_entry": "opt-in per team"},
        "teams": [{"number": 1, "name": "Aces"}, {"number": 2, "name": "Books"}],
        "rounds": [{"round": 1, "tables": [{"table": 1, "teams": [1, 2], "game": game}]}],
    }
    assert read_event_file(data, date(2026, 11, 25)).options == {"pot_entry": "opt-in"}


@pytest.mark.django_db
def test_stored_options_get_the_names_of_the_sheet() -> None:
    day = date(2026, 11, 25)
    options = {"boston": "any 13 books", "win_at": 7}
    event = Event.objects.create(slug="fall", name="Fall", date=day, sheet="bid_whist/standard", options=options)
    import_module("tournament.migrations.0024_option_names").use_documented_names(apps, None)
    assert fresh(event).options == {"boston": "any-13", "win_at": 7}
