"""The tablet's page: its table's game and no other (rule 42), what it asks, who plays next; and the practice table."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Model, prefetch_related_objects
from django.utils import timezone

from scoring.ledger import Problem, counted
from tournament.models import Bye, Device, Entry, Event, Game, Player, Round, Side, Signature, Team
from tournament.queries.bids import Locked, locked_on
from tournament.queries.bracket import champion_of
from tournament.queries.clocks import RoundTimes, minutes_of, rings_at, round_times
from tournament.queries.decisions import held_games
from tournament.queries.devices import name_by_key, writer_of
from tournament.queries.match_words import MatchWords, match_words
from tournament.queries.pending import HeldRow, held_from_others, held_words
from tournament.queries.rules import ruleset_at, ruleset_of
from tournament.queries.scored import NotPossible, active_entries, begin, scored_game, sheet_code, sides_with_teams
from tournament.queries.sheet import game_sheet, with_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.sitting import SatSide, sitting
from tournament.site.cache import VersionedCache
from tournament.words.phrases import CALLS, DEALS_FIRST, DONE, ON_HOLD, VOID

SEATS, DEALER, PLAY, SIGN, FINAL, WAITING = "seats", "dealer", "play", "sign", "final", "waiting"


@dataclass(frozen=True, slots=True)
class Coming:
    """A game that is drawn and not started: at this table, or where a side plays next."""

    game: int
    round: str
    table: int
    teams: tuple[tuple[int, str], ...]
    number: int
    words: MatchWords


@dataclass(frozen=True, slots=True)
class Onward:
    """Where a side of this table goes after its game: “table 4”, and against whom; or “a bye”, and when."""

    side: int
    name: str
    place: str
    rest: str


@dataclass(frozen=True, slots=True)
class TabletPlace:
    """A tablet's place and state, found with few queries. `version` changes with all of it.

    `hold` means that the officials still decide who plays there; `held` is what they have from its other tablets.
    """

    event: Event
    table: int
    game: Game | None
    coming: Coming | None
    onward: tuple[Onward, ...]
    hold: str
    version: str
    held: tuple[HeldRow, ...]
    device: int
    letter: str
    writes: bool
    writer: str
    instance: str


@dataclass(frozen=True, slots=True)
class TabletPage:
    """The page of a tablet. `phase` is seats, dealer, play, sign, final, or waiting.

    `letter` distinguishes the table's tablets; `writer` is the one that writes. `lines` are the position and the key of
    every line that counts. A page that `follows` a game in play asks for news at once, one that waits less often.
    """

    event: Event
    table: int
    phase: str
    sheet: GameSheet | None
    version: str = ""
    coming: Coming | None = None
    onward: tuple[Onward, ...] = ()
    hold: str = ""
    of_rounds: int | None = None
    seat_by: datetime | None = None
    champion: str = ""
    until: datetime | None = None
    late_words: str = ""
    times: RoundTimes | None = None
    first_dealer_is: str = ""
    chosen_dealer: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    device: int = 0
    letter: str = ""
    writes: bool = True
    writer: str = ""
    lines: tuple[tuple[int, str], ...] = ()
    instance: str = ""
    follows: bool = False
    held: tuple[str, ...] = ()
    who: tuple[SatSide, ...] = ()
    locked: Locked | None = None


def tablet_place(device: Device) -> TabletPlace:
    """The tablet's present state: the game in play at its table, and what comes next."""
    game = _game_in_play(device)
    coming = _coming(device) if game is None else None
    onward = _onward(game) if game is not None and game.state == "final" else ()
    if game is not None:
        prefetch_related_objects([game], "calls")
    calls = game.calls.all() if game is not None else ()
    call = next(((call.pk, call.coming_at) for call in calls if call.answered_at is None), None)
    writer = writer_of(device)
    letter = writer.letter if writer else ""
    play = game and (game.pk, game.version, game.state, game.begun_at is None)
    here = game.pk if game else coming.game if coming else 0
    hold = ON_HOLD if here in held_games(device.event) else ""
    held = held_from_others(game, device) if game is not None else ()
    state = (play, call, held, coming, onward, letter, hold, device.event.hall_word, device.event.stage)
    version = hashlib.sha256(repr(state).encode()).hexdigest()[:16]
    stand = (device.event, device.table, game, coming, onward, hold, version, held)
    ours = (device.pk, device.letter, device.writes)
    # The name of the installation was read with the tablet.
    instance = getattr(device, "installation", None) or name_by_key()
    return TabletPlace(*stand, *ours, writer=letter, instance=instance)


# The state of a table, by its tablet and by the version of its event.
_places: VersionedCache[str] = VersionedCache(4096)


def place_version(polling: Any) -> str:
    """The version of a `polling_device`'s state: found once for each version of its event, and then without a query."""
    key = (polling.pk, polling.writes, polling.event_id, polling.event_epoch, polling.event_version)

    def find() -> str:
        return tablet_place(Device.objects.select_related("event").get(pk=polling.pk)).version

    return _places.get(key, find)


