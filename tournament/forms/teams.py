"""Teams as forms: the secretary's list read into rows, one team typed, changed, withdrawn, merged or substituted."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms

from tournament.errors import Fault
from tournament.forms.fields import NameField, choice_field
from tournament.forms.roster_lines import (
    MARKS,
    NO_WISHES,
    NOBODY,
    Aside,
    Known,
    Record,
    Roster,
    Unread,
    Wishes,
    cells_of,
    is_mark,
    known_of,
    read_line,
)
from tournament.forms.roster_table import (
    DELIMITERS,
    FIRST_LINES,
    HEADING,
    NO_TEAM,
    OUT,
    SUM,
    TALK,
    TITLE,
    WAITING,
    grid_of,
    is_heading,
    joined,
    looked_at,
    read_table,
    records_of,
    row_of_cells,
    unguarded,
    why_aside,
    yes_of,
)
from tournament.models import Event, Round, Team
from tournament.queries.roster import LARGEST_NUMBER, RosterRow, players_wanted
from tournament.queries.scored import lineup, open_rounds
from tournament.texts import LONGEST_NAME, name_key

# The secretary's list, pasted or uploaded, read into rows: with headings in any order, or line by line.


MOST_ROWS, MOST_CELLS = 2000, 60_000
# A line of a list is much shorter, and so is a list of the most rows: what is longer costs time.
LONGEST_LINE, LONGEST_LIST, LONGEST_TABLE = 1000, 150_000, 400_000
MOST_PLAYERS = 4
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV UTF-8."
NO_QUOTES = "a quotation mark is not closed, or is inside a word."
REPORT = re.compile(r"(?:0[0-9]2|1[0-9]2|XX[A-Z]|001|BB[A-Z])[ \t]")
A_REPORT = "This is another program’s report (.trf), not a list of teams. Paste the names alone, one team a line."
# “[10/24/26, 6:02 PM] Ann Lee: ”, “24.10.26, 18:02 - Ann Lee: ”.
MESSAGE = re.compile(
    r"\W*\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +\d{1,2}:\d\d[^A-Za-z]*(?:[ap]\.?m\.?)?[\]\s–-]+([^:\t,;|]+):\s+",
    re.IGNORECASE,
)
# The heads of a mail, and what it quotes.
MAIL = re.compile(r"(?:from|to|cc|subject|date|sent|reply-to): .|>|on .* wrote:$", re.IGNORECASE)
QUOTED = re.compile(r"^(?:>\s?)+")
# UTF-8 read as something else once before: “JosÃ© NÃºÃ±ez”.
BROKEN = re.compile("[ÂÃÄÅÐÑâ][\u0080-¿ŒœŠšŽžŸƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]{1,2}")
INDENT = re.compile(r"^(?:\s+|[-–—*•]\s*)+")


def decode(content: bytes) -> str:
    """The text of an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    Raises ValueError with a sentence where it is no list.
    """
    # In UTF-16 every other byte of most names is zero; only the mark says which, and it may be missing.
    if b"\x00" in content[:2] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = (b"\xfe\xff" if content[0] == 0 else b"\xff\xfe") + content
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252", "cp1250"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        is_text = all(unicodedata.category(character) != "Cc" or character in BREAKS for character in text)
        if not is_text or (marked and not any(character in text for character in f"{DELIMITERS}\n\r")):
            break
        return text
    raise ValueError(NO_LIST)


def said_of_accents(content: bytes, text: str) -> list[str]:
    """What is asked about a file whose old encoding does not tell which accents it has."""
    try:
        content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8")
    except UnicodeDecodeError:
        words = [f"“{word}”" for word in dict.fromkeys(re.findall(r"\w+", text)) if not word.isascii()][:3]
        return [f"Are these accents right: {', '.join(words)}? If not, save the file as CSV UTF-8."] if words else []
    return []


def read_roster(text: str, wanted: int, wishes: Wishes = NO_WISHES) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column where there is one."""
    roster, text = Roster(), clean_text(text)
    lines = text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip(f"{DELIMITERS} \u00a0")]
    long = next((number for number, line in filled if len(line) > LONGEST_LINE), 0)
    if not filled:
        roster.faults.append(Fault("text", "There are no names in this list."))
    elif len(filled) > MOST_ROWS + FIRST_LINES:
        roster.faults.append(Fault("text", f"At most {MOST_ROWS:,} can be entered at once; here are {len(filled):,}."))
    elif long:
        text = f"Row {long}: this line is longer than {LONGEST_LINE:,} characters. Is each team on a line?"
        roster.faults.append(Fault(f"{long}:", text))
    elif sum(bool(REPORT.match(line)) for _, line in filled) * 2 > len(filled) > 1:
        roster.faults.append(Fault("text", A_REPORT))
    else:
        try:
            _read(text, roster, wanted, wishes)
        except Unread as fault:
            roster.faults.append(Fault("text", str(fault)))
    return roster


