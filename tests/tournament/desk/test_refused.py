"""Every act of the desk around a round that is refused, with its sentence."""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import (
    MADE_FIVE,
    ODD,
    confirmed_in,
    draw_by_hand,
    make_event,
    make_round,
    make_teams,
    page_of,
    pairs_of,
    play,
    revise_entry,
    signed_in,
)
from tests.quick import remembered
from tests.sure import refusal_of, sure
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import level_at_the_cut, play_round, seeded
from tournament import services
from tournament.access import Actor
from tournament.archive import store
from tournament.errors import DomainError
from tournament.models import Event, Game, Journal, Round
from tournament.queries.devices import device_of
from tournament.queries.history import acts_found
from tournament.services.corrections import bring_back, withdraw_ruling
from tournament.services.devices import issue_card, issue_second_card, pair_device, revoke_device, take_over
from tournament.services.draws import draw_rounds, take_back_draw
from tournament.services.entries import open_from_paper, record_entry, restore, sheet_draft
from tournament.services.events import appoint_official, dismiss_official
from tournament.services.playoffs import (
    decide_placing,
    finish_event,
    make_cut,
    play_match_again,
    put_both_out,
    start_playoff_round,
    start_tie_round,
    start_tiebreak,
)
from tournament.services.rounds import (
    call_director,
    call_time,
    choose_first_dealer,
    close_round,
    end_without_hand,
    pause_round,
    resume_round,
    seat_side,
    start_round,
    take_start_back,
    unseat_everybody,
    unseat_side,
)
from tournament.services.substitutions import swap_teams
from tournament.services.teams import enter_roster, remove_team, withdraw_team
from tournament.words import phrases
from tournament.words.phrases import in_words

Step = Callable[[Actor, Event, Game], Any]


def fails(sentence: str, act: Callable[[], Any]) -> None:
    """The act is refused with this sentence, and the log tells of nothing."""
    before_ = Journal.objects.count()
    refusal = refusal_of(act, DomainError)
    assert sentence in str(refusal), str(refusal)
    assert Journal.objects.count() == before_


