"""Builders of played rounds: real hands on signed sheets, written in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from scoring.standings.ranking import Cut
from tests.factories import make_event, make_teams
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Bye, Entry, Event, Game, Result, Round, Side, Signature, Team
from tournament.queries.bracket import BracketFacts, bracket
from tournament.queries.rules import printed_by
from tournament.queries.standings import standings
from tournament.services.playoffs import make_cut
from tournament.services.signatures import refresh_results


def win(side: int, points: int = 5, other: int = 0) -> list[dict[str, Any]]:
    """Hands by which a side wins with 5 to 7 points (7 is a Boston); the other side makes `other` (0 to 4) before."""
    hands: list[dict[str, Any]] = []
    if other:
        hands.append({"entry": "hand", "bidder": 1 - side, "bid": "1", "books": 6 + other})
    return [*hands, {"entry": "hand", "bidder": side, "bid": "4", "books": 6 + points}]


def bracket_of(event: Event) -> BracketFacts:
    """The bracket of an event that has one."""
    return sure(bracket(event))


def cut_of(event: Event) -> Cut:
    """The cut of an event that has one."""
    return sure(standings(event).cut)


def played_round(
    event: Event,
    games: Iterable[tuple[int, int, Sequence[dict[str, Any]]]],
    *,
    number: int | None = None,
    stage: str = "qualifying",
    state: str = "closed",
    byes: Iterable[int] = (),
) -> Round:
    """A round of final games between team numbers, with the hands of each; no hands leave a game in play."""
    last = event.rounds.order_by("-number").first()
    now = timezone.now()
    round_ = Round.objects.create(
        event=event,
        number=number or (last.number + 1 if last else 1),
        stage=stage,
        state=state,
        started_at=None if state == "planned" else now,
        closed_at=now if state == "closed" else None,
    )
    teams = {team.number: team for team in Team.objects.filter(event=event)}
    Bye.objects.bulk_create(Bye(round=round_, team=teams[one]) for one in byes)
    first = "planned" if state == "planned" else "playing"
    for table, (one, other, hands) in enumerate(games, start=1):
        game = Game.objects.create(round=round_, table=table, state=first)
        Side.objects.bulk_create(
            Side(game=game, round=round_, index=index, team=teams[team]) for index, team in enumerate((one, other))
        )
        Entry.objects.bulk_create(
            Entry(game=game, position=position, kind=facts["entry"].replace("-", "_"), facts=facts, source="import")
            for position, facts in enumerate(hands, start=1)
        )
    if state != "planned":
        sign_all(event, round_)
    if event.stage == "setup":
        event.stage, event.frozen_at, event.printed = "playing", now, printed_by(event.sheet)
    event.public_version += 1
    event.save()
    return round_


def sign_all(event: Event, round_: Round) -> None:
    """Compute every game of a round, and sign those that are over."""
    games = list(Game.objects.filter(round=round_).values_list("pk", flat=True))
    refresh_results(event, games)
    over = Result.objects.filter(game__in=games, over=True).exclude(game__state="final").prefetch_related("game__sides")
    Signature.objects.bulk_create(
        Signature(game=result.game, side=side.index, code=result.code, name="import", reason="test")
        for result in over
        for side in result.game.sides.all()
    )
    refresh_results(event, games)


def finish_game(event: Event, game: Game, hands: Sequence[dict[str, Any]]) -> None:
    """Write a game to its end and sign it."""
    Entry.objects.bulk_create(
        Entry(game=game, position=position, kind=facts["entry"], facts=facts, source="import")
        for position, facts in enumerate(hands, start=1)
    )
    sign_all(event, game.round)
    Event.objects.filter(pk=event.pk).update(public_version=event.public_version + 1)
    event.refresh_from_db()


def round_robin(event: Event, order: Sequence[int], hands: Sequence[dict[str, Any]] | None = None) -> None:
    """Everyone plays everyone; the team that stands first in `order` wins each game with 5."""
    circle = list(order) if len(order) % 2 == 0 else [*order, 0]
    for _ in range(len(circle) - 1):
        pairs = list(zip(circle[: len(circle) // 2], reversed(circle[len(circle) // 2 :]), strict=True))
        games, byes = [], []
        for one, other in pairs:
            if 0 in (one, other):
                byes.append(one or other)
            else:
                better = 0 if order.index(one) < order.index(other) else 1
                games.append((one, other, hands or win(better)))
        played_round(event, games, byes=byes)
        circle = [circle[0], circle[-1], *circle[1:-1]]


def five_teams_meet(director: User, *rounds: tuple[int, tuple[int, int, int], tuple[int, int, int]]) -> Event:
    """Five teams and the cut to four. A round: who has the bye, then twice who won, who lost, and by how many."""
    event = make_event(director=director, rounds_planned=len(rounds))
    make_teams(event, 5)
    for bye, *games in rounds:
        played_round(event, [(one, other, win(0, points)) for one, other, points in games], byes=[bye])
    make_cut(Actor(director), event, 4)
    event.refresh_from_db()
    return event