def clean_text(text: str) -> str:
    """Without the marks of programs, every line ended in one way."""
    return re.sub(r"\r\n|\r", "\n", text.lstrip("\ufeff").rstrip("\x1a"))


def unbroken(text: str) -> str:
    """The text with accents that another program broke put together again."""

    def whole(match: re.Match[str]) -> str:
        try:
            return match[0].encode("cp1252").decode()
        except UnicodeError:
            return match[0]

    return BROKEN.sub(whole, text)


def _read(text: str, roster: Roster, wanted: int, wishes: Wishes) -> None:
    """Read the rows of a list, with columns or without; what is no team is set aside."""
    prepared, is_talk = _prepared(text, roster)
    grid, delimiter = grid_of(prepared)
    if len(prepared) > (LONGEST_TABLE if delimiter else LONGEST_LIST) or sum(map(len, grid)) > MOST_CELLS:
        raise Unread("This is far more than a list of teams. Paste the list alone.")
    records = records_of(grid)
    blocks = [] if delimiter or is_talk else blocks_of(records, wanted)
    facts = Known()
    if blocks:
        roster.questions.append("Lines that stand together were read as one team.")
    if blocks or delimiter:
        records = list(read_table(blocks or records, roster, wanted, wishes))
    else:
        facts = known_of([record.cells[0] for record in records if not _is_heading(record.cells[0])], wanted)
    if facts.turned:
        roster.questions.append("Read as “Last, First”.")
    rows = _without_titles(_rows(records, roster, wanted, wishes, facts, is_talk), roster, wanted, wishes, is_talk)
    if "of" in {column.role for column in roster.columns}:
        rows = joined(rows, roster, wanted)
    for row in rows:
        if len(row.players) > MOST_PLAYERS:
            text = f"Row {row.row}: {len(row.players)} players are too many for one team. Is each team on a line?"
            roster.faults.append(Fault(f"{row.row}:player{MOST_PLAYERS + 1}", text))
    roster.rows = _named(rows) if wanted > 1 else rows
    for why, count in Counter(aside.why for aside in roster.aside if aside.why not in (HEADING, SUM, OUT)).items():
        roster.questions.append(f"{count} line{'s are' if count > 1 else ' is'} set aside: {why}.")


def _prepared(text: str, roster: Roster) -> tuple[str, bool]:
    """The text without the heads of messages, accents put together again; and whether it is talk.

    Of talk only lines that name a whole team are read.
    """
    lines = text.split("\n")
    is_chat = sum(bool(MESSAGE.match(line)) for line in lines) * 2 > len(lines)
    is_talk = is_chat or sum(bool(MAIL.match(line)) for line in lines) > 1
    if is_talk:
        roster.questions.append("These are messages. Lines that name no whole team are set aside.")
        text = "\n".join(QUOTED.sub("", MESSAGE.sub("", line)) for line in lines)
    whole = unbroken(text)
    if pairs := [f"“{old}” as “{new}”" for old, new in zip(text.split(), whole.split(), strict=True) if old != new]:
        roster.questions.append(f"The accents were broken before, and were put right: {', '.join(pairs[:3])}.")
    if MARKS.search(whole):
        roster.notes.append("Marks of captains, like “(C)”, were left out.")
    return re.sub(r"[ \u00a0]{3,}", "   ", whole), is_talk


