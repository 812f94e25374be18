"""What a tablet sends about others than those who sit there now waits for the desk; nobody is swapped in silence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.sure import fresh
from tests.tournament.submissions.conftest import THREE, TWO_SET, Tablet
from tournament.access import Actor
from tournament.models import Call, Entry, Event, Game, Player, Submission
from tournament.queries.roster import row_of
from tournament.queries.sitting import sitting
from tournament.services.devices import issue_card, pair_device
from tournament.services.respelling import SeatAnswers, respell_team
from tournament.services.submissions import DISCARD, decide
from tournament.services.substitutions import substitute, swap_teams

pytestmark = pytest.mark.both_databases

Change = Callable[[User, Event], object]


def who(game: Game) -> list[dict[str, Any]]:
    """Who sits there as the tablet's page has it now."""
    return [side.row for side in sitting(Game.objects.get(pk=game.pk))]


def swap(dana: User, event: Event) -> object:
    return swap_teams(Actor(dana), event, 1, 2, 3, "sat in each other's place")


def swap_sides(dana: User, event: Event) -> object:
    return swap_teams(Actor(dana), event, 1, 1, 2, "the other way round")


def sit_in(dana: User, event: Event) -> object:
    return substitute(Actor(dana), event, 2, position=0, into="Zed", from_round=1)


def rename(dana: User, event: Event) -> object:
    """Another name in a seat of which nobody knows who it is: somebody else sits there."""
    row = row_of(event.teams.get(number=2))
    return respell_team(Actor(dana), event, 2, replace(row, players=("Zed", row.players[1])), SeatAnswers({}, ""))


CHANGES = [
    (swap, "It is about Books; the desk has put Night Owls there since."),
    (swap_sides, "It was written before the sides changed places at the desk."),
    (sit_in, "It is about Ann 2; the desk has put Zed there since."),
    (rename, "It is about Ann 2; the desk has put Zed there since."),
]


@pytest.mark.parametrize(("change", "reason"), CHANGES)
def test_a_hand_about_others_waits_for_the_desk_with_its_reason(
    tablet: Tablet, desk: Client, dana: User, event: Event, change: Change, reason: str
) -> None:
    hand = tablet.hand(1, TWO_SET, who=who(tablet.game))
    change(dana, event)
    assert tablet.results(hand) == [("parked", "others-sit")]
    row = Submission.objects.get()
    assert (row.reason, Entry.objects.count()) == (reason, 0)
    [shown] = desk.get(reverse("desk-parked", args=[event.slug])).context["pending"].rows
    # The desk reads who bid, and not who has the seat by now.
    assert shown.words == "Line 1: Ann 2: 2 set with 7"
    assert [choice.key for choice in shown.choices] == ["discard", "apply"]


@pytest.mark.parametrize("change", [change for change, _ in CHANGES])
def test_a_message_of_yesterdays_script_is_judged_as_it_was(
    tablet: Tablet, dana: User, event: Event, change: Change
) -> None:
    hand = tablet.hand(1, TWO_SET)
    change(dana, event)
    assert tablet.results(hand) == [("applied", "")]


def test_a_name_that_is_only_spelled_otherwise_is_nobody_else(tablet: Tablet, dana: User, event: Event) -> None:
    hand = tablet.hand(1, TWO_SET, who=who(tablet.game))
    Player.objects.filter(name="Ann 2").update(name="Anne Two", key="anne two")
    event.teams.filter(number=2).update(name="The Books")
    assert tablet.results(hand) == [("applied", "")]


def test_who_is_put_back_is_nobody_else(tablet: Tablet, dana: User, event: Event) -> None:
    hand = tablet.hand(1, TWO_SET, who=who(tablet.game))
    sit_in(dana, event)
    substitute(Actor(dana), event, 2, position=0, into="Ann 2", from_round=1)
    assert tablet.results(hand) == [("applied", "")]


def test_who_is_seated_and_who_deals_first_is_asked_again_of_those_who_sit_there(
    tablet: Tablet, dana: User, event: Event
) -> None:
    seated = who(tablet.game)
    items = [tablet.item("seat", side=0, who=seated), tablet.item("dealer", seat=1, who=seated)]
    items.append(tablet.hand(1, who=seated))
    swap(dana, event)
    assert tablet.results(*items) == [("discarded", "too-late")] * 2 + [("parked", "others-sit")]


def test_nobody_signs_against_a_team_that_was_swapped_away(tablet: Tablet, dana: User, event: Event) -> None:
    hand = tablet.hand(1, {**THREE, "bid": "1", "books": 6})
    tablet.send(hand)
    sign = tablet.item("sign", side=0, name="Ann 1", lines=[hand["uid"]], who=who(tablet.game))
    swap(dana, event)
    assert tablet.results(sign) == [("parked", "others-sit")]


