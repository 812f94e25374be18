"""Score workbooks for tables without a tablet: the layout of a page, for the code that writes and reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.ends import Finish as Finish
from scoring.game import Counter, Field
from scoring.game import Key as Key
from scoring.game import Tariff as Tariff
from scoring.game import Worth as Worth
from tournament.models import Event, Game, Round
from tournament.queries.papers import event_sheets
from tournament.queries.rules import Ruleset, ruleset_of, stage_rounds
from tournament.queries.scored import begin
from tournament.queries.sheet import EVENT, seats_of, sheet_address_code
from tournament.queries.sheetfacts import GameSheet, SideFacts, coming_deals

VERSION = "uptown score boards 3"
# The sheets behind the boards, which are hidden: lists of bids, prices, and which games the boards are.
LISTS, PRICES, CALLS, ABOUT = "Lists", "Prices", "Calls", "About"
BEHIND = (LISTS, PRICES, CALLS, ABOUT)
# After the title, the game and the table of each board comes the text that the site wrote above it.
WORDS_OF_BOARD = ("A1", "A2", "A4")
LETTERS = "ABCDEFGH"
# Where a board names its game and table, whose block a column belongs to, and its first line; headings are above that.
GAME_ROW, SIDES_ROW, FIRST_ROW = 3, 5, 8
# Where a board hides which sides somebody sits on: above the columns of their prices.
TAKEN_ROW = 6
# A game without a schedule goes on until somebody wins; one with a schedule may have hands that are dealt again.
MOST_LINES, SPARE_LINES = 40, 8
VOID = "Void"
# Shown if the rules cannot be looked up: then somebody writes the points.
UNKNOWN = "± ?"
# What a board leaves to people, in words.
NO_PRICES = "This board does not keep score: write the points of each hand. It does not say when the game is over."
NO_END = "This board does not say when the game is over."
SETS_UNSEEN = "A set is not counted in a line where you write the points yourself."
AT_TIME = "When time is called, the desk ends the game."
# The fields for a bid, and those for how many tricks were taken.
BIDS, TAKEN = ("bid", "bids"), ("books", "tricks")

# The column width of an answer, by the layout of its field.
WIDTH = {"seats": 8, "grid": 12, "row": 10, "given": 7}
USUAL = 8


class BoardColumn(NamedTuple):
    """A column of a board: what it holds, its heading, and whether it is typed or computed.

    `field` is what is typed of a hand, by the side or seat `place`. `side` is the side of its block. For a computed
    column, `of` a side: its change, its score, a counter, `at`, whether its prices are known, or where they are. Some
    columns are not `shown`.
    """

    key: str
    title: str
    width: float
    field: Field | None = None
    place: int = 0
    side: int | None = None
    of: str = ""
    shown: bool = True

    @property
    def typed(self) -> bool:
        return self.of in ("", "change") and self.key != "cards"


@dataclass(frozen=True, slots=True)
class Board:
    """One table's board: its game and table, as people name them, and who sits there. A blank one names nobody."""

    title: str
    heading: str
    game: int | str
    table: int | str
    sides: tuple[str, ...]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a round (or one empty board), and what the rules say about them.

    `fields` are what is typed of a hand; `bids` are the bids in words, `most` is the highest count. `cards` are those
    of every deal if there is a schedule. A `simple` board hides what is counted besides the score.
    """

    event: str
    slug: str
    sheet_key: str
    sheet_title: str
    unit: str
    paper: str
    simple: bool
    seats: int
    sides: int
    fields: tuple[Field, ...]
    counters: tuple[Counter, ...]
    bids: tuple[str, ...]
    most: int
    cards: tuple[int, ...]
    lines: int
    rules: Ruleset
    boards: tuple[Board, ...]

    @property
    def tariff(self) -> Tariff | None:
        """What bids are worth, as a lookup table; None if the game declares no prices."""
        return self.rules.game.tariff(self.rules.rules)

    @property
    def finish(self) -> Finish | None:
        """How the game ends, as numbers; None if the game does not say, or has no prices."""
        return None if self.tariff is None else self.rules.game.finish(self.rules.rules)

    @property
    def deals(self) -> int | None:
        """After how many hands the game is over; None if it goes on until somebody wins."""
        return self.rules.game.hands_planned(self.rules.rules)

    @property
    def may_need_one_more(self) -> bool:
        """Whether an extra hand decides a game that is tied after the last deal."""
        schedule = self.rules.game.schedule(self.rules.rules) if self.rules.game.schedule else None
        return schedule is not None and schedule.one_more

    @property
    def hint(self) -> str:
        """How a board is filled in, and what it leaves out."""
        total = f" Where no {self.unit}’s bid is about one player’s own tricks, one number is enough."
        missing = f" Where {UNKNOWN} stands, write the points there."
        own = total + ("" if self.simple else missing) if self.added_up else ""
        return " ".join((f"Write in the boxes.{own}", *self.untold))

    def words_above(self, board: Board) -> tuple[str, str, str]:
        """The text above a board: the event, the game with its rules, and how it is filled in."""
        heading = " · ".join(filter(None, (board.heading, self.sheet_title, self.rules.in_short)))
        return self.event, heading, self.hint

    @property
    def untold(self) -> tuple[str, ...]:
        """What this board does not work out, in words."""
        finish, tariff = self.finish, self.tariff
        if tariff is None:
            return (NO_PRICES,)
        if finish is None:
            return (NO_END,)
        counts_sets = finish.sets is not None or finish.sets_in_a_row is not None
        may_ask = any(call.once for call in tariff.calls.values()) or any(field.when for field in self.fields)
        sentences = [*finish.untold, SETS_UNSEEN if counts_sets and may_ask else "", self._clock()]
        return tuple(filter(None, sentences))

    def _clock(self) -> str:
        return "" if self.rules.rules.round_minutes is None else AT_TIME

    def counts(self, counter: Counter) -> bool:
        """Whether lines show what a counter comes to: no Boston that counts only in the hand that ends the game.

        Its column stays, hidden, because it is in workbooks that were filled before.
        """
        return counter.key != "bostons" or (self.tariff is not None and self.tariff.any_hand)

    def places(self, field: Field) -> int:
        """How many answers of its own a field has."""
        return {"seat": self.seats, "side": self.sides}.get(field.of, 0)

    def letter(self, field: Field, index: int) -> str:
        """Whose answer it is: a letter for a side, with a number for one of its players."""
        name = LETTERS[index % self.sides]
        return name if self.places(field) == self.sides else f"{name}{index // self.sides + 1}"

    @property
    def added_up(self) -> bool:
        """Whether what the players of a side took may be written as one number."""
        return any(field.layout == "count" and self.places(field) > self.sides for field in self.fields)


def round_boards(event: Event, round_: Round, *, simple: bool = False) -> Boards:
    """The boards of every game of a round, named."""
    return _boards(event, event_sheets(event, rounds=[round_.number]), round_, simple=simple)


def blank_boards(event: Event, round_: Round | None = None, *, simple: bool = False) -> Boards:
    """An empty board with the event's rules, or those of a stage that has its own, to be copied."""
    return _boards(event, (), round_, simple=simple)


