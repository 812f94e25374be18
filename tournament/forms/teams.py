"""Teams as forms: the secretary's list read into rows, one team typed, changed, withdrawn; players' own entries."""

from __future__ import annotations

import re
import unicodedata
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms

from tournament.errors import Fault
from tournament.forms.fields import NameField, choice_field, keep_known
from tournament.forms.roster_lines import (
    NO_WISHES,
    NOBODY,
    Facts,
    Record,
    Roster,
    Unread,
    Wishes,
    cells_of,
    facts_of,
    read_line,
)
from tournament.forms.roster_table import (
    BLANKS,
    DELIMITERS,
    FIRST_LINES,
    HEADING,
    NO_TEAM,
    OUT,
    SUM,
    TALK,
    TITLE,
    WAITING,
    by_role,
    grid_of,
    is_heading,
    joined,
    judged,
    plain,
    read_table,
    records_of,
    row_of,
    why_aside,
)
from tournament.models import Event, Player, Round, Team
from tournament.models.team import MARKS, PLAIN_FACTS
from tournament.phrases import NAMES_SHOWN, money
from tournament.queries.entering import comes_alone, entry_of, names_team, renamed_by
from tournament.queries.roster import (
    LARGEST_NUMBER,
    LARGEST_TABLE,
    RosterRow,
    marks_of,
    plain_facts_of,
    players_wanted,
)
from tournament.queries.rules import asks_for_pot, everybody_in_pot
from tournament.queries.scored import lineup, open_rounds, sides_with_teams
from tournament.texts import LONGEST_NAME, SUFFIX, name_key

MOST_ROWS, MOST_CELLS = 2000, 60_000
# A line of a list is much shorter, and so is a list of the most rows: what is longer costs time.
LONGEST_LINE, LONGEST_LIST, LONGEST_TABLE = 1000, 150_000, 400_000
MOST_PLAYERS = 4
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV UTF-8."
REPORT = re.compile(r"(?:0[0-9]2|1[0-9]2|XX[A-Z]|001|BB[A-Z])[ \t]")
A_REPORT = "This is another program’s report (.trf), not a list of teams. Paste just the names, one team per line."
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
# Who is a captain is no part of a name.
CAPTAIN = re.compile(r" *\((?:c|cap?t?\.?|captain)\)", re.IGNORECASE)
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)