def tablet_page(place: TabletPlace) -> TabletPage:
    event, game = place.event, place.game
    sheet = game_sheet(with_sheet(game)) if game else None
    active = active_entries(game.entries.all()) if game else []
    rules = ruleset_of(event, game.round if game else None)
    grace = rules.rules.grace_minutes
    minutes = minutes_of(game.round, rules.rules) if game else None
    return TabletPage(
        event=event,
        table=place.table,
        phase=_phase(game, sheet),
        version=place.version,
        sheet=sheet,
        coming=place.coming,
        onward=place.onward,
        hold=place.hold,
        of_rounds=event.rounds_planned if sheet and sheet.round.stage == "qualifying" else None,
        seat_by=_after(game, grace),
        champion=_champion(event) if game is None else "",
        until=_after(game, minutes, extended=True),
        times=None if game is None or game.state == "final" else round_times(game.round, minutes),
        late_words=f"A {rules.unit} not seated by then is late ({counted(grace, 'minute')} after the start).",
        first_dealer_is=DEALS_FIRST.get(rules.rules.first_dealer, ""),
        chosen_dealer=sheet.seats[0].name if sheet and sheet.seats else "",
        calls=tuple(CALLS.items()),
        device=place.device,
        letter=place.letter,
        writes=place.writes,
        writer=place.writer,
        lines=tuple((entry.position, str(entry.client_key)) for entry in active),
        instance=place.instance,
        follows=game is not None and game.state != "final",
        held=held_words(place.held, sheet) if sheet else (),
        who=_who(game, place.coming),
        locked=locked_on(sheet) if sheet else None,
    )


def _who(game: Game | None, coming: Coming | None) -> tuple[SatSide, ...]:
    """Who sits at the table, or will sit there next."""
    if game is not None:
        return sitting(game)
    return tuple(SatSide(team, name, ()) for team, name in coming.teams) if coming else ()


def _champion(event: Event) -> str:
    champion = champion_of(event) if event.stage == "over" else None
    return champion[1] if champion else ""


def is_recorded(client_key: uuid.UUID) -> bool:
    """Whether the form with this key has already become a line of a sheet."""
    return Entry.objects.filter(client_key=client_key).exists()


def _game_in_play(device: Device) -> Game | None:
    """The first game of the table that is not final in a round being played, or the last one that is."""
    games = list(
        Game.objects.select_related("round")
        .filter(round__event=device.event, round__state="running", table=device.table)
        .exclude(state=VOID)
        .order_by("round__number", "leg")
    )
    game = next((game for game in games if game.state not in DONE), games[-1] if games else None)
    if game is not None:
        game.round.event = device.event
    return game


def _coming(device: Device) -> Coming | None:
    game = (
        Game.objects.select_related("round")
        .prefetch_related(sides_with_teams())
        .filter(round__event=device.event, round__state="planned", table=device.table)
        .order_by("round__number", "leg")
        .first()
    )
    if game is None:
        return None
    teams = tuple((side.team_id, side.team.name) for side in game.sides.all())
    words = match_words(device.event, game.match)
    return Coming(game.pk, str(game.round), game.table, teams, game.round.number, words)


def _onward(game: Game) -> tuple[Onward, ...]:
    """Where each side plays in the next round that is drawn; a side that is not in it has a bye or is done."""
    following = (
        Round.objects.filter(event=game.round.event, number__gt=game.round.number, state__in=["planned", "running"])
        .exclude(stage="tiebreak")
        .order_by("number")
        .first()
    )
    if following is None:
        return ()
    drawn = list(following.games.select_related("round").prefetch_related(sides_with_teams()))
    byes = set(Bye.objects.filter(round=following).values_list("team_id", flat=True))
    ways = []
    for side in game.sides.select_related("team"):
        next_game = next(
            (drawn_game for drawn_game in drawn if side.team_id in {other.team_id for other in drawn_game.sides.all()}),
            None,
        )
        if next_game is not None:
            others = " and ".join(other.team.name for other in next_game.sides.all() if other.team_id != side.team_id)
            title = match_words(game.round.event, next_game.match).title
            where, rest = f"table {next_game.table}", f"against {others} in {title or following.inside}"
            if next_game.pk in held_games(game.round.event):
                rest = f"{rest}. {ON_HOLD}"
        elif side.team_id in byes:
            where, rest = "a bye", f"in {following.inside}"
        else:
            continue
        ways.append(Onward(side.index, side.team.name, where, rest))
    return tuple(ways)


def _phase(game: Game | None, sheet: GameSheet | None) -> str:
    if game is None or sheet is None:
        return WAITING
    if game.state == "final":
        return FINAL
    if sheet.over:
        return SIGN
    if sheet.rows or sheet.opening is not None:
        return PLAY
    if any(side.seated_at is None for side in sheet.sides):
        return SEATS
    return PLAY if game.begun_at is not None else DEALER


