"""What many tests need: an event, its teams, a round in play, hands on a sheet, a client that is signed in."""

from __future__ import annotations

import datetime
import html
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from tests.sure import sure
from tournament.access import NOBODY, Actor
from tournament.demo.hands import after, choose_hand
from tournament.models import Event, Game, Official, Player, Round, Side, Team
from tournament.queries.corrections import impact, picture
from tournament.queries.impact import Impact
from tournament.queries.rules import Ruleset, printed_by
from tournament.queries.sheet import sheet_now
from tournament.services.confirming import NeedsConfirmation
from tournament.services.corrections import correct_sheet
from tournament.services.draws import HandRound, draw_rounds_by_hand
from tournament.services.entries import record_entry, rewrite, sheet_draft
from tournament.services.ledger import book_paid
from tournament.services.rounds import choose_first_dealer, seat_side
from tournament.services.signatures import locked_sheet, refresh_result, refresh_results, sign_for_all
from tournament.services.transactions import writing
from tournament.words.texts import name_key

PASSWORD = "a long enough password"
NAMES = ("Aces", "Books", "Night Owls", "Eagles", "Full Deck", "High Rollers", "Trump Tight", "Low Ball")
ODD = {"entry": "hand", "bidder": 0, "bid": "1", "books": 6}
MADE_FIVE = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}


def make_user(name: str, **fields: Any) -> User:
    return User.objects.create_user(name, password=PASSWORD, **fields)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def words_of(answer: Any) -> str:
    """What is read on a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def confirmed_in(page: str) -> str:
    """The key with which a page confirms what it has shown."""
    return sure(re.search(r'name="confirmed" value="([\w-]+)"', page))[1]


def make_event(name: str = "Columbus Open", director: User | None = None, **fields: Any) -> Event:
    """An event, with teams 1 to `teams` entered where some are asked for."""
    teams = fields.pop("teams", 0)
    slug = fields.pop("slug", name.lower().replace(" ", "-"))
    event = Event.objects.create(name=name, slug=slug, date=datetime.date(2026, 11, 21), **fields)
    if director is not None:
        Official.objects.create(event=event, user=director, role="director")
    if teams:
        make_teams(event, teams)
    return event


def make_teams(event: Event, count: int, names: Sequence[str] = NAMES) -> list[Team]:
    """Teams 1 to `count` with two players each, all paid and in the pot."""
    known_names = [names[number - 1] if number <= len(names) else f"Team {number}" for number in range(1, count + 1)]
    teams = Team.objects.bulk_create(
        Team(event=event, number=number, name=name, key=name_key(name), city="Columbus", paid=True, in_pot=True)
        for number, name in enumerate(known_names, start=1)
    )
    Player.objects.bulk_create(
        Player(team=team, position=position, name=player, key=name_key(player))
        for team in teams
        for position, player in enumerate((f"Ann {team.number}", f"Bea {team.number}"))
    )
    event.refresh_from_db()
    book_paid(NOBODY, event, teams, "")
    return teams


def pairs_of(teams: Sequence[Team]) -> list[tuple[Team, ...]]:
    """Each with the one behind it."""
    return list(zip(teams[::2], teams[1::2], strict=True))


def make_round(
    event: Event, pairs: Sequence[tuple[Team, ...]], number: int = 1, state: str = "running", **fields: Any
) -> Round:
    """A round with one game per tuple of teams, in play unless another state is named."""
    now = timezone.now() if state != "planned" else None
    round_ = Round.objects.create(event=event, number=number, state=state, started_at=now, **fields)
    played = "planned" if state == "planned" else "playing"
    games = Game.objects.bulk_create(
        Game(round=round_, table=table, state=played) for table in range(1, len(pairs) + 1)
    )
    Side.objects.bulk_create(
        Side(game=game, round=round_, index=index, team=team)
        for game, teams in zip(games, pairs, strict=True)
        for index, team in enumerate(teams)
    )
    if state != "planned":
        refresh_results(event, [game.pk for game in games])
    if state != "planned" and event.stage == "setup":
        begin(event)
    return round_


def make_game(director: User, sides: int = 2, **fields: Any) -> Game:
    """The only game of an event, in play, with this many sides."""
    event = make_event(director=director, **fields)
    return make_round(event, [tuple(make_teams(event, sides))]).games.get()


def begin(event: Event) -> None:
    """Pin the rules of an event, as its first start does."""
    pinned = {"frozen_at": timezone.now(), "printed": printed_by(event.sheet)}
    Event.objects.filter(pk=event.pk).update(stage="playing", **pinned)
    event.refresh_from_db()


def play(director: User, game: Game, *hands: dict[str, Any], sign: bool = True) -> Game:
    """Write hands on a game's sheet as the desk does, and sign it for both sides if it is over."""
    actor = Actor(director)
    for facts in hands:
        record_entry(actor, game, facts, source="desk")
    game.refresh_from_db()
    if sign and game.state == "to-sign":
        sign_for_all(actor, game, "test")
        game.refresh_from_db()
    return game


def seat_all(game: Game) -> None:
    """Everybody sits down, and seat 0 deals first."""
    for side in game.sides.all():
        seat_side(Actor(), game, side.index)
    choose_first_dealer(Actor(), game, 0)


def code_of(game: Game) -> str:
    """The code that signatures of this sheet name."""
    return sheet_now(game).code


def revise_entry(actor: Actor, game: Game, **line: Any) -> None:
    """Replace a line as a correction does, but nothing else: nothing is set aside, signed or announced."""
    with writing(game.round.event_id) as event:
        draft = sheet_draft(locked_sheet(event, game.pk))
        rewrite(actor, draft, **line)
        refresh_result(draft.game, draft.scored)


def announced_by(actor: Actor, game: Game, **line: Any) -> Impact:
    """What a correction is said to change before it is done; of a sheet that is not final, what it would change."""
    try:
        with transaction.atomic():
            before = None if Game.objects.get(pk=game.pk).state == "final" else picture(game.round.event, game.pk)
            correct_sheet(actor, game, **line, confirmed="")
            assert before
            after = picture(game.round.event, game.pk)
            transaction.set_rollback(True)
    except NeedsConfirmation as asked:
        return asked.impact
    return impact(before, after)


def impact_of(act: Callable[..., object]) -> Impact:
    """What an act that asks first shows before anything is confirmed."""
    try:
        with transaction.atomic():
            act(confirmed="")
    except NeedsConfirmation as asked:
        return asked.impact
    raise AssertionError("It did not ask.")


def play_out(rules: Ruleset, chance: Random) -> Iterator[dict[str, Any]]:
    """Hands from the first deal until the rules end the game."""
    carry = rules.game.begin(rules.rules)
    while carry.verdict is None:
        facts = choose_hand(rules, carry, chance)
        yield facts
        carry = after(rules, carry, facts)


def draw_by_hand(
    actor: Actor,
    event: Event,
    number: int,
    tables: Sequence[tuple[int, ...]],
    *,
    numbers: Sequence[int] = (),
    confirmed: str | None = None,
) -> Round:
    """Draw one round by hand; who is at no table has a bye. Nothing is asked unless something is `confirmed`."""
    rounds = {number: HandRound(tuple(tables), tuple(numbers))}
    draw_rounds_by_hand(actor, event, rounds, confirmed=confirmed)
    return event.rounds.get(number=number)
