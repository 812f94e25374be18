"""The hall's projector, whole: every slide of every state of an evening, with few and many teams, short and long names.

Nothing lies over anything else, nothing is cut, names have room, words can be read from the back of the hall, and every
team is seen again in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import look
from tests.factories import make_event, make_round, make_teams
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.models import Event, Season, Team
from tournament.pairing.bracket import Form, Losers
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.words.texts import name_key

SIZES = ((1920, 1080), (1366, 768), (1280, 720))
OLD = (800, 600)
FIELDS = (2, 8, 24, 40, 60)
SHORT = ("Aces", "Books", "Night Owls", "Trump Tight", "Bid Easy", "Full Deck", "Eagles", "High Rollers", "Jokers Wild")
NAMES: dict[str, Callable[[int], str]] = {
    "short": lambda number: f"{SHORT[number % len(SHORT)]} {number}",
    "long": lambda number: f"Gorgeously Lucky Jugglers of Harbor {number:02}",
    "wide": lambda number: f"{'W' * 32}{number:02}",
}

# Every text that is seen on the present slide, line by line, with its letters and what cuts it.
SEEN = """() => {
    const shown = [], least = 36 / 1080 * innerHeight - 0.6;
    const walk = document.createTreeWalker(document.querySelector("#board"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode, holder = text.parentElement;
        if (!text.data.trim() || holder.closest(".hidden-text") || !holder.checkVisibility()) continue;
        const made = document.createRange();
        made.selectNodeContents(text);
        const type = parseFloat(getComputedStyle(holder).fontSize);
        // The letters themselves, without the room above and below them.
        const lines = [...made.getClientRects()].filter((box) => box.width > 1).map((box) => {
            const middle = (box.top + box.bottom) / 2;
            return {left: box.left, right: box.right, top: middle - type * 0.5, bottom: middle + type * 0.5}; });
        let clip = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
        for (let box = holder; box && box !== document.body; box = box.parentElement)
            if (getComputedStyle(box).overflowX !== "visible") {
                const edge = box.getBoundingClientRect();
                clip = {left: Math.max(clip.left, edge.left), top: Math.max(clip.top, edge.top),
                    right: Math.min(clip.right, edge.right), bottom: Math.min(clip.bottom, edge.bottom)};
            }
        // A line on another page of the same list is not on this one.
        const here = lines.filter((line) => line.right > clip.left + 1 && line.left < clip.right - 1);
        if (here.length) shown.push({text: text.data.trim(), type, least, lines: here, clip, holder});
    }
    return shown;
}"""
WRONG = f"""() => {{
    const seen = ({SEEN})(), wrong = [];
    for (const {{text, type, least, lines, clip}} of seen) {{
        if (type < least) wrong.push(`small ${{Math.round(type * 1080 / innerHeight)}}: ${{text}}`);
        for (const line of lines)
            if (line.left < clip.left - 1 || line.right > clip.right + 1 || line.top < clip.top - 1
                || line.bottom > clip.bottom + 1) wrong.push(`cut: ${{text}}`);
    }}
    seen.forEach((one, at) => seen.slice(at + 1).forEach((other) => {{
        if (one.lines.some((a) => other.lines.some((b) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 2 && b.top < a.bottom - 2))) wrong.push(`${{one.text}} over ${{other.text}}`); }}));
    for (const name of document.querySelectorAll(".slides .name:not(th), .slides .slotname")) {{
        if (!name.checkVisibility()) continue;
        const words = document.createRange();
        words.selectNodeContents(name.querySelector("span") || name);
        const lines = new Set([...words.getClientRects()].map((box) => Math.round(box.top / 12)));
        const width = name.getBoundingClientRect().width * 1080 / innerHeight;
        if (width < 299 && lines.size > 1) wrong.push(`narrow ${{Math.round(width)}}: ${{name.innerText}}`);
    }}
    return [...new Set(wrong)].slice(0, 12);
}}"""
TEXTS = f"() => ({SEEN})().map((one) => one.text)"


class Case(NamedTuple):
    teams: int
    names: str
    state: str


def name_teams(event: Event, names: str) -> None:
    for team in event.teams.all():
        team.name = NAMES[names](team.number)
        team.key = name_key(team.name)
        team.city = "Columbus"
        team.save()


def halves(count: int) -> list[tuple[int, int]]:
    half = count // 2
    return [(number, number + half) for number in range(1, half + 1)]


def first_game(dana: User, event: Event) -> None:
    teams = list(Team.objects.filter(event=event).order_by("number"))
    make_round(event, [(teams[one - 1], teams[other - 1]) for one, other in halves(len(teams))])


def last_game(dana: User, event: Event) -> None:
    """Five games are closed, the sixth is in play: a tie at the cut, and a Boston for every third winner."""
    teams = list(Team.objects.filter(event=event).order_by("number"))
    for game in range(5):
        winners = [(one, other) if (one + game) % 2 else (other, one) for one, other in halves(len(teams))]
        played_round(event, [(one, other, win(0, 7 if one % 3 == 0 else 5)) for one, other in winners])
    make_round(event, [(teams[one - 1], teams[other - 1]) for one, other in halves(len(teams))], 6)


def bracket(dana: User, event: Event) -> None:
    size = max(2, event.teams.count() // 2)
    played_round(event, [(one, other, win(0, 5 + one % 3, one % 4)) for one, other in halves(event.teams.count())])
    make_cut(Actor(dana), event, size, best_of=1, form=Form(Losers.PLACES, 4) if size > 3 else Form())
    event.refresh_from_db()
    if size > 2:
        play_round(dana, event)
    start_playoff_round(Actor(dana), event)


def parts(dana: User, event: Event) -> None:
    """Two losses for the better half, and a second bracket for six of the others; two rounds of the hall are played."""
    size = max(2, event.teams.count() // 2)
    played_round(event, [(one, other, win(0, 5 + one % 3, one % 4)) for one, other in halves(event.teams.count())])
    form = Form(Losers.DOUBLE, 2, 6, Losers.CONSOLATION) if size > 6 else Form(Losers.DOUBLE)
    make_cut(Actor(dana), event, size, best_of=1, form=form)
    event.refresh_from_db()
    for _ in range(2 if size > 2 else 0):
        play_round(dana, event)
    start_playoff_round(Actor(dana), event)


def podium(dana: User, event: Event) -> None:
    played_round(event, [(one, other, win(0, 5 + one % 3, one % 4)) for one, other in halves(event.teams.count())])
    size = max(2, event.teams.count() // 2)
    make_cut(Actor(dana), event, size, best_of=1, form=Form(Losers.PLACES, 4) if size > 3 else Form())
    event.refresh_from_db()
    for _ in range((size - 1).bit_length()):
        play_round(dana, event)
    finish_event(Actor(dana), event)


def season(dana: User, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(season=Season.objects.create(name="Fall 2026", slug="fall"))
    event.refresh_from_db()
    podium(dana, event)


STATES: dict[str, Callable[[User, Event], None]] = {
    "first game": first_game,
    "last game": last_game,
    "bracket": bracket,
    "parts": parts,
    "podium": podium,
    "season": season,
}


def evening(dana: User, case: Case) -> Event:
    cut = min(8, case.teams // 2 * 2) if case.state in ("first game", "last game") else 0
    event = make_event(director=dana, pot_cents=1000, rounds_planned=6 if cut else 1, cut=cut or None)
    make_teams(event, case.teams)
    name_teams(event, case.names)
    STATES[case.state](dana, event)
    event.refresh_from_db()
    return event


def walk_through(page: Any, event: Event, case: Case, size: tuple[int, int]) -> tuple[dict[str, list[str]], float]:
    """Every slide of the wall: what is wrong on each, and the longest time after which a team is seen again."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/e/{event.slug}/board/")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    count = page.locator("[data-dot]").count()
    wrong: dict[str, list[str]] = {}
    seen: list[str] = []
    for index in range(count):
        look(page, f"wall-{case.teams}-{case.names}-{case.state}-{size[0]}-{index}".replace(" ", "-"))
        if found := page.evaluate(WRONG):
            wrong[f"slide {index + 1} of {count}"] = found
        seen.append(" | ".join(page.evaluate(TEXTS)))
        page.keyboard.press("ArrowRight")
    seconds = min(10, 45 / max(1, count))
    return wrong, seconds * max(_longest_absence(team.name, seen) for team in event.teams.all())


