"""The way to the champion: cut, rounds of the bracket, the end, and the evening's highlights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils import timezone

from scoring.ledger import listed
from scoring.standings.ranking import Cut, cut
from tournament.models import Event, Game, Round, Team
from tournament.models.team import PRIZE
from tournament.pairing.bracket import FINAL, THIRD_KEY, Form, build_bracket
from tournament.queries.bracket import bracket, champion_of, questions_of
from tournament.queries.bracket_facts import BracketFacts, MatchFacts
from tournament.queries.events import once_a_version
from tournament.queries.final_places import FinalPlaces, final_places
from tournament.queries.game_results import left_before, of_final_games
from tournament.queries.keep_or_replay import KeepOrReplay
from tournament.queries.ledger import payouts
from tournament.queries.outlook import Field, end_with
from tournament.queries.pot import PotFacts, pot
from tournament.queries.rules import EVERYTHING, Visibility, ruleset_of
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.queries.standings import Standings, StandingsLine, full_standings, standings
from tournament.queries.tie_breaks import TieBreak
from tournament.queries.wording import BY_DEFAULT
from tournament.words.phrases import WHO_LOSES, minus, money, result, signed

# What the director can do next between the last qualifying game and the champion.


# As long as the title of a round may be.
LONGEST_TITLE = 40
USUAL_CUTS = (4, 8, 12, 16)
EIGHT = 8


@dataclass(frozen=True, slots=True)
class CutPreview:
    """Whom a cut of some size would take: the last team in and the first one out by name, or those who are tied."""

    size: int
    last: str
    first_out: str
    tied: tuple[str, ...]
    seats: int


@dataclass(frozen=True, slots=True)
class FormShape:
    """How long a form of playoffs is after a cut of some size: `playing` says how many teams play in each round.

    `is_usual` marks the size that was set up, or the one that is shown where there is room for one only; of that it is
    said when the event would be done, as soon as that can be told.
    """

    size: int
    matches: int
    rounds: int
    playing: str
    is_usual: bool
    ends: str = ""


@dataclass(frozen=True, slots=True)
class FormPreview:
    """A form of playoffs as it is chosen, with how long it is for each usual size of the cut."""

    answer: str
    words: str
    shapes: tuple[FormShape, ...]


@dataclass(frozen=True, slots=True)
class TieWay:
    """A way to break a tie of three or more, and why it is not possible here."""

    key: str
    words: str
    text: str
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class PlayoffsFacts:
    """`step` is what comes next: wait, cut, tie, tie-games, decide, start, running, finish or over.

    `advance`, `level` and `out` are lines of the standings at the cut; as long as it is not `decided`, a game can
    still change each of them; `gone` are those who left before, with the reason. `enough` says that a tie-break decides
    only seeds by now. `ready` are the matches that the next round holds.
    """

    step: str
    table: Standings
    drawn: BracketFacts | None
    decided: bool
    advance: tuple[StandingsLine, ...]
    level: tuple[StandingsLine, ...]
    out: tuple[StandingsLine, ...]
    seats: int
    waiting: str
    ready: tuple[MatchFacts, ...]
    ready_title: str
    open_break: TieBreak | None
    next_tie_round: int | None
    running: Round | None
    champion: str
    can_recut: bool
    has_matches: bool
    has_met: bool
    gone: tuple[tuple[StandingsLine, str], ...] = ()
    previews: tuple[CutPreview, ...] = ()
    enough: bool = False
    questions: tuple[KeepOrReplay, ...] = ()

    @property
    def asked(self) -> tuple[KeepOrReplay, ...]:
        """What the director has to decide before anything goes on."""
        return tuple(question for question in self.questions if not question.decided)

    @property
    def ways(self) -> tuple[TieWay, ...]:
        games = "" if self.has_matches else "Not possible: this game needs more than two."
        met = "" if self.has_met else "Not possible: they have not all met."
        return (
            TieWay(
                "all-play",
                "Round robin",
                "One game after another; the most wins decides. Points do not count.",
                games,
            ),
            TieWay("head-to-head", "Their qualifying games against each other", "All of them have met.", met),
            TieWay(
                "bye",
                "Draw for a bye, then play",
                "The one who is drawn first sits out; the others play, and the winner meets the one who sat out.",
                games,
            ),
            TieWay(
                "lots",
                "Draw for it",
                "Drawn here with a witness. The number drawn with is kept, so anyone can repeat the drawing.",
            ),
        )

    @property
    def usual_way(self) -> str:
        return "all-play" if self.has_matches else "lots"


def playoffs(event: Event) -> PlayoffsFacts:
    table = standings(event)
    drawn = bracket(event, table)
    champion = champion_of(event, table)
    running = event.rounds.filter(state="running").exclude(stage="tiebreak").first()
    ready, waiting = next_matches(drawn), unfinished(event, table)
    open_break = next((attempt for attempt in table.breaks if attempt.is_open), None)
    previews = () if waiting else _previews(event, table)
    # Before the first result everybody is level, and nobody is above or below anybody.
    has_results = any(record.games for record in table.books.records)
    at_cut = table.cut if has_results else None
    advance, level, out, gone = _around_cut(table, at_cut)
    return PlayoffsFacts(
        step=_step(event, table, drawn, running, ready, open_break, waiting, bool(champion)),
        table=table,
        drawn=drawn,
        decided=table.complete,
        advance=advance,
        level=level,
        out=out,
        seats=at_cut.seats if at_cut else 0,
        waiting=waiting,
        ready=ready,
        ready_title=round_title(drawn, ready),
        open_break=open_break,
        next_tie_round=_next_tie_round(open_break),
        running=running,
        champion=champion[1] if champion else "",
        can_recut=event.stage == "playoffs" and not _has_begun(table),
        has_matches=ruleset_of(event).has_matches,
        has_met=have_all_met(table, tuple(line.number for line in level)),
        gone=gone,
        previews=previews,
        enough=bool(open_break and can_stop(table, open_break)),
        questions=questions_of(drawn, table),
    )


class AroundCut(NamedTuple):
    """The lines of the standings above, at, and below the cut; and those of teams that left before it, with why."""

    advance: tuple[StandingsLine, ...] = ()
    level: tuple[StandingsLine, ...] = ()
    out: tuple[StandingsLine, ...] = ()
    gone: tuple[tuple[StandingsLine, str], ...] = ()


def _around_cut(table: Standings, at_cut: Cut | None) -> AroundCut:
    if at_cut is None:
        return AroundCut()
    lines = table.index_lines()
    # Without a word, teams that left before the cut would be missing. Those that never played have no place.
    placed = [team for team in table.books.teams if team.number in lines]
    left = [team for team in placed if left_before(team, table.books.total + 1)]
    left.sort(key=lambda team: lines[team.number].order)
    return AroundCut(
        advance=tuple(lines[team] for team in at_cut.advance),
        level=tuple(lines[team] for team in at_cut.level),
        out=tuple(lines[team] for team in at_cut.out),
        gone=tuple((lines[team.number], _why_gone(team)) for team in left),
    )


def _why_gone(team: Team) -> str:
    what = "disqualified" if team.status == "disqualified" else "left"
    return f"{what} after game {team.left_after}" if team.left_after else f"{what} before game 1"


def _previews(event: Event, table: Standings) -> tuple[CutPreview, ...]:
    """The usual sizes of a cut, and the one that was set up, while the cut can still be made."""
    if event.stage not in ("playing", "playoffs") or _has_begun(table) or not table.lines or not table.books.total:
        return ()
    names = table.books.names
    sizes = sorted({*USUAL_CUTS, event.cut or 0})
    previews = []
    for size in (size for size in sizes if 1 < size < len(table.racing)):
        at_cut = cut(table.racing, size, names)
        last = "" if at_cut.level else names[at_cut.advance[-1]]
        first = "" if at_cut.level else names[at_cut.out[0]] if at_cut.out else ""
        previews.append(CutPreview(size, last, first, tuple(names[team] for team in at_cut.level), at_cut.seats))
    return tuple(previews)


def form_previews(event: Event, facts: PlayoffsFacts) -> tuple[FormPreview, ...]:
    """How many matches each form of playoffs has in how many rounds, and how many play in each of them.

    Nothing once the cut is fixed.
    """
    if facts.step != "cut" and not facts.can_recut:
        return ()
    table = facts.table
    sizes = [size for size in sorted({*USUAL_CUTS, event.cut or 0}) if 1 < size <= len(table.racing)]
    usual = event.cut if event.cut in sizes else next((size for size in sizes if size >= EIGHT), max(sizes, default=0))
    hall = Field(table.books.rounds, len(table.racing))
    previews = []
    for answer, words in WHO_LOSES.items():
        form = Form.from_answer(answer)
        shapes = tuple(_shape(event, size, form, hall, is_usual=size == usual) for size in sizes)
        previews.append(FormPreview(answer, words, shapes))
    return tuple(previews)


def _shape(event: Event, size: int, form: Form, hall: Field, *, is_usual: bool) -> FormShape:
    drawn = build_bracket(range(size), form=form)
    rounds = Counter(match.round for match in drawn.matches)
    playing = " · ".join(str(2 * rounds[number]) for number in sorted(rounds))
    ends = end_with(event, form, size, hall, timezone.now()) if is_usual else ""
    return FormShape(size, len(drawn.matches), len(rounds), playing, is_usual, ends)


def unfinished(event: Event, table: Standings) -> str:
    """Why the qualifying games are not over yet; “” when they are."""
    books = table.books
    if not books.total:
        return ""
    if books.running:
        return f"{books.running} is still in play. Close it first."
    open_ = next((round_ for round_ in books.rounds if round_.stage == "qualifying" and round_.state != "closed"), None)
    if open_ is not None:
        return f"{open_} has not been played yet."
    if not books.closed:
        return "No game has been played yet."
    if len(books.closed) < books.total:
        return f"Only {len(books.closed)} of {books.total} games have been played."
    game = unsigned_game(event)
    return f"{game.round}, table {game.table}, is not signed." if game else ""


def unsigned_game(event: Event) -> Game | None:
    """A qualifying game that does not count yet: a correction can open one of a closed round again."""
    games = Game.objects.filter(round__event=event, round__stage="qualifying").exclude(state="final")
    return games.select_related("round").first()


def next_matches(drawn: BracketFacts | None) -> tuple[MatchFacts, ...]:
    """The matches that can be played now, of the earliest round of the hall that is not decided.

    A final with options of its own waits for the other matches of its round.
    """
    waiting = [match for match in drawn.matches if match.state != "decided"] if drawn else []
    first = min((match.round for match in waiting), default=0)
    due = [match for match in waiting if match.round == first]
    if drawn is not None and drawn.final_alone and len(due) > 1:
        due = [match for match in due if match.title != FINAL]
    return tuple(match for match in due if match.state == "ready")


def round_title(drawn: BracketFacts | None, matches: tuple[MatchFacts, ...]) -> str:
    """“Semifinal”; “Final, game 2” of a match of several; “Round of 16, M1 and M3” where these are played again.

    Where a round mixes parts it is “Playoff round 3”, unless the final is played beside the match for third place.
    """
    if drawn is None or not matches:
        return ""
    main = matches[-1]
    title = main.title
    if not drawn.is_plain and len({match.title for match in matches}) > 1:
        title = f"Playoff round {main.round}"
    longest = max(matches, key=lambda match: match.best_of)
    if longest.best_of > 1 and (main.best_of > 1 or not drawn.is_plain):
        return f"{title}, game {max(sum(game.counts for game in match.games) for match in matches) + 1}"
    if not any(match.games for match in matches):
        return title
    named = f"{title}, {listed(match.key for match in matches)}"
    return named if len(named) <= LONGEST_TITLE else f"{title}, played again"


def have_all_met(table: Standings, level: tuple[int, ...]) -> bool:
    met = {number: {other for mark in table.books.marks[number] for other in mark.opponents} for number in level}
    return all(set(level) - {number} <= met[number] for number in level)


def _step(
    event: Event,
    table: Standings,
    drawn: BracketFacts | None,
    running: Round | None,
    ready: tuple[MatchFacts, ...],
    open_break: TieBreak | None,
    waiting: str,
    has_champion: bool,
) -> str:
    if any(not question.decided for question in questions_of(drawn, table)):
        return "decide"
    if event.stage == "over":
        return "over"
    if event.stage != "playoffs":
        return "wait" if waiting or not table.lines else "cut"
    if running is not None:
        return "running"
    if table.cut is not None and table.cut.level:
        return "tie-games" if open_break else "tie"
    if has_champion and not ready:
        return "finish"
    return "start" if ready else "wait"


def can_stop(table: Standings, attempt: TieBreak) -> bool:
    """Whether the games that are left of a tie-break decide nothing but seeds: as many are left as have places."""
    seats = table.cut.seats if table.cut and table.cut.level else 0
    is_played = all(game.state == "final" for game in attempt.games)
    return attempt.method == "bye" and attempt.is_open and is_played and len(attempt.find_left()) == seats


def _next_tie_round(open_break: TieBreak | None) -> int | None:
    games = open_break.games if open_break else ()
    if any(game.round_state == "running" and game.state != "final" for game in games):
        return None
    return next((game.round for game in games if game.round_state == "planned"), None)


def _has_begun(table: Standings) -> bool:
    return bool(table.breaks) or any(round_.stage != "qualifying" for round_ in table.books.rounds)


# The evening in a few facts: the biggest hand, Bostons and the pot, the closest game, how many hands were played.

# A game that a ruling ended was not close, whatever stood on the sheet.
NOT_PLAYED_OUT = BY_DEFAULT | {"renege"}
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure, and what it counts."""

    figure: str
    words: str


