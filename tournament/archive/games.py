"""The rounds of an event file with their tables: who met, every entry checked by the rules, who signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from scoring.document import read_document
from scoring.fields import Fields
from scoring.ledger import CannotScore, Problem
from tournament.archive.changes import (
    CLOCK,
    FileSignature,
    SheetLine,
    objects,
    plain_lines,
    read_calls,
    read_clock,
    read_count,
    read_lines,
    read_looks,
    read_moment,
    read_notices,
    read_signed,
)
from tournament.errors import Fault
from tournament.migrations._option_names import with_documented_options
from tournament.models import Call, Notice, Verification
from tournament.pairing.plan import TEXT, Note
from tournament.phrases import ROUND_STATES
from tournament.queries.rules import Ruleset
from tournament.queries.scored import NotPossible, ScoredGame

ROUND = frozenset("round state title stage tables byes notes by_hand started_at closed_at note".split()) | set(CLOCK)
TIMES = ("begun_at", "last_entry_at", "finished_at")
TABLE = frozenset(
    "table teams bye game void signed seated first_dealer paper looks lines calls notices note".split()
) | set(TIMES)
EXTRA = TABLE | (ROUND - {"tables", "byes"}) | {"match", "leg"}
PLAYOFFS = frozenset("games cut best_of third_place note".split())
SEATED = frozenset("side at".split())
MOST_ROUNDS = 100
Tell = Callable[[int, int], None]
MOST_TABLES = 2500
MOST_LEGS = 999
# As many as can be typed at the desk.
MOST_HANDS = 9999


@dataclass(slots=True)
class FileGame:
    """A game of the file.

    `signed` is None where the file does not say; `entries` are the facts that count, `lines` every revision of them.
    `seated` are the sides that sit, with the time where the file tells it.
    """

    table: int
    teams: tuple[int, ...]
    match: str = ""
    leg: int = 1
    first_dealer: int = 0
    opening: dict[str, Any] | None = None
    entries: list[dict[str, Any]] = field(default_factory=list)
    signed: list[FileSignature] | None = None
    seated: dict[int, datetime | None] | None = None
    lines: list[SheetLine] = field(default_factory=list)
    looks: list[Verification] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    notices: list[tuple[int, Notice]] = field(default_factory=list)
    times: dict[str, datetime | None] = field(default_factory=dict)
    told: bool = False
    begun: bool = False
    void: bool = False
    over: bool = False

    @property
    def final(self) -> bool:
        """Over and signed by all, or made void; a finished game is signed where the file says nothing else."""
        return self.void or (self.over and (self.signed is None or len(self.standing) == len(self.teams)))

    @property
    def standing(self) -> list[FileSignature]:
        """The signatures under the sheet as it is now."""
        return [one for one in self.signed or () if not one.code]

    def seated_at(self, side: int, began: datetime) -> datetime | None:
        """When a side sat down. Where hands are written everybody sits, unless the file says otherwise."""
        if self.seated is None:
            return began if self.entries else None
        return (self.seated[side] or began) if side in self.seated else None


@dataclass(slots=True)
class FileRound:
    """A round of the file; `state` is inferred where the file does not say."""

    number: int
    stage: str
    title: str = ""
    state: str = ""
    notes: list[dict[str, Any]] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)
    games: list[FileGame] = field(default_factory=list)
    started_at: datetime | None = None
    closed_at: datetime | None = None
    clock: dict[str, Any] = field(default_factory=dict)
    by_hand: bool = False


def read_rounds(
    data: Any, rules: Ruleset, teams: Mapping[int, str], options: Mapping[str, Any], faults: list[Fault], tell: Tell
) -> list[FileRound]:
    """The qualifying rounds; `tell` hears how many have been checked."""
    rounds: list[FileRound] = []
    if not isinstance(data, list) or len(data) > MOST_ROUNDS:
        faults.append(Fault("rounds", f"Field rounds: the rounds are a list of at most {MOST_ROUNDS}."))
        return rounds
    for index, one in enumerate(data, start=1):
        tell(index - 1, len(data))
        if not isinstance(one, Mapping) or not isinstance(one.get("tables"), list):
            faults.append(Fault("rounds", f"Round {index}: a round is an object with its tables."))
            continue
        reader = _Reader(rules, teams, options, faults, f"Round {one.get('round', index)}")
        round_ = reader.round(one, index, ROUND, "qualifying")
        for table in one["tables"][:MOST_TABLES]:
            reader.table(table, round_, TABLE)
        reader.check_round(round_)
        rounds.append(round_)
    tell(1, 1)
    return rounds


def read_games(
    data: Any, stage: str, rules: Ruleset, teams: Mapping[int, str], options: Mapping[str, Any], faults: list[Fault]
) -> list[FileRound]:
    """The rounds of tie-breaks and playoffs: a list of games, each with its round."""
    if data is None:
        return []
    what = "Playoff" if stage == "playoff" else "Tie-break"
    if not isinstance(data, Mapping) or not isinstance(data.get("games", []), list):
        faults.append(Fault(stage, f"{what} games: an object with a list of games is needed."))
        return []
    fields = Fields(data)
    fields.only(PLAYOFFS)
    _check_cut(fields)
    faults += [Fault(stage, f"{what} games, field {problem.field}: {problem.text}") for problem in fields.problems]
    rounds: dict[int, FileRound] = {}
    readers: dict[int, _Reader] = {}
    for index, one in enumerate(data.get("games", []), start=1):
        number = one.get("round") if isinstance(one, Mapping) else None
        if type(number) is not int or not 1 <= number <= 1000:
            faults.append(Fault(stage, f"{what} game {index}: the number of its round is needed."))
            continue
        reader = readers.setdefault(number, _Reader(rules, teams, options, faults, f"Round {number}"))
        if number not in rounds:
            rounds[number] = reader.round(one, number, EXTRA, stage)
        reader.table(one, rounds[number], EXTRA)
    for number, round_ in rounds.items():
        readers[number].check_round(round_)
    return [rounds[number] for number in sorted(rounds)]


def infer_states(rounds: Sequence[FileRound], faults: list[Fault]) -> None:
    """Fill in what the file leaves open: a round is closed when all its games are over, running when one has begun."""
    numbers = [round_.number for round_ in rounds]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    faults += [Fault("rounds", f"Round {number} is in the file twice.") for number in twice]
    for round_ in rounds:
        begun = any(game.begun for game in round_.games)
        final = all(game.final for game in round_.games)
        round_.state = round_.state or ("closed" if begun and final else "running" if begun else "planned")
        if round_.state == "planned" and any(game.entries for game in round_.games):
            faults.append(Fault("rounds", f"Round {round_.number}: it is planned, but hands have been written."))
        if round_.state == "closed" and not final:
            open_ = next(game for game in round_.games if not game.final)
            why = "not finished" if not open_.over else "not signed by all"
            text = f"Round {round_.number}, table {open_.table}: the round is closed, but the game is {why}."
            faults.append(Fault("rounds", text))
    running = [round_ for round_ in rounds if round_.state == "running" and round_.stage != "tiebreak"]
    if len(running) > 1:
        text = f"Rounds {running[0].number} and {running[1].number} are both in play: only one round can be."
        faults.append(Fault("rounds", text))


class _Reader:
    """Reads one round and notes its faults with their place."""

    def __init__(
        self, rules: Ruleset, teams: Mapping[int, str], options: Mapping[str, Any], faults: list[Fault], place: str
    ) -> None:
        self.rules = rules
        self.teams = teams
        self.options = options
        self.faults = faults
        self.place = place
        self.seats: dict[tuple[int, int], str] = {}

    def refuse(self, place: str, key: str, text: str, rule: str = "") -> None:
        self.faults.append(Fault("rounds", f"{place}, {f'{key}: ' if key else ''}{text}", rule))

    def round(self, data: Mapping[str, Any], number: int, known: frozenset[str], stage: str) -> FileRound:
        fields = Fields(data)
        fields.only(known)
        said = fields.number("round")
        state, title = fields.text("state"), fields.text("title")[:40]
        if state and state not in ROUND_STATES:
            fields.refuse("state", f"“{state}” is not known: {', '.join(ROUND_STATES)}.")
        if said is not None and not 1 <= said <= 1000:
            fields.refuse("round", f"{said} is not a round.")
        notes = _notes(data.get("notes"), fields)
        round_ = FileRound(said or number, stage, title, state, notes, list(fields.numbers("byes")))
        round_.started_at, round_.closed_at = read_moment(fields, "started_at"), read_moment(fields, "closed_at")
        round_.by_hand = bool(fields.flag("by_hand"))
        round_.clock = read_clock(fields)
        for problem in fields.problems:
            self.refuse(self.place, f"field {problem.field}", problem.text)
        return round_

    def table(self, data: Any, round_: FileRound, known: frozenset[str]) -> None:
        if not isinstance(data, Mapping):
            self.refuse(self.place, "", "a table is an object with table, teams and game.")
            return
        fields = Fields(data)
        if "bye" in data and "teams" not in data:
            bye = fields.number("bye")
            round_.byes += [bye] if bye is not None else []
            return
        fields.only(known)
        number = fields.number("table")
        place = f"{self.place}, table {number if number is not None else len(round_.games) + 1}"
        if number is None or not 1 <= number <= 9999:
            fields.refuse("table", "the number of the table is needed.")
        leg = read_count(fields, "leg", 1, MOST_LEGS) or 1
        game = FileGame(number or 0, fields.numbers("teams"), fields.text("match")[:12], leg)
        game.first_dealer = fields.number("first_dealer") or 0
        rules = self.rules.at_table(len(game.teams))
        if game.first_dealer not in range(rules.seating.seats):
            fields.refuse("first_dealer", f"{game.first_dealer} is not a seat of the table.")
        game.seated = _seated(data.get("seated"), fields, len(game.teams))
        game.looks = read_looks(data.get("looks"), fields)
        game.calls = read_calls(data.get("calls"), fields)
        game.notices = read_notices(data.get("notices"), self.teams, fields)
        game.times = {name: read_moment(fields, name) for name in TIMES}
        game.begun, game.void = data.get("game") is not None, fields.flag("void") or False
        self._teams(game, place)
        game.signed = read_signed(data.get("signed"), fields, rules.seating.sides)
        for problem in fields.problems:
            self.refuse(place, f"field {problem.field}", problem.text)
        if game.begun and not fields.problems and all(team in self.teams for team in game.teams):
            self._document(game, data["game"], place, rules)
            self._lines(game, data, place, rules)
        round_.games.append(game)

    def check_round(self, round_: FileRound) -> None:
        """A team may sit at one table (and a table stand) only once in a round."""
        tables: dict[tuple[int, int], str] = {}
        for game in round_.games:
            if (game.table, game.leg) in tables:
                self.refuse(f"{self.place}, table {game.table}", "", "this table is in the round twice.")
            tables[game.table, game.leg] = ""
        for number in round_.byes:
            self._seat(number, 1, self.place, "has a bye")

    def _teams(self, game: FileGame, place: str) -> None:
        sizes, word = self.rules.table_sizes, self.rules.unit
        if len(game.teams) not in sizes:
            wanted = " to ".join(str(size) for size in sorted({sizes[0], sizes[-1]}))
            self.refuse(place, "field teams", f"{wanted} {word}s are needed; {len(game.teams)} are named.")
        for number in game.teams:
            self._seat(number, game.leg, place, f"sits at table {game.table}")

    def _seat(self, number: int, leg: int, place: str, where: str) -> None:
        if number not in self.teams:
            self.refuse(place, "field teams", f"there is no team {number} in the file.")
            return
        before = self.seats.setdefault((number, leg), where)
        if before is not where:
            name = f"team {number} ({self.teams[number]})"
            self.refuse(place, "field teams", f"{name} is in this round twice: it already {before}.")

    def _document(self, game: FileGame, data: Any, place: str, rules: Ruleset) -> None:
        """The sheet of the game, read as a game document and scored from first to last."""
        if not isinstance(data, Mapping):
            self.refuse(place, "field game", "a game document is an object with entries.")
            return
        names = [self.teams[number] for number in game.teams]
        sheet = self.rules.sheet.key
        document = {"sheet": sheet, "options": dict(self.options), "sides": names, **data}
        if document["sheet"] != sheet:
            self.refuse(place, "field sheet", f"the game is played by “{document['sheet']}”, the event by {sheet}.")
            return
        try:
            read = read_document(with_documented_options(document), self.rules.sheet)
        except CannotScore as refusal:
            self._problems(place, refusal.problems)
            return
        if read.rules != rules.rules:
            self.refuse(place, "field options", "the options are not those of the event.")
        if list(read.sides) != names:
            said, seated = " and ".join(read.sides), " and ".join(names)
            self.refuse(place, "field sides", f"the sides are {said}, the teams {seated}.")
        if read.carry.hands > MOST_HANDS:
            self.refuse(place, "field opening.hands", f"at most {MOST_HANDS:,} hands can have been played before.")
        entries = [dict(one) for one in data.get("entries", [])]
        scored = ScoredGame(rules, 0, read.carry)
        try:
            for facts in entries:
                scored = scored.with_line(scored.next_position, facts)
        except NotPossible as refusal:
            self._problems(place, [problem._replace(entry=refusal.line - 1) for problem in refusal.problems])
            return
        game.entries = entries
        game.opening = dict(data["opening"]) if data.get("opening") else None
        game.over = scored.verdict is not None
        if game.standing and not game.over:
            self.refuse(place, "field signed", "the game is not over, but it was signed.")

    def _lines(self, game: FileGame, data: Mapping[str, Any], place: str, rules: Ruleset) -> None:
        """Every revision, where the file tells them."""
        fields = Fields(data)
        game.told = data.get("lines") is not None
        if game.told:
            game.lines = read_lines(data["lines"], rules, game.opening, game.entries, fields)
        else:
            game.lines = plain_lines(game.opening, game.entries, fields.numbers("paper"))
        for problem in fields.problems:
            self.refuse(place, f"field {problem.field}", problem.text)

    def _problems(self, place: str, problems: Sequence[Problem]) -> None:
        for problem in problems:
            at = place if problem.entry is None else f"{place}, entry {problem.entry + 1}"
            self.refuse(at, f"field {problem.field}", problem.text, problem.rule)


def _notes(data: Any, fields: Fields) -> list[dict[str, Any]]:
    """What the draw could not avoid; until version 2 a file had sentences."""
    notes = []
    for one in data if isinstance(data, list) else [] if data is None else [None]:
        note = Note(TEXT, teams=(one[:300],)) if isinstance(one, str) else one
        if isinstance(note, dict):
            try:
                note = Note.from_row(note)
                str(note)
            except (LookupError, TypeError, ValueError):
                note = None
        if not isinstance(note, Note):
            fields.refuse("notes", "each is a note of the draw.")
            return []
        notes.append(note.row)
    return notes


def _seated(data: Any, fields: Fields, sides: int) -> dict[int, datetime | None] | None:
    """Which sides sit: numbers of sides, or objects with side and time."""
    if data is None:
        return None
    seated: dict[int, datetime | None] = {}
    for said in objects(data, SEATED, alone="side"):
        side, at = said.number("side"), read_moment(said, "at")
        wrong = [problem.text for problem in said.problems]
        if wrong or side is None or side not in range(sides):
            fields.refuse("seated", (*wrong, "a list of the table's sides is needed.")[0])
            return {}
        seated[side] = at
    return seated


def _check_cut(fields: Fields) -> None:
    cut, best_of = fields.number("cut"), fields.number("best_of")
    fields.flag("third_place")
    if cut is not None and not 2 <= cut <= 1024:
        fields.refuse("cut", f"{cut} is not from 2 to 1,024.")
    if best_of is not None and best_of not in (1, 3, 5, 7):
        fields.refuse("best_of", "a match is one game, or best of 3, 5 or 7.")