def _after(game: Game | None, minutes: int | None, *, extended: bool = False) -> datetime | None:
    return rings_at(game.round, minutes, extended=extended) if game is not None else None


# A game at the practice table: it exists only in the page's own form, and nothing of it is ever stored.

DEFAULT_SHEET = "bid_whist/no-kitty-2021"
PLAYERS = ("Ann", "Cal", "Bea", "Dee", "Eva", "Finn")
TEAMS = ("Eagles", "Night Owls")
# Part of the game document; rulings are the director's, and this table has none.
KINDS = ("hand", "void")


@dataclass(frozen=True, slots=True)
class Practice:
    """The form's content: the sheet, the first dealer (None until somebody is named), the lines, who has signed."""

    sheet: str = DEFAULT_SHEET
    dealer: int | None = None
    entries: tuple[dict[str, Any], ...] = ()
    signed: tuple[tuple[int, str], ...] = ()

    def document(self) -> str:
        content = {"sheet": self.sheet, "dealer": self.dealer, "entries": self.entries, "signed": self.signed}
        return json.dumps(content, separators=(",", ":"))

    def with_entry(self, facts: dict[str, Any]) -> Practice:
        """The same with one more line; earlier signatures become invalid."""
        return replace(self, entries=(*self.entries, facts), signed=())

    def without_last(self) -> Practice:
        return replace(self, entries=self.entries[:-1], signed=())

    def dealt_by(self, seat: int) -> Practice:
        return replace(self, dealer=seat)

    def signed_by(self, side: int, name: str) -> Practice:
        return replace(self, signed=(*((index, who) for index, who in self.signed if index != side), (side, name)))


def practice_game(practice: Practice) -> Game:
    """The practice game as the rows that would be stored if it were a real one."""
    now = timezone.now()
    event = Event(pk=0, name="Practice", date=now.date(), sheet=practice.sheet, time_zone="UTC")
    round_ = Round(pk=0, event=event, number=1, state="running", title="Practice")
    game = Game(pk=0, round=round_, state="playing", table=0, first_dealer=practice.dealer or 0, begun_at=now)
    sides = [Side(game=game, round=round_, index=i, team=_team(event, i), seated_at=now) for i in range(_sides(event))]
    entries = [_entry(game, position, facts) for position, facts in enumerate(practice.entries, start=1)]

    _fetched(game, sides=sides, entries=entries, calls=[], verifications=[])
    code = sheet_code(game, scored_game(game))
    signatures = [
        Signature(side=index, game=game, name=name, code=code, signed_at=now) for index, name in practice.signed
    ]
    _fetched(game, signatures=signatures)
    return game


def practice_page(practice: Practice) -> TabletPage:
    game = practice_game(practice)
    event, sheet = game.round.event, game_sheet(game)
    rules = ruleset_of(event)
    return TabletPage(
        event=event,
        table=0,
        phase=_practice_phase(practice, sheet),
        sheet=sheet,
        first_dealer_is=DEALS_FIRST.get(rules.rules.first_dealer, ""),
        chosen_dealer=sheet.seats[0].name,
    )


def with_hand(practice: Practice, facts: dict[str, Any]) -> Practice:
    """The same with one more line, a hand with its dealer."""
    return practice.with_entry(scored_game(practice_game(practice)).dealt(facts))


def practice_problems(practice: Practice) -> tuple[Problem, ...]:
    """Why the lines of a practice game are not possible; empty if they are."""
    game = practice_game(replace(practice, entries=(), signed=()))
    scored = begin(ruleset_at(game), game.first_dealer)
    try:
        for facts in practice.entries:
            scored = scored.with_line(scored.next_position, facts)
    except NotPossible as refusal:
        return refusal.problems
    return ()


def _practice_phase(practice: Practice, sheet: GameSheet) -> str:
    if sheet.over:
        return SIGN if sheet.unsigned else FINAL
    return PLAY if practice.dealer is not None else DEALER


def _sides(event: Event) -> int:
    return ruleset_of(event).seating.sides


def _team(event: Event, index: int) -> Team:
    """Two players of a partnership sit across from each other; alone, a player is the team."""
    rules = ruleset_of(event)
    names = PLAYERS[index : rules.seating.seats : rules.seating.sides]
    team = Team(pk=index + 1, event=event, number=index + 1, name=names[0] if rules.singles else TEAMS[index])
    players = [
        Player(pk=position + 1, team=team, position=position, name=name, key=name)
        for position, name in enumerate(names)
    ]
    _fetched(team, players=players, substitutions=[])
    return team


def _fetched(row: Model, **rows: Sequence[Model]) -> None:
    """Keep rows as `sheet_games()` would have fetched them."""
    row.__dict__.setdefault("_prefetched_objects_cache", {}).update(rows)


def _entry(game: Game, position: int, facts: dict[str, Any]) -> Entry:
    key = uuid.uuid5(uuid.NAMESPACE_OID, str(position))
    stands = {"pk": position, "game": game, "position": position, "client_key": key}
    return Entry(kind=facts["entry"], facts=facts, source="table", **stands)
