"""The standings as a list, the final places, the pot and the table of a season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from operator import attrgetter, itemgetter

from django.utils.safestring import SafeString

from tournament.lists.column import (
    CENTS,
    MARKS,
    NAMES,
    NUMBER,
    POINTS,
    RANK,
    STARS,
    Column,
    Listing,
    filled,
    link_form,
    nothing,
    where,
)
from tournament.models import Event
from tournament.queries.final_places import PlaceLine
from tournament.queries.game_results import Mark
from tournament.queries.playoffs import Finale
from tournament.queries.pot import PotFacts, PotTeam
from tournament.queries.rules import ruleset_of
from tournament.queries.season import SeasonFacts, SeasonLine
from tournament.queries.standings import Standings, StandingsLine
from tournament.words.phrases import minus, money

# A game by its sign: its words and the stars of its Bostons are filled in.
MARKED = {
    sign: f'<span class="mark {sign.lower()}" title="{{0}}"><span aria-hidden="true">{letter}'
    '<b class="boston">{1}</b></span><span class="hidden-text">{0}.</span></span>'
    for sign, letter in {"W": "W", "L": "L", "B": "B", "N": "–"}.items()
}
SHORT = {"in": "In", "open": "Open", "level": "Tied", "out": "Out"}
CHIPS = {"in": "", "open": "sky", "level": "gold", "out": "plain"}


def standings_list(event: Event, table: Standings) -> Listing:
    """One row per team, best first; on paper a tie is explained below if it matters for the cut."""
    count = len(table.lines)
    return Listing(
        name="standings",
        title=table.title,
        event=event,
        columns=standings_columns(table, event.slug),
        rows=table.lines,
        under=f"{where(event)} · {table.state} · ordered by {table.order}",
        caption=f"{count} {table.unit}{'' if count == 1 else 's'}",
        empty=table.hidden or ("No games yet." if count else f"No {table.unit}s yet."),
        notes=table.cut_ties,
        mark=_mark,
        in_json={"ties": lambda line: list(line.ties)},
    )


def ties_list(event: Event, table: Standings) -> Listing:
    """How ties were broken, or why they remain: one row per sentence, with its place."""
    told = dict[str, str]()
    for line in table.lines:
        for text in line.ties:
            told.setdefault(text, line.label)
    return Listing(
        name="ties",
        title="Ties",
        event=event,
        columns=(
            Column("place", "Place", itemgetter(1), RANK),
            Column("why", "How the tie was broken", itemgetter(0)),
        ),
        rows=tuple(told.items()),
        under=f"{where(event)} · ordered by {table.order}",
        empty=table.hidden or "No team is tied.",
    )


def standings_columns(table: Standings, slug: str) -> tuple[Column, ...]:
    lines = table.lines

    return (
        Column("place", "Place", lambda line: line.label, RANK, wall=True),
        Column("number", "No.", lambda line: line.number, NUMBER, wall=True),
        Column("name", table.unit.capitalize(), lambda line: line.team, wall=True, html=_team_link(slug)),
        Column("status", "Status", lambda line: line.gone, shown=any(line.gone for line in lines), within="name",
               wall=True, html=_gone),
        Column("cut", "At the cut", lambda line: line.cut_note, shown=any(line.cut_note for line in lines),
               within="name", wall=True, html=_cut_note),
        Column("city", "City", lambda line: line.city, shown=any(line.city for line in lines)),
        Column("games", "Games", lambda line: " ".join(map(_letter, line.marks)), MARKS, wall=True,
               html=_marks_writer()),
        Column("played", "Played", lambda line: line.played, NUMBER),
        Column("won", "Won", lambda line: line.won, NUMBER, wall=True, html=_won),
        Column("points", "Points", lambda line: line.points, POINTS, wall=True),
        Column("bostons", "Bostons", lambda line: line.bostons, STARS, shown=table.bostons, wall=True,
               html=_stars),
        Column("sets", "Sets", lambda line: line.sets, NUMBER),
        Column("lost_by_sets", "Lost by sets", lambda line: line.total("lost_by_sets"), NUMBER,
               shown=any(line.total("lost_by_sets") for line in lines)),
        Column("chance", "Advances", lambda line: line.chance_words, shown=any(line.chance for line in lines),
               wall=True, html=_chance),
        Column("ties", "Ties", lambda line: " ".join(line.ties), within="name", paged=True, html=_explained),
    )  # fmt: skip


def cross_table(event: Event, table: Standings) -> Listing:
    """One row per team, best first, with a column for each game: the opponent and the result."""
    points = {(mark.game, line.number): mark.points for line in table.lines for mark in line.marks if mark}

    def game(index: int, number: int) -> Column:
        def met(line: StandingsLine) -> str:
            return _met(line.marks[index], points)

        # On a phone the games are below each other, without headings.
        form = f'<span class="tight muted">Game {number}:</span> {{}}'
        return Column(f"game_{number}", f"Game {number}", met, html=lambda line: filled(form, met(line)))

    return Listing(
        name="cross-table",
        title="Cross table",
        event=event,
        columns=(
            Column("place", "Place", lambda line: line.label, RANK),
            Column("number", "No.", lambda line: line.number, NUMBER),
            Column("name", table.unit.capitalize(), lambda line: line.team),
            *(game(index, number) for index, number in enumerate(table.books.counted)),
        ),
        rows=table.lines if table.books.counted else (),
        under=f"{where(event)} · {table.state} · won, lost or bye, the other’s number, points",
        caption="Won, lost or bye, the other’s number, points",
        empty=table.hidden or "No games yet.",
    )


def _met(mark: Mark | None, points: Mapping[tuple[int | None, int], int]) -> str:
    """“W★ 12, 5 to 3”: the result, the opponent, and both scores; against several opponents only its own points."""
    if mark is None:
        return ""
    numbers = "/".join(map(str, mark.opponents))
    other = points.get((mark.game, mark.opponents[0])) if len(mark.opponents) == 1 else None
    score = minus(mark.points) + ("" if other is None else f" to {minus(other)}")
    return f"{_letter(mark)} {numbers}, {score}" if numbers else f"{_letter(mark)}, {score}"


def places_list(event: Event, end: Finale) -> Listing:
    """One row per team, the champion first. A team that was disqualified has no place."""
    places = end.places
    count = len(places.lines)
    return Listing(
        name="final-places",
        title="Final places",
        event=event,
        columns=place_columns(end, event.slug),
        rows=places.lines,
        under=" · ".join(part for part in (where(event), places.won_by) if part),
        caption=places.hidden or f"{count} {places.unit}{'' if count == 1 else 's'}",
        empty="There is no champion yet.",
        mark=lambda line: {} if line.rank else {"class": "is-out"},
    )


def place_columns(end: Finale, slug: str) -> tuple[Column, ...]:
    places, playoffs = end.places, end.places.after_playoffs and not end.places.hidden

    return (
        Column("place", "Place", lambda line: line.label or "–", RANK, wall=True),
        Column("number", "No.", lambda line: line.number, NUMBER, wall=True),
        Column("name", places.unit.capitalize(), lambda line: line.team, wall=True, html=_team_link(slug)),
        Column("players", "Players", lambda line: line.players, NAMES, within="name", wall=True,
               shown=any(line.players for line in places.lines)),
        Column("how", "How", lambda line: line.how, wall=True),
        Column("qualifying", "Qualifying", lambda line: line.line and line.line.label, RANK, shown=playoffs),
        Column("played", "Played", lambda line: line.line and line.line.played, NUMBER, shown=playoffs),
        Column("won", "Won", lambda line: line.line and line.line.won, NUMBER, shown=playoffs),
        Column("points", "Points", lambda line: line.line and line.line.points, POINTS, shown=playoffs),
        Column("prize_cents", "Prize", lambda line: end.prizes.get(line.number, 0), CENTS, shown=bool(end.prizes),
               wall=True),
    )  # fmt: skip


def mark_html(mark: Mark | None) -> str:
    """A game as a letter with a star for each Boston, readable without seeing its color."""
    if mark is None:
        return filled('<span class="mark n"><span aria-hidden="true">{}</span></span>', "·")
    # Not checked for characters to escape: these words are the program's own, six or more in each of 200 rows.
    return MARKED[mark.sign].format(mark.words, "★" * mark.bostons)


def _marks_writer() -> Callable[[StandingsLine], str]:
    """Returns the function that writes the games of a line.

    Many games in the standings are alike: each kind is written once.
    """
    written: dict[tuple[int, str, int] | None, str] = {}

    def write(line: StandingsLine) -> str:
        games = []
        for mark in line.marks:
            kind = None if mark is None else (mark.round, mark.sign, mark.bostons)
            if kind not in written:
                written[kind] = mark_html(mark)
            games.append(written[kind])
        return SafeString(" ".join(games))

    return write


def _letter(mark: Mark | None) -> str:
    return "·" if mark is None else f"{'–' if mark.sign == 'N' else mark.sign}{'★' * mark.bostons}"


def _explained(line: StandingsLine) -> str:
    if not line.decisive:
        return ""
    why = "".join([f"<p>{escape(text)}</p>" for text in line.ties])
    summary = "shared: why" if line.label.endswith("=") else "tied: why"
    return SafeString(f'<details class="tie"><summary>{summary}</summary>{why}</details>')


def _gone(line: StandingsLine) -> str:
    return filled('<span class="chip plain">{}</span>', line.gone) if line.gone else ""


def _cut_note(line: StandingsLine) -> str:
    return filled('<span class="chip gold">{}</span>', line.cut_note) if line.cut_note else ""


def _won(line: StandingsLine) -> str:
    """On a phone there is no column for the games played."""
    return SafeString(f'{line.won}<span class="tight"> of {line.played}</span>')


def _stars(line: StandingsLine) -> str:
    return filled('<span class="boston">★ {}</span>', line.bostons) if line.bostons else ""


def _chance(line: StandingsLine) -> str:
    if not line.chance:
        return ""
    words = line.chance_words, SHORT[line.chance]
    chip = '<span class="chip {}"><span class="wide">{}</span><span class="tight">{}</span></span>'
    return filled(chip, CHIPS[line.chance], *words)


def _mark(line: StandingsLine) -> dict[str, str]:
    classes = [f"is-{line.chance}"] if line.chance else []
    classes += ["cut"] * line.last_in + ["at-cut"] * line.at_cut
    return {"class": " ".join(classes), "id": f"team-{line.number}"}


# The Boston pot as a list, from `queries/pot.py`.


def pot_list(event: Event, pot: PotFacts) -> Listing:
    """Who is in the pot, most Bostons first."""
    unit = ruleset_of(event).unit
    stakes = money(pot.cents, pot.currency)
    return Listing(
        name="pot",
        title="Boston pot",
        event=event,
        columns=pot_columns(event, pot, unit),
        rows=pot.teams,
        under=" · ".join((where(event), f"{stakes} from {pot.entered} {unit}s, {pot.window}", pot.text)),
        caption="In the pot",
        empty=f"No {unit} is in the pot.",
        mark=lambda team: {"class": "leads" if team.leads else ""},
    )


def pot_columns(event: Event, pot: PotFacts, unit: str) -> tuple[Column, ...]:
    def leads(row: PotTeam) -> str:
        words = "Wins" if pot.settled else "Leads"
        return filled(' <span class="chip gold">{}</span>', words) if row.leads else ""

    return (
        Column("number", "No.", attrgetter("number"), NUMBER, wall=True),
        Column("name", unit.capitalize(), attrgetter("team"), wall=True, html=_team_link(event.slug)),
        Column("bostons", "Bostons", attrgetter("bostons"), STARS, wall=True, html=_pot_stars),
        Column("won", "Won", attrgetter("won"), NUMBER, wall=True),
        Column("points", "Points", attrgetter("points"), POINTS, wall=True),
        Column("leads", "Leads", lambda row: "yes" if row.leads else "", within="name", html=leads),
        Column("gets_cents", "Gets", attrgetter("cents"), CENTS, wall=True,
               within="" if pot.settled else "points"),
    )  # fmt: skip


def _pot_stars(row: PotTeam) -> str:
    return filled('<b class="boston">★ {}</b>', row.bostons) if row.bostons else ""


def _team_link(slug: str) -> Callable[[StandingsLine | PlaceLine | PotTeam], str]:
    """Returns the function that writes the name of a row's team as a link to its page."""
    form = link_form("team", slug)
    return lambda row: SafeString(form.format(row.number, escape(row.team)))


