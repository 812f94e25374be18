"""What everybody may see: schedule, teams, final sheets, pictures and the rules in words."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import condition, require_safe

from tournament import access
from tournament.lists.teams import teams_list
from tournament.models import Game
from tournament.queries.pictures import pictures, share
from tournament.queries.playoffs import shown_finale
from tournament.queries.roster import look_up
from tournament.queries.rules import rulebook, visibility
from tournament.queries.schedule import schedule, team_facts, team_rows
from tournament.queries.sheet import final_sheet, found_by_code
from tournament.queries.standings import shown_standings
from tournament.reports.pictures import share_picture, wide_and_narrow
from tournament.request import Request
from tournament.tables import page_table
from tournament.views.pages import find_event, find_game, public_page


def schedule_page(request: Request, event: str) -> HttpResponse:
    """One round in full; `round` in the address chooses it."""
    found = find_event(request, event, "see-event")
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else None
    plan = schedule(found, visibility(found, request.actor), number)
    context = {"event": found, "tab": "schedule", "plan": plan}
    return public_page(request, "public/schedule.html", "public/_schedule.html", context)


def search(request: Request, event: str) -> HttpResponse:
    """To the page of the one team that was meant; otherwise everybody who is called so, and where they sit now."""
    found = find_event(request, event, "see-event")
    text = request.GET.get("team", "")
    if not text.strip():
        return redirect("teams", found.slug)
    looked = look_up(found, text)
    if len(looked.found) == 1:
        return redirect("team", found.slug, looked.found[0].number)
    return render(request, "public/search.html", {"event": found, "tab": "teams", "looked": looked})


def teams_page(request: Request, event: str) -> HttpResponse:
    """Every team with its players."""
    found = find_event(request, event, "see-event")
    seen = visibility(found, request.actor)
    rows = team_rows(found, shown_standings(found, request.actor), shown_finale(found, seen).places)
    table = page_table(teams_list(found, rows), request)
    return render(request, "public/teams.html", {"event": found, "tab": "teams", "table": table})


def team_page(request: Request, event: str, number: int) -> HttpResponse:
    """Where a team sits next, its games so far, its place and why."""
    found = find_event(request, event, "see-event")
    seen = visibility(found, request.actor)
    facts = team_facts(found, number, shown_standings(found, request.actor), shown_finale(found, seen).places, seen)
    if facts is None:
        raise Http404
    context = {"event": found, "tab": "teams", "team": facts, "seen": seen}
    return public_page(request, "public/team.html", "public/_team.html", context)


def game_page(request: Request, event: str, pk: int) -> HttpResponse:
    """The sheet of a final game."""
    game = find_game(request, event, min(pk, 2**62), "see-event")
    found = game.round.event
    facts = final_sheet(game, visibility(found, request.actor))
    return render(request, "public/game.html", {"event": found, "tab": "schedule", "game": facts, "sheet": facts.sheet})


@require_safe
def by_code(request: Request, code: str) -> HttpResponse:
    """Lead from a printed sheet to its game: an official to the form at the desk, everybody else to the public page."""
    found = found_by_code(code)
    event = found.round.event if isinstance(found, Game) else found
    access.require(request.actor, "see-event", event)
    official = access.may(request.actor, "see-desk", event)
    if isinstance(found, Game):
        return redirect("desk-game" if official else "public-game", event.slug, found.pk)
    return redirect("desk" if official else "standings", event.slug)


def pictures_page(request: Request, event: str) -> HttpResponse:
    """All pictures that may be seen."""
    found = find_event(request, event, "see-event")
    table = shown_standings(found, request.actor)
    drawn = wide_and_narrow(pictures(found, table, visibility(found, request.actor)))
    context = {"event": found, "tab": "pictures", "pictures": drawn, "hidden": table.hidden}
    return render(request, "public/pictures.html", context)


# A correction is seen after five minutes at most; the address in the link's preview changes with the picture.
KEPT = "public, max-age=300"


def _code(request: Request, event: str) -> str:
    return f'"{share(find_event(request, event, "see-event")).code}"'


@condition(etag_func=_code)
def event_picture(request: Request, event: str) -> HttpResponse:
    """The picture as a stranger may see it, whoever asks: an official's link shows no more."""
    found = find_event(request, event, "see-event")
    return HttpResponse(share_picture(share(found)), content_type="image/png", headers={"Cache-Control": KEPT})


def rules_page(request: Request, event: str) -> HttpResponse:
    """The rule sheet with all its options."""
    found = find_event(request, event, "see-event")
    return render(request, "public/rules.html", {"event": found, "tab": "rules", "book": rulebook(found)})
