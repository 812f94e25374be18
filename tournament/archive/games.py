"""What the rounds of an event file mean: who met whom, every entry scored by the rules, every line, who signed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.document import read_document, read_entry, read_opening
from scoring.fields import Fields
from scoring.ledger import CannotScore, Carry, Problem
from scoring.options import choose
from tournament.archive.declared import fault_in
from tournament.archive.things import Call, EventFile, PlayoffGame, Round, RoundFacts, SheetLine, Table
from tournament.errors import Fault
from tournament.migrations._option_names import with_documented_options
from tournament.models.game import OPENING, REMOVED
from tournament.queries.rules import Ruleset, of_stage, stage_of
from tournament.queries.scored import PAPER, NotPossible, ScoredGame, renumbered
from tournament.queries.wording import write_down

IMPORT = "import"
OTHER_OPTIONS = "these are not the options that the event has for this stage."
# As many as can be typed at the desk.
MOST_HANDS = 9999
Tell = Callable[[int, int], None]


def read_games(file: EventFile, rules: Ruleset, faults: list[Fault], tell: Tell) -> None:
    """Find out what every game comes to, and put the rounds of tie-breaks and playoffs behind those of the file.

    `tell` hears how many rounds have been checked.
    """
    rounds = list(file.rounds)
    for index, round_ in enumerate(rounds, start=1):
        round_.number = round_.number or index
    for stage, extra in (("tiebreak", file.tiebreaks), ("playoff", file.playoffs)):
        if extra is not None:
            rounds += _rounds_of(extra.games, stage, faults)
    for index, round_ in enumerate(rounds):
        tell(index, len(rounds))
        stage = stage_of(file.cut, round_.stage, [table.match for table in round_.tables])
        own = of_stage(file.stage_options, stage)
        reader = _Reader(rules, file, faults, f"Round {round_.number}", own)
        if round_.options != own:
            faults.append(fault_in(reader.where, "options", OTHER_OPTIONS))
            continue
        round_.byes += [table.bye for table in round_.tables if table.bye is not None and not table.teams]
        round_.tables = [table for table in round_.tables if table.bye is None or table.teams]
        for table in round_.tables:
            reader.table(table)
        reader.check_round(round_)
    tell(1, 1)
    file.rounds = rounds


def infer_states(rounds: Sequence[Round], faults: list[Fault]) -> None:
    """Fill in what the file leaves open: a round is closed when all its games are over, running when one has begun."""
    numbers = [round_.number for round_ in rounds]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    faults += [Fault("rounds", f"Round {number} is in the file twice.") for number in twice]
    for round_ in rounds:
        started = any(table.game is not None for table in round_.tables)
        final = all(table.final for table in round_.tables)
        round_.state = round_.state or ("closed" if started and final else "running" if started else "planned")
        if round_.state == "planned" and any(table.entries for table in round_.tables):
            faults.append(Fault("rounds", f"Round {round_.number}: it is planned, but hands have been written."))
        if round_.state == "closed" and not final:
            open_ = next(table for table in round_.tables if not table.final)
            why = "not finished" if not open_.over else "not signed by all"
            text = f"Round {round_.number}, table {open_.table}: the round is closed, but the game is {why}."
            faults.append(Fault("rounds", text))
    running = [round_ for round_ in rounds if round_.state == "running" and round_.stage != "tiebreak"]
    if len(running) > 1:
        text = f"Rounds {running[0].number} and {running[1].number} are both in play: only one round can be."
        faults.append(Fault("rounds", text))


def _rounds_of(games: Sequence[PlayoffGame], stage: str, faults: list[Fault]) -> list[Round]:
    """The rounds that the games carry with them. Of one round all of them tell the same, or nothing."""
    rounds: dict[int, Round] = {}
    plain = RoundFacts()
    for game in games:
        facts = {name: getattr(game, name) for name in RoundFacts.forms}
        round_ = rounds.setdefault(game.number, Round(number=game.number, stage=stage, **facts))
        round_.sound = round_.sound and game.sound
        round_.tables.append(game)
        for name, fact in RoundFacts.forms.items():
            differs = facts[name] not in (getattr(plain, name), getattr(round_, name))
            if differs and round_.sound and name != "note":
                faults.append(fault_in(game.located, fact.key, "the first game of the round tells something else."))
    return [rounds[number] for number in sorted(rounds)]


class _Reader:
    """Reads one round and notes its faults with their where. `own` are the options of its stage."""

    def __init__(
        self, rules: Ruleset, file: EventFile, faults: list[Fault], where: str, own: Mapping[str, Any]
    ) -> None:
        self.rules = replace(rules, rules=choose(rules.rules, own)[0])
        self.options = {**file.options, **own}
        self.teams = {team.number: team.name for team in file.teams}
        self.unread = {team.number for team in file.teams if not team.sound}
        self.faults = faults
        self.where = where
        self.seats: dict[tuple[int, int], str] = {}

    def refuse(self, where: str, key: str, text: str, rule: str = "") -> None:
        self.faults.append(fault_in(where, key, text)._replace(rule=rule))

    def table(self, table: Table) -> None:
        where = table.located
        rules = self.rules.at_table(len(table.teams))
        faults_before = len(self.faults)
        if not table.table and table.sound:
            self.refuse(where, "table", "the number of the table is needed.")
        if table.first_dealer not in range(rules.seating.seats):
            self.refuse(where, "first_dealer", f"{table.first_dealer} is not a seat of the table.")
        if any(seat.side not in range(len(table.teams)) for seat in table.seated or ()):
            self.refuse(where, "seated", "a list of the table's sides is needed.")
        if any(call.answered_at is None for call in table.calls[:-1]):
            self.refuse(where, "calls", Call.needs)
        if not all(notice.team in self.teams for notice in table.notices):
            self.refuse(where, "notices", "each needs a team of the event, what it was told and a time.")
        self._signed(table, rules.seating.sides)
        sound = table.sound and len(self.faults) == faults_before
        self._teams(table)
        if (
            table.game is not None
            and sound
            and all(team in self.teams and team not in self.unread for team in table.teams)
        ):
            self._document(table, rules)
            self._lines(table, rules)

    def check_round(self, round_: Round) -> None:
        """A team may sit at one table (and a table stand) only once in a round."""
        tables = set()
        for table in round_.tables:
            if (table.table, table.leg) in tables:
                self.refuse(f"{self.where}, table {table.table}", "", "this table is in the round twice.")
            tables.add((table.table, table.leg))
        for number in round_.byes:
            self._seat(number, 1, self.where, "has a bye")

    def _signed(self, table: Table, sides: int) -> None:
        """A side signs each state of the sheet once; once more only after its signature was taken back."""
        signed = table.signed or []
        for index, signature in enumerate(signed):
            same = (signature.side, signature.code)
            before = [other for other in signed[:index] if (other.side, other.code) == same]
            signature.revision = len(before)
            stands = bool(before) and before[-1].how != "back"
            if signature.side not in range(sides) or stands != (signature.how == "back"):
                self.refuse(table.located, "signed", signature.needs)

    def _teams(self, table: Table) -> None:
        sizes, word = self.rules.table_sizes, self.rules.unit
        if len(table.teams) not in sizes:
            wanted = " to ".join(str(size) for size in sorted({sizes[0], sizes[-1]}))
            text = f"{wanted} {word}s are needed; {len(table.teams)} are named."
            self.refuse(table.located, "teams", text)
        for number in table.teams:
            self._seat(number, table.leg, table.located, f"sits at table {table.table}")

    def _seat(self, number: int, leg: int, located: str, where: str) -> None:
        if number not in self.teams:
            self.refuse(located, "teams", f"there is no team {number} in the file.")
            return
        before = self.seats.setdefault((number, leg), where)
        if before is not where:
            name = f"team {number} ({self.teams[number]})"
            self.refuse(located, "teams", f"{name} is in this round twice: it already {before}.")

    def _document(self, table: Table, rules: Ruleset) -> None:
        """The sheet of the game, read as a game document and scored from first to last."""
        where = table.located
        names = [self.teams[number] for number in table.teams]
        sheet = self.rules.sheet.key
        document = {"sheet": sheet, "options": self.options, "sides": names, **table.game}
        if document["sheet"] != sheet:
            self.refuse(where, "sheet", f"the game is played by “{document['sheet']}”, the event by {sheet}.")
            return
        try:
            read = read_document(with_documented_options(document), self.rules.sheet)
        except CannotScore as refusal:
            self._problems(where, refusal.problems)
            return
        if read.rules != rules.rules:
            self.refuse(where, "options", "the options are not those of the event.")
        if list(read.sides) != names:
            named, seated = " and ".join(read.sides), " and ".join(names)
            self.refuse(where, "sides", f"the sides are {named}, the teams {seated}.")
        if read.carry.hands > MOST_HANDS:
            self.refuse(where, "opening.hands", f"at most {MOST_HANDS:,} hands can have been played before.")
        entries = [dict(entry) for entry in table.game.get("entries", [])]
        scored = ScoredGame(rules, 0, read.carry)
        try:
            for facts in entries:
                scored = scored.with_line(scored.next_position, facts)
        except NotPossible as refusal:
            self._problems(where, [problem._replace(entry=refusal.line - 1) for problem in refusal.problems])
            return
        table.entries = entries
        table.opening = dict(table.game["opening"]) if table.game.get("opening") else None
        table.over = scored.verdict is not None
        if table.standing and not table.over:
            self.refuse(where, "signed", "the game is not over, but it was signed.")

    def _lines(self, table: Table, rules: Ruleset) -> None:
        """Every revision where the file tells them; else the lines that count, some of them typed from paper."""
        if table.revisions is not None:
            table.lines = table.revisions
            if text := _lines_fault(table, rules):
                self.refuse(table.located, "lines", text)
            return
        facts = [{"entry": OPENING, **table.opening}] if table.opening else []
        for position, line in enumerate([*facts, *table.entries], start=0 if facts else 1):
            source = PAPER if position in table.paper else IMPORT
            table.lines.append(SheetLine(position=position, source=source, facts=line))

    def _problems(self, where: str, problems: Sequence[Problem]) -> None:
        for problem in problems:
            entry = where if problem.entry is None else f"{where}, entry {problem.entry + 1}"
            self.refuse(entry, problem.field, problem.text, problem.rule)


def _lines_fault(table: Table, rules: Ruleset) -> str:
    """Why the lines of a table are not those of its game; nothing where they are."""
    left = iter(table.entries)
    before = None
    for index, line in enumerate(table.lines, start=1):
        if text := _line_fault(line, before, left, rules):
            return f"line {index}: {text}"
        before = line
    counts = list({line.position: line for line in table.lines}.values())
    counted = [line for line in counts if line.kind not in (OPENING, REMOVED)]
    counting = [line.facts for line in counted]
    begins = [_begins(rules, line.facts or {}) for line in counts if line.kind == OPENING]
    if counting != table.entries or begins != ([_begins(rules, table.opening)] if table.opening else []):
        return "they are not those of the game: as many must count as the game has entries."
    places = {number: line.position for number, line in enumerate(counted, start=1)}
    for line in counted:
        line.facts = renumbered(line.facts or {}, places)
    return ""


def _line_fault(line: SheetLine, before: SheetLine | None, left: Iterator[dict[str, Any]], rules: Ruleset) -> str:
    """What is wrong with a line. Without facts of its own it is the next entry of the game."""
    if before is not None and line.position < before.position:
        return line.numbers
    line.revision = before.revision + 1 if before and before.position == line.position else 0
    if line.facts is not None:
        line.facts = dict(line.facts)
        return next(iter(_wrong(line, line.facts, rules)), "")
    line.facts = next(left, None)
    if line.facts is None:
        return "the game has no such entry."
    return "" if line.position > 0 else "only totals continued from paper can come before line 1."


def _wrong(line: SheetLine, facts: dict[str, Any], rules: Ruleset) -> list[str]:
    """What a line cannot say. What counts was scored already; what was struck must at least be readable."""
    if line.kind == REMOVED:
        return [] if line.revision and facts == {"entry": REMOVED} else ["there was no line there to remove."]
    if (line.kind == OPENING) != (line.position == 0):
        return ["only totals continued from paper can come before line 1."]
    try:
        if line.kind == OPENING:
            fields = Fields({})
            _begins(rules, facts, fields)
            return [problem.text for problem in fields.problems]
        _, problems = read_entry(rules.game, facts)
        if not problems:
            write_down(rules, facts, ("",) * rules.seating.sides, (), ())
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return ["what was struck cannot be read."]
    return [problem.text for problem in problems]


def _begins(rules: Ruleset, facts: Mapping[str, Any], fields: Fields | None = None) -> Carry:
    """Where a game begins that was carried on from paper."""
    opening = {key: value for key, value in facts.items() if key != "entry"}
    return read_opening(rules.game, rules.rules, opening, fields or Fields({}))