IN_PLAY: list[tuple[str, Step]] = [
    ("set a time limit first", lambda dana, event, game: call_time(dana, event, 1)),
    ("The clock is running.", lambda dana, event, game: resume_round(dana, event, 1)),
    ("Say why: it is written in the log.", lambda dana, event, game: pause_round(dana, event, 1, " ")),
    ("Time has not been called.", lambda dana, event, game: end_without_hand(dana, game, None)),
    ("Say what the director is called for.", lambda dana, event, game: call_director(dana, game, "pizza")),
    ("There is no such side at this table.", lambda dana, event, game: seat_side(dana, game, 2)),
    ("There is no such side at this table.", lambda dana, event, game: unseat_side(dana, game, 2)),
    ("There is no such seat at this table.", lambda dana, event, game: choose_first_dealer(dana, game, 4)),
    ("Not seated yet: Aces, Books", lambda dana, event, game: choose_first_dealer(dana, game, 0)),
    ("Nothing to undo", lambda dana, event, game: unseat_everybody(dana, event, 1)),
    ("A second tablet needs a table", lambda dana, event, game: issue_second_card(dana, event, 1)),
    ("Which table is the card for?", lambda dana, event, game: issue_card(dana, event, 0)),
    ("Say why these lines count again.", lambda dana, event, game: bring_back(dana, game, " ")),
    ("No line that was set aside fits", lambda dana, event, game: bring_back(dana, game, "they fit")),
    ("This line cannot come back", lambda dana, event, game: restore(dana, sheet_draft(game), 1, "it fits")),
    ("This ruling is no longer on the sheet", lambda dana, event, game: withdraw_ruling(
        dana, game, position=1, revision=0, reason="withdrawn")),
    ("has started, so it keeps its draw", lambda dana, event, game: draw_by_hand(dana, event, 1, [(1, 2)])),
    ("Game 9 cannot be drawn yet.", lambda dana, event, game: draw_by_hand(dana, event, 9, [(1, 2)])),
    ("is used twice in game 2", lambda dana, event, game: draw_by_hand(
        dana, event, 2, [(1, 2), (3, 4)], numbers=[1, 1])),
    ("Seat at least one table.", lambda dana, event, game: draw_by_hand(dana, event, 2, [])),
    ("No drawn game is waiting to start", lambda dana, event, game: take_back_draw(dana, event)),
    ("Game 9 was drawn again or deleted", lambda dana, event, game: start_round(dana, event, 9)),
    ("was already started.", lambda dana, event, game: start_round(dana, event, 1)),
    ("Game 9 was drawn again or deleted", lambda dana, event, game: close_round(dana, event, 9)),
    ("Table 1: still playing", lambda dana, event, game: close_round(dana, event, 1)),
    ("Say what happened", lambda dana, event, game: swap_teams(dana, event, 1, 1, 2, " ")),
    ("This game was drawn again", lambda dana, event, game: swap_teams(dana, event, 9, 1, 2, "mixed up")),
    ("Number 9 is no longer in the list.", lambda dana, event, game: swap_teams(dana, event, 1, 1, 9, "mixed up")),
    ("Choose two of them.", lambda dana, event, game: swap_teams(dana, event, 1, 1, 1, "mixed up")),
    ("Both have a bye in this game.", lambda dana, event, game: swap_teams(dana, event, 1, 3, 4, "mixed up")),
    ("Not in Game 1: Full Deck.", lambda dana, event, game: swap_teams(dana, event, 1, 1, 5, "mixed up")),
    ("Director or verifier?", lambda dana, event, game: appoint_official(dana, event, "vera", "king")),
    ("dana is director already.", lambda dana, event, game: appoint_official(dana, event, "dana", "director")),
    ("An event needs a director", lambda dana, event, game: appoint_official(dana, event, "dana", "verifier")),
    ("An event needs a director", lambda dana, event, game: dismiss_official(dana, event, dana.account.pk)),
    ("no longer an official of this event", lambda dana, event, game: dismiss_official(dana, event, 999)),
    ("give it a password", lambda dana, event, game: appoint_official(dana, event, "vera", "verifier")),
    ("Games have been played: the list can no longer", lambda dana, event, game: enter_roster(
        dana, event, [], replace=True)),
    ("There are no names in this list.", lambda dana, event, game: enter_roster(dana, event, [])),
    ("a team that leaves stays on the list", lambda dana, event, game: remove_team(dana, event, 1)),
    ("Games go from 0", lambda dana, event, game: withdraw_team(dana, event, 1, 99)),
    ("Number 9 is no longer in the list.", lambda dana, event, game: withdraw_team(dana, event, 9, 0)),
    ("The cut can be made when", lambda dana, event, game: make_cut(dana, Event.objects.create(
        name="New", slug="new", date=event.date), 2)),
    ("Make the cut first", lambda dana, event, game: start_playoff_round(dana, event)),
    ("M9 is no longer a match of the bracket.", lambda dana, event, game: play_match_again(dana, event, "M9", "why")),
    ("Nobody is tied at the cut.", lambda dana, event, game: start_tiebreak(dana, event, "lots")),
    ("No game of the tie-break is waiting", lambda dana, event, game: start_tie_round(dana, event)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "act"), IN_PLAY)
def test_act_that_does_not_fit_a_round_in_play_is_refused(event: Event, dana: User, sentence: str, act: Step) -> None:
    """Aces against Books at table 1; Night Owls and Eagles have a bye, Full Deck came late."""
    teams = make_teams(event, 5)
    round_ = make_round(event, [(teams[0], teams[1])])
    for team in teams[2:4]:
        round_.byes.create(team=team)
    fails(sentence, lambda: act(Actor(dana), event, Game.objects.get()))


