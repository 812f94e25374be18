"""Another hall's event file is read: its finished games stand here as they stand there, and nothing comes twice."""

from __future__ import annotations

import json
import uuid
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories import MADE_FIVE, make_event, make_user, play
from tests.tournament.archive.filed import resealed
from tests.tournament.archive.otherhall import (
    ALONE,
    THREE,
    books_of,
    evening,
    file_of,
    games_of,
    read,
    sign_all,
    take,
    two_halls,
)
from tests.tournament.reports.evenings import SHEETS, random_entries, write
from tournament.access import Actor
from tournament.archive.hall import hall_results
from tournament.models import Call, Device, Event, Game, Journal, Notice, Official, Round, Signature, Submission, Team
from tournament.queries.rules import ruleset_of
from tournament.refusals import Invalid
from tournament.services.calls import call_director
from tournament.services.corrections import correct_sheet
from tournament.services.results import refresh_results
from tournament.services.substitutions import substitute

# What the evening's file says of its five games.
COME = ["Game 1, table 2", "Game 1, table 3", "Game 1, table 4"]


def tables_of(event: Event) -> list[dict[str, Any]]:
    """Every table of round 1 as the event file tells it."""
    return list(file_of(event)["rounds"][0]["tables"])


def final(file: dict[str, Any]) -> list[dict[str, Any]]:
    return [table for table in file["rounds"][0]["tables"] if len(table["signed"]) == len(table["teams"])]


def refused(event: Event, file: dict[str, Any]) -> list[str]:
    with pytest.raises(Invalid) as refusal:
        hall_results(event, read(file))
    return [fault.text for fault in refusal.value.faults]


def test_finished_games_are_the_same_here_as_there(dana: User) -> None:
    there, here = evening(dana)
    Notice.objects.create(
        game=games_of(there)[1], team=there.teams.get(number=3), code="text", facts={"text": "Please sign."}
    )
    Call.objects.create(game=games_of(there)[1], kind="score")
    file = file_of(there)
    untouched = [tables_of(here)[at] for at in (0, 4)]
    assert take(dana, here, file) == COME
    assert [tables_of(here)[at] for at in (1, 2, 3)] == final(file)
    assert [tables_of(here)[at] for at in (0, 4)] == untouched
    assert [sheet[:7] for sheet in books_of(here)[0][1:4]] == [sheet[:7] for sheet in books_of(there)[0][1:4]]
    assert [game.state for game in games_of(here)] == ["playing", "final", "final", "final", "playing"]
    before = file_of(here)
    assert take(dana, here, file) == []
    assert file_of(here) == before
    results = hall_results(here, read(file))
    assert [one.place for one in results.here] == COME
    assert (results.out, results.open, results.left, results.substitutes) == ([], 2, [], [])


def test_a_later_file_brings_only_what_is_new(dana: User) -> None:
    there, here = evening(dana)
    first = file_of(there)
    play(dana, games_of(there)[0], MADE_FIVE, {"entry": "agreed_stop"})
    later = file_of(there)
    assert take(dana, here, first) == COME
    assert take(dana, here, later) == ["Game 1, table 1"]
    assert take(dana, here, first) == []
    assert [tables_of(here)[at] for at in range(4)] == final(later)


def test_the_log_tells_what_was_done_there_and_that_it_was_read(dana: User) -> None:
    there, here = evening(dana)
    take(dana, here, file_of(there))
    keys = [str(game.pk) for game in games_of(there)[1:4]]
    acts = Journal.objects.filter(event=there, noun="game", key__in=keys).order_by("pk")
    told = Journal.objects.filter(event=here, noun="game").order_by("pk")
    assert [(act.action, act.text, act.by) for act in told] == [(act.action, act.text, "dana") for act in acts]
    note = Journal.objects.get(event=here, action="other-hall")
    assert (note.text, note.after) == ("3 games imported from the other hall's event file", COME)


@pytest.mark.parametrize("family", SHEETS)
def test_random_evenings_of_every_game_are_the_same_here_as_there(family: str, dana: User) -> None:
    chance = Random(f"other hall {family}")
    sheet = f"{family}/{chance.choice(SHEETS[family])}"
    sides = ruleset_of(make_event("Rules", sheet=sheet, slug="rules")).seating.sides
    there, here = two_halls(dana, sheet, tables=8, at_a_table=sides)
    for game in games_of(there):
        write(dana, game, random_entries(chance, there))
    refresh_results(there, [game.pk for game in games_of(there)])
    sign_all(dana, there)
    file = file_of(there)
    came = take(dana, here, file)
    assert came
    assert [table for table in tables_of(here) if table.get("signed")] == final(file)
    assert len(final(file)) == len(came)
    assert take(dana, here, file) == []


def test_a_smaller_table_of_single_players_is_the_same_here_as_there(dana: User) -> None:
    there, here = two_halls(dana, "back_alley/individual", tables=2, at_a_table=3)
    for game in games_of(there):
        play(dana, game, *ALONE, {"entry": "agreed_stop"})
    take(dana, here, file_of(there))
    assert books_of(here) == books_of(there)


