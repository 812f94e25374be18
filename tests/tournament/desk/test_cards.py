"""What the cards of a round say below a table, and why its round cannot be started or closed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.factories import ODD, make_event, make_round, make_teams, pairs_of, play
from tests.sure import sure
from tournament.models import Event, Game, Round, Side
from tournament.queries.desk import desk_round

ALL_TRICKS = {"entry": "hand", "bidder": 0, "bid": "7", "books": 13}


def said(event: Event) -> list[tuple[str, str, tuple[str, ...], str]]:
    desk = sure(desk_round(event))
    return [(card.state, card.words, card.footer, card.boston) for card in desk.tables]


def refused(event: Event, number: int) -> tuple[str, str]:
    desk = sure(desk_round(event, number))
    return desk.act, desk.refusal


def seat(round_: Round, *teams: int) -> None:
    Side.objects.filter(round=round_, team__number__in=teams).update(seated_at=timezone.now())


def test_a_table_says_who_is_missing_what_is_played_and_how_it_ended(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2)
    round_ = make_round(event, pairs_of(make_teams(event, 8)))
    seat(round_, 3, 5, 6)
    game = Game.objects.get(round=round_, table=4)
    play(dana, game, ODD, sign=False)
    assert said(event) == [
        ("late", "Not seated", ("Nobody is seated",), ""),
        ("late", "Not seated", ("Eagles not seated",), ""),
        ("playing", "Playing", ("Hand 1", "everybody is seated"), ""),
        ("to-sign", "To sign", ("Odd · rule 7", "nobody has signed yet"), ""),
    ]
    Round.objects.filter(pk=round_.pk).update(started_at=timezone.now() - timedelta(hours=1))
    assert [words for _, words, _, _ in said(event)] == ["Late", "Late", "Playing", "To sign"]


def test_a_boston_is_said_on_the_card_of_its_table(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2)
    game = make_round(event, pairs_of(make_teams(event, 2))).games.get()
    play(dana, game, ALL_TRICKS, sign=False)
    assert [boston for *_, boston in said(event)] == ["Boston for Aces"]


def test_a_round_is_started_when_all_before_it_are_closed(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=4)
    teams = make_teams(event, 4)
    first = make_round(event, pairs_of(teams))
    for number in (2, 3):
        make_round(event, pairs_of(teams), number, state="planned")
    Round.objects.create(event=event, number=4, state="planned")
    assert refused(event, 1) == ("close", "Not final yet: tables 1, 2.")
    assert refused(event, 2) == ("start", "Game 1 is still in play: close it first.")
    assert refused(event, 4) == ("start", "No tables are drawn yet.")
    Round.objects.filter(pk=first.pk).update(state="closed")
    assert refused(event, 1) == ("", "")
    assert refused(event, 2) == ("start", "")
    assert refused(event, 3) == ("start", "Game 2 comes first.")


@pytest.mark.parametrize(
    ("tables", "words"), [(1, "table 1"), (6, "tables 1, 2, 3, 4, 5, 6"), (8, "tables 1, 2, 3, 4, 5 and 3 more")]
)
def test_a_few_tables_are_named_and_many_are_counted(dana: User, tables: int, words: str) -> None:
    event = make_event(director=dana, rounds_planned=1)
    make_round(event, pairs_of(make_teams(event, 2 * tables)))
    assert refused(event, 1) == ("close", f"Not final yet: {words}.")