def test_as_the_desk_lets_one_count_so_do_those_written_on_top_of_it(tablet: Tablet, dana: User, event: Event) -> None:
    seated = who(tablet.game)
    hands = [tablet.hand(1, TWO_SET, who=seated), tablet.hand(2, TWO_SET, who=seated)]
    swap(dana, event)
    assert tablet.results(*hands) == [("parked", "others-sit"), ("parked", "waiting")]
    decide(Actor(dana), Submission.objects.get(uid=hands[0]["uid"]), "apply", "They had played it")
    assert [row.status for row in Submission.objects.order_by("pk")] == ["applied", "applied"]
    assert Entry.objects.count() == 2


def test_where_the_desk_leaves_one_out_the_next_says_why_itself(tablet: Tablet, dana: User, event: Event) -> None:
    seated = who(tablet.game)
    hands = [tablet.hand(1, TWO_SET, who=seated), tablet.hand(1, TWO_SET, who=seated)]
    swap(dana, event)
    tablet.send(*hands)
    decide(Actor(dana), Submission.objects.get(uid=hands[0]["uid"]), DISCARD, "Not theirs")
    assert Submission.objects.get(uid=hands[1]["uid"]).code == "others-sit"


@pytest.mark.parametrize(
    "seating",
    [
        [],
        "Aces",
        [{"team": 1}],
        [{"team": True, "name": "Aces", "players": []}],
        [{"team": 1, "name": "Aces", "players": [["p1"]]}],
        [{"team": 1, "name": "A" * 201, "players": []}],
        [{"team": 1, "name": "Aces", "players": [], "more": 1}],
    ],
)
def test_a_seating_that_is_none_cannot_be_read(tablet: Tablet, seating: object) -> None:
    assert tablet.results(tablet.hand(1, who=seating)) == [("parked", "refused")]


# A tablet that was replaced, and the one after it.


def test_a_call_of_a_replaced_tablet_is_a_call_at_once_and_only_it_takes_that_back(
    tablet: Tablet, dana: User, event: Event
) -> None:
    call, hand = tablet.item("call", about="renege"), tablet.hand(1)
    again = Tablet(pair_device(Actor(), issue_card(Actor(dana), event, 1)), tablet.game)
    assert tablet.results(call, hand) == [("applied", ""), ("parked", "former-device")]
    assert Call.objects.get().answered_at is None
    assert tablet.results(tablet.item("uncall", after=call["uid"])) == [("applied", "")]
    assert fresh(Call.objects.get()).answered_at is not None
    # The one after it calls: that is not the old tablet's to take back.
    again.send(again.item("call", about="score"))
    assert tablet.results(tablet.item("uncall", after=None)) == [("discarded", "too-late")]
    assert Call.objects.filter(answered_at=None).count() == 1


def test_a_call_for_another_table_stays_with_the_desk(tablet: Tablet, dana: User, tables: list[Game]) -> None:
    call = tablet.item("call", about="renege", game=tables[1].pk)
    issue_card(Actor(dana), tablet.game.round.event, 1)
    assert tablet.results(call) == [("parked", "other-table")]


def shown(tablet: Tablet) -> list[str]:
    from tournament.queries.tablet import tablet_page, tablet_place

    return list(tablet_page(tablet_place(tablet.device)).held)


def test_the_tablet_after_it_says_what_waits_from_the_one_before(tablet: Tablet, dana: User, event: Event) -> None:
    tablet.send(tablet.hand(1))
    queued = [tablet.hand(2, TWO_SET), tablet.item("undo", position=2, of="0" * 8 + "-0000-4000-8000-" + "0" * 12)]
    again = Tablet(pair_device(Actor(), issue_card(Actor(dana), event, 1)), tablet.game)
    said = [shown(again)]
    tablet.send(queued[0])
    said.append(shown(again))
    tablet.send(queued[1])
    said.append(shown(again))
    for row in Submission.objects.filter(status="parked"):
        decide(Actor(dana), row, DISCARD, "Typed again")
    said.append(shown(again))
    assert said == [
        [],
        ["Hand 2 from the tablet before waits with the director."],
        ["Hand 2 and an undo from the tablet before wait with the director."],
        [],
    ]


def test_a_tablet_beside_it_is_named(tablet: Tablet, second: Tablet) -> None:
    second.send(second.hand(1))
    assert (shown(tablet), shown(second)) == (["Hand 1 from tablet B waits with the director."], [])