def _rows(
    records: Sequence[Record], roster: Roster, wanted: int, wishes: Wishes, facts: Known, is_talk: bool
) -> list[RosterRow]:
    """A row for each record that says something of a team; others are set aside, or cannot be read."""
    rows, is_waiting = [], False
    for record in records:
        roster.records[record.number] = record
        is_in = wishes.rows.get(record.text) == "in"
        why = why_aside(record.cells if roster.columns else cells_of(record.cells[0]), wishes, record.text)
        if not (why or is_in or roster.columns) and _is_heading(record.cells[0]):
            why = HEADING
        is_waiting = why == WAITING or (is_waiting and why != HEADING)
        why = why or (WAITING if is_waiting and not is_in else "")
        if why:
            roster.aside.append(Aside(record.number, record.text, why))
            continue
        try:
            is_table = bool(roster.columns)
            row = row_of_cells(record, roster, wanted) if is_table else _row_of_line(record, roster, wanted, facts)
            rows.append(looked_at(row, record, roster, wanted))
        except Unread as fault:
            text = f"Row {record.number}: {str(fault)[0].lower()}{str(fault)[1:]}"
            if is_talk and not is_in:
                roster.aside.append(Aside(record.number, record.text, TALK))
            else:
                roster.faults.append(Fault(f"{record.number}:", text))
    return rows


def _without_titles(
    rows: Sequence[RosterRow], roster: Roster, wanted: int, wishes: Wishes, is_talk: bool
) -> list[RosterRow]:
    """The rows that are teams. Among teams with their players, what names nobody is a title, or is set aside."""
    faulty = {fault.field.partition(":")[0] for fault in roster.faults}
    has_players = wanted > 1 and sum(len(row.players) >= wanted for row in rows) * 2 >= len(rows)
    teams, is_top = [], len(rows) > 1 and not roster.columns
    for row in rows:
        record, why = roster.records[row.row], ""
        is_whole = len(row.players) >= wanted and "a player?" not in row.guessed
        is_bare = not row.players and row.number is None and "nobody yet" not in row.guessed
        if roster.columns:
            is_bare = is_bare and sum(map(bool, record.cells)) == 1
        is_title = is_top and row.number is None and bool(TITLE.search(record.text)) and (row.guessed or not is_whole)
        if wishes.rows.get(record.text) == "in":
            why = ""
        elif is_talk and (not is_whole or MAIL.match(record.cells[0])):
            why = TALK
        elif is_title or (has_players and is_bare):
            why = HEADING if is_top else NO_TEAM
        elif (NOBODY.fullmatch(row.name) and not row.players) or (
            has_players and not is_whole and str(row.row) in faulty
        ):
            why = NO_TEAM
        is_top = is_top and why == HEADING
        if why:
            roster.aside.append(Aside(row.row, record.text, why))
            roster.faults = [fault for fault in roster.faults if not fault.field.startswith(f"{row.row}:")]
        else:
            teams.append(row)
    roster.aside.sort()
    return teams


def blocks_of(records: Sequence[Record], wanted: int) -> list[Record]:
    """Teams of several lines each: between blank lines, or with their players indented. Nothing where they differ."""
    lines = [record.cells[0] for record in records]
    is_inside = [bool(INDENT.match(line)) for line in lines]
    has_indents = any(is_inside) and not all(is_inside)
    groups: list[list[Record]] = []
    for record, inside in zip(records, is_inside, strict=True):
        follows = bool(groups) and record.number == groups[-1][-1].number + 1
        if groups and (inside if has_indents else follows):
            groups[-1].append(record)
        else:
            groups.append([record])
    teams = [group for group in groups if len(group) > 1]
    sizes = {len(group) for group in teams}
    pieces = [cells_of(record.cells[0]) for group in teams for record in group]
    if len(teams) < 2 or not sizes <= {wanted, wanted + 1} or len(sizes) > 1 or any(len(texts) > 1 for texts in pieces):
        return []
    return [
        Record(
            group[0].number,
            [INDENT.sub("", record.cells[0], count=1) for record in group],
            tuple(record.number for record in group),
        )
        for group in groups
    ]