@dataclass(frozen=True, slots=True)
class BigHand:
    """The hand that brought the most points; the first of `times` that brought as many. `bid` is what was bid."""

    points: int
    team: int
    bid: str
    where: str
    times: int


@dataclass(frozen=True, slots=True)
class CloseGame:
    """A game and how it ended: team numbers and scores, the winner first."""

    teams: tuple[int, ...]
    scores: tuple[int, ...]
    where: str


@dataclass(frozen=True, slots=True)
class Highlights:
    """What an evening's final games come to. `best` is the highest score with which a game was won."""

    hands: int
    games: int
    tables: int
    bostons: int
    biggest: BigHand | None
    closest: CloseGame | None
    best: CloseGame | None

    def facts(self, names: Mapping[int, str], pot: PotFacts | None) -> tuple[Fact, ...]:
        """A few, in words; `pot` is None where the sheet counts no Bostons."""
        facts = []
        if self.biggest:
            hand = self.biggest
            bid = f"a bid of {hand.bid}" if hand.bid else ""
            first = ", ".join(part for part in (names[hand.team], bid, hand.where) if part)
            often = {1: "", 2: ", made twice; first"}.get(hand.times, f", made {hand.times} times; first")
            facts.append(Fact(signed(hand.points), f"Biggest hand{often}: {first}"))
        if pot and (self.bostons or pot.exists):
            words = "Boston" if self.bostons == 1 else "Bostons"
            facts.append(Fact(f"★ {self.bostons}", f"{words}{_pot_words(pot)}"))
        if self.closest:
            winner, *others = (names[team] for team in self.closest.teams)
            words = f"Closest game: {winner} over {listed(others)}, {self.closest.where}"
            facts.append(Fact(result(self.closest.scores), words))
        if self.best and not pot:
            words = f"Highest score: {names[self.best.teams[0]]}, {self.best.where}"
            facts.append(Fact(minus(self.best.scores[0]), words))
        if self.hands:
            hands = "Hand" if self.hands == 1 else "Hands"
            games = f"{self.games} game{'' if self.games == 1 else 's'}"
            tables = f"{self.tables} table{'' if self.tables == 1 else 's'}"
            facts.append(Fact(f"{self.hands:,}", f"{hands} in {games} at {tables}"))
        return tuple(facts)


