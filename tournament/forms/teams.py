"""Teams as forms: the secretary's list read into rows, one team typed, changed, withdrawn, merged or substituted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django import forms

from tournament.errors import Fault
from tournament.forms.fields import NameField, choice_field
from tournament.forms.roster_lines import (
    DELIMITERS,
    PLAYERS,
    Entrant,
    Known,
    Roster,
    Unread,
    cells_of,
    delimiter_of,
    is_heading,
    is_mark,
    known_of,
    read_line,
    read_table,
    unguarded,
    yes_of,
)
from tournament.models import Event, Round, Team
from tournament.queries.roster import LARGEST_NUMBER, RosterRow, players_wanted
from tournament.queries.scored import lineup, open_rounds
from tournament.texts import name_key

# The secretary's list, pasted or uploaded, read into rows: with headings in any order, or line by line.


MOST_ROWS = 2000
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This file is not a CSV or Excel file. In Excel choose Save as, then CSV."
# Headings stand at the top, below a title perhaps; a title says what the list is, or when.
FIRST_LINES = 10
TITLE = re.compile(
    r"\b(?:list|roster|entries|entrants|sign-?ups?|registrations?|registered|tournament|(?:19|20)\d\d)\b", re.IGNORECASE
)


# Letters of old Macs as other programs read them: “Jos\u017d”, “M\u0178ller”.
OLD_MAC = re.compile(r"[a-z](?:[ŽŠŸŒ‡ˆ‰‹]|š(?=[a-z]))", re.ASCII)
MAC = "The accents in this file are those of an old Mac program. Save it as “CSV UTF-8” there, and upload that."


def decode(content: bytes) -> str:
    """The text of an uploaded list: UTF-8 and UTF-16 with or without a mark, or what old spreadsheets write.

    Raises ValueError with a sentence where it is no list.
    """
    # In UTF-16 every other byte of most names is zero; only the mark says which, and it may be missing.
    if b"\x00" in content[:2] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = (b"\xfe\xff" if content[0] == 0 else b"\xff\xfe") + content
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        is_text = all(unicodedata.category(character) != "Cc" or character in BREAKS for character in text)
        if not is_text or (marked and not any(character in text for character in f"{DELIMITERS}\n\r")):
            break
        if encoding == "cp1252" and OLD_MAC.search(text) and not re.search("[À-ÿ]", text):
            raise ValueError(MAC)
        return text
    raise ValueError(NO_LIST)


def read_roster(text: str, wanted: int) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row, and its column where there is one."""
    roster = Roster()
    lines = re.split(r"\r\n|\r|\n", text.lstrip("\ufeff").rstrip("\x1a"))
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line.strip(f"{DELIMITERS} \u00a0")]
    if not filled:
        roster.faults.append(Fault("text", "There are no names in this list."))
    elif (delimiter := delimiter_of([line for _, line in filled[:FIRST_LINES]])) is not None:
        read_table(text.lstrip("\ufeff").rstrip("\x1a"), delimiter, roster, wanted)
    else:
        _read_lines(filled, roster, wanted)
    count = len(roster.rows)
    if count > MOST_ROWS:
        roster.rows = []
        roster.faults.append(Fault("text", f"At most {MOST_ROWS:,} can be entered at once; here are {count:,}."))
    return replace(roster, rows=_named(roster.rows) if wanted > 1 else roster.rows)


def _read_lines(lines: list[tuple[int, str]], roster: Roster, wanted: int) -> None:
    facts = known_of([line for _, line in lines if not _is_heading(line)], wanted)
    for index, (number, line) in enumerate(lines):
        try:
            entrant = read_line(line, wanted, facts)
        except Unread as fault:
            roster.faults.append(Fault(f"{number}:", f"Row {number}: {str(fault)[0].lower()}{str(fault)[1:]}"))
            continue
        is_first = not roster.rows and index < FIRST_LINES and len(lines) > 1
        is_title = is_first and TITLE.search(line) is not None and not entrant.number
        if _is_heading(line) or is_title or (index == 0 and _stands_alone(entrant, lines[1:], wanted, facts)):
            roster.headings.append((number, " ".join(line.split())))
        elif not any(character.isalpha() for character in line):
            roster.faults.append(Fault(f"{number}:name", f"Row {number}: there is a number but no name."))
        else:
            roster.rows.append(_as_row(number, entrant, roster))


def _is_heading(line: str) -> bool:
    """“----”, “sep=;”, “Wait list:”, or nothing but headings: “Team – Players”."""
    cells = [cell for cell in cells_of(line) if cell]
    says = any(character.isalnum() for character in line)
    return not says or line.strip().endswith(":") or line.startswith("sep=") or all(is_heading(cell) for cell in cells)


def _stands_alone(entrant: Entrant, others: list[tuple[int, str]], wanted: int, facts: Known) -> bool:
    """Whether a first line without players stands above lines that all have theirs."""
    if wanted == 1 or entrant.players or entrant.number or not others:
        return False
    try:
        return all(read_line(line, wanted, facts).players for _, line in others if not _is_heading(line))
    except Unread:
        return False


def _as_row(number: int, entrant: Entrant, roster: Roster) -> RosterRow:
    """A team from its line. Behind the players stand town, club, fee and pot, in this order; more cannot be read."""
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
    if len(entrant.players) > len(PLAYERS):
        text = f"Row {number}: {len(entrant.players)} players are too many for one team. Is each team on a line?"
        roster.faults.append(Fault(f"{number}:player{len(PLAYERS) + 1}", text))
    return RosterRow(
        row=number,
        number=int(entrant.number) if entrant.number else None,
        name=unguarded(entrant.name),
        players=tuple(unguarded(name) for name in entrant.players if name),
        city=texts[0] if texts else "",
        club=texts[1] if len(texts) > 1 else "",
        paid=yes_of(blank, "paid", marks[0], roster),
        in_pot=yes_of(blank, "in_pot", marks[1], roster),
    )


def _named(rows: list[RosterRow]) -> list[RosterRow]:
    """Teams without a name bear those of their players: “Smith & Jones”. It is said that this was guessed."""
    taken = {name_key(row.name) for row in rows if row.name}
    named = []
    for row in rows:
        if not row.name and row.players:
            name = next((candidate for candidate in _names_of(row.players) if name_key(candidate) not in taken), "")
            taken.add(name_key(name))
            town = f"; “{row.city}” was taken as the town" if row.city else ""
            row = replace(row, name=name, guessed=f"no team name; “{name}” was taken{town}") if name else row
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


def _and(names: Sequence[str]) -> str:
    return " & ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


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
