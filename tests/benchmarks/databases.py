"""Write the evenings and seasons that `figures` measures as databases: `python -m tests.benchmarks databases`.

Each becomes a dump of SQLite in `fixtures/databases`, compressed. Chance, clock and keys begin at the same place each
time, so that the same program writes the same files. They are written once and kept: what a later program is measured
with is the same evening, brought to its tables by its migrations.

`evening-24` and `evening-100` hold four events of 24 and 100 teams: one in its sixth game, with money, a pot,
corrections, substitutes, hidden names and a team that left; one in its playoffs; one between two rounds of Swiss
pairings; and one that players enter. `season-12` and `season-40` hold a season of 12 and 40 finished evenings, and
one in play.
"""

from __future__ import annotations

import datetime
import itertools
import lzma
import random
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Sequence
from contextlib import closing, suppress
from string import ascii_uppercase
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from tests.evenings import SHEET, round_texts, write_evening
from tests.factories import play_out
from tests.halls import ROOT
from tournament.access import Actor
from tournament.errors import DomainError, ValidationFailed
from tournament.models import Event, Game, Installation, Membership, Person, Player, Registration, Season
from tournament.queries.rules import ruleset
from tournament.services.corrections import correct_sheet
from tournament.services.draws import draw_rounds
from tournament.services.dues import take_dues
from tournament.services.entries import record_entry
from tournament.services.people import set_wish
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import seat_everybody, start_round
from tournament.services.season import draw_pairs
from tournament.services.substitutions import substitute
from tournament.services.teams import withdraw_team
from tournament.words.texts import name_key

FOLDER = ROOT / "fixtures" / "databases"
NAMES = ("evening-24", "evening-100", "evening-500", "season-12", "season-40", "season-100")
FIRST = "Ada Ben Cora Dell Ella Fred Gwen Hal Ida Joe Kay Leon Mae Ned Ora Pete Queen Roy Sue Ted".split()
LAST = "Alston Battle Carver Dukes Ealy Fields Gaines Hobbs Ivory Jarrett Kirby Lyles".split()
# The number of teams and games of a season's evening, and of the persons who take turns.
SEASON_TEAMS, SEASON_ROUNDS, SEASON_PERSONS = 12, 3, 60
BEGIN = datetime.datetime(2026, 3, 7, 18, 0, tzinfo=datetime.UTC)


def main() -> int:
    if not sys.argv[1:]:
        # Each begins with an empty database.
        for name in NAMES:
            subprocess.run([sys.executable, "-m", "tests.benchmarks", "databases", name], cwd=ROOT, check=True)
        return 0
    keep_steady()
    name = sys.argv[1]
    kind, size = name.split("-")
    dana = User.objects.create(username="dana", password="!", is_staff=True, is_superuser=True)
    if kind == "evening":
        make_evenings(dana, int(size))
    else:
        make_season(dana, int(size))
    print(f"{name}: {written(name):,} bytes")
    return 0


def keep_steady() -> None:
    """Let every look at the clock be a second after the one before, and count the keys that rows get by chance."""
    keys, ticks = itertools.count(1), itertools.count()

    def next_key() -> uuid.UUID:
        return uuid.UUID(int=next(keys))

    def next_second() -> datetime.datetime:
        return BEGIN + datetime.timedelta(seconds=next(ticks))

    clock: Any = timezone
    clock.now = next_second
    chance: Any = uuid
    chance.uuid4 = next_key
    # A field holds the function that it was declared with.
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.UUIDField):
                field.__dict__["_get_default"] = next_key
            elif isinstance(field, models.DateTimeField) and field.has_default():
                field.__dict__["_get_default"] = next_second


def written(name: str) -> int:
    """Write the database as a file, and say how long that is."""
    Installation.objects.update(name="0" * 16)
    MigrationRecorder.Migration.objects.update(applied=BEGIN)
    connection.close()
    with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as opened:
        packed = lzma.compress("\n".join(opened.iterdump()).encode(), preset=9 | lzma.PRESET_EXTREME)
    (FOLDER / f"{name}.sql.xz").write_bytes(packed)
    return len(packed)


