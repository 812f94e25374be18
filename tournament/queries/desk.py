"""The desk: one round with a card for each table, the next act, and what prevents it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, QuerySet
from django.utils import timezone

from tournament.errors import Fault
from tournament.models import Bye, Call, Event, Game, Journal, Player, Result, Round, Side, Team
from tournament.models.game import is_here
from tournament.queries.clocks import (
    RoundClock,
    age_words,
    is_left_out,
    minutes_of,
    played_seconds,
    round_clock,
    tables_with_tablets,
    together,
)
from tournament.queries.decisions import held_games
from tournament.queries.forecast import hand_time
from tournament.queries.match_words import NOTHING_TO_SAY, MatchWords, words_by_match
from tournament.queries.roster import is_meant
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import current_round
from tournament.queries.scored import sides_with_teams
from tournament.queries.signatures import signed_sides, standing_signatures
from tournament.queries.typed_sheets import PaperFacts, papers_at_desk
from tournament.queries.wording import how_words
from tournament.words.phrases import DONE, GAME_STATES, NOT_SEATED, ROUND_STATES
from tournament.words.phrases import rule as cited
from tournament.words.texts import name_key

# The tables of a round as cards: who sits there, the score, and what the table is doing or waiting for.


CALLED, LATE, TO_SIGN, PLAYING, FINAL, PLANNED = "called", "late", "to-sign", "playing", "final", "planned"
VOID = "void"
TABLE_STATES = {
    CALLED: "Director called",
    LATE: NOT_SEATED,
    TO_SIGN: GAME_STATES[TO_SIGN],
    PLAYING: GAME_STATES[PLAYING],
    FINAL: GAME_STATES[FINAL],
    PLANNED: GAME_STATES[PLANNED],
    VOID: GAME_STATES[VOID],
}
TONES = {CALLED: "heart", TO_SIGN: "sky", FINAL: "plain", PLANNED: "plain", VOID: "plain"}


@dataclass(frozen=True, slots=True)
class SideCard:
    """A team on a table's card. `here` means that it was marked as seated or that play has begun."""

    index: int
    team: int
    number: int
    name: str
    players: tuple[str, ...]
    score: int
    wins: bool
    here: bool
    signed: bool
    seated_at: datetime | None


@dataclass(frozen=True, slots=True)
class TableCard:
    """A table of the round.

    `hand` is how long a hand takes there, None if nothing is played. `waited` and `grace` are seconds on the clock for
    late teams, while it runs. `done` means that the game is final or void, even if the table has an open call.
    `on_hold` means that the officials still decide who plays there.
    """

    game: int
    table: int
    leg: int
    match: str
    state: str
    words: str
    sides: tuple[SideCard, ...]
    footer: tuple[str, ...]
    boston: str
    call: int | None
    call_kind: str
    call_words: str
    call_age: str
    coming: str
    paper: PaperFacts | None
    waited: int | None
    grace: int
    over: bool
    code: str
    untouched: bool
    done: bool
    hand: timedelta | None
    on_hold: bool = False
    playoff: MatchWords = NOTHING_TO_SAY

    @property
    def everybody(self) -> str:
        return "Both" if len(self.sides) == 2 else "All"

    @property
    def seats(self) -> bool:
        """Whether seats can still be marked: the round is in play and nothing is written."""
        return self.untouched and self.state not in (PLANNED, FINAL, VOID)

    @property
    def plays(self) -> bool:
        """Whether the game is in play and has not ended."""
        return self.state != PLANNED and not self.over

    @property
    def to_sign(self) -> bool:
        """Whether the game is over and waits for signatures."""
        return self.over and not self.done

    @property
    def rulable(self) -> bool:
        """Whether its card offers a ruling: the game is in play, or the table called while it waits for signatures."""
        return self.plays or (self.to_sign and self.call is not None)

    @property
    def tone(self) -> str:
        """The color of the card's state; if a team is missing, it turns red when the team is late."""
        if self.state == LATE:
            return "heart" if self.overdue else "gold"
        return TONES.get(self.state, "")

    @property
    def left(self) -> int:
        """Seconds until a missing team is late; zero or less if it is late."""
        return self.grace - (self.waited or 0)

    @property
    def overdue(self) -> bool:
        return self.waited is not None and self.left <= 0

    @property
    def missing(self) -> tuple[SideCard, ...]:
        return tuple(side for side in self.sides if not side.here)

    @property
    def unsigned(self) -> tuple[SideCard, ...]:
        return tuple(side for side in self.sides if not side.signed)