class GameFigures(NamedTuple):
    """What a final game brings to the facts and pictures of an evening.

    `ended` is None where nobody won by hands. `points` are those of each side, with whether it won; `bids` are kind,
    words, and whether the bid was made.
    """

    round: int
    hands: int
    bostons: int
    hands_won: tuple[BigHand, ...]
    ended: CloseGame | None
    points: tuple[tuple[int, bool], ...]
    bids: tuple[tuple[str, str, bool], ...]


def games_in_figures(event: Event) -> list[GameFigures]:
    """Every final game, by round and table."""
    games = Game.objects.filter(round__event=event).order_by("round__number", "table", "leg")
    return of_final_games("figures", event, games, _figures)


def _figures(games: Collection[int]) -> dict[int, GameFigures]:
    return {game.pk: _figures_of(game_sheet(game)) for game in sheet_games().filter(pk__in=games)}


def _figures_of(sheet: GameSheet) -> GameFigures:
    return GameFigures(
        sheet.round.number,
        sheet.hands,
        sum(sheet.bostons),
        tuple(_hands_won(sheet)),
        _played_out(sheet),
        tuple((sheet.points[side.index], sheet.winner == side.index) for side in sheet.sides),
        tuple(bid for row in sheet.rows if row.kind == "hand" for bid in _bids(row, len(sheet.sides))),
    )


