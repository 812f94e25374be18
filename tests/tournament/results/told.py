"""Evenings told in sentences, as in fixtures/examples/places: played here from the first game to the last."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from tests.factories import make_event, make_teams, revise_entry
from tests.sure import sure
from tests.tournament.results.evenings import bracket_of, finish_game, played_round, sign_all, win
from tournament.access import Actor
from tournament.models import Event, Game, Round, Side
from tournament.queries.rules import ruleset_of
from tournament.services.corrections import apply_ruling
from tournament.services.playoffs import decide_placing, finish_event, make_cut, start_playoff_round, start_tiebreak
from tournament.services.rounds import close_round
from tournament.services.teams import withdraw_team

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
    """Play one of the examples."""
    told = Told(dana, EXAMPLES[name])
    told.play()
    return told.event


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
        asked = {key: self.example[key] for key in ("best_of", "third_place") if key in self.example}
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
        if said := DEFAULT.fullmatch(text):
            return [said[1], *said[2].split(" and ")], [self._award(0)]
        said = GAME.fullmatch(text)
        assert said is not None, text
        return [said[1], said[3]], self._hands(int(said[2]), int(said[4]))

    def _award(self, side: int) -> dict[str, Any]:
        rule = "46" if self.event.sheet.startswith("bid_whist/") else "other"
        return {"entry": "award", "rule": rule, "to": side, "reason": "not there"}

    def _hands(self, more: int, less: int) -> list[dict[str, Any]]:
        if not ruleset_of(self.event).singles:
            return win(0, more, less)
        tricks = [more // 3, less // 3]
        return [{"entry": "hand", "cards": 13, "bids": [str(one) for one in tricks], "tricks": tricks}]

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
            finish_game(self.event, game, hands if first else [_turned(one) for one in hands])
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