class _Asked(NamedTuple):
    """The open call of a table as its card shows it; empty if there is none."""

    call: int | None = None
    kind: str = ""
    words: str = ""
    age: str = ""
    coming: str = ""


def table_cards(
    shown: Round, papers: Mapping[int, PaperFacts], grace_minutes: int, now: datetime
) -> tuple[TableCard, ...]:
    """Every table of a round, ordered by number, so that each keeps its place: a constant number of queries.

    `papers` are the sheets that came from paper, by game.
    """
    games = {game.pk: game for game in Game.objects.filter(round=shown).select_related("result")}
    open_calls = Call.objects.filter(game__round=shown, answered_at=None).select_related("coming_by")
    calls = {call.game_id: call for call in open_calls}
    sides_of = _sides(shown, games)
    played, grace = played_seconds(shown, now), grace_minutes * 60
    cards = []
    for pk, game in games.items():
        sides = tuple(sides_of[pk])
        is_waiting = game.state == PLAYING and not all(side.here for side in sides)
        waited = played if is_waiting else None
        cards.append(_card(game, sides, calls.get(pk), papers.get(pk), waited, grace, now))
    return tuple(sorted(cards, key=lambda card: (card.table, card.leg)))


def _sides(shown: Round, games: Mapping[int, Game]) -> dict[int, list[SideCard]]:
    """The sides of every game of a round, as plain rows: a hall has hundreds of them, and the desk asks often."""
    players: dict[int, list[str]] = defaultdict(list)
    for player in Player.objects.filter(team__event=shown.event_id).select_related("team").order_by("position"):
        if player.team is not None and player.key != player.team.key:
            players[player.team.pk].append(player.full_name)
    cards, signed = defaultdict(list), signed_sides(shown)
    rows = Side.objects.filter(round=shown).order_by("index")
    for pk, index, team, number, name, whole, seated_at in rows.values_list(
        "game", "index", "team", "team__number", "team__name", "team__entered", "seated_at"
    ):
        if (game := games.get(pk)) is None:
            # The round was drawn again after it was read.
            continue
        result = getattr(game, "result", None)
        scores = result.scores if result else ()
        cards[pk].append(
            SideCard(
                index=index,
                team=team,
                number=number,
                name=whole or name,
                players=tuple(players[team]),
                score=scores[index] if index < len(scores) else 0,
                wins=bool(result and result.over and result.winner == index),
                here=is_here(game.last_entry_at, seated_at),
                signed=index in signed[pk],
                seated_at=seated_at,
            )
        )
    return cards


def _card(
    game: Game,
    sides: tuple[SideCard, ...],
    call: Call | None,
    paper: PaperFacts | None,
    waited: int | None,
    grace: int,
    now: datetime,
) -> TableCard:
    result = getattr(game, "result", None)
    state = game.state
    if call is not None:
        state = CALLED
    elif waited is not None:
        state = LATE
    words = TABLE_STATES[state]
    if state == LATE and waited is not None and waited >= grace:
        words = "Late"
    asked = _asked(call, now)
    return TableCard(
        game=game.pk,
        table=game.table,
        leg=game.leg,
        match=game.match,
        state=state,
        words=words,
        sides=sides,
        footer=_footer(game, state, sides, now),
        boston=_boston(result, sides),
        call=asked.call,
        call_kind=asked.kind,
        call_words=asked.words,
        call_age=asked.age,
        coming=asked.coming,
        paper=paper,
        waited=waited,
        grace=grace,
        over=state == VOID or _is_over(result),
        code=result.code if result else "",
        untouched=game.last_entry_at is None,
        done=game.state in DONE,
        hand=hand_time(game.state, game.begun_at, game.last_entry_at, result.hands if result else 0),
    )


