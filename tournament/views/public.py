"""What everybody may see: standings, schedule, teams, final sheets, pictures, rules and the projector."""

from __future__ import annotations

import re
from dataclasses import replace

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.http import condition, conditional_page, require_POST, require_safe

from tournament import access
from tournament.access import NOBODY
from tournament.errors import ValidationFailed
from tournament.forms.desk import BoardForm, WordForm
from tournament.lists.standings import cross_table, places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.models import Event, Game
from tournament.queries.decisions import with_holds
from tournament.queries.events import shown_state
from tournament.queries.outlook import Field, hall_outlook
from tournament.queries.pictures import pictures, share
from tournament.queries.playoffs import shown_finale
from tournament.queries.pot import pot
from tournament.queries.projector import board
from tournament.queries.roster import look_up, player_names, team_facts
from tournament.queries.rules import hall_notice, rulebook, visibility
from tournament.queries.schedule import schedule
from tournament.queries.sheet import found_by_code, game_sheet, why_hidden, with_sheet
from tournament.queries.standings import Standings, shown_standings
from tournament.reports.pictures import share_picture, wide_and_narrow
from tournament.request import Request
from tournament.services.events import show_on_board, tell_hall
from tournament.site.cache import answers
from tournament.tables import page_table
from tournament.views.pages import done, find_event, in_event, on_game, or_entry_page, page_or_part, public_page
from tournament.words.phrases import BOARD_SECTIONS

# Search words.
LONGEST = 60
# A correction is visible after five minutes at most; the address in the link's preview changes with the picture.
KEPT = "public, max-age=300"

# Where an installed site may open: the front page, an event, the tablet's table.
STARTS = re.compile(r"/(?:e/[-\w]+/(?:[-\w]+/)*|t/table/)?")