def make_evenings(dana: User, teams: int) -> None:
    in_play(dana, teams)
    in_playoffs(dana, teams)
    between_rounds(dana, teams)
    being_entered(dana, teams)


def text_of(name: str, teams: Sequence[dict[str, Any]], rounds: int, seed: int, **settings: Any) -> dict[str, Any]:
    """A short text of an evening whose games are played until their rules end them."""
    chance, rules = random.Random(seed), ruleset(SHEET)
    played = round_texts(len(teams), rounds, lambda: play_out(rules, chance))
    named = {"event": name, "sheet": SHEET, "date": BEGIN.date(), "place": "Union Hall", "seed": seed}
    return named | settings | {"teams": list(teams), "rounds": played}


def players(count: int) -> list[str]:
    """As many different names as asked for: after the last surname they start over with a middle initial."""
    return [player(number) for number in range(count)]


def player(number: int) -> str:
    again, number = divmod(number, len(FIRST) * len(LAST))
    first, last = FIRST[number % len(FIRST)], LAST[number // len(FIRST)]
    return f"{first} {ascii_uppercase[again - 1]}. {last}" if again else f"{first} {last}"


def teams_of(names: Sequence[str], *, paid: bool = True) -> list[dict[str, Any]]:
    """Every two are a team."""
    pairs = zip(names[::2], names[1::2], strict=True)
    return [
        {
            "number": number,
            "name": f"Team {number}",
            "players": list(pair),
            "city": ("Columbus", "Dayton", "Toledo")[number % 3],
            "club": ("Capital Card Club", "")[number % 2],
            "paid": paid and number % 7 != 0,
            "boston_pot": number % 3 != 0,
        }
        for number, pair in enumerate(pairs, start=1)
    ]


def in_play(dana: User, teams: int) -> None:
    """Five games of everybody, and the sixth in play."""
    money = {"fee_cents": 2000, "pot_per_team_cents": 500}
    names = players(2 * teams)
    event = write_evening(text_of("Evening", teams_of(names), 5, 1, rounds_planned=6, **money), dana)
    actor = Actor(dana)
    hide(actor, event, names)
    correct_some(actor, event, 6)
    substitute(actor, event, 2, position=0, into="Cal Stone", from_round=6, only=True, reason="ill")
    substitute(actor, event, 3, position=1, into="Dot Reed", from_round=6, reason="had to work")
    withdraw_team(actor, event, teams, 5)
    draw_rounds(actor, event, seed=6)
    start_round(actor, event, 6)
    seat_everybody(actor, event, 6)
    begin_games(actor, event, 6)


def hide(actor: Actor, event: Event, names: Sequence[str]) -> None:
    """Of every ten persons one shows an initial, and of every twenty one no name."""
    for number, name in enumerate(names):
        if number % 10 == 4:
            set_wish(actor, event, Person.objects.get(name=name), "hidden" if number % 20 == 4 else "initial")


def correct_some(actor: Actor, event: Event, wanted: int) -> None:
    """The last hand of games of closed rounds gets one book more, where the rules allow it."""
    corrected = 0
    for game in Game.objects.filter(round__event=event, round__state="closed").order_by("round__number", "table")[::3]:
        last = game.entries.order_by("-position")[0]
        facts = last.facts | {"books": last.facts["books"] + 1}
        try:
            correct_sheet(actor, game, position=last.position, revision=0, facts=facts, reason="as on the paper")
        except DomainError:
            continue
        corrected += 1
        if corrected == wanted:
            return
    raise SystemExit("Too few games could be corrected.")


def begin_games(actor: Actor, event: Event, number: int) -> None:
    """Write the first hands of the games of a round, none to three, so that no game is over."""
    chance, rules = random.Random(number), ruleset(SHEET)
    for game in Game.objects.filter(round__event=event, round__number=number).order_by("table"):
        hands = list(play_out(rules, chance))[:-1]
        for facts in hands[: game.table % 4]:
            record_entry(actor, Game.objects.get(pk=game.pk), facts, source="desk")


def in_playoffs(dana: User, teams: int) -> None:
    """Three games of everybody, the cut to eight, and its first games in play."""
    for seed in itertools.count(3):
        # By the first seed with which nobody is level with the last who advances.
        with suppress(ValidationFailed), transaction.atomic():
            text = text_of("Playoffs", teams_of(players(2 * teams)), 3, seed, rounds_planned=3, pot_per_team_cents=500)
            event = write_evening(text, dana)
            make_cut(Actor(dana), event, 8)
            begin_games(Actor(dana), event, start_playoff_round(Actor(dana), event).number)
            return


def between_rounds(dana: User, teams: int) -> None:
    """Two games of everybody; the next is drawn by their results."""
    text = text_of("Swiss", teams_of(players(2 * teams)), 2, 2, rounds_planned=5, movement="swiss")
    write_evening(text, dana)


def being_entered(dana: User, teams: int) -> None:
    """Players enter and teams check in; half of the teams are on the list, and as many wait for the desk."""
    names = players(2 * teams)
    text = text_of("Next Open", teams_of(names[:teams]), 0, 4, rounds_planned=6, fee_cents=2000)
    event = write_evening(text, dana)
    Event.objects.filter(pk=event.pk).update(
        stage="setup", frozen_at=None, printed="", checks_in=True, entries_from=BEGIN, entry_limit=2 * teams
    )
    pairs = zip(names[teams::2], names[teams + 1 :: 2], strict=True)
    for position, pair in enumerate(pairs, start=1):
        name = f"Entry {position}"
        entry = Registration.objects.create(
            event=event, position=position, name=name, key=name_key(name), state="asked"
        )
        first, second = (
            Player(entry=entry, position=seat, name=text, key=name_key(text)) for seat, text in enumerate(pair)
        )
        first.contact = f"555-{position:04}"
        Player.objects.bulk_create([first, second])


def make_season(dana: User, evenings: int) -> None:
    """Finished evenings, one in play, some of the dues, and partners drawn for the next evening."""
    season = Season.objects.create(slug="season", name="Season", dues_cents=2000)
    actor, names, chance = Actor(dana), players(SEASON_PERSONS), random.Random(5)
    for number in range(1, evenings + 1):
        finished(dana, season, number, chance.sample(names, 2 * SEASON_TEAMS))
    here = chance.sample(names, 2 * SEASON_TEAMS)
    event = write_evening(season_text(season, evenings + 1, here, SEASON_ROUNDS - 1, seed=1), dana)
    hide(actor, event, names)
    draw_rounds(actor, event, seed=6)
    start_round(actor, event, SEASON_ROUNDS)
    seat_everybody(actor, event, SEASON_ROUNDS)
    begin_games(actor, event, SEASON_ROUNDS)
    persons = list(Person.objects.order_by("pk"))
    Membership.objects.bulk_create(Membership(season=season, person=person) for person in persons)
    for person in persons[::2]:
        take_dues(actor, season, person.pk, uuid.UUID(int=2**64 + person.pk))
    draw_pairs(actor, season, [person.pk for person in persons[:30]], seed=7)


def finished(dana: User, season: Season, number: int, here: Sequence[str]) -> None:
    """An evening of these persons that one team has won: by the first seed with which nobody is level with it."""
    for seed in itertools.count(100 * number):
        with suppress(ValidationFailed), transaction.atomic():
            event = write_evening(season_text(season, number, here, SEASON_ROUNDS, seed), dana)
            make_cut(Actor(dana), event, 1)
            finish_event(Actor(dana), event)
            return


def season_text(season: Season, number: int, here: Sequence[str], rounds: int, seed: int) -> dict[str, Any]:
    day = BEGIN.date() + datetime.timedelta(days=7 * number)
    settings = {"rounds_planned": SEASON_ROUNDS, "date": day, "season": season}
    return text_of(f"Evening {number}", teams_of(here), rounds, seed, **settings)
