"""The things of an event file, each declared once: its facts, their forms and limits, and the sentences of refusal."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import field
from functools import partial
from typing import Annotated, Any

from tournament.archive.declared import (
    By,
    Day,
    Fact,
    Flag,
    Many,
    Moment,
    Numbers,
    Object,
    One,
    Text,
    Texts,
    Thing,
    Whole,
    ZonedMoment,
    declared,
)
from tournament.archive.kinds import MOST_CENTS, Name, Notes, Officials, Prizes, Zone
from tournament.models import Placing as PlacingRow
from tournament.models.game import CAUSES
from tournament.models.team import BEFORE
from tournament.pairing.plan import TEXT
from tournament.phrases import (
    BOARD_SECTIONS,
    CALLS,
    ENTRY_STATES,
    EVENT_STAGES,
    MOVEMENTS,
    NAMES_SHOWN,
    ROUND_STATES,
    SIGNED_HOW,
    SOURCES,
    TEAM_STATES,
    VERIFY_CLOSING,
)
from tournament.queries.roster import LARGEST_NUMBER, LARGEST_TABLE, RosterRow, cleaned_row
from tournament.queries.rules import IN_STAGES
from tournament.words.journal import in_full, notice_text
from tournament.words.journal import read_back as read_log_sentence
from tournament.words.sentences import can_be_said

VERSIONS = (1, 2, 3)
LONGEST_DAY = 86_400
# The largest number that a small column keeps in every database, and the largest that any column keeps.
SMALL, LARGE = 32_767, 2_147_483_647
MOST_LINES = 5000
BETWEEN = "{} is not from {low} to {high:,}."
ROUNDS = "the rounds are a list of at most 100."
METHODS = ("lots", "head-to-head", "bye")

Remark = Annotated[Any, Fact(source=None)]
Reason = Annotated[str, Text(200)]
Time = Annotated[datetime.datetime | None, Moment()]
RoundNumber = Whole(1, 1000, "{} is not a round.")
OwnNumber = Annotated[int | None, Whole(1, SMALL)]
Cut = Annotated[int | None, Whole(2, 1024, BETWEEN, always=True)]
BestOf = Whole(1, 7, "a match is one game, or best of 3, 5 or 7.", step=2, always=True)


@declared
class Substitute(Thing):
    needs = "each needs a position, the names out and in, and from_round."

    position: Annotated[int, Whole(0, 7)]
    out: Annotated[str, Text(40)]
    into: Annotated[str, Text(40, key="in")]
    from_round: Annotated[int, RoundNumber]
    to_round: Annotated[int | None, RoundNumber] = None
    reason: Reason = ""
    by: Annotated[str, By(150, people=("approved_by",))] = ""
    made_at: Annotated[datetime.datetime | None, Moment(key="at")] = None
    wish: Annotated[str, Text(choices=NAMES_SHOWN, source="person.show")] = "full"

    def fits(self) -> bool:
        return self.to_round is None or self.from_round <= self.to_round


@declared
class Team(Thing):
    """`row` is the team as it is entered, with clean names."""

    needs = "a team is an object."
    called, unnumbered, numbered = "Team {}", "Team in line {} of the list", "number"
    numbers = f"a number from 1 to {LARGEST_NUMBER} is needed."

    number: Annotated[int, Whole(1, LARGEST_NUMBER, numbers, missing=numbers)]
    name: Annotated[str, Text(source="full_name")] = ""
    players: Annotated[tuple[str, ...], Texts(8, source=None, always=True)] = ()
    wishes: Annotated[tuple[str, ...], Texts(8, NAMES_SHOWN, source=None)] = ()
    shown_as: Annotated[str, Text()] = ""
    city: Annotated[str, Text(always=True)] = ""
    club: Annotated[str, Text()] = ""
    paid: Annotated[bool, Flag(always=True)] = False
    in_pot: Annotated[bool, Flag(key="boston_pot", always=True)] = False
    status: Annotated[str, Text(choices=TEAM_STATES)] = "playing"
    left_after: Annotated[int | None, Whole(0, 1000, "{} is not a round.")] = None
    joined_in: Annotated[int, Whole(0, 1000, "{} is not a round.")] = 1
    home: Annotated[int | None, Whole(1, LARGEST_TABLE)] = None
    here_at: Time = None
    substitutes: Annotated[list[Substitute], Many(Substitute, source="substitutions")] = field(default_factory=list)
    note: Remark = None
    row: RosterRow = field(init=False)


@declared
class Seat(Thing):
    needs = "a list of the table's sides is needed."

    side: Annotated[int, Whole(0, 99, needs, source="index")]
    at: Annotated[datetime.datetime | None, Moment(source="seated_at")] = None


@declared
class Signature(Thing):
    """A signature. `code` names an earlier state of the sheet; without a time the file tells only who signed.

    A signature may be taken back and given again: `revision` is that of the model.
    """

    needs = "a list of sides is needed, each once."

    side: Annotated[int, Whole(0, 99, needs)]
    name: Annotated[str, Text(40, always=True)] = ""
    reason: Reason = ""
    how: Annotated[str, Text(choices=SIGNED_HOW)] = ""
    by: Annotated[str, By(150, people=("witness",))] = ""
    signed_at: Annotated[datetime.datetime | None, Moment(key="at")] = None
    code: Annotated[str, Text(16)] = ""
    revision: int = 0


@declared
class Look(Thing):
    needs = "each needs accepted, by and at; a rejection also a reason."

    accepted: Annotated[bool, Flag()]
    name: Annotated[str, Text(40, key="by")]
    made_at: Annotated[datetime.datetime, Moment(key="at")]
    reason: Reason = ""
    code: Annotated[str, Text(16)] = ""

    def fits(self) -> bool:
        return self.accepted or self.reason != ""


@declared
class Call(Thing):
    needs = "each needs a kind and a time; the next one comes when it was answered."

    kind: Annotated[str, Text(choices=CALLS)]
    called_at: Annotated[datetime.datetime, Moment(key="at")]
    answered_at: Time = None


@declared
class Notice(Thing):
    """What a team was told; until version 2 a file had the sentence."""

    needs = "each needs a team of the event, what it was told and a time."

    team: Annotated[int, Whole(1, LARGEST_NUMBER, needs, source="team.number")]
    text: Annotated[str, Text(300, source=None)] = ""
    code: Annotated[str, Text(20)] = ""
    facts: Annotated[Any, Fact()] = None
    made_at: Annotated[datetime.datetime, Moment(key="at")]
    seen_at: Time = None

    def fits(self) -> bool:
        if self.text:
            self.code, self.facts = TEXT, {"text": self.text}
        return can_be_said(notice_text, self.code, self.facts)


@declared
class SheetLine(Thing):
    """A revision of a line of a sheet. Its facts stand in the game where it counts. It says who wrote it if known."""

    needs = "what is on the line must be an object."
    each = "line {}: "
    numbers = "the number of the line is needed, in order."

    position: Annotated[int, Whole(0, MOST_LINES, numbers, key="line", missing=numbers)]
    source: Annotated[str, Text(choices=SOURCES, missing="its source is needed.")]
    by: Annotated[str, By(150, people=("entered_by", "device"))] = ""
    entered_at: Annotated[datetime.datetime | None, Moment(key="at")] = None
    reason: Reason = ""
    cause: Annotated[str, Text(choices=CAUSES)] = ""
    facts: Annotated[dict[str, Any] | None, Object(needs)] = None
    revision: int = 0

    @property
    def kind(self) -> str:
        return str((self.facts or {}).get("entry", "")).replace("-", "_")


@declared
class RoundFacts(Thing):
    """What is told of a round; a game of a tie-break or a playoff carries it."""

    state: Annotated[str, Text(choices=ROUND_STATES)] = ""
    title: Annotated[str, Text(40)] = ""
    stage_in_file: Annotated[str, Text(key="stage", source=None)] = ""
    notes: Annotated[list[dict[str, Any]], Notes()] = field(default_factory=list)
    by_hand: Annotated[bool, Flag()] = False
    options: Annotated[dict[str, Any], Object("options are an object, option and choice.")] = field(
        default_factory=dict
    )
    started_at: Time = None
    closed_at: Time = None
    paused_at: Time = None
    paused_seconds: Annotated[int, Whole(0, 100 * LONGEST_DAY, "{} is not a number of seconds.")] = 0
    extra_seconds: Annotated[int, Whole(-LONGEST_DAY, 100 * LONGEST_DAY, "{} is not a number of seconds.")] = 0
    time_called_at: Time = None
    note: Remark = None


@declared
class Table(Thing):
    """A game of the file, or a bye.

    `signed` is None where the file does not say. `entries` are the facts that count, `opening` what was carried on from
    paper, and `over` what the rules say. `lines` is every revision of them: the `revisions` of a file that tells them.
    """

    needs = "a table is an object with table, teams and game."
    called, numbered = "{within}, table {}", "table"

    table: Annotated[int, Whole(1, 9999, "the number of the table is needed.")] = 0
    teams: Annotated[list[int], Numbers(source=None)] = field(default_factory=list)
    bye: Annotated[int | None, Whole(1, LARGEST_NUMBER, source=None)] = None
    void: Annotated[bool, Flag(source=None)] = False
    first_dealer: Annotated[int, Whole(0, 99)] = 0
    seated: Annotated[list[Seat] | None, Many(Seat, alone="side", source=None, always=True)] = None
    game: Annotated[Any, Object("a game document is an object with entries.", source=None)] = None
    revisions: Annotated[
        list[SheetLine] | None,
        Many(
            SheetLine,
            f"a list of at most {MOST_LINES:,} lines is needed.",
            MOST_LINES,
            key="lines",
            source=None,
            always=True,
        ),
    ] = None
    paper: Annotated[list[int], Numbers(source=None)] = field(default_factory=list)
    signed: Annotated[list[Signature] | None, Many(Signature, alone="side", source=None, always=True)] = None
    looks: Annotated[list[Look], Many(Look, source=None)] = field(default_factory=list)
    calls: Annotated[list[Call], Many(Call, source=None)] = field(default_factory=list)
    notices: Annotated[list[Notice], Many(Notice, source=None)] = field(default_factory=list)
    begun_at: Time = None
    last_entry_at: Time = None
    finished_at: Time = None
    note: Remark = None
    match: str = ""
    leg: int = 1
    opening: dict[str, Any] | None = None
    entries: list[dict[str, Any]] = field(default_factory=list)
    lines: list[SheetLine] = field(default_factory=list)
    over: bool = False

    @property
    def final(self) -> bool:
        """Whether the game is void, or over and signed by all. A file that names no signatures counts as signed."""
        return self.void or (self.over and (self.signed is None or len(self.standing) == len(self.teams)))

    @property
    def standing(self) -> list[Signature]:
        """The signatures under the sheet as it is now."""
        return [signature for signature in self.signed or () if not signature.code]

    def seated_at(self, side: int, began: datetime.datetime) -> datetime.datetime | None:
        """When a side sat down. Where hands are written everybody sits, unless the file says otherwise."""
        if self.seated is None:
            return began if self.entries else None
        seats = {seat.side: seat.at or began for seat in self.seated}
        return seats.get(side)


@declared
class Round(RoundFacts):
    """A round of the file; its state is inferred where the file does not say."""

    needs = "a round is an object with its tables."
    called, numbered = "Round {}", "round"

    number: Annotated[int, Whole(1, 1000, "{} is not a round.", key="round")] = 0
    tables: Annotated[list[Table], Many(Table, needs, 2500, missing=needs, source=None, always=True)] = field(
        default_factory=list
    )
    byes: Annotated[list[int], Numbers(source=None)] = field(default_factory=list)
    stage: str = "qualifying"


@declared
class PlayoffGame(Table, RoundFacts):
    needs = "the number of its round is needed."

    number: Annotated[int, Whole(1, 1000, "{} is not a round.", key="round")]
    match: Annotated[str, Text(12, always=True)] = ""
    leg: Annotated[int, Whole(1, 999, always=True)] = 1

    @classmethod
    def placed(cls, data: Any, index: int, within: str | None) -> str | None:
        number = data.get("round") if isinstance(data, Mapping) else None
        if type(number) is not int:
            return f"{within} {index}".replace("games", "game")
        return super().placed(data, index, f"Round {number}")


@declared
class Playoffs(Thing):
    needs = "an object with a list of games is needed."
    called = "Playoff games"

    games: Annotated[list[PlayoffGame], Many(PlayoffGame, needs)] = field(default_factory=list)
    cut: Cut = None
    best_of: Annotated[int | None, BestOf] = None
    third_place: Annotated[bool | None, Flag()] = None
    note: Remark = None


@declared
class Tiebreaks(Playoffs):
    called = "Tie-break games"


@declared
class Decision(Thing):
    needs = "it needs a method (lots, head-to-head or bye) and at least two teams, each once."
    called = "Decision {}"

    number: OwnNumber = None
    method: Annotated[str, Text(choices=METHODS)]
    teams: Annotated[list[int], Numbers()] = field(default_factory=list)
    seed: Annotated[int | None, Whole(0, LARGE)] = None
    witness: Annotated[str, Text(40)] = ""
    by: Annotated[str, By(150, people=("made_by",))] = ""
    made_at: Annotated[datetime.datetime | None, Moment(key="at")] = None

    def fits(self) -> bool:
        return len(self.teams) >= 2


@declared
class Placing(Thing):
    needs = "it needs a kind (drawn, keep, replay, out or in) and teams of the file, each once; drawn are two at least."
    called = "Placing {}"

    number: OwnNumber = None
    kind: Annotated[str, Text(choices=dict(PlacingRow.KINDS))]
    source: Annotated[str, Text(12)] = ""
    before: Annotated[list[int], Numbers()] = field(default_factory=list)
    after: Annotated[list[int], Numbers()] = field(default_factory=list)
    reason: Reason = ""
    by: Annotated[str, By(150, people=("made_by",))] = ""
    made_at: Annotated[datetime.datetime | None, Moment(key="at")] = None

    def fits(self) -> bool:
        return len(self.before) >= (2 if self.kind == "drawn" else 1)


@declared
class LedgerLine(Thing):
    """A line of the ledger. `team` is a number, `reverses` a receipt; None where there is none."""

    needs = "it needs a receipt, a kind and a sum in whole cents."
    called = "Ledger, line {}"

    number: Annotated[int, Whole(1, LARGE, "every receipt has a number of its own, from 1.", key="receipt")]
    kind: Annotated[str, Text()]
    purpose: Annotated[str, Text()] = ""
    cents: Annotated[int, Whole(-MOST_CENTS, MOST_CENTS, "a sum in whole cents is needed.")]
    team: Annotated[int | None, Whole(1, LARGEST_NUMBER, "there is no team {}.", source="team.number")] = None
    payee: Annotated[str, Text(50)] = ""
    person: Annotated[str, Text(40)] = ""
    reason: Reason = ""
    how: Annotated[str, Text(choices=(BEFORE,))] = ""
    by: Annotated[str, Text(150)] = ""
    made_at: Annotated[datetime.datetime | None, ZonedMoment(key="at")] = None
    reverses: Annotated[int | None, Whole(1, LARGE, source="reverses.number")] = None


@declared
class Registration(Thing):
    """An entry that players made. `team` is a number, `wants` the place of another entry; its link stays here."""

    needs = "it needs a place of its own, a clean name and players, and a state."
    called, numbered = "Entry {}", "position"

    position: Annotated[int, Whole(1, LARGE)]
    name: Annotated[str, Name(40)]
    players: Annotated[tuple[str, ...], Texts(8)] = ()
    contact: Annotated[str, Name(120)] = ""
    note: Annotated[str, Name(120)] = ""
    show: Annotated[str, Text(choices=NAMES_SHOWN)] = "full"
    state: Annotated[str, Text(choices=ENTRY_STATES)]
    team: Annotated[int | None, Whole(1, LARGEST_NUMBER, "there is no team {}.", source="team.number")] = None
    wants: Annotated[int | None, Whole(1, LARGE, source="wants.position")] = None
    made_at: Annotated[datetime.datetime | None, Moment(key="at")] = None

    def fits(self) -> bool:
        row, wrong = cleaned_row(RosterRow(name=self.name, players=self.players))
        return bool(row.players) and (row.name, row.players) == (self.name, tuple(self.players)) and not wrong


@declared
class Act(Thing):
    """A line of the journal. The key of a game is “round/table/leg”; until version 2 a file had the sentence."""

    needs = "it needs a time, an action, a noun, and a code with its facts."
    called = "Journal, line {}"

    at: Annotated[datetime.datetime, Moment()]
    by: Annotated[str, By(150, people=("user", "device"))] = ""
    address: Annotated[str, Text(45)] = ""
    action: Annotated[str, Text(30)]
    noun: Annotated[str, Text(20)]
    key: Annotated[str, Text(40)] = ""
    text: Annotated[str, Text(300, source=None)] = ""
    code: Annotated[str, Text(20)] = ""
    facts: Annotated[Any, Fact()] = None
    before: Annotated[Any, Fact()] = None
    after: Annotated[Any, Fact()] = None

    def fits(self) -> bool:
        if self.text:
            said = read_log_sentence(self.action, self.text, self.before, self.after)
            self.code, self.facts, self.before, self.after = said
        return can_be_said(partial(in_full, self.action), self.code, self.facts)


@declared
class Settings(Thing):
    """What the row of an event has."""

    name: Annotated[str, Name(60, key="event", missing="the event needs a name.")] = ""
    date: Annotated[datetime.date | None, Day()] = None
    pot_cents: Annotated[int, Whole(0, 1_000_000, BETWEEN, key="pot_per_team_cents", always=True)] = 0
    place: Annotated[str, Name(60, always=True)] = ""
    time_zone: Annotated[str, Zone(always=True)] = "America/New_York"
    sheet: Annotated[str, Text(missing="The file names no rule sheet.", always=True)] = ""
    options: Annotated[dict[str, Any], Object("options are an object, option and choice.", always=True)] = field(
        default_factory=dict
    )
    stage_options: Annotated[dict[str, Any], Object(IN_STAGES)] = field(default_factory=dict)
    rounds_planned: Annotated[int | None, Whole(1, 60, BETWEEN, always=True)] = None
    movement: Annotated[str, Text(choices=MOVEMENTS, always=True)] = "moving"
    keep_apart: Annotated[bool, Flag(always=True)] = False
    seed: Annotated[int | None, Whole(0, LARGE, BETWEEN, always=True)] = None
    fee_cents: Annotated[int, Whole(0, 1_000_000, BETWEEN, always=True)] = 0
    currency: Annotated[str, Text(3, always=True)] = "$"
    cut: Cut = None
    best_of: Annotated[int, BestOf] = 1
    third_place: Annotated[bool, Flag(always=True)] = False
    paper: Annotated[str, Text(choices=("letter", "a4"), always=True)] = "letter"
    verify_own: Annotated[bool, Flag(always=True)] = False
    verify_closing: Annotated[str, Text(choices=VERIFY_CLOSING, always=True)] = "warns"
    stage: Annotated[str, Text(choices=EVENT_STAGES, always=True)] = ""
    board_shows: Annotated[str, Text(choices=BOARD_SECTIONS, always=True)] = "turns"
    by_number: Annotated[bool, Flag()] = False
    entries_from: Time = None
    entries_until: Time = None
    entry_limit: Annotated[int | None, Whole(1, 9999, BETWEEN)] = None
    entries_wait: Annotated[bool, Flag()] = True
    entry_words: Annotated[str, Name(200)] = ""
    checks_in: Annotated[bool, Flag()] = False
    frozen_at: Time = None
    printed: Annotated[Any, Object("what the sheet printed is an object, option and value.")] = None
    prizes: Annotated[dict[str, Any], Prizes()] = field(default_factory=dict)
    names: Annotated[str, Text(choices=NAMES_SHOWN)] = "full"
    odd_to_lowest: Annotated[bool | None, Flag(always=True)] = None
    ran_by: Annotated[list[list[str]], Officials(key="officials")] = field(default_factory=list)


@declared
class EventFile(Settings):
    """An event as one file. `printed` becomes the text that the row has, and an open `date` the day of the import."""

    version: Annotated[int | None, Whole(VERSIONS[0], VERSIONS[-1], source=None)] = None
    manifest: Remark = None
    teams: Annotated[
        list[Team], Many(Team, "the teams are a list.", 5000, missing="the teams are a list.", source=None, always=True)
    ] = field(default_factory=list)
    rounds: Annotated[list[Round], Many(Round, ROUNDS, 100, missing=ROUNDS, source=None, always=True)] = field(
        default_factory=list
    )
    tiebreaks: Annotated[Tiebreaks | None, One(Tiebreaks, source=None)] = None
    playoffs: Annotated[Playoffs | None, One(Playoffs, source=None)] = None
    registrations: Annotated[list[Registration], Many(Registration, most=MOST_LINES, source=None)] = field(
        default_factory=list
    )
    decisions: Annotated[list[Decision], Many(Decision, source=None)] = field(default_factory=list)
    placings: Annotated[list[Placing], Many(Placing, source=None)] = field(default_factory=list)
    journal: Annotated[list[Act], Many(Act, source=None)] = field(default_factory=list)
    ledger: Annotated[list[LedgerLine] | None, Many(LedgerLine, source=None, always=True)] = None
    leaver: Annotated[int | None, Whole(1, LARGEST_NUMBER, "there is no team {}.", source=None)] = None
    note: Remark = None
    title: Remark = None
    sign_with: Remark = None

    @property
    def games(self) -> int:
        return sum(len(round_.tables) for round_ in self.rounds)

    @property
    def entries(self) -> int:
        return sum(len(table.entries) for round_ in self.rounds for table in round_.tables)

    @property
    def finished(self) -> int:
        return sum(table.over for round_ in self.rounds for table in round_.tables)
