"""What a tablet is sent ahead, made by the same templates as the page.

What each next hand would come to, the forms of the hands to come, and, while nobody has written a line, the page
itself, whoever is named as first dealer.
"""

from __future__ import annotations

import re
from dataclasses import asdict, astuple, replace
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from tournament.queries.outcomes import ahead_key, coming_sheets, limits, outcomes
from tournament.queries.sheet import sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import DEALER, PLAY, TabletPage, TabletPlace, tablet_page


def nothing_ahead() -> dict[str, Any]:
    """There is no game."""
    return {"game": None, "key": "", "outcomes": {}, "limits": None, "lines": [], "forms": [], "parts": {}}


def sent_ahead(place: TabletPlace) -> dict[str, Any]:
    """Everything for the game in play. Forms and parts are runs of `lines`: they have most of them in common."""
    page = tablet_page(place)
    assert page.sheet is not None
    loaded = sheet_games().get(pk=page.sheet.pk)
    found = {key: astuple(one) for key, one in outcomes(loaded).items()}
    lines: dict[str, int] = {}
    forms = [_runs(_form(sheet, page.sheet.unbegun), lines) for sheet in coming_sheets(loaded)]
    parts = (
        {phase: _runs(_part(page, page.sheet, phase), lines) for phase in (DEALER, PLAY)} if page.sheet.unbegun else {}
    )
    about = {"game": page.sheet.pk, "key": ahead_key(page), "outcomes": found, "limits": asdict(limits(loaded))}
    return about | {"lines": list(lines), "forms": forms, "parts": parts}


def _form(sheet: GameSheet, whoever_deals: bool) -> str:
    entry, preview = reverse("tablet-entry", args=[sheet.pk]), reverse("tablet-preview", args=[sheet.pk])
    context = {"sheet": sheet, "entry_action": entry, "preview_action": preview, "entry_target": "#table"}
    context |= {"position": sheet.next_position, "client_key": "", "values": {}, "faults": (), "ahead": whoever_deals}
    return render_to_string("components/entry_form.html", context)


def _part(page: TabletPage, sheet: GameSheet, phase: str) -> str:
    context = {
        "page": replace(page, phase=phase),
        "sheet": sheet,
        "position": sheet.next_position,
        "faults": (),
        "ahead": True,
    }
    return render_to_string("tablet/_stage.html", context)


def _runs(html: str, lines: dict[str, int]) -> list[list[int]]:
    """A page as the numbers of its lines, from where to where; a line that is not known yet is added."""
    runs: list[list[int]] = []
    for text in _texts(html):
        at = lines.setdefault(text, len(lines))
        if runs and runs[-1][1] == at:
            runs[-1][1] += 1
        else:
            runs.append([at, at + 1])
    return runs


def _texts(html: str) -> list[str]:
    """The page broken where a block begins: a button is one text, whatever lines its template has."""
    lines = (line.strip() for line in html.splitlines())
    return re.split(r'\n(?=<(?!/?(?:input type="radio|kbd|small|span(?! hidden))))', "\n".join(filter(None, lines)))
