"""Builders of played rounds: real hands on signed sheets, written in bulk."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from scoring.standings.ranking import Cut
from tests.factories import make_event, make_teams, revise_entry
from tests.sure import fresh, sure
from tournament.access import Actor
from tournament.models import Bye, Entry, Event, Game, Result, Round, Side, Signature, Team
from tournament.pairing.bracket import Form
from tournament.queries.bracket import bracket
from tournament.queries.bracket_facts import BracketFacts
from tournament.queries.rules import printed_by, ruleset_of
from tournament.queries.standings import standings
from tournament.services.corrections import apply_ruling
from tournament.services.playoffs import decide_placing, finish_event, make_cut, start_playoff_round, start_tiebreak
from tournament.services.rounds import close_round
from tournament.services.signatures import refresh_results
from tournament.services.teams import withdraw_team


def win(side: int, points: int = 5, other: int = 0) -> list[dict[str, Any]]:
    """Hands by which a side wins with 5 to 7 points (7 is a Boston); the other side makes `other` (0 to 4) before."""
    hands: list[dict[str, Any]] = []
    if other:
        hands.append({"entry": "hand", "bidder": 1 - side, "bid": "1", "books": 6 + other})
    return [*hands, {"entry": "hand", "bidder": side, "bid": "4", "books": 6 + points}]


def bracket_of(event: Event) -> BracketFacts:
    return sure(bracket(event))


def cut_of(event: Event) -> Cut:
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
    Bye.objects.bulk_create(Bye(round=round_, team=teams[bye]) for bye in byes)
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
    Entry.objects.bulk_create(
        Entry(game=game, position=position, kind=facts["entry"], facts=facts, source="import")
        for position, facts in enumerate(hands, start=1)
    )
    sign_all(event, game.round)
    Event.objects.filter(pk=event.pk).update(public_version=event.public_version + 1)
    event.refresh_from_db()


def round_robin(event: Event, order: Sequence[int], hands: Sequence[dict[str, Any]] | None = None) -> None:
    """Everyone plays everyone; the team that comes first in `order` wins each game with 5."""
    circle = list(order) if len(order) % 2 == 0 else [*order, 0]
    for _ in range(len(circle) - 1):
        pairs = list(zip(circle[: len(circle) // 2], reversed(circle[len(circle) // 2 :]), strict=True))
        games, byes = [], []
        for first, other in pairs:
            if 0 in (first, other):
                byes.append(first or other)
            else:
                better = 0 if order.index(first) < order.index(other) else 1
                games.append((first, other, hands or win(better)))
        played_round(event, games, byes=byes)
        circle = [circle[0], circle[-1], *circle[1:-1]]


def after_the_cut(director: User, size: int, *games: tuple[int, int, Sequence[dict[str, Any]]], **fields: Any) -> Event:
    """One qualifying game of every team, and the cut to `size`."""
    event = make_event(director=director, rounds_planned=1, teams=2 * len(games), **fields)
    played_round(event, games)
    make_cut(Actor(director), event, size)
    return fresh(event)


def five_teams_meet(director: User, *rounds: tuple[int, tuple[int, int, int], tuple[int, int, int]]) -> Event:
    """Five teams and the cut to four. A round: who has the bye, then twice who won, who lost, and by how many."""
    event = make_event(director=director, rounds_planned=len(rounds), teams=5)
    for bye, *games in rounds:
        played_round(event, [(first, other, win(0, points)) for first, other, points in games], byes=[bye])
    make_cut(Actor(director), event, 4)
    return fresh(event)


# Evenings told in sentences, as in fixtures/examples/places: played here from the first game to the last.
FOLDER = Path(__file__).parents[3] / "fixtures" / "examples" / "places"
EXAMPLES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))}
NAME = "[A-Z][a-z]+"
GAME = re.compile(rf"({NAME}) (\d+), ({NAME}) (\d+)")
DEFAULT = re.compile(rf"({NAME}) by default against ({NAME}(?: and {NAME})*)")
LATE = re.compile(rf"({NAME}) and ({NAME}) late")
BOTH_LEAVE = re.compile(rf"({NAME}) and ({NAME}) leave during their game")
GONE = re.compile(rf"({NAME}) (left|disqualified)")
CORRECTED = re.compile(rf"corrected: ({NAME}) (\d+), ({NAME}) (\d+): (keep|replay)")
NOBODY_CAME = {"entry": "ruling", "rule": "13", "choice": "both-late"}


def play_example(dana: User, name: str) -> Event:
    evening = Told(dana, EXAMPLES[name])
    evening.play()
    return evening.event


class Told:
    """An event that is played as an example says."""

    def __init__(self, dana: User, example: dict[str, Any]) -> None:
        self.actor, self.example = Actor(dana), example
        rules = {key: example[key] for key in ("sheet", "options") if key in example}
        rounds = example["qualifying"]
        self.event = make_event("Told Open", dana, rounds_planned=len(rounds), **rules)
        names = sorted(set(re.findall(NAME, " ".join(rounds[0]))))
        self.teams = {team.name: team for team in make_teams(self.event, len(names), names)}

    def play(self) -> None:
        """Qualifying games, the cut, and whatever the example tells after it."""
        for games in self.example["qualifying"]:
            self._qualify(games)
        asked = {key: self.example[key] for key in ("best_of",) if key in self.example}
        if "form" in self.example:
            asked["form"] = Form(**self.example["form"])
        make_cut(self.actor, self.event, self.example.get("cut", 1), **asked)
        self.event.refresh_from_db()
        for sentence in self.example.get("playoffs", ()):
            self._tell(sentence)
            self.event.refresh_from_db()

    def _qualify(self, games: list[str]) -> None:
        round_ = played_round(self.event, [])
        for table, text in enumerate(games, start=1):
            sides, hands = self._game(text)
            game = Game.objects.create(round=round_, table=table, state="playing")
            for index, name in enumerate(sides):
                Side.objects.create(game=game, round=round_, index=index, team=self.teams[name])
            finish_game(self.event, game, hands)

    def _game(self, text: str) -> tuple[list[str], list[dict[str, Any]]]:
        """The sides of a game, the winner first, and the hands or the ruling that decided it."""
        if match := DEFAULT.fullmatch(text):
            return [match[1], *match[2].split(" and ")], [self._award(0)]
        match = GAME.fullmatch(text)
        assert match is not None, text
        return [match[1], match[3]], self._hands(int(match[2]), int(match[4]))

    def _award(self, side: int) -> dict[str, Any]:
        rule = "46" if self.event.sheet.startswith("bid_whist/") else "other"
        return {"entry": "award", "rule": rule, "to": side, "reason": "not there"}

    def _hands(self, more: int, less: int) -> list[dict[str, Any]]:
        if not ruleset_of(self.event).singles:
            return win(0, more, less)
        tricks = [more // 3, less // 3]
        return [{"entry": "hand", "cards": 13, "bids": [str(trick) for trick in tricks], "tricks": tricks}]

    def _tell(self, sentence: str) -> None:
        if sentence == "finished":
            self._close()
            finish_event(self.actor, self.event)
        elif said := GONE.fullmatch(sentence):
            self._close()
            self._leaves(said[1], said[2] == "disqualified")
        elif said := BOTH_LEAVE.fullmatch(sentence):
            game = self._open_game(said[1], said[2])
            for name in said.groups():
                self._leaves(name, False)
            apply_ruling(self.actor, game, NOBODY_CAME)
        elif said := CORRECTED.fullmatch(sentence):
            self._close()
            self._correct(said[1], said[3], said[5])
        elif sentence.startswith("tie-break: "):
            start_tiebreak(self.actor, self.event, "game")
            self._play(sentence.removeprefix("tie-break: "))
        else:
            self._play(sentence)

    def _play(self, sentence: str) -> None:
        if said := LATE.fullmatch(sentence):
            apply_ruling(self.actor, self._open_game(said[1], said[2]), NOBODY_CAME)
        else:
            sides, hands = self._game(sentence)
            game = self._open_game(*sides)
            first = game.sides.get(index=0).team.name == sides[0]
            finish_game(self.event, game, hands if first else [_turned(hand) for hand in hands])
        self._close()

    def _open_game(self, *names: str) -> Game:
        """The game of these sides that is in play; the next round begins where there is none."""
        if not self.event.rounds.filter(state="running").exists():
            start_playoff_round(self.actor, self.event)
            self.event.refresh_from_db()
        games = Game.objects.filter(round__event=self.event, round__state="running").exclude(state="final")
        return next(game for game in games if {side.team.name for side in game.sides.all()} == set(names))

    def _close(self) -> None:
        """Close the round in play where every game of it is final."""
        round_ = Round.objects.filter(event=self.event, state="running").first()
        if round_ and not round_.games.exclude(state="final").exists():
            close_round(self.actor, self.event, round_.number)
        self.event.refresh_from_db()

    def _leaves(self, name: str, disqualified: bool) -> None:
        last = self.event.rounds.order_by("-number").values_list("number", flat=True)[0]
        withdraw_team(self.actor, self.event, self.teams[name].number, last, disqualified=disqualified)

    def _correct(self, winner: str, loser: str, kind: str) -> None:
        teams = [self.teams[name] for name in (winner, loser)]
        games = Game.objects.filter(round__event=self.event, round__stage="playoff", sides__team=teams[0])
        game = games.get(sides__team=teams[1])
        side = game.sides.get(team=teams[0]).index
        position = sure(game.entries.order_by("-position").first()).position
        revise_entry(self.actor, game, position=position, revision=0, facts=self._award(side), reason="sides mixed up")
        sign_all(self.event, game.round)
        question = bracket_of(self.event).asked[0]
        decide_placing(self.actor, self.event, question.source, kind)


def _turned(facts: dict[str, Any]) -> dict[str, Any]:
    """The same for the other side of the table."""
    turned = {name: 1 - facts[name] for name in ("bidder", "to") if name in facts}
    return facts | turned | {name: facts[name][::-1] for name in ("bids", "tricks") if name in facts}