def decode(content: bytes) -> tuple[str, list[str]]:
    """The text of an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    With what is asked where an old encoding does not tell which accents it has. Raises ValueError with a sentence where
    it is no list.
    """
    # In UTF-16 every other byte of most names is zero; only the mark says which, and it may be missing.
    if b"\x00" in content[:2] and not content.startswith(UTF_16):
        content = UTF_16[content[0] == 0] + content
    is_wide = content.startswith(UTF_16)
    for encoding in ("utf-16",) if is_wide else ("utf-8-sig", "cp1252", "cp1250"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        is_list = not is_wide or any(character in text for character in f"{DELIMITERS}\n\r")
        if not is_list or any(
            unicodedata.category(character) == "Cc" and character not in BREAKS for character in text
        ):
            break
        words = dict.fromkeys(f"“{word}”" for word in re.findall(r"\w+", text) if not word.isascii())
        if encoding.startswith("utf") or not words:
            return text, []
        return text, [f"Are these accents right: {', '.join([*words][:3])}? If not, save the file as CSV UTF-8."]
    raise ValueError(NO_LIST)


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


def read_roster(text: str, wanted: int, wishes: Wishes = NO_WISHES) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column where there is one."""
    roster = Roster(wanted, wishes)
    try:
        _read(clean_text(text), roster)
    except Unread as fault:
        roster.faults.append(Fault("text", str(fault)))
    return roster


def _read(text: str, roster: Roster) -> None:
    """Text becomes rows of cells, these become teams; what is no team is set aside."""
    _check_lines(text)
    text = _prepared(text, roster)
    grid, delimiter = grid_of(text)
    if len(text) > (LONGEST_TABLE if delimiter else LONGEST_LIST) or sum(map(len, grid)) > MOST_CELLS:
        raise Unread("This is a lot more than a list of teams. Paste just the list.")
    records = records_of(grid)
    blocks = [] if delimiter or roster.is_talk else blocks_of(records, roster.wanted)
    if blocks:
        roster.questions.append("Lines next to each other were read as one team.")
    if blocks or delimiter:
        records = read_table(blocks or records, roster)
    rows = _teams(_rows(records, roster), roster)
    if any(column.role == "of" for column in roster.columns):
        rows = joined(rows, roster)
    for row in rows:
        if len(row.players) > MOST_PLAYERS:
            text = f"Row {row.row}: {len(row.players)} players are too many for one team. Is each team on its own line?"
            roster.faults.append(Fault(f"{row.row}:player{MOST_PLAYERS + 1}", text))
    roster.rows = _named(rows, roster) if roster.wanted > 1 else rows
    roster.aside.sort()
    for why, count in Counter(aside.why for aside in roster.aside if aside.why not in (HEADING, SUM, OUT)).items():
        roster.questions.append(f"{count} line{'s are' if count > 1 else ' is'} set aside: {why}.")


def _check_lines(text: str) -> None:
    """Refuse what is no list, or far more than one, before it costs time."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip(BLANKS)]
    if not lines:
        raise Unread("There are no names in this list.")
    if len(lines) > MOST_ROWS + FIRST_LINES:
        raise Unread(f"You can enter at most {MOST_ROWS:,} at once; this list has {len(lines):,}.")
    if long := [number for number, line in lines if len(line) > LONGEST_LINE]:
        raise Unread(
            f"Row {long[0]}: this line is longer than {LONGEST_LINE:,} characters. Is each team on its own line?"
        )
    if sum(bool(REPORT.match(line)) for _, line in lines) * 2 > len(lines) > 1:
        raise Unread(A_REPORT)


def _prepared(text: str, roster: Roster) -> str:
    """The text without heads of messages and marks of captains, accents put together again."""
    lines = text.split("\n")
    is_chat = sum(bool(MESSAGE.match(line)) for line in lines) * 2 > len(lines)
    roster.is_talk = is_chat or sum(bool(MAIL.match(line)) for line in lines) > 1
    if roster.is_talk:
        roster.questions.append("These look like messages. Lines without a whole team are set aside.")
        text = "\n".join(QUOTED.sub("", MESSAGE.sub("", line)) for line in lines)
    whole = unbroken(text)
    if pairs := [f"“{old}” as “{new}”" for old, new in zip(text.split(), whole.split(), strict=True) if old != new]:
        roster.questions.append(f"Broken accents were fixed: {', '.join(pairs[:3])}.")
    unmarked = CAPTAIN.sub("", whole)
    if unmarked != whole:
        roster.notes.append("Captain marks like “(C)” were skipped.")
    return re.sub(r"[ \u00a0]{3,}", "   ", unmarked)


def blocks_of(records: Sequence[Record], wanted: int) -> list[Record]:
    """Teams of several lines each: between blank lines, or with their players indented. Nothing where they differ."""
    are_inside = [bool(INDENT.match(record.cells[0])) for record in records]
    has_indents = any(are_inside) and not all(are_inside)
    groups: list[list[Record]] = []
    for record, is_inside in zip(records, are_inside, strict=True):
        follows = is_inside if has_indents else groups and record.number == groups[-1][-1].number + 1
        if groups and follows:
            groups[-1].append(record)
        else:
            groups.append([record])
    teams = [group for group in groups if len(group) > 1]
    sizes = {len(group) for group in teams}
    are_cut = any(len(cells_of(record.cells[0])) > 1 for group in teams for record in group)
    if len(teams) < 2 or len(sizes) > 1 or not sizes <= {wanted, wanted + 1} or are_cut:
        return []
    return [
        Record(group[0].number, [INDENT.sub("", line.cells[0]) for line in group], tuple(line.number for line in group))
        for group in groups
    ]


def _is_heading(record: Record, roster: Roster) -> bool:
    """“----”, “sep=;”, “Wait list:”, nothing but headings: “Team – Players”; in a table the headings once more."""
    if roster.columns:
        headings = [plain(column.heading) for column in roster.columns]
        return any(headings) and [plain(cell) for cell in record.cells] == headings[: len(record.cells)]
    line = record.cells[0].strip()
    says = any(map(str.isalnum, line))
    return (
        not says or line.endswith(":") or line.startswith("sep=") or all(map(is_heading, filter(None, cells_of(line))))
    )


def _rows(records: Sequence[Record], roster: Roster) -> list[RosterRow]:
    """A row for each record that says something of a team; others are set aside, or cannot be read."""
    rows, is_waiting = [], False
    headings = {record.number for record in records if _is_heading(record, roster)}
    roles = [column.role for column in roster.columns]
    listed = [record.cells[0] for record in records if record.number not in headings]
    facts = Facts() if roles else facts_of(listed, roster.wanted)
    if facts.turned:
        roster.questions.append("Read as “Last, First”.")
    for record in records:
        roster.records[record.number] = record
        why = roster.wishes.of(record)
        if why is None:
            why = why_aside(record.cells if roles else cells_of(record.cells[0]))
            why = why or (HEADING if record.number in headings else WAITING if is_waiting else "")
            is_waiting = why == WAITING or (is_waiting and why != HEADING)
        if why:
            roster.set_aside(record, why)
            continue
        try:
            cells = by_role(record, roles) if roles else read_line(record.cells[0], roster.wanted, facts)
        except Unread as fault:
            if roster.is_talk and roster.wishes.of(record) is None:
                roster.set_aside(record, TALK)
            else:
                words = f"Row {record.number}: {str(fault)[0].lower()}{str(fault)[1:]}"
                roster.faults.append(Fault(f"{record.number}:", words))
            continue
        rows.append(judged(row_of(record.number, cells, roster), record, roster))
    return rows


def _teams(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """The rows that are teams. Among teams with their players, what names nobody is a title, or is set aside."""
    faulty = {fault.field.partition(":")[0] for fault in roster.faults}
    wanted = roster.wanted
    has_players = wanted > 1 and sum(len(row.players) >= wanted for row in rows) * 2 >= len(rows)
    teams, is_top = [], len(rows) > 1 and not roster.columns
    for row in rows:
        record, why = roster.records[row.row], ""
        is_whole = len(row.players) >= wanted and "a player?" not in row.guessed
        is_bare = not row.players and row.number is None and "nobody yet" not in row.guessed
        is_alone = is_bare and (not roster.columns or sum(map(bool, record.cells)) == 1)
        is_title = is_top and row.number is None and TITLE.search(record.text) and (row.guessed or not is_whole)
        is_broken = has_players and not is_whole and str(row.row) in faulty
        if roster.wishes.of(record) is not None:
            why = ""
        elif roster.is_talk and (not is_whole or MAIL.match(record.cells[0])):
            why = TALK
        elif is_title or (has_players and is_alone):
            why = HEADING if is_top else NO_TEAM
        elif is_broken or (NOBODY.fullmatch(row.name) and not row.players):
            why = NO_TEAM
        is_top = is_top and why == HEADING
        if why:
            roster.set_aside(record, why)
        else:
            teams.append(row)
    gone = {str(row.row) for row in rows} - {str(team.row) for team in teams}
    roster.faults = [fault for fault in roster.faults if fault.field.partition(":")[0] not in gone]
    return teams


def _named(rows: Sequence[RosterRow], roster: Roster) -> list[RosterRow]:
    """Teams without a name bear those of their players: “Smith & Jones”."""
    taken = {name_key(row.name) for row in rows}
    named, nameless = [], []
    for row in rows:
        if not row.name and row.players:
            free = [
                name for name in _names_of(row.players) if len(name) <= LONGEST_NAME and name_key(name) not in taken
            ]
            row = replace(row, name=next(iter(free), ""))
            taken.add(name_key(row.name))
            nameless.append(f"“{row.name}” (row {row.row})")
        named.append(row)
    if nameless:
        roster.notes.append(f"No team name, so it’s named after its players: {', '.join(nameless)}.")
    return named


def _names_of(players: Sequence[str]) -> list[str]:
    """What a team may be called after its players, the shortest first."""
    if len(players) == 1:
        return list(players)
    split = [SUFFIX.sub("", name).split() for name in players]
    last = [words[-1] for words in split]
    first = [" ".join(words[:-1]) for words in split]
    family = f"{_and(first)} {last[0]}" if len(set(last)) == 1 and all(first) else _and(last)
    return [
        family,
        _and([f"{words[0][0]}. {words[-1]}" for words in split]),
        _and(players),
        f"{last[0][:30]} & partner",
    ]


def _and(names: Sequence[str]) -> str:
    return " & ".join([", ".join(names[:-1]), names[-1]])


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
    city = NameField(label="City", free=True, required=False)
    club = NameField(label="Club", free=True, required=False)
    shown_as = NameField(
        label="Shown as", required=False, help_text="In place of a team name that gives away who plays."
    )
    home = forms.IntegerField(
        label="Stays at table",
        min_value=1,
        max_value=LARGEST_TABLE,
        required=False,
        help_text="For a walker, say, or a hearing loop. Leave empty to move like everybody else.",
    )
    # The page says how these two stood when it was opened: `changed_data` tells what was set on it.
    paid = forms.BooleanField(label="Has paid", required=False, show_hidden_initial=True)
    in_pot = forms.BooleanField(label="In the Boston pot", required=False, show_hidden_initial=True)

    field_order = "number name player1 player2 player3 player4 city club shown_as home paid in_pot".split()

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
        if row is not None:
            keep_known(self, (row.name, *row.players, row.shown_as))
        if row is not None and event.frozen_at is not None:
            # Once games are played, money goes through receipts: under Money, or with a reason on the list.
            for mark in MARKS:
                del self.fields[mark]
        elif everybody_in_pot(event):
            del self.fields["in_pot"]
        if event.names == "full" and not (row and (row.shown_as or row.hides)):
            del self.fields["shown_as"]
        self.order_fields(self.field_order)

    @property
    def row(self) -> RosterRow:
        cleaned = self.cleaned_data
        players = tuple(cleaned[f"player{position}"] for position in range(1, self.players + 1))
        named_players = tuple(name for name in players if name)
        return RosterRow(
            number=cleaned["number"],
            name=cleaned["name"],
            players=named_players,
            shown_as=cleaned.get("shown_as", ""),
            home=cleaned["home"],
            **{fact: cleaned[fact] for fact in PLAIN_FACTS},
            **self._marks,
        )

    @property
    def new_names(self) -> list[str]:
        """The names of team and players that did not stand there before."""
        before = (self.given.name, *self.given.players) if self.given else ()
        return [name for name in dict.fromkeys((self.row.name, *self.row.players)) if name not in before]

    @property
    def _marks(self) -> dict[str, Any]:
        """The marks as they were set; as they stood where the form does not ask for them."""
        given = marks_of(self.given) if self.given else {}
        return given | {mark: self.cleaned_data[mark] for mark in MARKS if mark in self.fields}

    @staticmethod
    def _initial(row: RosterRow | None) -> dict[str, Any]:
        if row is None:
            return {}
        players = {f"player{position}": name for position, name in enumerate(row.players, start=1)}
        own = {"number": row.number, "name": row.name, "home": row.home, "shown_as": row.shown_as}
        return {**own, **players, **plain_facts_of(row), **marks_of(row)}


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
        players = lineup(team, rounds[0][0], whole=True) or (team.full_name,)
        choice_field(self, "position").choices = list(enumerate(players))
        choice_field(self, "from_round").choices = rounds


class MergeForm(forms.Form):
    """Another entry's players join this team."""

    other = forms.TypedChoiceField(label="The other entry", coerce=int)
    new_name = NameField(label="Name from now on", required=False, help_text="Leave empty to keep the name.")

    def __init__(self, team: Team, data: Any = None) -> None:
        super().__init__(data)
        others = team.event.teams.filter(status="playing").exclude(pk=team.pk)
        choice_field(self, "other").choices = [("", "Choose"), *((team_.number, team_.in_full) for team_ in others)]


class SwapForm(forms.Form):
    """Two teams of a round sat in each other's place."""

    first = forms.TypedChoiceField(label="Who", coerce=int)
    second = forms.TypedChoiceField(label="sat in the place of", coerce=int)
    reason = forms.CharField(label="What happened", max_length=200)

    def __init__(self, round_: Round, data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        # Every team of the round with where it sits.
        games = round_.games.prefetch_related(sides_with_teams())
        seated = [
            (side.team.number, f"{side.team.in_full} · table {game.table}")
            for game in games
            for side in game.sides.all()
        ]
        seated += [(bye.team.number, f"{bye.team.in_full} · bye") for bye in round_.byes.select_related("team")]
        choice_field(self, "first").choices = choice_field(self, "second").choices = [("", "Choose"), *seated]


# What players type who enter themselves.


FILLED = "A hidden field got filled in, maybe by a browser add-on. It’s empty now: press the button again."


class EntryForm(forms.Form):
    """A team, a single player of a game without teams, or, with `alone`, somebody who looks for a partner.

    With a `player` it changes what the private link of that one speaks for; names that can no longer be changed are not
    asked. No person sees the field `more`; a program that fills in forms for a person may fill it in all the same.
    """

    name = NameField(label="Team name", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    note = NameField(
        label="A line about yourself",
        longest=120,
        free=True,
        required=False,
        help_text="Anyone who opens the entry page can read it.",
    )
    contact = NameField(
        label="How do we reach you?", longest=120, free=True, help_text="Phone or e-mail. Only the officials see it."
    )
    show = forms.ChoiceField(label="How the names are shown")
    in_pot = forms.BooleanField(label="Join the pot", required=False)
    more = forms.CharField(required=False, label="Leave this empty")

    def __init__(self, event: Event, data: Any = None, *, alone: bool = False, player: Player | None = None) -> None:
        super().__init__(data, prefix="alone" if alone else None)
        entry = entry_of(player) if player else None
        wanted = players_wanted(event)
        self.player = player
        self.is_alone = comes_alone(entry) if entry else alone
        self.rows = renamed_by(player) if player else []
        self.is_fixed = player is not None and not self.rows
        self._add_seats(wanted)
        asks_team = not self.is_fixed and not self.is_alone and wanted > 1 and (player is None or names_team(player))
        if not asks_team:
            del self.fields["name"]
        if not self.is_alone:
            del self.fields["note"]
        if player is not None or not asks_for_pot(event):
            del self.fields["in_pot"]
        else:
            self.fields["in_pot"].label = f"Join the pot ({money(event.pot_cents, event.currency)})"
        if player is not None and not any(row.contact for row in [player]):
            self.fields["contact"].required = False
        show = choice_field(self, "show")
        show.choices = [*NAMES_SHOWN.items()][[*NAMES_SHOWN].index(event.names) :]
        if player is not None and entry is not None:
            self.initial.update(name=entry.name, note=player.note, contact=player.contact, show=player.show)
            self.initial.update(zip(self.seats, (row.full_name for row in self.rows), strict=True))
            keep_known(self, (entry.name, *(row.full_name for row in self.rows)))
        self.order_fields(["name", *self.seats, "note"])

    def _add_seats(self, wanted: int) -> None:
        """A field for each name that is asked: one's own first, then the partner's."""
        if self.player is not None:
            # A seat has the same field as before, whoever of the entry is known by now.
            places = {row.pk: place for place, row in enumerate(entry_of(self.player).players.all())}
            own = {places[row.pk]: row.pk == self.player.pk for row in self.rows}
        else:
            own = {place: place == 0 for place in range(1 if self.is_alone else wanted)}
        self.seats = [f"player{place + 1}" for place in own]
        for seat, (place, is_own) in zip(self.seats, own.items(), strict=True):
            box = forms.TextInput(attrs={"autocomplete": "name" if is_own else "off"})
            self.fields[seat] = NameField(label=_whose(is_own, place, len(own)), required=is_own, widget=box)

    def clean_more(self) -> str:
        if self.cleaned_data["more"]:
            raise forms.ValidationError(FILLED)
        return ""

    @property
    def typed(self) -> dict[str, Any]:
        """What was asked, as an entry keeps it; whoever comes alone has no other name."""
        asked = [name for name in ("contact", "note", "show", "in_pot", "name") if name in self.fields]
        facts: dict[str, Any] = {name: self.cleaned_data[name] for name in asked}
        names = [self.cleaned_data[seat] for seat in self.seats]
        if self.player is None:
            return facts | {"players": [name for name in names if name]}
        renamed = {row.pk: name for row, name in zip(self.rows, names, strict=True) if name}
        return facts | {"names": renamed}


def _whose(is_own: bool, place: int, count: int) -> str:
    if is_own:
        return "Your name"
    return "Your partner’s name" if count <= 2 else f"Your partner’s name ({place + 1})"
