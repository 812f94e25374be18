"""An evening of many tables: its plan, made by chance from a seed; its rows; and what it came to."""

from __future__ import annotations

import random
import uuid
from collections import Counter
from typing import Any

from tests.factories import make_event, make_round, make_teams, make_user
from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.demo.tablet import Item, Messages
from tournament.models import Call, Entry, Event, Game, Result, Round, Signature, Submission, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import shown_standings
from tournament.services.devices import issue_cards, pair_device
from tournament.services.rounds import close_round
from tournament.services.transactions import writing

WRITTEN = ("hand", "void", "undo")


class Evening:
    """An event with a tablet at every table, played round by round: who meets whom depends on nothing but `tables`."""

    def __init__(self, tables: int, games: int, seed: int) -> None:
        name = f"Evening {uuid.uuid4().hex[:8]}"
        self.tables, self.games = tables, games
        self.seed, self.cards = seed, random.Random(seed)
        self.director = make_user(name)
        self.event: Event = make_event(name, self.director, rounds_planned=games)
        self.teams = make_teams(self.event, tables * 2)
        codes = issue_cards(Actor(self.director), self.event, list(range(1, tables + 1)))
        self.tokens = [pair_device(Actor(), codes[table]) for table in range(1, tables + 1)]
        self.sent: list[Item] = []

    def next_round(self, number: int) -> list[list[Item]]:
        """Close the round before, start this one, and give what each table will write in it."""
        if number > 1:
            close_round(Actor(self.director), self.event, number - 1)
        with writing(self.event):
            round_ = make_round(self.event, self._pairs(number), number=number)
        games = round_.games.select_related("round__event").prefetch_related("sides__team__players").order_by("table")
        plans = [self._plan(game) for game in games]
        self.sent += [item for plan in plans for item in plan]
        return plans

    def close(self) -> None:
        """Close the last round: it can be closed only when both sides have signed at every table."""
        close_round(Actor(self.director), self.event, self.games)

    def outcome(self) -> tuple[Any, ...]:
        """Standings, and every sheet with its code, in terms that two evenings from one seed share."""
        lines = shown_standings(self.event, Actor(self.director)).lines
        standing = [(line.label, line.number, line.won, line.points) for line in lines]
        games = Result.objects.filter(game__round__event=self.event).order_by("game__round__number", "game__table")
        sheets = games.values_list("game__round__number", "game__table", "code", "scores", "how", "game__state")
        states = Round.objects.filter(event=self.event).values_list("number", "state")
        return standing, [tuple(sheet) for sheet in sheets], list(states)

    def stored(self) -> dict[str, str]:
        """What came of each item that is in the database, by its uid."""
        rows = Submission.objects.filter(event=self.event).values_list("uid", "status")
        return {str(uid): status for uid, status in rows}

    def wrong(self, answered: dict[str, str]) -> list[str]:
        """What is missing, doubled or was not applied, as sentences; none is right. `answered` was acknowledged."""
        have = self.stored()
        sent = {item["uid"]: item["kind"] for item in self.sent}
        lines = [
            str(key) for key in Entry.objects.filter(game__round__event=self.event).values_list("client_key", flat=True)
        ]
        signatures = Signature.objects.filter(game__round__event=self.event)
        calls = Call.objects.filter(game__round__event=self.event)
        kinds = Counter(sent.values())
        checks = {
            "acknowledged and lost": [uid for uid, status in answered.items() if have.get(uid) != status],
            "never acknowledged": sorted(sent.keys() - answered.keys()),
            "not in the database": sorted(sent.keys() - have.keys()),
            "from nowhere": sorted(have.keys() - sent.keys()),
            "not applied": [uid for uid, status in have.items() if status != "applied"],
            "lines": sorted(Counter(lines) - Counter(uid for uid, kind in sent.items() if kind in WRITTEN)),
            "lines missing": sorted({uid for uid, kind in sent.items() if kind in WRITTEN} - set(lines)),
            "signatures": [] if signatures.count() == kinds["sign"] else [str(signatures.count())],
            "calls": [] if calls.count() == kinds["call"] else [str(calls.count())],
            "games not final": list(Game.objects.filter(round__event=self.event).exclude(state="final")),
        }
        return [f"{what}: {len(wrong)}, such as {wrong[0]}" for what, wrong in checks.items() if wrong]

    def _pairs(self, number: int) -> list[tuple[Team, ...]]:
        stay, move = self.teams[: self.tables], self.teams[self.tables :]
        turn = (number - 1) % self.tables
        return list(zip(stay, move[turn:] + move[:turn], strict=True))

    def _plan(self, game: Game) -> list[Item]:
        """A game as its tablet writes it: who is seated, hands until the rules end it, with hands that do not count,
        slips that are undone, calls; and both signatures."""
        cards, plan = self.cards, Messages(game.pk, self.seed)
        lines: list[str] = []
        plan.add("seat", side=0)
        plan.add("seat", side=1)
        plan.add("dealer", seat=cards.randrange(4))
        rules = ruleset_of(game.round.event)
        carry = rules.game.begin(rules.rules)
        if cards.random() < 0.3:
            plan.add("call", about="count")
        while carry.verdict is None:
            chance = cards.random()
            if chance < 0.2:
                lines.append(plan.add("void", position=len(lines) + 1, rule="18"))
                continue
            facts = choose_hand(rules, carry, cards)
            uid = plan.add("hand", position=len(lines) + 1, facts=facts)
            if chance < 0.4:
                plan.add("undo", position=len(lines) + 1, of=uid)
                continue
            lines.append(uid)
            carry = after(rules, carry, facts)
        for side in game.sides.all():
            names = [player.name for player in side.team.players.all()]
            plan.add("sign", side=side.index, name=cards.choice(names), lines=list(lines))
        return plan.items