@require_safe
def manifest(request: Request) -> HttpResponse:
    """What a phone or a tablet needs to install the site as an app that opens at this page."""
    asked = request.GET.get("start", "/")
    start, icon = asked if STARTS.fullmatch(asked) else "/", static("tournament/icon.svg")
    event = re.fullmatch(r"(/e/[-\w]+/).*", start)
    start = event[1] if event else start
    touch = {"src": static("tournament/touch.png"), "sizes": "180x180", "type": "image/png"}
    icons = [{"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}, touch]
    facts = {"name": settings.CLUB or "Uptown", "start_url": start, "id": start, "scope": "/", "icons": icons}
    colors = {"background_color": "#fbf8f1", "theme_color": "#0f5b46"}
    answer = JsonResponse(facts | colors | {"display": "standalone"}, content_type="application/manifest+json")
    answer["Cache-Control"] = KEPT
    return answer


# What everybody may see: schedule, teams, final sheets, pictures and the rules in words.


@in_event("see-event")
def schedule_page(request: Request, event: Event) -> HttpResponse:
    """One round in full; `round` in the address chooses it."""
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else None
    rounds, card = schedule(event, visibility(event, request.actor), number)
    card = next(iter(with_holds(event, [card] if card else [])), None)
    # A visitor who chose no game follows the evening.
    chosen = card if card and number == card.number else None
    context = {"event": event, "tab": "schedule", "stops": rounds, "card": card, "chosen": chosen}
    if card and (chosen is None or card.state == "running"):
        context["outlook"] = hall_outlook(event, Field(rounds, card.sitting, card.tables), timezone.now())
    return public_page(request, "public/schedule.html", "public/_schedule.html", context)


@in_event("see-event")
def search(request: Request, event: Event) -> HttpResponse:
    """Redirect to the page of the only team found; otherwise list every match, and where they sit now.

    An open page stays with its search, even if one team is left in it.
    """
    text = " ".join(request.GET.get("team", "").split())[:LONGEST]
    if not text:
        return redirect("teams", event.slug)
    teams = look_up(event, text, whole=access.may(request.actor, "see-desk", event))
    if len(teams) == 1 and not request.htmx:
        return redirect("team", event.slug, teams[0].number)
    context = {"event": event, "tab": "teams", "text": text, "teams": teams}
    return public_page(request, "public/search.html", "public/_search.html", context)


@in_event("see-event")
def teams_page(request: Request, event: Event) -> HttpResponse:
    """Every team with its players."""
    seen = visibility(event, request.actor)
    standing = shown_standings(event, request.actor)
    places = shown_finale(event, seen).places.lines or (standing.lines if standing.books.counted else ())
    labels = {line.number: line.label for line in places}
    listing = teams_list(event, standing.books.teams, player_names(event), labels)
    context = {"event": event, "tab": "teams", "table": page_table(listing, request)}
    return public_page(request, "public/teams.html", "public/_teams.html", context)


@in_event("see-event")
def team_page(request: Request, event: Event, number: int) -> HttpResponse:
    """Where a team sits next, its games so far, its place and why."""
    seen = visibility(event, request.actor)
    facts = team_facts(event, number, shown_standings(event, request.actor), shown_finale(event, seen).places, seen)
    if facts is None:
        raise Http404
    context = {"event": event, "tab": "teams", "team": facts.team, "facts": facts, "seen": seen}
    return public_page(request, "public/team.html", "public/_team.html", context)


@conditional_page
@on_game("see-event")
def game_page(request: Request, game: Game) -> HttpResponse:
    """The sheet of a final game."""
    game, event = with_sheet(game), game.round.event
    hidden = why_hidden(game, visibility(event, request.actor))
    context = {"event": event, "tab": "schedule", "game": game, "hidden": hidden}
    context["sheet"] = None if hidden else game_sheet(game)
    return public_page(request, "public/game.html", "public/_game.html", context)


@require_safe
def by_code(request: Request, code: str) -> HttpResponse:
    """Redirect from a printed sheet to its game: an official to the form at the desk, others to the public page."""
    printed = found_by_code(code)
    event = printed.round.event if isinstance(printed, Game) else printed
    access.require(request.actor, "see-event", event)
    official = access.may(request.actor, "see-desk", event)
    if isinstance(printed, Game):
        return redirect("desk-game" if official else "public-game", event.slug, printed.pk)
    return redirect("desk" if official else "standings", event.slug)


@in_event("see-event")
def pictures_page(request: Request, event: Event) -> HttpResponse:
    """All pictures that may be seen."""
    table = shown_standings(event, request.actor)
    drawn = wide_and_narrow(pictures(event, table, visibility(event, request.actor)))
    context = {"event": event, "tab": "pictures", "pictures": drawn, "hidden": table.hidden}
    return public_page(request, "public/pictures.html", "public/_pictures.html", context)


def _code(request: Request, slug: str) -> str:
    return f'"{share(find_event(request, slug, "see-event")).code}"'


@condition(etag_func=_code)
@in_event("see-event")
def event_picture(request: Request, event: Event) -> HttpResponse:
    """The picture as a stranger may see it, whoever asks: an official's link shows no more."""
    shown = share(event)
    # Signing a game does not change the picture: it is drawn again only if its content differs.
    picture = answers.get(("share-picture", shown.code), lambda: share_picture(shown))
    return HttpResponse(picture, content_type="image/png", headers={"Cache-Control": KEPT})


@in_event("see-event")
def rules_page(request: Request, event: Event) -> HttpResponse:
    """The rule sheet with all its options."""
    return render(request, "public/rules.html", {"event": event, "tab": "rules", "book": rulebook(event)})


# The standings: the front page of an event, the desk's own, and the hall's projector.


@or_entry_page
@in_event("see-event")
def standings_page(request: Request, event: Event) -> HttpResponse:
    """The standings with every tie explained."""
    context = _context(request, event, shown_standings(event, request.actor))
    return public_page(request, "public/standings.html", "public/_standings.html", context)


@in_event("see-event")
def cross_page(request: Request, event: Event) -> HttpResponse:
    """Whom each team met in each game, with the result."""
    table = page_table(cross_table(event, shown_standings(event, request.actor)), request)
    context = {"event": event, "tab": "standings", "table": table}
    return public_page(request, "public/cross_table.html", "public/_cross_table.html", context)


def _context(request: Request, event: Event, table: Standings) -> dict[str, object]:
    seen = visibility(event, request.actor)
    stakes, end = pot(event, seen, table.books), shown_finale(event, seen)
    places = places_list(event, end)
    return {
        "event": event,
        "season": event.season,
        "tab": "standings",
        "standings": table,
        "table": page_table(standings_list(event, table), request),
        "finale": end,
        "places": page_table(places, request, prefix="place-", orderable=False) if end.exists else None,
        "pot": stakes,
        "outlook": hall_outlook(event, Field(table.books.rounds, table.books.playing), timezone.now()),
        "share": share(event, len(table.books.teams)),
    }


@in_event("see-desk", polled=True)
def desk_standings(request: Request, event: Event) -> HttpResponse:
    """The standings with every tie explained, with whole names, and what the public sees of them now."""
    table = shown_standings(event, request.actor)
    names = {team.number: team.full_name for team in table.books.teams}
    table = replace(table, lines=tuple(replace(line, team=names[line.number]) for line in table.lines))
    if request.htmx and request.GET.get("code") == table.code:
        return HttpResponse(status=204)
    context = {
        "event": event,
        "tab": "standings",
        "standings": table,
        "table": page_table(standings_list(event, table), request),
        "notice": hall_notice(event),
        "word": WordForm(),
        "board_sections": BOARD_SECTIONS.items() if access.may(request.actor, "run-rounds", event) else (),
    }
    return page_or_part(request, "desk/standings.html", "desk/_standings.html", context)


@in_event("see-event")
def board_page(request: Request, event: Event) -> HttpResponse:
    """What the whole hall may see, whoever opened it: an official's laptop shows no more than a stranger's."""
    facts = board(event, shown_standings(event, NOBODY), visibility(event, NOBODY))
    context = {"event": event, "board": facts}
    return public_page(
        request, "board/board.html", "board/_board.html", context, headed=False, state=shown_state(event)
    )


@require_POST
@in_event("run-rounds")
def hall_word(request: Request, event: Event) -> HttpResponse:
    """A line to projector, tablets and phones for a while."""
    form = WordForm(request.POST)
    if not form.is_valid():
        raise ValidationFailed("Type a line of at most 80 letters, and choose how long it is shown.")
    word = tell_hall(request.actor, event, **form.cleaned_data).word
    return done(request, f"The hall reads: {word}" if word else "The line is removed.", "desk-standings", event.slug)


@require_POST
@in_event("run-rounds")
def board_section(request: Request, event: Event) -> HttpResponse:
    """Set what the board shows; it asks by itself every few seconds."""
    form = BoardForm(request.POST)
    if not form.is_valid():
        raise ValidationFailed("Choose what the projector shows.")
    shown = show_on_board(request.actor, event, form.cleaned_data["shows"])
    return done(request, f"On the projector: {shown.get_board_shows_display().lower()}.", "desk-standings", event.slug)
