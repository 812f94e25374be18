"""The bracket on paper in every form, read back from the file: each part with its matches, keys, byes, and ways on."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournament.reports.audit import faults_of, pages_of
from tests.tournament.reports.evenings import on_paper, pdf_pages
from tests.tournament.results.evenings import bracket_of
from tests.tournament.results.test_playoff_forms import with_others
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.models import Event
from tournament.pairing.bracket import Form, Losers
from tournament.queries.bracket_facts import BracketFacts
from tournament.reports.pdf.bracket import draw_bracket
from tournament.words.texts import name_key

FORMS = {
    "out": Form(),
    "third": Form(Losers.PLACES, 4),
    "places": Form(Losers.PLACES, 16),
    "consolation": Form(Losers.CONSOLATION, 2),
    "consolation-third": Form(Losers.CONSOLATION, 4),
    "double": Form(Losers.DOUBLE),
    "one-final": Form(Losers.ONE_FINAL),
}


def not_on_paper(event: Event) -> list[str]:
    """What of the bracket is not printed, or printed badly."""
    drawn = bracket_of(event)
    content = on_paper(draw_bracket, event, drawn)
    faults = [str(fault) for page in pages_of(content) for fault in faults_of(page)]
    text = " ".join(" ".join(pdf_pages(content)).split())
    return faults + [words for words in expected(drawn) if words not in text]


def expected(drawn: BracketFacts) -> list[str]:
    words = [match.key for match in drawn.matches]
    words += [match.to for match in drawn.matches if match.state != "decided"]
    words += [match.title for match in drawn.matches]
    if not drawn.has_one_section:
        for section in drawn.sections:
            title = section.part.title
            words.append(f"Columbus Open: {title[:1].lower()}{title[1:]}")
    for part in drawn.parts:
        byes = [cell.bye for column in part.columns for cell in column.cells if cell.bye]
        words += [f"{bye.name} · bye" for bye in byes]
    return words


@pytest.mark.parametrize("size", [5, 8, pytest.param(12, marks=pytest.mark.nightly), 16])
@pytest.mark.parametrize("form", FORMS)
def test_every_part_is_printed_with_its_matches_and_byes(dana: User, form: str, size: int) -> None:
    assert not_on_paper(seeded(dana, size, form=FORMS[form])) == []


@pytest.mark.parametrize("form", ["places", "consolation", "double"])
def test_names_of_forty_letters_are_whole_in_every_part(dana: User, form: str) -> None:
    event = seeded(dana, 12, form=FORMS[form])
    for team in event.teams.all():
        team.name = f"Gorgeously Lucky Jugglers of Harbor {team.number:02}"
        team.key = name_key(team.name)
        team.save()
    event.public_version += 1
    event.save()
    play_round(dana, event)
    content = on_paper(draw_bracket, event, bracket_of(event))
    assert [str(fault) for page in pages_of(content) for fault in faults_of(page)] == []


@pytest.mark.parametrize(
    ("teams", "form"),
    [(14, Form(Losers.PLACES, 8, 6)), (19, Form(Losers.PLACES, 8, 11, Losers.CONSOLATION))],
    ids=["second-of-6", "second-of-11-with-consolation"],
)
def test_a_second_bracket_is_printed_like_the_first(dana: User, teams: int, form: Form) -> None:
    assert not_on_paper(with_others(dana, teams, 8, form)) == []


def test_final_of_two_losses_says_what_either_side_needs(dana: User) -> None:
    event = seeded(dana, 4, form=FORMS["double"])
    text = " ".join(" ".join(pdf_pages(on_paper(draw_bracket, event, bracket_of(event)))).split())
    assert "Who wins the winners’ bracket needs one game here, the other side two." in text