def _longest_absence(name: str, slides: list[str]) -> int:
    """For how many slides on end a team is not seen, until the same slide comes round again."""
    at = [index for index, texts in enumerate(slides) if name in texts]
    if not at:
        return 1000
    return max(later - earlier for earlier, later in zip(at, [*at[1:], at[0] + len(slides)], strict=True))


def check(new_page: Any, dana: User, case: Case, sizes: tuple[tuple[int, int], ...]) -> None:
    event, page, found = evening(dana, case), new_page(sizes[0]), {}
    for size in sizes:
        wrong, absence = walk_through(page, event, case, size)
        if wrong or absence > 45:
            found[size] = (wrong, absence)
    assert found == {}


OFTEN = (
    Case(24, "short", "last game"),
    Case(60, "short", "last game"),
    Case(60, "long", "first game"),
    Case(8, "long", "last game"),
    Case(2, "short", "first game"),
    Case(40, "wide", "last game"),
    Case(24, "long", "bracket"),
    Case(8, "wide", "podium"),
    Case(16, "long", "parts"),
    Case(24, "long", "season"),
)


@pytest.mark.parametrize("case", OFTEN, ids=lambda case: "-".join(map(str, case)))
def test_nothing_on_the_wall_is_cut_or_covered(new_page: Any, dana: User, case: Case) -> None:
    check(new_page, dana, case, SIZES[:1])


@pytest.mark.nightly
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("teams", FIELDS)
def test_every_field_name_and_state_on_every_wall(
    new_page: Any, dana: User, teams: int, names: str, state: str
) -> None:
    check(new_page, dana, Case(teams, names, state), SIZES)