# The table of a season as a list, from `queries/season.py`.

# With more events than this, paper for the wall has no room for the points of each.
EVENTS_ON_PAPER = 8


def season_list(facts: SeasonFacts, *, paper: bool = False, last: int = 0) -> Listing:
    """One row per person or fixed team, best first. `paper` has the points by event, a phone folds them.

    With `last`, this many events, the latest ones, have a column; those before them are added up in one.
    """
    earlier = max(len(facts.over) - last, 0) if last else 0
    count, who = len(facts.lines), facts.scheme.whose
    by_event = paper and len(facts.over) <= EVENTS_ON_PAPER
    headings = _event_headings(facts.over)
    first = [line for line in facts.lines if line.ranked.rank and line.ranked.rank <= FIRST_RANKS]
    ties = dict.fromkeys(tie.text for line in first for tie in line.told_ties)

    def points(index: int, event: Event) -> Column:
        def cell(line: SeasonLine) -> str:
            credit = line.ranked.credits[index]
            return "" if credit is None else filled(COUNTS[credit.counts], credit.text, line.points_of(index))

        def brought(line: SeasonLine) -> int | float | None:
            return line.points_of(index)

        return Column(f"points_{event.slug}", headings[event], brought, POINTS, wall=by_event, html=cell)

    def before(line: SeasonLine) -> int | float | None:
        return line.points_before(earlier)

    def why(line: SeasonLine) -> tuple[str, ...]:
        return line.told_since(earlier)

    def why_cell(line: SeasonLine) -> str:
        return _season_why(line, earlier)

    def dropped(line: SeasonLine) -> tuple[str, ...]:
        pairs = zip(facts.over, line.ranked.credits, strict=True)
        return tuple(headings[event] for event, credit in pairs if credit and not credit.counts)

    drops = facts.scheme.best is not None or any(not event.counts for event in facts.over)
    return Listing(
        name="season",
        title="Standings",
        event=facts.season,
        columns=(
            Column("place", "Place", lambda line: line.ranked.label, RANK, wall=True),
            Column("name", who.capitalize(), lambda line: line.name, wall=True, html=_person_link()),
            *([Column("earlier", "Earlier", before, POINTS)] if earlier else []),
            *(points(index, event) for index, event in enumerate(facts.over) if index >= earlier),
            Column("points", "Points", lambda line: line.total, POINTS, wall=True),
            Column("not_counted", "Not counted", dropped, NAMES, shown=drops,
                   within="name", wall=by_event, html=nothing),
            Column("why", "Why", why, NAMES, within="name", html=why_cell),
        ),
        rows=facts.lines,
        under=f"{facts.state} · {' '.join(facts.words)}",
        caption=f"{count} {who if count == 1 else 'people' if who == 'person' else 'teams'}",
        empty="No members are listed yet." if facts.lacks_members else "No points yet: events count once finished.",
        notes=(*ties, *facts.left_out_in_words),
        live=True,
    )  # fmt: skip