def _asked(call: Call | None, now: datetime) -> _Asked:
    if call is None:
        return _Asked()
    return _Asked(
        call=call.pk,
        kind=call.kind,
        words=call.get_kind_display(),
        age=age_words(call.called_at, now),
        coming=call.coming,
    )


def _boston(result: Result | None, sides: tuple[SideCard, ...]) -> str:
    """Which sides made Bostons; empty for a game without any."""
    if result is None:
        return ""
    names = []
    for side in sides:
        if side.index < len(result.bostons) and result.bostons[side.index]:
            names.append(side.name)
    return f"Boston for {' and '.join(names)}" if names else ""


def _is_over(result: Result | None) -> bool:
    return result is not None and result.over


def _footer(game: Game, state: str, sides: tuple[SideCard, ...], now: datetime) -> tuple[str, ...]:
    """What is below a table: the hand, the last message, who is missing, how the game ended."""
    result = getattr(game, "result", None)
    if state in (FINAL, TO_SIGN):
        return _ending(game, sides)
    if state == CALLED and _is_over(result):
        return _ending(game, sides)
    if state == PLANNED:
        return ()
    if state == VOID:
        return ("Doesn’t count",)
    missing = [side.name for side in sides if not side.here]
    if state == LATE:
        return (_missing_words(missing, len(sides)),)
    played = result.hands if result else 0
    hand = f"Hand {played + 1}"
    if game.last_entry_at is not None:
        return (hand, f"last entry {age_words(game.last_entry_at, now)}")
    if missing:
        return (hand, "not everybody is seated")
    return (hand, "everybody is seated")


def _missing_words(missing: Sequence[str], count: int) -> str:
    """Which of `count` sides are not seated."""
    if len(missing) == count:
        return "Nobody is seated"
    return f"{', '.join(missing)} not seated"


def _ending(game: Game, sides: tuple[SideCard, ...]) -> tuple[str, ...]:
    result = game.result
    rule = cited(result.rule) if result.rule[:1].isdigit() else ""
    ended = " · ".join(filter(None, (how_words(result.how).capitalize(), rule)))
    signed = [side.name for side in sides if side.signed]
    if game.state == FINAL:
        return (ended, "signed")
    return (ended, f"signed by {', '.join(signed)}" if signed else "nobody has signed yet")


# The desk: the current state of a round, its next act, and what prevents that.

POLL_SECONDS = 20


@dataclass(frozen=True, slots=True)
class DeskRound:
    """The round at the desk. `act` is its next act (start, close or none); `refusal` says why that is not possible.

    `to_seat` is the number of teams that one press would seat; `seated_back` is the number of tables whose seating one
    press undoes.
    """

    number: int
    title: str
    of: int | None
    state: str
    words: str
    stage: str
    rounds: tuple[Round, ...]
    tables: tuple[TableCard, ...]
    byes: tuple[tuple[str, tuple[str, ...]], ...]
    latecomers: Sequence[Team]
    late_tables: Sequence[Game]
    notes: tuple[str, ...]
    clock: RoundClock | None
    act: str
    refusal: str
    unverified: tuple[int, ...]
    to_verify: int
    to_seat: int = 0
    seated_back: int = 0

    @property
    def done(self) -> int:
        return sum(card.done and card.state != VOID for card in self.tables)

    @property
    def count(self) -> int:
        """How many games there are to play; void games do not count."""
        return sum(card.state != VOID for card in self.tables)

    @property
    def next_open(self) -> int | None:
        """The game that Enter opens: the first table, by number, that is not final."""
        waiting = [card for card in self.tables if not card.done] if self.state == "running" else []
        return min(waiting, key=lambda card: (card.table, card.leg)).game if waiting else None

    @property
    def counts(self) -> tuple[tuple[str, str, int], ...]:
        counted = ((key, words, sum(card.state == key for card in self.tables)) for key, words in TABLE_STATES.items())
        return tuple(count for count in counted if count[2])

    @property
    def in_play(self) -> int:
        return sum(not card.over for card in self.tables)

    @property
    def waiting(self) -> int:
        return sum(card.waited is not None for card in self.tables)

    @property
    def nothing_to_do(self) -> str:
        if self.waiting:
            return f"Nothing. {self.waiting} table{'s' if self.waiting > 1 else ''} not marked as seated."
        if self.state != "running" or not self.in_play:
            return "Every table is final." if self.act == "close" and not self.refusal else "Nothing."
        still = f"{self.in_play} table{'s' if self.in_play > 1 else ''} still playing."
        return f"Nothing. {still if self.done else 'All tables are playing.'}"

    @property
    def start_back(self) -> bool:
        """Whether the start can be undone: nothing is written anywhere in the round."""
        return self.state == "running" and bool(self.tables) and all(card.untouched for card in self.tables)

    @property
    def seating(self) -> bool:
        """Whether one press can seat teams, undo their seating, or undo the start."""
        return bool(self.to_seat or self.seated_back or self.start_back)

    def shown(self, state: str, text: str) -> tuple[TableCard, ...]:
        """The tables with this state, with this number, or with this text in the name of a team or a player."""
        wanted = name_key(text)
        return tuple(
            card for card in self.tables if (not state or card.state == state) and (not wanted or _fits(card, wanted))
        )