def what_boards_do(event: Event) -> str:
    """What a score workbook of the event works out by itself, as one sentence; no more than it does."""
    boards = [blank_boards(event, round_) for round_ in (None, *stage_rounds(event))]
    if any(each.tariff is None for each in boards):
        return "In this workbook somebody writes the points of each hand."
    if all(each.untold in ((), (AT_TIME,)) for each in boards):
        return "The workbook keeps score and says when the game is over."
    return "The workbook keeps score. The top of each board says what it leaves out."


def board_cells(boards: Boards) -> tuple[BoardColumn, ...]:
    """The columns of a board, from the left: what the table writes, a block for each side, rulings, and helpers."""
    return (
        BoardColumn("line", "#", 5, of="line"),
        *_cells_of(boards, None),
        *(cell for side in range(boards.sides) for cell in _block(boards, side)),
        BoardColumn("ruling", "Ruling", 24, shown=not boards.simple),
        *_priced(boards),
        *_ending(boards),
    )


def _block(boards: Boards, side: int) -> Iterator[BoardColumn]:
    """A side's answers, and its results."""
    yield from _cells_of(boards, side)
    yield BoardColumn(f"change-{side}", "±", 8, side=side, of="change", shown=not boards.simple)
    yield BoardColumn(f"score-{side}", "Score", 9, side=side, of="score")
    for counter in boards.counters:
        yield BoardColumn(
            f"{counter.key}-{side}",
            counter.key.capitalize(),
            USUAL,
            side=side,
            of=counter.key,
            shown=boards.counts(counter) and not boards.simple,
        )