# A tie is explained on paper down to this rank.
FIRST_RANKS = 3
# The points of an event by whether they count: a tooltip explains what they are for.
COUNTS = {True: '<span title="{}">{}</span>', False: '<s class="muted" title="{}">{}</s>'}


def _event_headings(events: Sequence[Event]) -> dict[Event, str]:
    """The heading of each event: “Nov 21”, its name if another was on that day, numbered if even that is the same."""
    days = Counter(event.date for event in events)
    names = Counter((event.date, event.name) for event in events)
    headings, numbers = dict[Event, str](), Counter[str]()
    for event in events:
        heading = f"{event.date:%b} {event.date.day}" if days[event.date] == 1 else event.name
        if names[event.date, event.name] > 1:
            numbers[heading] += 1
            heading = f"{heading} {numbers[heading]}"
        headings[event] = heading
    return headings


def _person_link() -> Callable[[SeasonLine], str]:
    """Returns the function that writes the name of a line as a link to its person's page; a team has none."""
    form = link_form("person")

    def write(line: SeasonLine) -> str:
        name = escape(line.name)
        return SafeString(f"{name} " if line.person is None else form.format(line.person, name))

    return write


def _season_why(line: SeasonLine, earlier: int) -> str:
    """Every point in a sentence, folded; a decided tie is explained. A shared rank is stated once, above."""
    ties = [tie.text for tie in line.told_ties]
    summary = "tied: why" if ties else "why"
    sentences = "".join([f"<p>{escape(text)}</p>" for text in (*ties, *line.told_since(earlier))])
    return SafeString(f'<details class="tie"><summary>{summary}</summary>{sentences}</details>')