def late_tables(event: Event, number: int) -> QuerySet[Game]:
    """The tables where a late team plays a team that had a bye, as long as nothing is written there."""
    late = Journal.objects.filter(event=event, action="seat-late", code="seated").values_list("key", flat=True)
    games = Game.objects.filter(round__event=event, round__number=number, round__state="running", last_entry_at=None)
    return games.filter(pk__in=[int(key) for key in late]).select_related("round")


def _latecomers(shown: Round) -> list[Team]:
    """The teams that were entered after a round in play had started: they may play the team that has its bye."""
    if shown.state != "running" or shown.stage != "qualifying":
        return []
    return list(Team.objects.filter(event=shown.event_id, status="playing", joined_in=shown.number + 1))


def desk_version(event: Event) -> str:
    """What a poll compares: it changes with every write, and every few seconds because clocks run."""
    return f"{event.version}.{int(timezone.now().timestamp()) // POLL_SECONDS}"


def desk_round(event: Event, number: int | None = None, now: datetime | None = None) -> DeskRound | None:
    """A round with all its tables: the one in play, otherwise the next or the last one. None before the first draw."""
    moment = now or timezone.now()
    rounds = list(Round.objects.filter(event=event))
    shown = _wanted_round(rounds, number)
    if shown is None:
        return None
    rules = ruleset_of(event, shown).rules
    papers, to_verify = papers_at_desk(event, shown)
    held = held_games(event)
    drawn = table_cards(shown, papers, rules.grace_minutes, moment)
    words = words_by_match(event) if shown.stage == "playoff" else {}
    cards = tuple(
        replace(card, on_hold=card.game in held, playoff=words.get(card.match, NOTHING_TO_SAY)) for card in drawn
    )
    unverified = tuple(sorted(card.table for card in cards if card.paper and card.paper.waits))

    act, refusal = "", ""
    if shown.state == "running":
        act, refusal = "close", _why_not_closed(event, cards, unverified)
    elif shown.state == "planned":
        act, refusal = "start", _why_not_started(shown, rounds, cards)

    is_counted = shown.stage == "qualifying" and not shown.title
    clock = None
    if shown.state == "running":
        clock = round_clock(shown, minutes_of(shown, rules), moment)
    byes = Bye.objects.filter(round=shown).select_related("team").prefetch_related("team__players")
    return DeskRound(
        number=shown.number,
        title=str(shown),
        of=event.rounds_planned if is_counted else None,
        state=shown.state,
        words=ROUND_STATES[shown.state],
        stage=shown.stage,
        rounds=tuple(rounds),
        tables=cards,
        byes=tuple((bye.team.full_name, bye.team.full_names) for bye in byes),
        latecomers=_latecomers(shown) if byes else [],
        late_tables=list(late_tables(event, shown.number)),
        notes=tuple(map(str, shown.noted)),
        clock=clock,
        act=act,
        refusal=refusal,
        unverified=unverified,
        to_verify=to_verify,
        to_seat=_to_seat(cards, tables_with_tablets(event)),
        seated_back=_seated_back(cards),
    )


def _wanted_round(rounds: list[Round], number: int | None) -> Round | None:
    """The round with this number, or the current one if there is no such round."""
    for round_ in rounds:
        if round_.number == number:
            return round_
    return current_round(rounds)