def _is_heading(line: str) -> bool:
    """“----”, “sep=;”, “Wait list:”, or nothing but headings: “Team – Players”."""
    cells = [cell for cell in cells_of(line) if cell]
    says = any(character.isalnum() for character in line)
    return not says or line.strip().endswith(":") or line.startswith("sep=") or all(is_heading(cell) for cell in cells)


def _row_of_line(record: Record, roster: Roster, wanted: int, facts: Known) -> RosterRow:
    """A team from its line. Behind the players stand town, club, fee and pot, in this order; more cannot be read."""
    number, line = record.number, record.cells[0]
    entrant = read_line(line, wanted, facts)
    if not any(character.isalpha() for character in line):
        raise Unread("There is a number but no name.")
    rest = [unguarded(text) for text in entrant.rest]
    texts: list[str] = []
    while rest and len(texts) < 2 and not is_mark(rest[0]):
        texts.append(rest.pop(0))
        if rest and texts[-1] and re.fullmatch(r"[A-Z]{2}\.?", rest[0]) and len(texts) == 1:
            texts[-1] += f", {rest.pop(0)}"
        if not texts[-1] or (rest and not rest[0]):
            break
    marks = [*rest[:2], "", ""][:2]
    blank = RosterRow(number, None, "")
    for text in rest[2:]:
        if text:
            roster.faults.append(
                Fault(f"{number}:", f"Row {number}: “{text}” is left over at the end of the line. What is it?")
            )
    return RosterRow(
        row=number,
        number=int(entrant.number) if entrant.number else None,
        name=unguarded(entrant.name),
        players=tuple(unguarded(name) for name in entrant.players if name),
        city=texts[0] if texts else "",
        club=texts[1] if len(texts) > 1 else "",
        paid=yes_of(blank, "paid", marks[0], roster),
        in_pot=yes_of(blank, "in_pot", marks[1], roster),
        guessed=entrant.guess,
    )


def _named(rows: list[RosterRow]) -> list[RosterRow]:
    """Teams without a name bear those of their players: “Smith & Jones”."""
    taken = {name_key(row.name) for row in rows if row.name}
    named = []
    for row in rows:
        if not row.name and row.players:
            name = next(
                (
                    candidate
                    for candidate in _names_of(row.players)
                    if len(candidate) <= LONGEST_NAME and name_key(candidate) not in taken
                ),
                "",
            )
            taken.add(name_key(name))
            row = replace(row, name=name, remark=f"no team name; “{name}” was taken") if name else row
        named.append(row)
    return named


def _names_of(players: Sequence[str]) -> Iterator[str]:
    """What a team may be called after its players, the shortest first."""
    if len(players) == 1:
        yield players[0]
        return
    split = [re.sub(r"[\s,]+(?:jr|sr|ii|iii|iv)\.?$", "", name, flags=re.IGNORECASE).split() for name in players]
    last = [words[-1] for words in split]
    if len(set(last)) == 1 and all(len(words) > 1 for words in split):
        yield f"{_and([' '.join(words[:-1]) for words in split])} {last[0]}"
    else:
        yield _and(last)
    yield _and([f"{words[0][0]}. {words[-1]}" for words in split])
    yield _and(players)
    yield f"{last[0][:30]} & partner"


def _and(names: Sequence[str]) -> str:
    return " & ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


@dataclass(slots=True)
class ReadLine:
    """A line of the list as it was understood: a team with its columns that are wrong, one set aside, a fault alone.

    `cells` are the cells that can be mended, each with its place and what its column is taken for.
    """

    number: int
    text: str = ""
    team: RosterRow | None = None
    why: str = ""
    wrong: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    cells: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def is_doubtful(self) -> bool:
        return bool(self.faults or (self.team and self.team.guessed))


# A team as forms: typed at the desk, changed, withdrawn, merged, or with a substitute.