def highlights(event: Event) -> Highlights:
    """Count every final game."""
    hands = bostons = times = 0
    tables: Counter[int] = Counter()
    biggest: BigHand | None = None
    closest: CloseGame | None = None
    best: CloseGame | None = None
    for figures in games_in_figures(event):
        hands, bostons = hands + figures.hands, bostons + figures.bostons
        tables[figures.round] += 1
        for hand in figures.hands_won:
            if biggest is None or hand.points > biggest.points:
                biggest, times = hand, 0
            times += hand.points == biggest.points
        if (game := figures.ended) is not None:
            # Of games that were as close the last one counts: the final, if it was.
            closest = game if closest is None or _margin(game) <= _margin(closest) else closest
            best = game if best is None or game.scores[0] > best.scores[0] else best
    if biggest is not None:
        biggest = BigHand(biggest.points, biggest.team, biggest.bid, biggest.where, times)
    return Highlights(hands, tables.total(), max(tables.values(), default=0), bostons, biggest, closest, best)


def _hands_won(sheet: GameSheet) -> Iterable[BigHand]:
    for row in sheet.rows:
        for side in sheet.sides if row.kind == "hand" else ():
            if (points := row.deltas[side.index]) > 0:
                bid = row.written.bid if row.written.who == side.index else ""
                yield BigHand(points, side.number, bid, _where(sheet), 1)