def test_a_file_written_by_hand_is_signed_by_whoever_reads_it(dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], MADE_FIVE)
    file = {key: said for key, said in file_of(there).items() if key not in ("manifest", "journal")}
    table = file["rounds"][0]["tables"][0]
    short = {key: table[key] for key in ("table", "teams", "game")}
    file |= {"version": 1, "rounds": [{"round": 1, "tables": [short]}]}
    assert take(dana, here, file) == ["Game 1, table 1"]
    assert set(Signature.objects.filter(game__round__event=here).values_list("name", "witness")) == {
        ("by import", dana.pk)
    }
    assert games_of(here)[0].state == "final"


def test_substitutes_come_with_their_games_and_who_left_is_named(dana: User) -> None:
    there, here = two_halls(dana, tables=2)
    one, two = there.teams.filter(number__in=(1, 3))
    for team in (one, two):
        substitute(Actor(dana), there, team.number, position=0, into=f"Zoe {team.number}", from_round=1, reason="ill")
    play(dana, games_of(there)[0], MADE_FIVE)
    Team.objects.filter(event=there, number=4).update(status="left", left_after=0)
    file = file_of(there)
    results = hall_results(here, read(file))
    assert [(team.name, one.into, one.out) for team, one in results.substitutes] == [("Aces", "Zoe 1", "Ann 1")]
    assert results.left == ["Eagles: left"]
    assert take(dana, here, file) == ["Game 1, table 1"]
    assert [team.get("substitutes") for team in file_of(here)["teams"]] == [
        file["teams"][0]["substitutes"],
        None,
        None,
        None,
    ]
    assert here.teams.get(number=4).status == "playing"


def test_what_is_played_here_stays_and_what_differs_is_named(dana: User) -> None:
    there, here = two_halls(dana, tables=4)
    for game in games_of(there):
        play(dana, game, THREE, MADE_FIVE)
    one, two, three, _ = games_of(here)
    play(dana, one, THREE, MADE_FIVE)
    play(dana, two, THREE, {**MADE_FIVE, "books": 12})
    play(dana, three, THREE)
    file, before = file_of(there), file_of(here)
    results = hall_results(here, read(file))
    assert ([one.place for one in results.comes], [one.place for one in results.here]) == (
        ["Game 1, table 4"], ["Game 1, table 1"]
    )  # fmt: skip
    stays = "The sheet here stays as it is."
    assert [(one.place, one.why) for one in results.out] == [
        ("Game 1, table 2", f"Played here, too, and not the same: line 2 is different. {stays}"),
        ("Game 1, table 3", f"Played here, too, and not the same: 1 line here, 2 there. {stays}"),
    ]
    take(dana, here, file)
    assert tables_of(here)[:3] == before["rounds"][0]["tables"][:3]
    correct_sheet(Actor(dana), games_of(there)[3], position=1, revision=0, facts={**THREE, "books": 10}, reason="m")
    sign_all(dana, there)
    assert [one.place for one in hall_results(here, read(file_of(there))).out] == [
        "Game 1, table 2", "Game 1, table 3", "Game 1, table 4",
    ]  # fmt: skip
    assert take(dana, here, file_of(there)) == []


def test_a_game_waits_until_its_table_here_is_ready(dana: User) -> None:
    there, here = two_halls(dana, tables=4)
    for game in games_of(there):
        play(dana, game, MADE_FIVE)
    one, two, _, four = games_of(here)
    call_director(Actor(dana), one, "score")
    tablet = Device.objects.create(event=here, table=4)
    Submission.objects.create(
        uid=uuid.uuid4(), event=here, device=tablet, game=four, kind="entry", body={}, status="parked", code="refused"
    )
    Game.objects.filter(pk=two.pk).update(state="void")
    file = file_of(there)
    results = hall_results(here, read(file))
    assert ([one.place for one in results.comes], [one.why for one in results.out]) == (
        ["Game 1, table 3"],
        [
            "The table is calling the director here. Answer it, then import the file again.",
            "Here this game does not count.",
            "A tablet here wrote on this game. Decide on that first, then import the file again.",
        ],
    )
    Round.objects.filter(event=here).update(state="planned")
    Game.objects.filter(round__event=here).update(state="planned")
    assert {one.why for one in hall_results(here, read(file)).out} == {
        "Game 1 has not started here. Start it, then import the file again."
    }
    assert take(dana, here, file) == []


