"""A game at the desk: lines from paper, conflicts, totals, signatures, and corrections with what they change."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import MADE_FIVE, make_event, make_game, make_round, make_teams, page_of, pairs_of, play, signed_in
from tests.sure import fresh, sure
from tests.tournament.results.evenings import played_round, win
from tournament.access import Actor
from tournament.errors import Conflict, ValidationFailed
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Device, Entry, Event, Game, Journal, Notice, Round, Signature
from tournament.queries.corrections import impact, picture
from tournament.queries.deskgame import desk_game
from tournament.queries.devices import fingerprint
from tournament.queries.impact import Impact
from tournament.queries.people import corrections_of, unread_notices
from tournament.queries.sheet import sheet_now
from tournament.services.corrections import correct_sheet
from tournament.services.entries import undo_entry

THREE = {"entry": "hand", "bidder": 0, "seat": 0, "bid": "3", "books": 9}
HAND = {"seat": "0", "bid": "3", "books": "9", "position": "1"}


def at(name: str, game: Game, *more: int) -> str:
    return reverse(name, args=[game.round.event.slug, game.pk, *more])


def test_hand_from_paper_is_written_with_its_source(desk: Client, game: Game) -> None:
    assert desk.post(at("game-entry", game), HAND).status_code == 302
    assert [(row.written.text, row.by, row.source) for row in sheet_now(game).rows] == [
        ("3 made with 9", "dana", "Paper")
    ]


def test_same_form_sent_twice_writes_one_hand(desk: Client, game: Game) -> None:
    form = {**HAND, "client_key": str(uuid.uuid4())}
    pages = [page_of(desk.post(at("game-entry", game), form, follow=True)) for _ in range(2)]
    assert (["Hand 1 saved." in page for page in pages], Entry.objects.count()) == ([True, True], 1)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"books": "14"}, "books"),
        ({"books": "-1"}, "books"),
        ({"bid": "0"}, "bid"),
        ({"bid": "8"}, "bid"),
        ({"seat": "9"}, "seat"),
        ({"books": ""}, "books"),
        ({"kind": "nonsense"}, "kind"),
    ],
)
def test_hand_that_cannot_be_is_422_with_what_was_typed(
    desk: Client, game: Game, typed: dict[str, Any], field: str
) -> None:
    response = desk.post(at("game-entry", game), {**HAND, **typed})
    assert response.status_code == 422
    assert field in [fault.field for fault in response.context["refusal"].faults]
    values = response.context["values"]
    assert (values["seat"], values["bid"], values["books"]) == tuple(
        {**HAND, **typed}[name] for name in ("seat", "bid", "books")
    )
    assert not Entry.objects.exists()


def test_hand_where_another_was_written_meanwhile_is_409_and_shows_both(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 1, "seat": 1, "bid": "2-no", "books": 8})
    response = desk.post(at("game-entry", game), HAND)
    assert (response.status_code, b"2-No" in response.content) == (409, True)
    assert response.context["values"]["books"] == "9"
    assert Entry.objects.count() == 1


def test_undo_takes_the_last_line_off(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    desk.post(at("game-undo", game), {"position": "1"})
    assert (sheet_now(game).rows, len(sheet_now(game).removed)) == ((), 1)


def test_undo_of_a_ruling_is_refused_because_it_needs_a_reason(desk: Client, game: Game) -> None:
    desk.post(at("game-ruling", game), {"rule": "36", "position": "1"})
    assert desk.post(at("game-undo", game), {"position": "1"}).status_code == 409
    assert len(sheet_now(game).rows) == 1


def test_void_hand_and_agreed_stop_are_written_from_paper(desk: Client, game: Game) -> None:
    desk.post(at("game-entry", game), {"kind": "void", "rule": "17", "position": "1"})
    desk.post(at("game-entry", game), {**HAND, "position": "2"})
    desk.post(at("game-entry", game), {"kind": "agreed_stop", "position": "3"})
    sheet = sheet_now(game)
    assert ([row.kind for row in sheet.rows], sheet.winner) == (["void", "hand", "agreed_stop"], 0)


def test_totals_from_paper_open_the_game_and_flag_it(desk: Client, game: Game) -> None:
    totals = {"scores-0": "3", "scores-1": "−1", "sets-1": "1", "hands": "2"}
    assert desk.post(at("game-opening", game), totals).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.opening, sheet.sets, sheet.hands) == ((3, -1), (0, 1), 2)
    page = desk.get(reverse("desk", args=[game.round.event.slug]))
    assert [card.paper.totals for card in page.context["tables"]] == [True]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({}, "scores-0"),
        ({"scores-0": "many"}, "scores-0"),
        ({"scores-0": "5"}, "scores-0"),
        ({"scores-0": "1", "sets-0": "-1"}, "sets-0"),
        ({"scores-0": "1", "sets-1": "−2"}, "sets-1"),
        ({"scores-0": "1", "hands": "-2"}, "hands"),
    ],
)
def test_totals_that_cannot_be_are_422(desk: Client, game: Game, typed: dict[str, Any], field: str) -> None:
    response = desk.post(at("game-opening", game), typed)
    assert response.status_code == 422
    assert [fault.field for fault in response.context["refusal"].faults] == [field]
    page = page_of(response)
    sentence = response.context["refusal"].faults[0].text
    form = page[page.index("Continue from the totals") :]
    assert re.findall(r'name="([\w-]+)"[^>]*aria-invalid="true" autofocus>', form) == [field]
    assert (page.count(sentence), form.count(sentence)) == (1, 1)
    assert not Entry.objects.exists()


def test_totals_that_were_typed_wrong_are_taken_back_and_typed_again(desk: Client, game: Game) -> None:
    desk.post(at("game-opening", game), {"scores-0": "3", "scores-1": "−1", "hands": "2"})
    page = desk.get(at("desk-game", game)).content.decode()
    assert "Remove the totals" in page
    assert desk.post(at("game-undo", game), {"position": "0"}).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.opening, sheet.scores, sheet.hands, sheet.paper) == (None, (0, 0), 0, None)
    page = desk.get(at("desk-game", game)).content.decode()
    assert "Continue from the totals of a paper sheet" in page
    assert "<s>Continued from paper: 3 to −1 (hands played so far: 2)</s>" in page
    assert desk.post(at("game-opening", game), {"scores-0": "2", "hands": "2"}).status_code == 302
    assert (sheet_now(game).opening, Entry.objects.count()) == ((2, 0), 3)


def test_tablet_may_not_take_totals_of_the_desk_back(desk: Client, game: Game) -> None:
    desk.post(at("game-opening", game), {"scores-0": "3"})
    with pytest.raises(Conflict):
        undo_entry(Actor(), game, position=0)


def test_totals_of_a_game_with_bags_are_carried_on(desk: Client, dana: User) -> None:
    game = make_game(dana, name="Spades Night", sheet="spades/standard")
    assert "Bags: Books" in desk.get(at("desk-game", game)).content.decode()
    desk.post(at("game-opening", game), {"scores-0": "120", "scores-1": "94", "bags-1": "4", "hands": "3"})
    sheet = sheet_now(game)
    assert (sheet.scores, sheet.bags) == ((120, 94), (0, 4))


OVERTIME = {"scores-0": "120", "scores-1": "95", "sets-0": "1", "sets_running-0": "0", "sets_running-1": "0"}


@pytest.fixture
def overtime(dana: User) -> Game:
    return make_game(dana, name="Overtime Night", sheet="spades/overtime")


def test_a_set_on_paper_that_was_not_the_last_hand_is_none_in_a_row(desk: Client, dana: User, overtime: Game) -> None:
    assert desk.post(at("game-opening", overtime), OVERTIME | {"hands": "3"}).status_code == 302
    lost, made = {"entry": "hand", "bids": ["4", "3", "3", "3"]}, {"entry": "hand", "bids": ["3", "3", "3", "3"]}
    play(dana, overtime, lost | {"tricks": [6, 7]}, sign=False)
    assert (sheet_now(overtime).over, sheet_now(overtime).sets) == (False, (2, 0))
    play(dana, overtime, made | {"tricks": [7, 6]}, lost | {"tricks": [6, 7]}, sign=False)
    assert (sheet_now(overtime).how, sheet_now(overtime).winner) == ("sets", 1)


def test_totals_are_told_wherever_the_sheet_is_read(desk: Client, overtime: Game) -> None:
    typed = OVERTIME | {"sets_running-0": "", "sets_running-1": "", "bags-1": "4", "hands": "3"}
    desk.post(at("game-opening", overtime), typed)
    told = "120 to 95 (sets in all 1 to 0, bags 0 to 4, hands played so far: 3)"
    assert sheet_now(overtime).carried_words == told
    assert f"Continued from paper: {told}" in " ".join(page_of(desk.get(at("desk-game", overtime))).split())


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"sets_running-0": "2"}, "sets_running-0"),
        ({"sets-1": "2", "hands": "1"}, "sets-0"),
        ({"deciding": "yes"}, "deciding"),
    ],
)
def test_totals_that_contradict_each_other_are_422_at_their_field(
    desk: Client, overtime: Game, typed: dict[str, str], field: str
) -> None:
    response = desk.post(at("game-opening", overtime), OVERTIME | typed)
    assert response.status_code == 422
    assert [fault.field for fault in response.context["refusal"].faults] == [field]
    form = page_of(response).partition("Continue from the totals")[2]
    assert re.findall(r'name="([\w-]+)"[^>]*aria-invalid="true" autofocus', form) == [field]
    assert not Entry.objects.exists()


def test_totals_tied_at_time_let_the_next_hand_decide(desk: Client, dana: User, overtime: Game) -> None:
    typed = {"scores-0": "210", "scores-1": "210", "hands": "5", "deciding": "yes"}
    desk.post(at("game-opening", overtime), typed)
    assert "time was up with the score tied: the next hand decides" in sheet_now(overtime).carried_words
    play(dana, overtime, {"entry": "hand", "bids": ["3", "3", "3", "3"], "tricks": [6, 7]}, sign=False)
    assert (sheet_now(overtime).how, sheet_now(overtime).winner) == ("deciding-hand", 1)


def test_totals_that_stand_and_contradict_themselves_are_read_as_before(
    desk: Client, dana: User, overtime: Game
) -> None:
    stood = {"entry": "opening", "scores": [90, 60], "sets": [1, 0], "hands": 0, "deals": 3, "bostons": [2, 0]}
    overtime.entries.create(position=0, kind="opening", facts=stood, source="paper", entered_by=dana)
    page = desk.get(at("game-sheet", overtime))
    shown = {
        field: page.context["values"].get(field, "") for field in ("scores-0", "sets-0", "sets_running-0", "hands")
    }
    assert shown == {"scores-0": "90", "sets-0": "1", "sets_running-0": "1", "hands": "0"}
    play(dana, overtime, {"entry": "hand", "bids": ["4", "3", "3", "3"], "tricks": [6, 7]}, sign=False)
    assert (sheet_now(overtime).how, sheet_now(overtime).winner) == ("back-to-back", 1)


def test_witness_signs_with_a_reason_and_the_last_signature_ends_it(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE, sign=False)
    code = sheet_now(game).code
    assert desk.post(at("game-witness", game), {"side": "0", "code": code}).status_code == 422
    for side in ("0", "1"):
        desk.post(at("game-witness", game), {"side": side, "code": code, "reason": "signed on paper"})
    assert sheet_now(game).game.state == "final"
    assert list(Signature.objects.values_list("name", "reason")) == [("dana", "signed on paper")] * 2


@pytest.mark.parametrize(
    ("wrong", "status"),
    [*(({"side": side}, 422) for side in ("", "7", "-1", "²", "99999999999")), ({"code": "OLD"}, 409)],
)
def test_witness_of_no_side_or_of_an_old_sheet_is_refused(
    desk: Client, game: Game, dana: User, wrong: dict[str, str], status: int
) -> None:
    play(dana, game, MADE_FIVE, sign=False)
    data = {"side": "0", "code": sheet_now(game).code, "reason": "because", **wrong}
    assert desk.post(at("game-witness", game), data).status_code == status


def test_ruling_page_keeps_what_was_said_when_it_cannot_be(desk: Client, game: Game) -> None:
    form = {"rule": "32", "choice": "set", "side": "1", "bidder": "0", "bid": "9", "reason": "queen seen"}
    response = desk.post(at("game-ruling", game), form)
    assert response.status_code == 422
    assert (response.context["form"].values["reason"], Entry.objects.count()) == ("queen seen", 0)


def test_ruling_page_shows_the_effect_before_anything_is_written(desk: Client, game: Game) -> None:
    page = desk.get(at("game-ruling", game), {"rule": "41", "choice": "game", "side": "1"})
    assert (page.context["form"].effect.after, Entry.objects.count()) == ((5, 0), 0)
    assert b"The game is over: Aces won" in page.content


def test_ruling_on_a_sheet_that_grew_is_409(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    response = desk.post(at("game-ruling", game), {"rule": "36", "position": "1"})
    assert (response.status_code, Entry.objects.count()) == (409, 1)


def test_correction_of_a_running_game_shows_what_changes_before_it_is_saved(
    desk: Client, game: Game, dana: User
) -> None:
    play(dana, game, THREE)
    assert desk.get(at("game-revision", game, 1)).context["values"] == {"seat": "0", "bid": "3", "books": "9"}
    form = {"seat": "0", "bid": "3", "books": "10", "revision": "0", "reason": "miscounted"}
    shown = desk.post(at("game-revision", game, 1), form)
    assert (shown.status_code, Entry.objects.count()) == (200, 1)
    changes = {change.what: (change.before, change.after) for change in shown.context["impact"].changes}
    assert changes["Line 1"] == ("Aces: 3 made with 9 (Aces +3)", "Aces: 3 made with 10 (Aces +4)")
    assert "Reason: <b>miscounted</b>" in page_of(shown)
    form |= {"confirmed": shown.context["impact"].key}
    assert desk.post(at("game-revision", game, 1), form).status_code == 302
    [row] = sheet_now(game).rows
    assert (row.scores, row.reason, [old.struck_by for old in row.struck]) == ((4, 0), "miscounted", ["dana"])


def test_correction_by_two_officials_shows_both_to_the_second(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts={**THREE, "books": 10}, reason="first")
    form = {"seat": "0", "bid": "3", "books": "11", "revision": "0", "reason": "second"}
    response = desk.post(at("game-revision", game, 1), form)
    assert (response.status_code, response.context["values"]["books"]) == (409, "11")
    assert b"3 made with 10" in response.content


@pytest.mark.parametrize(
    ("typed", "field"), [({"reason": ""}, "reason"), ({"books": "99"}, "books"), ({"revision": "x"}, "revision")]
)
def test_correction_that_cannot_be_is_422(
    desk: Client, game: Game, dana: User, typed: dict[str, Any], field: str
) -> None:
    play(dana, game, THREE)
    form = {"seat": "0", "bid": "3", "books": "10", "revision": "0", "reason": "miscounted", **typed}
    response = desk.post(at("game-revision", game, 1), form)
    assert response.status_code == 422
    assert [fault.field for fault in response.context["refusal"].faults] == [field]


def test_correction_of_a_final_game_is_announced_before_it_is_saved(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    form = {"seat": "0", "bid": "7", "books": "11", "revision": "0", "reason": "the bid was 7"}
    first = desk.post(at("game-revision", game, 1), form)
    announced = first.context["impact"]
    assert (first.status_code, Entry.objects.count(), Journal.objects.filter(action="correct").count()) == (200, 1, 0)
    before = picture(game.round.event, game.pk)
    assert desk.post(at("game-revision", game, 1), {**form, "confirmed": announced.key}).status_code == 302
    assert impact(before, picture(game.round.event, game.pk)).changes == announced.changes
    changed = {change.what: (change.before, change.after) for change in announced.changes}
    assert changed["Winner"] == ("Aces", "Books")
    assert "1 Aces" in changed
    assert (sheet_now(game).game.state, len(sheet_now(game).unsigned)) == ("final", 0)


def test_correction_with_another_announcement_is_shown_again(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    form = {"seat": "0", "bid": "7", "books": "11", "revision": "0", "reason": "x", "confirmed": "something else"}
    response = desk.post(at("game-revision", game, 1), form)
    assert (response.status_code, response.context["changed"], Entry.objects.count()) == (200, True, 1)


def test_correction_that_would_leave_a_closed_round_unfinished_is_refused(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    Round.objects.update(state="closed")
    with pytest.raises(ValidationFailed):
        correct_sheet(Actor(dana), game, position=1, revision=0, facts=THREE, reason="nine books")
    assert sheet_now(game).game.state == "final"


def test_game_page_says_why_with_rule_and_sentence(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    assert "3 over six · rule 4" in re.sub(r"(<[^>]*>|\s)+", " ", desk.get(at("desk-game", game)).content.decode())


def test_game_page_poll_with_nothing_new_is_204(desk: Client, game: Game) -> None:
    game.refresh_from_db()
    answer = desk.get(at("desk-game", game), {"version": game.version}, headers={"HX-Request": "true"})
    assert answer.status_code == 204


def test_ruling_takes_the_place_of_a_hand_of_a_closed_round(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    Round.objects.update(state="closed")
    form = {"rule": "41", "choice": "game", "side": "0", "revision": "0", "reason": "renege seen on the film"}
    first = desk.post(at("game-line-ruling", game, 1), form)
    assert (first.status_code, Entry.objects.count()) == (200, 1)
    form["confirmed"] = first.context["impact"].key
    assert desk.post(at("game-line-ruling", game, 1), form).status_code == 302
    sheet = sheet_now(game)
    assert (sheet.game.state, sheet.winner, sheet.points, sheet.how) == ("final", 1, (0, 5), "renege")


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"rule": "41", "choice": "game", "side": "0", "revision": "0"}, 422),
        ({"rule": "41", "choice": "game", "side": "0", "revision": "4", "reason": "x"}, 409),
        ({"rule": "41", "revision": "0", "reason": "x"}, 422),
    ],
)
def test_ruling_in_the_place_of_a_line_is_refused_with_what_was_said(
    desk: Client, game: Game, dana: User, form: dict[str, Any], status: int
) -> None:
    play(dana, game, THREE)
    response = desk.post(at("game-line-ruling", game, 1), form)
    assert (response.status_code, Entry.objects.count()) == (status, 1)
    assert response.context["form"].values["rule"] == "41"


def test_notice_is_read_at_the_teams_own_table_only(client: Client, event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    first = sure(make_round(event, pairs_of(teams)).games.first())
    play(dana, first, MADE_FIVE)
    correct_sheet(Actor(dana), first, position=1, revision=0, facts={**MADE_FIVE, "books": 12}, reason="12 books")
    Device.objects.create(event=event, table=1, token_hash=fingerprint("one"))
    Device.objects.create(event=event, table=2, token_hash=fingerprint("two"))
    pair, notice, answers = [teams[0].pk, teams[1].pk], sure(Notice.objects.first()), []
    assert [unread.team.name for unread in unread_notices(pair)] == ["Aces", "Books"]
    for token in ("two", "one"):
        client.cookies[TABLE_COOKIE] = token
        answers.append(client.post(reverse("tablet-notice", args=[notice.pk])).status_code)
    assert answers == [403, 302]
    assert [unread.team.name for unread in unread_notices(pair)] == ["Books"]
    assert [correction.who for correction in corrections_of(event)] == ["dana"]


def test_corrections_are_listed_for_everybody(client: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts={**MADE_FIVE, "books": 12}, reason="12 books")
    page = client.get(reverse("corrections", args=[game.round.event.slug]))
    assert (page.status_code, b"12 books" in page.content) == (200, True)
    assert b"was corrected: 12 books" in client.get(reverse("team", args=[game.round.event.slug, 1])).content


def test_without_scripts_the_effect_stands_on_the_whole_page_beside_what_was_typed(desk: Client, game: Game) -> None:
    typed = {"seat": "0", "bid": "4", "books": "11", "position": "1"}
    part = desk.get(at("game-preview", game), typed, headers={"HX-Request": "true"}).content.decode()
    page = desk.post(at("game-preview", game), typed).content.decode()
    assert "4 made with 11 books" in part
    assert part.strip() in page
    assert re.findall(r'id="([\w-]+)"[^>]* checked', page) == ["seat-0", "bid-4", "books-11"]
    assert not Entry.objects.exists()


# Who dealt first is named at the desk, and the desk knows which table comes next.
def test_who_dealt_first_is_named_at_the_desk_and_seats_everybody(desk: Client, game: Game) -> None:
    for seat in ("2", "1"):
        assert desk.post(at("game-seat", game), {"dealer": seat}).status_code == 302
    assert (fresh(game).first_dealer, game.begun_at is None) == (1, False)
    assert not game.sides.filter(seated_at=None).exists()


@pytest.mark.parametrize("seat", ["4", "-1", "", "²", "abc", "99999999"])
def test_a_first_dealer_who_sits_nowhere_is_refused_and_seats_nobody(desk: Client, game: Game, seat: str) -> None:
    answer = desk.post(at("game-seat", game), {"dealer": seat})
    assert (answer.status_code, fresh(game).begun_at, game.sides.filter(seated_at=None).count()) == (422, None, 2)
    assert "There is no such seat at this table." in answer.content.decode()


def test_a_first_dealer_after_the_first_hand_is_refused(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    assert desk.post(at("game-seat", game), {"dealer": "1"}).status_code == 409


def test_the_next_open_table_is_the_one_behind_and_then_the_first(event: Event, dana: User) -> None:
    games = list(make_round(event, pairs_of(make_teams(event, 8))).games.order_by("table"))
    play(dana, games[1], MADE_FIVE)
    assert [sure(desk_game(Actor(dana), game.pk).next_open).table for game in games] == [3, 3, 4, 1]
    for game in (games[0], games[2], games[3]):
        play(dana, game, MADE_FIVE)
    assert desk_game(Actor(dana), games[0].pk).next_open is None


# Correcting a line of which only the side is known that won the bid: no player is invented.
def test_a_hand_that_was_imported_by_side_is_corrected_by_side(dana: User) -> None:
    event = make_event(director=dana, teams=2)
    game = played_round(event, [(1, 2, win(0))], state="running").games.get()
    client, to = signed_in(dana), reverse("game-revision", args=[event.slug, game.pk, 1])
    page = client.get(to).content.decode()
    assert re.findall(r'name="seat" id="([^"]+)"[^>]* checked', page) == ["seat-side-0"]
    form = {"seat": "side-1", "bid": "4", "books": "11", "reason": "sides mixed up", "revision": "0"}
    answer = client.post(to, form)
    if answer.status_code == 200:
        answer = client.post(to, form | {"confirmed": answer.context["impact"].key})
    assert answer.status_code == 302
    facts = Entry.objects.get(game=game, revision=1).facts
    assert facts | {"dealer": 0} == {"entry": "hand", "dealer": 0, "bidder": 1, "bid": "4", "books": 11}


# A whole sheet typed again: lines that begin or end a game, two lines wrong together, as one correction.


def typed_again(desk: Client, game: Game, **typed: str) -> tuple[int, Impact]:
    """Send the form as the page shows it with other values, look at what it would change, and confirm that."""
    sheet = desk.get(at("game-sheet", game)).context["typed"]
    form = {name: value for line in sheet.lines for name, _, _, value in line.fields} | sheet.values
    form |= {"reason": "as on paper", **typed}
    shown = desk.post(at("game-sheet", game), form)
    assert shown.status_code == 200, shown.context["refusal"].faults
    announced = shown.context["impact"]
    return desk.post(at("game-sheet", game), form | {"confirmed": announced.key}).status_code, announced


def test_a_final_sheet_that_really_had_more_hands_is_typed_again_as_one_correction(
    desk: Client, game: Game, dana: User
) -> None:
    play(dana, game, MADE_FIVE)
    Round.objects.update(state="closed")
    game.refresh_from_db()
    more = {"2.seat": "1", "2.bid": "3", "2.books": "9", "3.seat": "1", "3.bid": "7", "3.books": "13"}
    status, announced = typed_again(desk, game, **{"1.bid": "3", "1.books": "9"}, **more)
    changed = {change.what: (change.before, change.after) for change in announced.changes}
    assert (status, changed["Winner"], changed["Lines on the sheet"]) == (302, ("Aces", "Books"), ("1", "3"))
    assert changed["Line 3"] == ("—", "Books: 7 made with 13 (Books +7)")
    sheet = sheet_now(game)
    assert ([row.kind for row in sheet.rows], sheet.winner, sheet.game.state) == (["hand"] * 3, 1, "final")
    assert [entry.reason for entry in Entry.objects.filter(game=game).exclude(revision=0, position=1)] == [
        "as on paper"
    ] * 3
    assert Journal.objects.filter(action="correct-final").count() == 1


def test_a_hand_that_came_too_late_is_told_whole_with_the_way_to_correct_it(
    desk: Client, game: Game, dana: User
) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "seat": 0, "bid": "7", "books": 13}, sign=False)
    page = page_of(desk.post(at("game-entry", game), {"seat": "1", "bid": "3", "books": "9", "position": "1"}))
    assert "dana recorded hand 1 while you typed:" in page and "7 made with 13" in page
    assert re.findall("You had: <b>(.*?)</b>", page) == ["Bid by Ann 2, Bid 3, Books 9"]
    to = sure(re.search(r'href="([^"]+)">Correct hand 1 to this<', page))[1]
    assert desk.get(to).context["values"] == {"seat": "1", "bid": "3", "books": "9"}


def test_a_refused_correction_says_why_once(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    form = {"seat": "0", "bid": "3", "books": "99", "revision": "0", "reason": "x"}
    answer = desk.post(at("game-revision", game, 1), form)
    assert page_of(answer).count(answer.context["refusal"].faults[0].text) == 1


def test_totals_from_paper_with_a_wrong_digit_are_corrected_on_a_final_sheet(
    desk: Client, game: Game, dana: User
) -> None:
    desk.post(at("game-opening", game), {"scores-0": "3", "scores-1": "1", "hands": "4"})
    play(dana, game, MADE_FIVE)
    status, announced = typed_again(desk, game, **{"scores-1": "2"})
    assert (status, sheet_now(game).opening, sheet_now(game).game.state) == (302, (3, 2), "final")
    assert "Totals from paper" in [change.what for change in announced.changes]


def test_a_sheet_that_changed_meanwhile_is_not_typed_over(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    answer = desk.post(at("game-sheet", game), {"code": "ANOTHER", "reason": "x", "2.seat": "0"})
    assert (answer.status_code, Entry.objects.count()) in ((422, 1), (409, 1))
    assert desk.post(at("game-sheet", game), {"code": "ANOTHER", "reason": "x", "1.goes": "on"}).status_code == 409
