"""The tables of a round as cards: who sits there, the score, and what the table is doing or waiting for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tournament.models import Call, Game, Player, Result, Round, Side
from tournament.phrases import DONE, GAME_STATES, NOT_SEATED
from tournament.phrases import rule as cited
from tournament.queries.clocks import age_words, played_seconds
from tournament.queries.sides import is_here
from tournament.queries.signatures import signed_sides
from tournament.queries.verification import PaperFacts
from tournament.queries.wording import how_words

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
    """A team on a table's card. `here` says that it was tapped as seated or that play has begun."""

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

    `waited` and `grace` are the seconds of the clock for late teams while it runs; `done` says that its game is final
    or void, whatever the table still asks.
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
    paper: PaperFacts | None
    waited: int | None
    grace: int
    over: bool
    code: str
    untouched: bool
    done: bool

    @property
    def everybody(self) -> str:
        return "Both" if len(self.sides) == 2 else "All"

    @property
    def seats(self) -> bool:
        """Whether it can still be said who sits there: the round is in play and nothing is written."""
        return self.untouched and self.state not in (PLANNED, FINAL, VOID)

    @property
    def plays(self) -> bool:
        """Whether the game is in play and not over by its rules."""
        return self.state != PLANNED and not self.over

    @property
    def to_sign(self) -> bool:
        """Whether the game is over and waits for signatures."""
        return self.over and not self.done

    @property
    def rulable(self) -> bool:
        """Whether a ruling can be made from its card: in play, or called while it waits for signatures."""
        return self.plays or (self.to_sign and self.call is not None)

    @property
    def tone(self) -> str:
        """The color of its state; of a table that waits for a team: whether that team is late."""
        if self.state == LATE:
            return "heart" if self.overdue else "gold"
        return TONES.get(self.state, "")

    @property
    def left(self) -> int:
        """Seconds until a missing team is late; zero or below: it is."""
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


def table_cards(
    shown: Round, papers: Mapping[int, PaperFacts], grace_minutes: int, now: datetime
) -> tuple[TableCard, ...]:
    """Every table of a round by its number, so that each keeps its place: a constant number of queries.

    `papers` are the sheets that came from paper, by game.
    """
    games = {game.pk: game for game in Game.objects.filter(round=shown).select_related("result")}
    calls = {call.game_id: call for call in Call.objects.filter(game__round=shown, answered_at=None)}
    sides, played, grace = _sides(shown, games), played_seconds(shown, now), grace_minutes * 60
    cards = []
    for pk, game in games.items():
        here = tuple(sides[pk])
        waited = None if game.state != PLAYING or all(side.here for side in here) else played
        cards.append(_card(game, here, calls.get(pk), papers.get(pk), waited, grace, now))
    return tuple(sorted(cards, key=lambda card: (card.table, card.leg)))


def _sides(shown: Round, games: Mapping[int, Game]) -> dict[int, list[SideCard]]:
    """The sides of every game of a round: rows, because a hall has hundreds of them and the desk asks often."""
    players: dict[int, list[str]] = defaultdict(list)
    for team, name in (
        Player.objects.filter(team__event=shown.event_id).order_by("position").values_list("team", "name")
    ):
        players[team].append(name)
    found, signed = defaultdict(list), signed_sides(shown)
    rows = Side.objects.filter(round=shown).order_by("index")
    for pk, index, team, number, name, seated_at in rows.values_list(
        "game", "index", "team", "team__number", "team__name", "seated_at"
    ):
        if (game := games.get(pk)) is None:
            # Drawn anew since its round was read.
            continue
        result = getattr(game, "result", None)
        found[pk].append(
            SideCard(
                index=index,
                team=team,
                number=number,
                name=name,
                players=tuple(players[team]),
                score=_score(result, index),
                wins=bool(result and result.over and result.winner == index),
                here=is_here(seated_at, game),
                signed=index in signed[pk],
                seated_at=seated_at,
            )
        )
    return found


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
    state = CALLED if call else LATE if waited is not None else game.state
    return TableCard(
        game=game.pk,
        table=game.table,
        leg=game.leg,
        match=game.match,
        state=state,
        words=_state_words(state, waited, grace),
        sides=sides,
        footer=_footer(game, state, sides, now),
        boston=_boston(result, sides),
        call=call.pk if call else None,
        call_kind=call.kind if call else "",
        call_words=call.get_kind_display() if call else "",
        call_age=age_words(call.called_at, now) if call else "",
        paper=paper,
        waited=waited,
        grace=grace,
        over=state == VOID or bool(result and result.over),
        code=result.code if result else "",
        untouched=game.last_entry_at is None,
        done=game.state in DONE,
    )


def _score(result: Result | None, index: int) -> int:
    scores = result.scores if result else ()
    return scores[index] if index < len(scores) else 0


def _state_words(state: str, waited: int | None, grace: int) -> str:
    return "Late" if state == LATE and waited is not None and waited >= grace else TABLE_STATES[state]


def _footer(game: Game, state: str, sides: tuple[SideCard, ...], now: datetime) -> tuple[str, ...]:
    """What stands under a table: the hand, the last sign of life, who is missing, how it ended."""
    result = getattr(game, "result", None)
    hand = f"Hand {(result.hands if result else 0) + 1}"
    if state in (FINAL, TO_SIGN) or (state == CALLED and result and result.over):
        return _ending(game, sides)
    if state == LATE:
        missing = [side.name for side in sides if not side.here]
        return ("Nobody is seated" if len(missing) == len(sides) else f"{', '.join(missing)} not seated",)
    if state == PLANNED:
        return ()
    if state == VOID:
        return ("void: the match is replayed or played by others",)
    if game.last_entry_at is None:
        return (hand, "everybody is seated" if all(side.here for side in sides) else "not everybody is seated")
    return (hand, f"last entry {age_words(game.last_entry_at, now)}")


def _ending(game: Game, sides: tuple[SideCard, ...]) -> tuple[str, ...]:
    result = game.result
    rule = cited(result.rule) if result.rule[:1].isdigit() else ""
    ended = " · ".join(filter(None, (how_words(result.how).capitalize(), rule)))
    signed = [side.name for side in sides if side.signed]
    if game.state == FINAL:
        return (ended, "signed")
    return (ended, f"signed by {', '.join(signed)}" if signed else "nobody has signed yet")


def _boston(result: Result | None, sides: tuple[SideCard, ...]) -> str:
    """Whose Bostons the game brought; nothing for a game without one."""
    bostons = result.bostons if result else ()
    names = [side.name for side in sides if side.index < len(bostons) and bostons[side.index]]
    return f"Boston for {' and '.join(names)}" if names else ""