def _priced(boards: Boards) -> Iterator[BoardColumn]:
    """Hidden: whether the prices of a side are known, and where they are."""
    for side in range(boards.sides):
        yield BoardColumn(f"at-{side}", "", 6, side=side, of="at", shown=False)
    for field in boards.fields:
        if boards.tariff is not None and field.key in BIDS:
            places = boards.places(field) or 1
            for side in range(min(places, boards.sides)):
                for name in price_cells(boards.tariff, side, -(-places // boards.sides)):
                    yield BoardColumn(name, "", 6, side=side, of="place", shown=False)


def _ending(boards: Boards) -> Iterator[BoardColumn]:
    """The columns that show that the game is over: hidden steps, and the words, which are visible.

    They come last, so that workbooks from before they existed are read in the same way.
    """
    finish = boards.finish
    if finish is not None:
        yield from (BoardColumn(key, "", 6, of="end", shown=False) for key in ending_keys(boards, finish))
        yield BoardColumn("over", "End of the game", 27, of="over")


def ending_keys(boards: Boards, finish: Finish) -> tuple[str, ...]:
    """The hidden steps by which a board finds the end of its game, in the order in which they are evaluated.

    `won` is the side that has won, counted from 1, or the number after the last side for a draw.
    """
    sides = range(boards.sides)
    tariff = boards.tariff
    has_bonus = pays_bonus(boards, finish)
    loses_by_sets = finish.sets is not None or finish.sets_in_a_row is not None
    by_hand = tariff is not None and any(worth.wins for row in tariff.rows.values() for worth in row)
    wanted: dict[str, object] = {
        **{f"running-{side}": finish.sets_in_a_row for side in sides},
        **{f"raw-{side}": has_bonus for side in sides},
        **{f"reach-{side}": has_bonus for side in sides},
        "hands": True,
        **{f"out-{side}": loses_by_sets or finish.lose_at is not None for side in sides},
        "by-unbid": finish.unbid,
        "by-hand": by_hand,
        "by-sets": loses_by_sets,
        "by-door": finish.back_door,
        "by-low": finish.lose_at is not None,
        "by-score": finish.win_at is not None,
        "best": boards.deals,
        "by-deals": boards.deals,
        "won": True,
    }
    return tuple(key for key, is_wanted in wanted.items() if is_wanted)


def pays_bonus(boards: Boards, finish: Finish) -> bool:
    """Whether winning may add points to those of the last hand."""
    prices = boards.tariff.rows.values() if boards.tariff else ()
    by_hand = any(worth.bonus for row in prices for worth in row)
    return by_hand or bool(finish.sets_bonus or (finish.back_door and finish.back_door_bonus))


def price_cells(tariff: Tariff, side: int, bidders: int) -> tuple[str, ...]:
    """The hidden cells of a side: where its bid is in the tables, and their sum and its row."""
    calls = tuple(f"call-{side}-{bidder}" for bidder in range(bidders))
    return (*calls, f"sum-{side}", f"row-{side}") if tariff.adds else calls


def _cells_of(boards: Boards, side: int | None) -> Iterator[BoardColumn]:
    for field in boards.fields:
        width, name = WIDTH.get(field.layout, USUAL), field.name or field.key
        if side is None and not field.everybody:
            shown = field.layout != "given" or len(set(boards.cards)) > 1
            yield BoardColumn(name, field.heading, width, field, shown=shown)
        elif side is not None and field.everybody:
            for index in range(side, boards.places(field), boards.sides):
                yield BoardColumn(f"{name}-{index}", field.heading, width, field, index, side)


def head_places(cells: Sequence[BoardColumn]) -> tuple[int, int]:
    """The columns, counted from zero, in which a board names its game and its table; their labels come before."""
    shown = [index for index, cell in enumerate(cells) if cell.shown]
    return shown[1], shown[3]


def said(text: str) -> str:
    """A bid in words as the game document writes it: “Double board” is double-board, “Rainbow + 1” rainbow+1."""
    return text.strip().lower().replace(" + ", "+").replace("−", "-").replace(" ", "-")


def game_words(game: Game) -> str:
    """A game of the evening as people name it, and which one it is in a match of several."""
    number, title = game.round.number, str(game.round)
    own = str(number) if title == f"Game {number}" else title
    return f"{own}, game {game.leg}" if game.leg > 1 else own


def games_on_boards(event: Event) -> dict[tuple[str, int], int]:
    """The games of an event by the words and the table that a board names."""
    games = Game.objects.filter(round__event=event).select_related("round")
    return {(game_words(game).casefold(), game.table): game.pk for game in games}


def differences(old: Mapping[str, Any], new: Mapping[str, Any], sides: int) -> list[tuple[str, int, Any]]:
    """Where a board differs from a line of the sheet: the field, the place in it, and what the sheet says.

    A board has less than a tablet: neither the bidder's seat nor the trump. What it has must match.
    """
    seat = old.get("seat")
    stored = old if seat is None else {"bidder": seat % sides, **old}
    differing: list[tuple[str, int, Any]] = []
    for key, value in new.items():
        stands = stored.get(key)
        if isinstance(value, list) and isinstance(stands, list) and len(value) != len(stands):
            value, stands = _by_side(value, sides), _by_side(stands, sides)
        if isinstance(value, list) and isinstance(stands, list):
            pairs = enumerate(zip(stands, value, strict=False))
            differing += [(key, index, pair) for index, (pair, other) in pairs if pair != other]
        elif stands != value:
            differing.append((key, 0, stands))
    return differing


def on_boards(lines: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The lines of a sheet that a board has, too: it has no rulings and nothing else the desk writes."""
    return [facts for facts in lines if facts.get("entry") in ("hand", "void")]


def why_closed(game: Game) -> str:
    """Why nothing more can be written on a sheet; empty if it can."""
    if game.round.state == "planned":
        return f"{game.round} has not started. Start it, then read this workbook again."
    if game.round.state != "running":
        return f"{game.round} is closed."
    return "the sheet is signed and final." if game.state == "final" else ""


def _by_side(values: list[Any], sides: int) -> list[Any]:
    """Counts of players added up for their sides; anything else unchanged."""
    if len(values) == sides or not all(isinstance(value, int) for value in values):
        return values
    return [sum(values[side::sides]) for side in range(sides)]


def _boards(event: Event, sheets: Iterable[GameSheet], round_: Round | None, *, simple: bool) -> Boards:
    rules = ruleset_of(event, round_)
    hands = rules.game.deals(rules.rules, rules.game.begin(rules.rules))
    planned = rules.game.hands_planned(rules.rules)
    answers = [answer for key in BIDS for answer in rules.game.answers(rules.rules, key)]
    # The number alone is a bid, too, even if players say more.
    bids = dict.fromkeys(
        [answer.words for answer in answers] + [answer.value for answer in answers if answer.value.isdecimal()]
    )
    counted = [answer for due in hands for field in due.fields if field.layout == "count" for answer in field.offered()]
    named = tuple(_board(sheet) for sheet in sheets)
    seats, sides = rules.seating
    return Boards(
        event=event.name,
        slug=event.slug,
        sheet_key=rules.sheet.key,
        sheet_title=rules.sheet.title,
        unit=rules.unit,
        paper=event.paper,
        simple=simple,
        seats=seats,
        sides=sides,
        fields=rules.columns,
        counters=rules.game.counters(rules.rules),
        bids=(*bids, VOID),
        most=max((int(answer.value) for answer in counted), default=0),
        cards=tuple(due.cards for due in hands) if planned else (),
        lines=MOST_LINES if planned is None else planned + SPARE_LINES,
        rules=rules,
        boards=named or (Board("Board", round_.title if round_ else "", "", "", ("",) * sides, ("",) * seats),),
    )


def _board(sheet: GameSheet) -> Board:
    game = game_words(sheet.game)
    leg = f" game {sheet.game.leg}" if sheet.game.leg > 1 else ""
    table = f"Table {sheet.game.table}{leg}"
    seats = sorted(sheet.seats, key=lambda seat: seat.seat)
    return Board(
        table,
        " · ".join(part for part in (sheet.words.title or str(sheet.round), table, sheet.words.to) if part),
        int(game) if game.isdecimal() else game,
        sheet.game.table,
        tuple(side.name for side in sheet.sides),
        tuple(seat.name for seat in seats),
    )


# An empty score sheet, to be copied and filled in by hand.


def blank_sheet(event: Event, round_: Round | None = None) -> GameSheet:
    """A sheet of the event's rules, or of a stage that has its own, with nobody on it yet, to be filled in by hand."""
    rules = ruleset_of(event, round_)
    sides = tuple(SideFacts(index, 0, 0, "", (), None) for index in range(rules.seating.sides))
    scored = begin(rules)
    return GameSheet(
        scored=scored,
        game=Game(round=round_ or Round(event=event, number=0), table=0),
        sides=sides,
        seats=seats_of(sides, rules, 0),
        rows=(),
        removed=(),
        code="",
        paper=None,
        signatures=(),
        call=None,
        next=scored.next_hand,
        next_position=1,
        coming=coming_deals(rules, 0, 0),
        begun=False,
        short=sheet_address_code(EVENT, event.pk),
    )