CLOSED: list[tuple[str, Step]] = [
    ("is closed already.", lambda dana, event, game: close_round(dana, event, 1)),
    ("is not in play: there is no start to undo.", lambda dana, event, game: take_start_back(dana, event, 1)),
    ("nobody can be seated at table 1", lambda dana, event, game: seat_side(dana, game, 0)),
    ("table 1 cannot call the director", lambda dana, event, game: call_director(dana, game, "renege")),
    ("nothing can be recorded at table 1", lambda dana, event, game: record_entry(dana, game, ODD, source="desk")),
    ("nothing can be recorded at table 1", lambda dana, event, game: open_from_paper(dana, game, {})),
    ("A correction needs a reason.", lambda dana, event, game: revise_entry(
        dana, game, position=1, revision=0, facts=ODD, reason=" ")),
    ("has not started yet.", lambda dana, event, game: close_round(dana, event, 2)),
    ("Game 2 comes first.", lambda dana, event, game: start_round(dana, event, 3)),
    ("has no tables yet. Draw it first.", lambda dana, event, game: start_round(dana, event, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "act"), CLOSED)
def test_act_that_does_not_fit_a_closed_round_is_refused(event: Event, dana: User, sentence: str, act: Step) -> None:
    make_teams(event, 2)
    round_ = played_round(event, [(1, 2, win(0))])
    for number in (2, 3):
        Round.objects.create(event=event, number=number, state="planned")
    fails(sentence, lambda: act(Actor(dana), event, round_.games.get()))


SECOND_WINDOW = [
    ("rounds/1/closure/", {}, "Game 1 closed"),
    ("rounds/1/start/return/", {}, "Game 1 closed"),
    ("draw/removal/", {}, "dana, at "),
    ("teams/2/withdrawal/", {"after_round": "0"}, "Books"),
    ("money/payouts/", {"witness": "Ann Long"}, "You had: <b>Witness: Ann Long</b>"),
    ("playoffs/matches/M1/again/", {"reason": "wrong deck"}, "You had: <b>Reason: wrong deck</b>"),
]


@pytest.mark.parametrize(("address", "form", "words"), SECOND_WINDOW)
def test_a_press_that_came_second_is_told_who_did_what_and_what_was_typed(
    event: Event, dana: User, address: str, form: dict[str, str], words: str
) -> None:
    make_teams(event, 2)
    Round.objects.filter(pk=make_round(event, [tuple(event.teams.all())]).pk).update(state="running")
    play(dana, Game.objects.get(), MADE_FIVE)
    close_round(Actor(dana), event, 1)
    withdraw_team(Actor(dana), event, 2, 1)
    page = signed_in(dana).post(f"/desk/{event.slug}/{address}", form)
    assert (page.status_code, words in page_of(page)) == (409, True), page_of(page)
    assert "dana, at " in page_of(page) or "You had" in words
    assert page_of(page).count('<div class="notice') == 1


def test_game_that_was_drawn_again_is_not_there_any_more(game: Game, dana: User) -> None:
    game = Game.objects.select_related("round__event").get()
    Round.objects.all().delete()
    fails("It was drawn again, so this game was deleted", lambda: seat_side(Actor(dana), game, 0))


def test_withdrawn_tablet_takes_nothing_over(event: Event, dana: User) -> None:
    device = sure(device_of(pair_device(Actor(), issue_card(Actor(dana), event, 1))))
    revoke_device(Actor(dana), event, 1)
    fails("This tablet no longer belongs to the table.", lambda: take_over(Actor(dana), device))


def test_draw_that_the_stage_does_not_allow_is_refused(dana: User) -> None:
    event = seeded(dana, 4)
    for act in (lambda: draw_rounds(Actor(dana), event), lambda: draw_by_hand(Actor(dana), event, 1, [(1, 2)])):
        fails("The qualifying games are over", act)


def test_playoffs_that_do_not_fit_are_refused(dana: User) -> None:
    event = seeded(dana, 4)
    fails("There is no champion yet.", lambda: finish_event(Actor(dana), event))
    fails("No game of M1 counts", lambda: play_match_again(Actor(dana), event, "M1", "why"))
    fails("M1 was won", lambda: put_both_out(Actor(dana), event, "M1"))
    fails("M1 has changed: look at the bracket", lambda: put_both_out(Actor(dana), event, "M1", back=True))
    fails(
        "This no longer needs a decision.",
        lambda: decide_placing(Actor(dana), event, "M1", "keep"),
    )
    start_playoff_round(Actor(dana), event)
    fails("is still in play. Close it first.", lambda: start_playoff_round(Actor(dana), event))
    fails("is still in play. Close it first.", lambda: finish_event(Actor(dana), event))
    fails("The playoffs have begun, so the cut is fixed.", lambda: make_cut(Actor(dana), event, 2))
    for game in Game.objects.filter(round__stage="playoff"):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, event.rounds.get(stage="playoff").number)
    fails("Say why the game doesn’t count", lambda: play_match_again(Actor(dana), event, "M1", " "))
    play_round(dana, event)
    fails("has played on: correct the sheet instead", lambda: play_match_again(Actor(dana), event, "M1", "why"))
    finish_event(Actor(dana), event)
    fails("The event is finished already.", lambda: finish_event(Actor(dana), event))


def test_tie_breaks_that_do_not_fit_are_refused(dana: User) -> None:
    event = level_at_the_cut(dana, 3, 1)
    fails("Choose how the tie is broken.", lambda: start_tiebreak(Actor(dana), event, "dice"))
    fails("One game is for two.", lambda: start_tiebreak(Actor(dana), event, "game"))
    fails("Who watched the drawing?", lambda: start_tiebreak(Actor(dana), event, "lots"))
    fails(
        "The number to draw with is a whole number",
        lambda: start_tiebreak(Actor(dana), event, "lots", witness="Vic", seed=-1),
    )
    start_tiebreak(Actor(dana), event, "all-play")
    fails("A tie-break is being played already.", lambda: start_tiebreak(Actor(dana), event, "lots", witness="Vic"))


def test_two_who_are_level_play_one_game(dana: User) -> None:
    event = level_at_the_cut(dana, 2, 1)
    fails("Two who are tied play one game.", lambda: start_tiebreak(Actor(dana), event, "lots", witness="Vic"))