class TeamForm(forms.Form):
    """One team. `row` is what was typed, as the list of teams has it."""

    number = forms.IntegerField(
        label="No.",
        min_value=1,
        max_value=LARGEST_NUMBER,
        required=False,
        help_text="Leave empty for the next free number.",
    )
    name = NameField(label="Team")
    city = NameField(label="City", required=False)
    club = NameField(label="Club", required=False)
    # The page says how these two stood when it was opened: `changed_data` tells what was set on it.
    paid = forms.BooleanField(label="Has paid", required=False, show_hidden_initial=True)
    in_pot = forms.BooleanField(label="In the Boston pot", required=False, show_hidden_initial=True)

    field_order = ("number", "name", "player1", "player2", "player3", "player4", "city", "club", "paid", "in_pot")

    def __init__(self, event: Event, data: Any = None, row: RosterRow | None = None) -> None:
        super().__init__(data, initial=self._initial(row))
        self.places = players_wanted(event)
        # Who plays alone is the team: a name is all that is needed.
        shown = max(self.places + 1 if self.places > 1 else 0, len(row.players) if row else 0)
        for position in range(1, shown + 1):
            label = f"Player {position}" if position <= self.places else "Substitute"
            self.fields[f"player{position}"] = NameField(label=label, required=False)
        if row is not None:
            self.fields["number"].help_text = ""
        if self.places == 1:
            self.fields["name"].label = "Player"
        self.players, self.given = shown, row
        if row is not None and event.frozen_at is not None:
            # Once games are played, money goes through receipts: under Money, or with a reason on the list.
            del self.fields["paid"], self.fields["in_pot"]
        self.order_fields(self.field_order)

    @property
    def row(self) -> RosterRow:
        cleaned = self.cleaned_data
        players = tuple(cleaned[f"player{position}"] for position in range(1, self.players + 1))
        named_players = tuple(name for name in players if name)
        return RosterRow(
            0,
            cleaned["number"],
            cleaned["name"],
            named_players,
            cleaned["city"],
            cleaned["club"],
            self._mark("paid"),
            self._mark("in_pot"),
        )

    def _mark(self, name: str) -> bool:
        return bool(self.cleaned_data[name] if name in self.fields else getattr(self.given, name))

    @staticmethod
    def _initial(row: RosterRow | None) -> dict[str, Any]:
        if row is None:
            return {}
        players = {f"player{position}": name for position, name in enumerate(row.players, start=1)}
        cleaned = {"number": row.number, "name": row.name, "city": row.city, "club": row.club}
        return {**cleaned, **players, "paid": row.paid, "in_pot": row.in_pot}


class WithdrawalForm(forms.Form):
    """A team leaves, or is sent away."""

    after_round = forms.IntegerField(label="Last game it plays", min_value=0, max_value=999)
    disqualified = forms.BooleanField(label="Disqualified", required=False)


class SubstituteForm(forms.Form):
    """Somebody plays in a player's place."""

    position = forms.TypedChoiceField(label="Who does not play", coerce=int)
    into = NameField(label="Who plays instead")
    from_round = forms.TypedChoiceField(label="From", coerce=int)
    only = forms.BooleanField(label="In this game only", required=False)
    reason = forms.CharField(label="Reason", max_length=200, required=False)

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data, prefix=None)
        rounds = open_rounds(team.event)
        players = lineup(team, rounds[0][0]) or (team.name,)
        choice_field(self, "position").choices = list(enumerate(players))
        choice_field(self, "from_round").choices = rounds


class MergeForm(forms.Form):
    """Another entry's players join this team."""

    other = forms.TypedChoiceField(label="The other entry", coerce=int)
    new_name = NameField(label="Name from now on", required=False, help_text="Leave empty to keep the name.")

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data)
        others = team.event.teams.filter(status="playing").exclude(pk=team.pk)
        choice_field(self, "other").choices = [("", "Choose"), *((team_.number, str(team_)) for team_ in others)]


class SwapForm(forms.Form):
    """Two teams of a round sat in each other's place."""

    first = forms.TypedChoiceField(label="Who", coerce=int)
    second = forms.TypedChoiceField(label="sat in the place of", coerce=int)
    reason = forms.CharField(label="What happened", max_length=200)

    def __init__(self, round_: Round, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        # Every team of the round with where it sits.
        games = round_.games.prefetch_related("sides__team")
        seated = [
            (side.team.number, f"{side.team} · table {game.table}") for game in games for side in game.sides.all()
        ]
        seated += [(bye.team.number, f"{bye.team} · bye") for bye in round_.byes.select_related("team")]
        choice_field(self, "first").choices = choice_field(self, "second").choices = [("", "Choose"), *seated]