def _to_seat(cards: tuple[TableCard, ...], tablets: set[int]) -> int:
    """How many teams one press seats: those that do not seem to be missing."""
    count = 0
    for card in cards:
        if card.waited is None or not card.seats:
            continue
        other_sits = len(card.missing) < len(card.sides)
        if not is_left_out(other_sits, card.overdue, card.table in tablets):
            count += len(card.missing)
    return count


def _seated_back(cards: tuple[TableCard, ...]) -> int:
    """How many tables one press seated together; 0 once one of them has written anything."""
    in_play = [card for card in cards if card.state != PLANNED]
    seated = set(together(side for card in in_play for side in card.sides))
    tables = [card for card in cards if not seated.isdisjoint(card.sides)]
    if not all(card.seats for card in tables):
        return 0
    return len(tables)


def _fits(card: TableCard, wanted: str) -> bool:
    if wanted.isdigit():
        return wanted == str(card.table)
    return any(is_meant(wanted, side.name, side.players) for side in card.sides)


def _why_not_closed(event: Event, cards: tuple[TableCard, ...], unverified: Sequence[int]) -> str:
    """Why a round in play cannot be closed; empty if it can."""
    missing = sorted(card.table for card in cards if not card.done)
    if missing:
        return f"Not final yet: {_tables(missing)}."
    if unverified and event.verify_closing == "blocks":
        return f"To be compared with the paper first: {_tables(unverified)}."
    return ""


def _why_not_started(shown: Round, rounds: Sequence[Round], cards: tuple[TableCard, ...]) -> str:
    """Why a planned round cannot be started; empty if it can."""
    if not cards:
        return "No tables are drawn yet."
    running = [round_ for round_ in rounds if round_.state == "running" and round_.stage != "tiebreak"]
    if running and shown.stage != "tiebreak":
        return f"{running[0]} is still in play: close it first."
    earlier = [round_ for round_ in rounds if round_.state == "planned" and round_.number < shown.number]
    if earlier:
        return f"{earlier[0]} comes first."
    return ""


def _tables(numbers: Sequence[int]) -> str:
    """“table 4”, “tables 1, 2, 4”; if there are more than six, the first five and the number of the others."""
    noun = "table" if len(numbers) == 1 else "tables"
    if len(numbers) <= 6:
        return f"{noun} {', '.join(map(str, numbers))}"
    first = ", ".join(map(str, numbers[:5]))
    return f"{noun} {first} and {len(numbers) - 5} more"


# The rounds of an event: which tables prevent a start or a close, and why.


def wrong_tables(event: Event, round_: Round) -> list[Fault]:
    """The tables of a drawn round with more or fewer teams than the rule sheet allows."""
    rules = ruleset_of(event)
    sizes = " or ".join(str(size) for size in rules.table_sizes)
    text = "Table {} is drawn for {} {}s, and by this rule sheet {} play at a table. Draw again."
    tables = round_.games.annotate(count=Count("sides")).order_by("table").values_list("table", "count")
    return [
        Fault(f"table-{table}", text.format(table, sides, rules.unit, sizes))
        for table, sides in tables
        if sides not in rules.table_sizes
    ]


def open_tables(round_: Round) -> list[Fault]:
    """The tables of a round whose game is not final, in order."""
    games = round_.games.exclude(state__in=DONE).select_related("result")
    games = games.prefetch_related(sides_with_teams(), "signatures")
    return [Fault(f"table-{game.table}", f"Table {game.table}: {_why(game)}") for game in games]


def _why(game: Game) -> str:
    sides = list(game.sides.all())
    teams = " – ".join(side.team.full_name for side in sides)
    if game.state != "to-sign":
        hands = game.result.hands if hasattr(game, "result") else 0
        written = f"{hands} hand{'' if hands == 1 else 's'} so far" if hands else "no hand yet"
        return f"still playing, {written} ({teams})."
    signed = {signature.side for signature in standing_signatures(game.signatures.all(), game.result.code)}
    missing = " and ".join(side.team.full_name for side in sides if side.index not in signed)
    return f"no signature yet from {missing}."