def test_a_file_that_does_not_fit_is_refused_with_what_differs(dana: User) -> None:
    there, here = two_halls(dana, tables=2)
    for game in games_of(there):
        play(dana, game, MADE_FIVE)
    file = file_of(there)
    Event.objects.filter(pk=here.pk).update(name="Three Halls", options={"loser_points": "winners-only"})
    here.refresh_from_db()
    assert refused(here, file) == [
        "The file is of another event: Two Halls, November 21, 2026. This is Three Halls, November 21, 2026."
    ]
    Event.objects.filter(pk=here.pk).update(name="Two Halls")
    here.refresh_from_db()
    assert refused(here, file) == ["The other hall plays by other rules: Points of the side that lost."]
    Event.objects.filter(pk=here.pk).update(sheet="bid_whist/standard", options={}, printed=there.printed)
    here.refresh_from_db()
    [fault] = refused(here, file)
    assert fault.startswith("The file is played by “")
    Event.objects.filter(pk=here.pk).update(sheet=there.sheet)
    here.refresh_from_db()
    here.teams.filter(number=1).update(name="Other Aces", key="other aces")
    Game.objects.filter(round__event=here, table=2).update(table=3)
    assert refused(here, file) == [
        "Game 1, table 1: there it is Aces (1) and Books (2), here Other Aces (1) and Books (2).",
        "Game 1, table 2: this event has no such game. There it is Night Owls and Eagles.",
    ]
    assert {game.state for game in games_of(here)} == {"playing"}


def test_files_that_cannot_be_read_are_refused_by_their_place(client: Client, dana: User) -> None:
    there, here = two_halls(dana)
    play(dana, games_of(there)[0], MADE_FIVE)
    file = file_of(there)
    client.force_login(dana)

    def said(content: Any) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        sent = {"file": SimpleUploadedFile("event.json", text.encode()), "take": "yes"}
        page = client.post(f"/desk/{here.slug}/file/other-hall/", sent)
        assert page.status_code == 422
        return " ".join(page.content.decode().split())

    assert "This file is not an Uptown event file." in said("Game,Score\n1,7")
    assert "This event file is damaged or cut off" in said(json.dumps(file)[:-20])
    assert "does not give the checksum of its manifest" in said(file | {"place": "Elsewhere"})
    assert "Field sheet: There is no rule sheet “hearts/standard”." in said(
        resealed(file | {"sheet": "hearts/standard"})
    )
    gone = said(resealed(file | {"options": {"loser_points": "winner-only"}}))
    assert "Field options.loser_points: Points of the side that lost: “winner-only” is not one of" in gone
    assert "Say “winners-only”." in gone
    wrong = said(resealed(file | {"options": {"winning_scores": 11}}))
    assert "Field options.winning_scores" in wrong
    for field, word, words in (("bid", "four", "“four” is not a bid"), ("trump", "♥", "“♥” is not a suit. Trumps are")):
        hand = file["rounds"][0]["tables"][0]["game"]["entries"][0] | {field: word}
        table = file["rounds"][0]["tables"][0] | {"game": {"entries": [hand]}}
        wrong = said(resealed(file | {"rounds": [file["rounds"][0] | {"tables": [table]}]}))
        assert f"Round 1, table 1, entry 1, field {field}: {words}" in wrong
    assert "Nothing was imported." in wrong
    assert games_of(here)[0].entries.count() == 0


def test_the_page_shows_what_would_come_and_takes_it_at_the_next_press(client: Client, dana: User) -> None:
    there, here = evening(dana)
    address, file = f"/desk/{here.slug}/file/other-hall/", json.dumps(file_of(there))
    client.force_login(dana)
    page = client.post(address, {"file": SimpleUploadedFile("event.json", file.encode())})
    text = " ".join(page.content.decode().split())
    assert "To be imported: 3 games. Already here: 0. Not finished in the other hall: 2." in text
    assert "<td>Game 1, table 3</td><td>Full Deck – High Rollers</td>" in text
    assert '<button class="btn primary big" name="take" value="yes">Import 3 games</button>' in text
    assert games_of(here)[1].entries.count() == 0
    done = client.post(address, {"kept": page.context["form"].to_keep, "take": "yes"}, follow=True)
    assert "3 games imported." in done.content.decode()
    again = client.post(address, {"file": SimpleUploadedFile("event.json", file.encode())})
    text = " ".join(again.content.decode().split())
    assert "Nothing new in this file. Already here: 3." in text
    assert "Import 3" not in text


def test_only_a_director_takes_over(client: Client, dana: User) -> None:
    there, here = evening(dana)
    vic = make_user("vic")
    Official.objects.create(event=here, user=vic, role="verifier")
    client.force_login(vic)
    sent = {"file": SimpleUploadedFile("event.json", json.dumps(file_of(there)).encode()), "take": "yes"}
    assert client.post(f"/desk/{here.slug}/file/other-hall/", sent).status_code == 403
    assert {game.state for game in games_of(here)} == {"playing"}


def test_a_finished_match_fits_only_its_own_match(dana: User) -> None:
    there, here = two_halls(dana)
    Game.objects.filter(round__event=here).update(match="1")
    Round.objects.filter(event=here).update(stage="playoff")
    play(dana, games_of(there)[0], MADE_FIVE)
    assert refused(here, file_of(there)) == ["Game 1, table 1: here it is a game of another stage or match."]