# The log: a dozen different acts at the desk, each with who, from where, before and after in words; found and kept.
ADDRESS = "10.0.0.5"
# What writes into the journal, and which of its arguments is the act.
WRITERS = {"announce": 2, "note_money": 2, "_tell": 3}
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
     ("cash", "$50 put into the cash box (receipt 5): change", "$12.50 cash on hand", "$62.50 cash on hand")),
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
     ("withdraw", "4 Eagles: withdrawn after game 0; last seen in game 1", "Playing", "Left")),
]  # fmt: skip


@remembered
def evening(dana: User) -> Event:
    event = make_event(director=dana, rounds_planned=2)
    pairs = pairs_of(make_teams(event, 4))
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, pot_cents=500)
    event.teams.update(paid=False)
    make_round(event, pairs, state="planned")
    return event


def at(dana: User) -> Client:
    client = Client(REMOTE_ADDR=ADDRESS)
    client.force_login(dana)
    return client


def test_every_act_is_in_the_log_with_before_and_after(dana: User) -> None:
    event, client = evening(dana), at(dana)
    game = Game.objects.get(round__event=event, table=1)
    for path, said, (action, text, before, after) in ACTS:
        to = f"/desk/{event.slug}/{path.format(game=game.pk)}"
        answer = client.post(to, said)
        assert answer.status_code in (200, 204, 302), (path, answer.content.decode()[-3000:])
        if 'name="confirmed"' in (page := page_of(answer)):
            assert client.post(to, said | {"confirmed": confirmed_in(page)}).status_code == 302
        act = acts_found(event, action=action)[0]
        assert (act.text, in_words(act.was), in_words(act.became)) == (text, before, after)
        assert (act.who, act.address) == ("dana", ADDRESS)
    page = page_of(client.get(f"/desk/{event.slug}/log/"))
    lines = client.get(f"/desk/{event.slug}/log/?format=csv").content.decode("utf-8-sig")
    rows = {tuple(row[index] for index in (1, 2, 3, 4, 5, 6)) for row in csv.reader(io.StringIO(lines))}
    for _, _, (action, text, before, after) in ACTS:
        assert ("dana", ADDRESS, phrases.ACTS[action], text, before, after) in rows
        assert [words for words in (text, before, after) if words not in page] == []


def test_a_page_of_the_log_reads_its_own_acts_alone(event: Event, dana: User) -> None:
    acts = [
        Journal(event=event, user=dana, action="start", noun="round", code="undone", facts={"round": number})
        for number in range(1, 121)
    ]
    Journal.objects.bulk_create(acts)
    client = signed_in(dana)
    with CaptureQueriesContext(connection) as queries:
        page = page_of(client.get(f"/desk/{event.slug}/log/?page=2"))
    read = [query["sql"][-60:] for query in queries if 'JOIN "tournament_device"' in query["sql"]]
    assert ("120 actions" in page, [sql for sql in read if "LIMIT" not in sql]) == (True, []), read
    assert "LIMIT 50 OFFSET 50" in read[-1], read


def test_log_is_searched_for_names_reasons_addresses_and_what_stood_before(dana: User) -> None:
    event, client = evening(dana), at(dana)
    form = {"number": "2", "name": "Łucky Books", "player1": "Ann 2", "player2": "Bea 2"}
    assert client.post(f"/desk/{event.slug}/teams/2/", form | {"city": "Columbus"}).status_code == 302
    assert client.post(f"/desk/{event.slug}/teams/2/", form | {"city": "Dayton"}).status_code == 302
    refused = {
        words: [act.text for act in acts_found(event, text=words)]
        for words in ("Łucky dana", "columbus dayton", ADDRESS, "dana 10.0.0", "Books", "nothing of the kind")
    }
    changed = ["2 Łucky Books changed"] * 2
    assert refused == {
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
        ({"code": "ABCD", "how": "back"}, "undone"),
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
    keys = [value for value in kept.values() if isinstance(value, str) and said is None]
    assert [value for value in [*keys, "_"] if value in words] == []


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
    """What the services give to the journal as an act: it follows the actor, the event and the subject."""
    given = given_to(WRITERS, Path(store.__file__))
    return {act.value for act in given if isinstance(act, ast.Constant) and isinstance(act.value, str)}


def given_to(writers: dict[str, int], *more: Path) -> list[ast.expr]:
    """What the services give to these functions, each as the argument with this number."""
    return [
        call.args[writers[call.func.id]]
        for path in (*sorted(Path(services.__path__[0]).glob("*.py")), *more)
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in writers
    ]
