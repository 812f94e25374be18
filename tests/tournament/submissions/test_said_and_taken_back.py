"""What any tablet of a table may say, and what is taken back from a queue."""

from __future__ import annotations

from tests.tournament.submissions.conftest import THREE, Tablet, close_round
from tests.tournament.submissions.test_receive import a_game
from tournament.models import Call, Event, Game, Signature, Submission
from tournament.queries.sheet import sheet_now


def test_any_tablet_of_the_table_says_who_is_seated(tablet: Tablet, second: Tablet, game: Game) -> None:
    game.sides.update(seated_at=None)
    Game.objects.update(begun_at=None)
    assert second.results(second.item("seat", side=0), second.item("seat", side=1)) == [("applied", "")] * 2
    assert game.sides.filter(seated_at=None).count() == 0
    assert second.results(second.item("dealer", seat=1)) == [("parked", "not-writer")]


def test_a_signature_and_a_call_are_taken_back_from_the_queue(tablet: Tablet, game: Game) -> None:
    hand = tablet.hand(1, {**THREE, "bid": "1", "books": 6})
    sign = tablet.item("sign", side=0, name="Ann 1", lines=[hand["uid"]])
    call = tablet.item("call", about="renege")
    back = [tablet.item("unsign", side=0), tablet.item("uncall")]
    assert tablet.results(hand, sign, call, *back) == [("applied", "")] * 5
    sheet = sheet_now(game)
    assert (sheet.signatures, sheet.call, Call.objects.count(), Signature.objects.count()) == ((), None, 1, 2)


def test_what_is_taken_back_too_late_is_told_to_the_table_and_is_no_case(tablet: Tablet, event: Event) -> None:
    hand, *rest = a_game(tablet)
    tablet.send(hand, *rest)
    answer = tablet.send(tablet.item("unsign", side=0)).json()["results"][0]
    assert (answer["status"], answer["code"], answer["text"]) == (
        "discarded",
        "too-late",
        "Every side has signed: the sheet is final. Only an official can correct it.",
    )
    close_round()
    assert tablet.results(tablet.item("unsign", side=0), tablet.item("uncall")) == [("discarded", "too-late")] * 2
    assert not Submission.objects.filter(event=event, status="parked").exists()


def test_what_is_taken_back_waits_for_what_was_said_before_it(tablet: Tablet, game: Game) -> None:
    call = tablet.item("call", about="renege")
    back = {**tablet.item("uncall"), "after": call["uid"]}
    assert tablet.results(back) == [("parked", "waiting")]
    assert tablet.results(call) == [("applied", "")]
    assert not Call.objects.filter(answered_at=None).exists()


def test_a_sheet_of_a_hundred_lines_is_signed_at_the_table(tablet: Tablet, game: Game) -> None:
    hands = [tablet.item("void", position=1 + number, rule="18") for number in range(100)]
    last = tablet.hand(101, {**THREE, "bid": "1", "books": 6})
    for part in (hands[:50], hands[50:], [last]):
        assert {status for status, _ in tablet.results(*part)} == {"applied"}
    lines = [one["uid"] for one in (*hands, last)]
    signed = [tablet.item("sign", side=side, name=f"Ann {side + 1}", lines=lines) for side in (0, 1)]
    assert tablet.results(*signed) == [("applied", "")] * 2
    assert Game.objects.get(pk=game.pk).state == "final"


def test_what_cannot_be_read_is_told_in_words_for_people(tablet: Tablet) -> None:
    answer = tablet.send({**tablet.hand(1), "position": "two"}).json()["results"][0]
    said = "The tablet sent something this version cannot read. Write the hand on paper."
    assert (answer["status"], answer["code"], answer["text"], answer["field"]) == (
        "parked",
        "refused",
        said,
        "position",
    )
