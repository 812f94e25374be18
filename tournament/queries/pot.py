"""The Boston pot (rule 12): who is in it, who leads or won it and why, and the shares to the cent."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.standings.pot import settle_pot
from tournament.models import Event
from tournament.queries.game_results import Books, books_of
from tournament.queries.rules import EVERYTHING, Visibility, everybody_in_pot, ruleset_of


@dataclass(frozen=True, slots=True)
class PotTeam:
    """A team in the pot: its Bostons in the games that count, its record, and its share in cents once settled."""

    number: int
    team: str
    bostons: int
    won: int
    points: int
    leads: bool
    cents: int


@dataclass(frozen=True, slots=True)
class PotFacts:
    """The pot as it is now. `text` says all of it; `teams` are in it, most Bostons first; `hidden` says why not."""

    cents: int
    each_cents: int
    currency: str
    entered: int
    outside: tuple[str, ...]
    window: str
    settled: bool
    basis: str
    teams: tuple[PotTeam, ...]
    leaders: tuple[str, ...]
    text: str
    for_all: bool
    hidden: str

    @property
    def exists(self) -> bool:
        return self.cents > 0

    @property
    def entry_words(self) -> str:
        return "everybody is in it" if self.for_all else "for those who paid into it"


def pot(event: Event, seen: Visibility = EVERYTHING, books: Books | None = None) -> PotFacts:
    """The pot from the games that may be seen. It is settled when the last game that counts for it is final."""
    rules = ruleset_of(event).rules
    books = books or books_of(event, seen)
    for_all = everybody_in_pot(event)
    present = [team for team in books.teams if team.number not in books.absent]
    inside = [team for team in present if for_all or team.in_pot]
    numbers = {team.number for team in inside}
    cents = event.pot_cents * len(inside)
    stands = settle_pot(
        books.records,
        numbers,
        cents,
        # If nobody paid in, there is nothing to settle.
        rounds_closed=_finished_rounds(books) if cents else 0,
        rounds=books.total,
        boston_window=rules.boston_window,
        best_record=rules.best_record,
        names=books.names,
        currency=event.currency,
        odd_to_lowest=event.odd_to_lowest,
    )
    shares = {share.team: share.cents for share in stands.shares}
    window = books.total if rules.boston_window is None else min(rules.boston_window, books.total)
    if seen.closed:
        leaders, basis, text, hidden = set(stands.leaders), stands.basis, stands.text, ""
    else:
        # Who leads would tell what the standings do not show yet.
        leaders, basis, text, hidden = set(), "", seen.why, seen.why
    teams = []
    for record in books.records:
        if record.team in numbers:
            team = PotTeam(
                number=record.team,
                team=books.names[record.team],
                bostons=record.bostons_in(window),
                won=record.won,
                points=record.points,
                leads=record.team in leaders,
                cents=shares.get(record.team, 0),
            )
            teams.append(team)
    teams.sort(key=lambda team: (not team.leads, -team.bostons, -team.won, team.number))
    return PotFacts(
        cents=cents,
        each_cents=event.pot_cents,
        currency=event.currency,
        entered=len(inside),
        outside=tuple(team.name for team in books.teams if team.number not in numbers),
        window="game 1" if window == 1 else f"games 1–{window}",
        settled=stands.settled,
        basis=basis,
        teams=tuple(teams),
        leaders=tuple(books.names[number] for number in sorted(leaders)),
        text=text,
        for_all=for_all,
        hidden=hidden,
    )


def _finished_rounds(books: Books) -> int:
    """How many rounds, from the first one on, have every game signed, even before the director closes the last one."""
    planned = {round_.number for round_ in books.rounds if round_.state == "planned"}
    done = 0
    for number in books.counted:
        if number in books.unfinished or number in planned:
            break
        done += 1
    return done
