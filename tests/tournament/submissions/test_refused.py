"""What the desk cannot do with what was parked, and lines that no sheet takes any more."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import MADE_FIVE, ODD, make_round, make_teams, play, revise_entry
from tests.tournament.results.test_playoffs import play_round, seeded
from tests.tournament.submissions.conftest import Tablet
from tournament.access import Actor
from tournament.models import Event, Game, Submission
from tournament.queries.roster import RosterRow
from tournament.refusals import Changed, Invalid
from tournament.services import submissions
from tournament.services.devices import revoke_device
from tournament.services.entries import open_from_paper, record_entry
from tournament.services.submissions import decide
from tournament.services.teams import change_team, withdraw_team


@pytest.mark.parametrize(
    ("change", "choice", "sentence"),
    [
        ({"kind": "seat"}, "replace", "Only a hand can replace a line."),
        ({}, "replace", "There is no line in its place: add it to the sheet instead."),
        ({"game": None}, "apply", "Its game was deleted, or it cannot be read"),
        ({"kind": "other"}, "apply", "Its game was deleted, or it cannot be read"),
        ({"status": "discarded"}, "discard", "Somebody else decided meanwhile"),
        ({}, "perhaps", "Add it, use it instead of the line, or discard it?"),
    ],
)
def test_decision_that_cannot_be_carried_out_is_refused(
    tablet: Tablet, dana: User, change: dict[str, object], choice: str, sentence: str
) -> None:
    tablet.send(tablet.hand(4))
    sent = Submission.objects.get()
    Submission.objects.filter(pk=sent.pk).update(**change)
    status = Submission.objects.get().status
    with pytest.raises((Changed, Invalid)) as refusal:
        decide(Actor(dana), sent, choice, "asked the table")
    assert sentence in str(refusal.value)
    assert Submission.objects.get().status == status


def test_decision_without_a_reason_is_refused(tablet: Tablet, dana: User) -> None:
    tablet.send(tablet.hand(4))
    with pytest.raises(Invalid, match="A decision needs a reason"):
        decide(Actor(dana), Submission.objects.get(), "discard", " ")


def test_game_that_does_not_count_takes_no_line(game: Game, dana: User) -> None:
    Game.objects.filter(pk=game.pk).update(state="void")
    with pytest.raises(Changed, match="This game no longer counts"):
        record_entry(Actor(dana), game, ODD, source="desk")


def test_sheet_with_lines_takes_no_totals_and_no_correction_of_what_changed(game: Game, dana: User) -> None:
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    with pytest.raises(Changed, match="The sheet already has hands"):
        open_from_paper(Actor(dana), game, {"scores": [1, 0]})
    with pytest.raises(Changed, match="This hand was changed since you opened it"):
        revise_entry(Actor(dana), game, position=1, revision=3, facts=ODD, reason="the books were 6")


def test_correction_of_a_line_that_is_gone_is_refused(client: Client, game: Game, dana: User) -> None:
    client.force_login(dana)
    answer = client.get(reverse("game-revision", args=[game.round.event.slug, game.pk, 7]))
    assert (answer.status_code, "This line is no longer on the sheet." in answer.text) == (409, True)


def test_number_of_a_team_stays_once_games_are_played(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    play(dana, Game.objects.get(), MADE_FIVE)
    with pytest.raises(Invalid, match="Numbers stay as they are once games are played"):
        change_team(Actor(dana), event, 1, RosterRow(0, 7, "Aces", ("Ann 1", "Bea 1")))


def test_team_leaves_after_no_round_before_its_last_playoff_game(dana: User) -> None:
    event = seeded(dana, 4)
    play_round(dana, event)
    with pytest.raises(Invalid, match="so the last round cannot be earlier"):
        withdraw_team(Actor(dana), event, 1, 1)


def test_a_void_hand_at_the_wrong_line_is_kept_for_its_line_before_its_rule_is_looked_at(tablet: Tablet) -> None:
    assert tablet.results(tablet.item("void", position=4, rule="none")) == [("parked", "gap")]
    assert tablet.results(tablet.item("void", position=1, rule="none", after=None)) == [("parked", "refused")]


def test_what_a_tablet_may_leave_for_the_desk_has_an_end(
    dana: User, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest stays on the tablet, and is taken once the desk has decided some of it."""
    monkeypatch.setattr(submissions, "MOST_WAITING", 3)
    revoke_device(Actor(dana), tablet.game.round.event, 1)
    items = [tablet.hand(1) for _ in range(5)]
    full = tablet.send(*items)
    assert (full.status_code, full["Retry-After"], Submission.objects.count()) == (429, "60", 3)
    assert (
        full.json()["faults"][0]["text"]
        == "Too much that came from this tablet could not be carried out. The tablet keeps the rest."
    )
    assert tablet.results(*items[:3]) == [("parked", "former-device")] * 3
    Submission.objects.update(status="discarded")
    assert [status for status, _ in tablet.results(*items)] == ["discarded"] * 3 + ["parked"] * 2


def test_what_a_withdrawn_tablet_takes_back_too_late_has_an_end_too(
    dana: User, tablet: Tablet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_WAITING", 3)
    revoke_device(Actor(dana), tablet.game.round.event, 1)
    items = [tablet.item("uncall", after=None) for _ in range(5)]
    assert (tablet.send(*items).status_code, Submission.objects.count()) == (429, 3)
    assert tablet.results(*items[:3]) == [("discarded", "too-late")] * 3
