"""What can be printed and when, and the sheets that are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count

from scoring.ledger import counted, listed
from tournament.models import Event, Journal, Round
from tournament.queries.bracket import champion_of
from tournament.queries.devices import BOUND, CARD, tables_without, tablet_list
from tournament.queries.ledger import cash, payments
from tournament.queries.playoffs import finale
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import game_sheet, printed_sheets, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import standings
from tournament.words.phrases import clock_time, day


def event_sheets(event: Event, *, rounds: Sequence[int] | None = None) -> list[GameSheet]:
    """The sheets of an event's games in the order of a cut stack: by round, then table.

    All are read at once: a cursor that stays open while the paper is drawn would block every write.
    """
    games = sheet_games().filter(round__event=event).order_by("round__number", "table", "leg")
    if rounds is not None:
        games = games.filter(round__number__in=rounds)
    return [game_sheet(game) for game in games]


def unprinted_sheets(event: Event) -> list[GameSheet]:
    """The sheets that were never printed, or have changed since."""
    printed = printed_sheets(event)
    return [sheet for sheet in event_sheets(event) if sheet.code not in printed]


# What can be printed and downloaded of an event, for the page that offers it.


def file_state(event: Event) -> Hashable:
    """What decides the files of an event: the same state gives the same files. Not every act in its log changes it."""
    newest = Journal.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first()
    return event.pk, event.epoch, event.version, newest


# The three times of an evening at which a director prints: before the doors open, between games, and at the end.

TONIGHT, BETWEEN, AFTER = "tonight", "between", "after"
# What stops working when it is printed, and is left out unless it is asked for.
CARDS = "cards"


@dataclass(frozen=True, slots=True)
class PrintPart:
    """One paper of a job; `note` says what printing it does or leaves out."""

    key: str
    words: str
    ticked: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class PrintJob:
    """What is printed together, in the order of handing out.

    `round` is the round of its seating and sheets, `awaits` why there is nothing to print yet; `due` marks the current
    job.
    """

    key: str
    title: str
    said: str
    button: str
    parts: tuple[PrintPart, ...]
    round: int | None = None
    awaits: str = ""
    due: bool = False

    def chosen(self, keys: Iterable[str]) -> PrintJob:
        """The job with exactly these papers ticked."""
        wanted = set(keys)
        return replace(self, parts=tuple(replace(part, ticked=part.key in wanted) for part in self.parts))

    def without(self, keys: Collection[str]) -> PrintJob:
        """The job for an actor who may not print these papers."""
        return replace(self, parts=tuple(part for part in self.parts if part.key not in keys))

    @property
    def keys(self) -> tuple[str, ...]:
        """The ticked papers, in order."""
        return tuple(part.key for part in self.parts if part.ticked)


def print_jobs(event: Event) -> tuple[PrintJob, ...]:
    """The three jobs as they are now: a constant number of queries."""
    rounds = list(event.rounds.order_by("number"))
    sheets = dict(event.rounds.annotate(sheets=Count("games")).values_list("number", "sheets"))
    jobs = _tonight(event, rounds[:1], sheets), _between(event, rounds, sheets), _after(event)
    # The latest job that can be printed is the likely one.
    latest = max((index for index, job in enumerate(jobs) if not job.awaits), default=None)
    return tuple(replace(job, due=index == latest) for index, job in enumerate(jobs))


def print_job(event: Event, key: str) -> PrintJob:
    return next(job for job in print_jobs(event) if job.key == key)


def _tonight(event: Event, first: list[Round], sheets: dict[int, int]) -> PrintJob:
    title, button = "Before the doors open", "Everything for tonight"
    if not first:
        return PrintJob(TONIGHT, title, "", button, parts=(), awaits="Draw the first game, then print.")
    round_, unit = first[0], ruleset_of(event).unit
    parts = (
        *((PrintPart("check-in", "Check-in poster"),) if event.checks_in else ()),
        PrintPart("seating", f"Seating of {round_.inside}"),
        PrintPart("slips", counted(event.teams.filter(status="playing").count(), f"{unit} slip")),
        PrintPart("sheets", counted(sheets[round_.number], "score sheet")),
        *_collected(round_),
        _cards(event),
        PrintPart("rules", "Rules in words", ticked=False),
    )
    note = "One PDF, in the order in which you hand it out."
    return PrintJob(TONIGHT, title, note, button, parts, round=round_.number)


def _collected(round_: Round) -> tuple[PrintPart, ...]:
    """For halls that bring results to the desk on paper."""
    return (
        PrintPart("pickup", "Pick-up slips: winner and points", ticked=False),
        PrintPart("recap", f"Recap of {round_.inside}, to fill in", ticked=False),
    )


def _cards(event: Event) -> PrintPart:
    rows = tablet_list(event)
    bound = [row.table for row in rows if row.state == BOUND and row.first]
    notes = [_void((row.device.created_at for row in rows if row.device and row.state == CARD), event)]
    if bound:
        notes.append(f"No card for {_tables(bound)}: a tablet is in use there.")
    return PrintPart(CARDS, counted(len(tables_without(rows)), "new table card"), False, " ".join(filter(None, notes)))


def _void(moments: Iterable[datetime | None], event: Event) -> str:
    """Say which ones stop working, such as 12 cards that were printed at 6:40 p.m."""
    times: dict[str, int] = defaultdict(int)
    for moment in sorted(moment for moment in moments if moment is not None):
        times[clock_time(moment, event.time_zone)] += 1
    groups = [f"{counted(count, 'card')} printed at {when}" for when, count in times.items()]
    return f"{listed(groups)} stop{'s' * (sum(times.values()) == 1)} working." if groups else ""


def _tables(numbers: list[int]) -> str:
    return f"table{'s' * (len(numbers) != 1)} {listed([str(number) for number in numbers])}"


def _between(event: Event, rounds: list[Round], sheets: dict[int, int]) -> PrintJob:
    title = "Between games"
    started = [round_ for round_ in rounds if round_.state != "planned"]
    if not started:
        return PrintJob(BETWEEN, title, "", "For the next game", (), awaits="Ready when the first game is in play.")
    last, planned = started[-1], [round_ for round_ in rounds if round_.state == "planned"]
    note = f"{last} is in play." if last.state == "running" else f"{last} is over."
    parts = [PrintPart("standings", "Standings for the wall")]
    if any(round_.stage == "playoff" for round_ in rounds):
        parts.append(PrintPart("bracket", "Bracket"))
    if not planned:
        note = "Every game is played." if event.stage == "over" else f"{note} No further game is drawn."
        return PrintJob(BETWEEN, title, note, "For the wall", tuple(parts))
    following = planned[0]
    name = following.inside
    parts.append(PrintPart("seating", f"Seating of {name}"))
    parts.append(PrintPart("sheets", f"{counted(sheets[following.number], 'score sheet')} of {name}"))
    parts += _collected(following)
    return PrintJob(BETWEEN, title, note, f"For {name}", tuple(parts), following.number)


def result_text(event: Event) -> str:
    """The results as words for a mail or a club's page; empty before there is a champion."""
    end = finale(event, standings(event))
    lines = end.places.lines
    if not lines:
        return ""
    ranked = [f"{line.label or '–'}  {line.team}" + f" ({', '.join(line.players)})" * bool(line.players)
              + f": {line.how}" * bool(line.how) for line in lines]  # fmt: skip
    head = " · ".join(filter(None, (event.name, day(event.date), event.place)))
    won = f"{end.places.title}: {lines[0].team}" + f" ({' and '.join(lines[0].players)})" * bool(lines[0].players)
    facts = [f"{fact.figure} {fact.words}" for fact in end.facts]
    return "\n".join([head, "", won, end.places.won_by, "", *ranked, "", *facts]).strip()


def _after(event: Event) -> PrintJob:
    title, note, button = "When it is over", "Final places, money, every sheet.", "Results and records"
    if event.stage != "over" and champion_of(event) is None:
        awaits = "Ready after the final." if event.cut else "Ready when the event is finished."
        return PrintJob(AFTER, title, note, button, parts=(), awaits=awaits)
    parts = [PrintPart("poster", "Results poster")]
    parts.append(PrintPart("certificates", "Certificates", ticked=False))
    receipts = len(payments(cash(event).lines))
    if receipts:
        parts.append(PrintPart("receipts", counted(receipts, "receipt")))
    parts.append(PrintPart("book", "Event book"))
    return PrintJob(AFTER, title, note, button, tuple(parts))
