"""What is still missing before an event can open, and what is worth a look."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.template.defaultfilters import pluralize

from tournament.models import Event, Player, Side, Team
from tournament.phrases import money
from tournament.queries.cash import accounts_of
from tournament.queries.rounds import wrong_tables
from tournament.queries.rules import Ruleset, ruleset_of


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the check list. `needed` lines must be done before round 1; `page` is the address name to do it at."""

    key: str
    done: bool
    needed: bool
    text: str
    page: str = "desk-setup"


@dataclass(frozen=True, slots=True)
class Checklist:
    items: tuple[Item, ...]

    @property
    def missing(self) -> tuple[Item, ...]:
        """What keeps the event from opening."""
        return tuple(item for item in self.items if item.needed and not item.done)

    @property
    def ready(self) -> bool:
        return not self.missing


def checklist(event: Event) -> Checklist:
    """The check list of an event, in the order of the work; a constant number of queries."""
    rules = ruleset_of(event)
    teams = list(event.teams.filter(status="playing").prefetch_related("players"))
    changed = len(rules.chosen)
    options = f", {changed} option{'' if changed == 1 else 's'} changed" if changed else ", as printed"
    return Checklist(
        (
            _place(event),
            Item("sheet", True, True, f"Rule sheet: {rules.sheet.title}{options}"),
            _officials(event),
            _teams(teams, rules),
            *(() if rules.singles else _players(teams, rules.seating.seats // rules.seating.sides)),
            *_fees(event, teams, rules.unit),
            _draw(event, {team.pk: team for team in teams}),
            *_cut(event, len(teams), rules),
        )
    )


def shared_players(event: Event) -> tuple[str, ...]:
    """Players who stand in two teams that play, by name."""
    players = Player.objects.filter(team__event=event, team__status="playing").values_list("key", "name")
    seen = Counter(key for key, _ in players)
    return tuple(sorted({name for key, name in players if seen[key] > 1}))


def _place(event: Event) -> Item:
    if event.place:
        return Item("place", True, False, f"{event.place}, {event.date:%B} {event.date.day}, {event.date.year}")
    return Item("place", False, False, "No place is named. Players look for it on the public page.")


def _officials(event: Event) -> Item:
    roles = Counter(event.officials.values_list("role", flat=True))
    directors, verifiers = roles["director"], roles["verifier"]
    if not directors:
        return Item("officials", False, True, "Nobody directs this event yet.")
    text = f"{directors} director{'' if directors == 1 else 's'}"
    if verifiers:
        text += f", {verifiers} verifier{'' if verifiers == 1 else 's'}"
    return Item("officials", True, True, text)


def _teams(teams: list[Team], rules: Ruleset) -> Item:
    count, unit, fewest = len(teams), rules.unit, rules.smallest_table
    if count < fewest:
        need = f"At least {fewest} {unit}s are needed; there {'is' if count == 1 else 'are'} {count or 'none'}."
        return Item("teams", False, True, need, "desk-roster" if not count else "desk-teams")
    rest = rules.without_seat(count)
    bye = ""
    if rest:
        bye = f": one {unit} sits out each round" if rest == 1 else f": {rest} {unit}s sit out each round"
    return Item("teams", True, True, f"{count} {unit}s{bye}", "desk-teams")


def _players(teams: list[Team], seats: int) -> list[Item]:
    items = []
    short = [team for team in teams if len(team.players.all()) < seats]
    if short:
        who = ", ".join(team.name for team in short[:3]) + (" …" if len(short) > 3 else "")
        text = f"{len(short)} team{'' if len(short) == 1 else 's'} with a player missing: {who}"
        items.append(Item("players", False, False, text, "desk-teams"))
    seen = Counter(player.key for team in teams for player in team.players.all())
    twice = sorted({player.name for team in teams for player in team.players.all() if seen[player.key] > 1})
    if twice:
        text = f"Entered twice: {', '.join(twice[:3])}{' …' if len(twice) > 3 else ''}"
        items.append(Item("twice", False, False, text, "desk-teams"))
    return items


def _fees(event: Event, teams: list[Team], unit: str) -> list[Item]:
    if not event.fee_cents and not event.pot_cents:
        return []
    if not teams:
        return []
    accounts = accounts_of(event, [team.pk for team in teams])
    owed = [one.owes for one in accounts.values() if one.owes]
    if owed:
        text = f"{money(sum(owed), event.currency)} owed by {len(owed)} of {len(teams)} {unit}s"
        return [Item("fees", False, False, text, "desk-money")]
    return [Item("fees", True, False, "Everything is paid", "desk-money")]


def _draw(event: Event, teams: dict[int, Team]) -> Item:
    drawn = event.rounds.filter(stage="qualifying").count()
    first = event.rounds.filter(number=1).prefetch_related("byes").first()
    if first is None:
        return Item("draw", False, True, "Round 1 is not drawn.", "desk-draw")
    placed = set(Side.objects.filter(round=first).values_list("team", flat=True))
    placed |= {bye.team_id for bye in first.byes.all()}
    if first.state == "planned" and (lost := [team.name for pk, team in teams.items() if pk not in placed]):
        who = ", ".join(lost[:3]) + (" …" if len(lost) > 3 else "")
        return Item("draw", False, True, f"Not in round 1: {who}. Draw again.", "desk-draw")
    if wrong := wrong_tables(event, first):
        return Item("draw", False, True, wrong[0].text, "desk-draw")
    text = f"{drawn} of {event.rounds_planned} round{pluralize(event.rounds_planned)} drawn"
    return Item("draw", True, True, text, "desk-draw")


def _cut(event: Event, teams: int, rules: Ruleset) -> list[Item]:
    if event.cut is None:
        return [Item("cut", False, False, "The cut is open: you can set it later.")]
    if not rules.has_matches:
        text = f"The cut is {event.cut}, but two {rules.unit}s alone cannot play this game: there are no playoffs."
        return [Item("cut", False, False, text)]
    if teams and event.cut > teams:
        return [Item("cut", False, False, f"The cut is {event.cut}, but only {teams} are entered.")]
    return [Item("cut", True, False, f"Cut to {event.cut} for the playoffs")]
