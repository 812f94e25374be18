"""The rules of an event on the wall: the options that the club chose, the sheet in sentences, and possible rulings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from reportlab.platypus import Flowable

from tournament.models import Event
from tournament.queries.rules import Rulebook, RulingWords
from tournament.reports.pdf.colors import MUTED
from tournament.reports.pdf.flowing import Gap, Text, Words, draw_largest, heading
from tournament.reports.pdf.lettering import PLAIN
from tournament.reports.pdf.paper import Papers
from tournament.words.phrases import clause

# People read this while standing: the largest size at which the rules take at most MOST_PAGES, or else the smallest.
SIZES, MOST_PAGES = (17.0, 16.0, 15.0, 14.0, 13.0), 3
# If a title ends with one of ENDS, or its words begin with one of BEGINS, title and words are a sentence.
ENDS = frozenset(
    "is are by gives first least scores score costs adds add at after lasts loses win wins decides until every only "
    "than exchange has counts made before number begins pays pay paid be agrees around seen led".split()
)
BEGINS = frozenset(
    "is are must may gives goes counts count scores score outranks plays play loses lose wins pays pay adds help do "
    "does change grow has have means mean can cannot as like by".split()
)
NOTHING = ("none: ", "nothing: ", "any number: ", "no score: ")


def said(before: str, words: str) -> str:
    """An option as a sentence: its title and its words, joined by a colon if they are not a sentence without one."""
    title = before.rstrip(":,")
    for nothing in NOTHING:
        if words.startswith(nothing):
            return f"{title}: {nothing.removesuffix(': ')} ({words.removeprefix(nothing)})."
    last, first = (text.strip(",").lower() for text in (title.split()[-1], words.split()[0]))
    if not before.endswith(":") and (last in ENDS or first in BEGINS):
        return f"{title} {words}."
    return f"{title}{' –' if ':' in title else ':'} {words}."


def draw_rules(papers: Papers, event: Event, book: Rulebook) -> None:
    """Draw the rules in the largest type that they may have."""
    draw_largest(papers, event, (partial(_story, event, book, size) for size in SIZES), MOST_PAGES)


def _story(event: Event, book: Rulebook, size: float) -> list[Flowable]:
    story = [*heading(f"{event.name}: rules", size + 8), Words(book.title, Text(PLAIN, size, color=MUTED))]
    for title, sentences in _sections(book):
        story += heading(title, size + 3)
        for lead, text in sentences:
            story += [Words(text, Text(PLAIN, size), lead=lead), Gap(1, size * 0.3)]
    return story


def _sections(book: Rulebook) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The sections of the page, each with its title and its sentences, which may begin in bold."""
    options = [option for _, group in book.groups for option in group]
    chosen = [("", said(option.title, option.words)) for option in options if option.changed]
    if chosen:
        yield "Chosen by the club", chosen
    for stage, own in book.stages:
        yield f"{stage}: what is different", [("", said(option.title, option.words)) for option in own]
    for title, group in book.groups:
        printed = [("", said(option.title, option.words)) for option in group if not option.changed]
        if printed:
            yield title, printed
    table = _at_table(book)
    if table:
        yield "At the table", table
    if book.rulings:
        yield "What the director may rule", [_ruling_in_sentences(ruling) for ruling in book.rulings]


def _at_table(book: Rulebook) -> list[tuple[str, str]]:
    """The directions that a bidder may name, if the game has any, and when the cards are dealt again."""
    sentences = []
    if book.directions:
        sentences.append(("Directions a bidder may name:", f"{', '.join(book.directions)}."))
    sentences += [("", f"Dealt again: {words}.") for words in book.voids]
    return sentences


def _ruling_in_sentences(ruling: RulingWords) -> tuple[str, str]:
    """The clause of the game's rules in bold, if it has a number; then the case, and each choice of the director."""
    clause_in_bold = f"{clause(ruling.rule).capitalize()}." if ruling.rule[:1].isdigit() else ""
    choices = " ".join(f"{choice}." for choice in ruling.choices)
    return clause_in_bold, f"{ruling.when}. {choices}"