def _bids(row: Row, sides: int) -> Iterable[tuple[str, str, bool]]:
    written = row.written
    if written.who is not None:
        level = str(row.facts["bid"]).partition("-")[0]
        return [(written.kind, level, written.outcome == "made")]
    return [
        ("", words, written.words[side] == "made")
        for side in range(sides)
        if written.words[side] and (words := _side_bid(written.bids, side, sides))
    ]


def _side_bid(bids: tuple[str, ...], side: int, sides: int) -> str:
    """What a side bid together: the sum of its numbers, or the words where anything else was said."""
    own = bids[side::sides] if len(bids) != sides else bids[side : side + 1]
    words = [bid for bid in own if not bid.isdecimal() and bid != "Pass"]
    if words:
        return words[0]
    return str(sum(int(bid) for bid in own if bid.isdecimal())) if own else ""


def _played_out(sheet: GameSheet) -> CloseGame | None:
    """The game by its scores, if the winner was ahead by them and hands decided it."""
    if sheet.winner is None or not sheet.hands or sheet.how in NOT_PLAYED_OUT:
        return None
    order = sorted(range(len(sheet.sides)), key=lambda side: (side != sheet.winner, -sheet.scores[side]))
    scores = tuple(sheet.scores[side] for side in order)
    teams = tuple(sheet.sides[side].number for side in order)
    return CloseGame(teams, scores, _where(sheet)) if scores[0] > scores[1] else None


def _where(sheet: GameSheet) -> str:
    """The match for third place is played in the round of the final, and is not the final."""
    return "Third place" if sheet.game.match == THIRD_KEY else str(sheet.round)


def _margin(game: CloseGame) -> int:
    return game.scores[0] - game.scores[1]


def _pot_words(pot: PotFacts) -> str:
    if not pot.exists or not pot.settled:
        return ""
    winners = [team.team for team in pot.teams if team.cents]
    went = f"went to {listed(winners)}" if len(winners) <= MOST_NAMED else f"was shared {len(winners)} ways"
    return f"; the pot of {money(pot.cents, pot.currency)} {went}"


# The end of an event as everybody sees it: final places, the evening in four facts, prizes. One call for each page.


@dataclass(frozen=True)
class Finale:
    """`prizes` are cents by team number, once they are due; facts and prizes wait until the standings are shown."""

    places: FinalPlaces
    facts: tuple[Fact, ...] = ()
    prizes: Mapping[int, int] = field(default_factory=dict)

    @property
    def exists(self) -> bool:
        """Whether there is a champion whom those who ask may see."""
        return bool(self.places.lines)


def shown_finale(event: Event, seen: Visibility) -> Finale:
    """The end of an event as those may see it who see this much, computed once for all of them."""
    if event.stage not in ("playoffs", "over"):
        return Finale(FinalPlaces())
    return once_a_version(event, "finale", seen, lambda: finale(event, full_standings(event), seen))


def finale(event: Event, table: Standings, seen: Visibility = EVERYTHING) -> Finale:
    """The end of an event, from its whole standings; without places until there is a champion."""
    places = final_places(event, seen, table)
    if not places.lines or not seen.closed:
        return Finale(places)
    stakes = pot(event, books=table.books) if table.bostons else None
    prizes = {payee.number: payee.cents for payee in payouts(event).payees if payee.purpose == PRIZE and payee.cents}
    return Finale(places, highlights(event).facts(table.books.names, stakes), prizes if event.prizes else {})
