"""The words that people read contain nothing that an American card club would not say."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from tests.sentences import Sentence, python_texts, script_texts, sentences, template_texts

# A round of play is a game; event files, which have their own words, name their key.
PLAYED = r"(?<!goes )(?<!\.)(?<!First )(?<!first )(?<!ayoff )(?<!osers’ )\b[Rr]ounds?\b(?! robin| of (…|bidding))"
FILES = "tournament/archive/"

# Each with what is said instead.
REFUSED = {
    r"\banew\b": "again",
    r"\ball the same\b": "anyway",
    r"\bwhosoever\b": "who",
    r"\b[Ll]ook(ed)? it through\b": "check the list",
    r"\b[Nn]eeds you\b": "to do",
    r"\b[Rr]ule on it\b": "make a ruling",
    r"\bbackwards\b": "went out the back door, fell to −5",
    r"\bBoards \(": "score workbook: a board is a bid",
    r"\b[Pp]rovisional": "not yet confirmed",
    r"\bto mend\b": "to fix",
    r"\bturns? (it|the .*) out\b": "disconnects",
    r"\bhow it stands\b": "the score",
    r"\b[Ee]ach against each\b": "round robin",
    r"\b[Nn]o Bid\b": "No bid",
    r"\bset twice running\b": "two sets in a row",
    r"\bof no value\b": "do not count",
    r"\bworks? no more\b": "no longer works",
    r"\b[Ww]hoever (bid|gets|is|share|wants)\b": "those who, to be sure",
    r"\b[Cc]ome along\b": "are included",
    r"\bfit together\b": "wrong name or password",
    r"^(Go on|Do it|OK|Get it)$": "what the button does",
    r"\bnought\b": "zero",
    r"\b[Ll]evel at\b|\b(is|are|them) level\b": "tied",
    r"\bstands? (here |there )?twice\b": "is there twice",
    r"\bas it stands\b": "as it is",
    r"\b[Pp]inned\b": "fixed",
    r"\b[Ww]hoever\b": "who, those who",
    r"\bany more\b": "no longer",
    r"\bEmpty: ": "leave empty for",
    r"(?<!here )\bis no (?!longer\b|more than\b|larger\b)[a-zA-Z]+": "is not a",
    r"\bless than nothing\b": "below zero",
    r"\bholds? no office\b": "is no longer an official",
    r"\b[Tt]ablet bound\b": "tablet set up, tablet in use",
    r"… has (left|withdrawn|paid)\b": "already withdrawn: the name, which may be a plural",
    r"\bis what people read\b": "people read it",
    r"\bno longer there\b": "was drawn again, was deleted",
    r"^(These boards|On the board)\b": "score workbook, projector",
    r"\b(is|are) the most\b": "the limit is",
    r"\bcannot be (so|said)\b": "fix, is not allowed",
    r"\bby now\b": "already, now",
    r"\b[Bb]egin (it )?again\b": "start over",
    r"\bof this name\b": "with this name",
    r", say\.": "for example",
    r"\bset-up\b": "setup",
    r"\bgave the game\b|\bgame (is |was )?given\b": "awarded",
    r"^(Sum|Office|Pictures|Goes on)$": "amount, role, charts, advances",
    r"\b[Pp]ut both out\b": "eliminate both",
    r"… (is back in play|gets another bye|is at no table|owes|leads\.)": "the name at the end: it may be a plural",
    r"\bwas another day\b|\bof another day\b": "on another day",
    r"\b[Cc]arry the evening over\b": "move",
    r"\b[Cc]arr(y|ied) on\b": "continue, continued",
    r"\b[Pp]rogram failed\b": "a program error stopped it",
    r"\bso many times\b": "multiplied by",
    r"\baddress of the internet\b": "internet address",
    r"\bby its own means\b": "with its own tools",
    r"\byou may not do this\b": "you are not allowed to do this",
    r"\btoo much for one line\b": "left over",
    r"^Left empty\b": "if left empty",
    r"\bcounts? for nothing\b": "does not count",
    r"(?i)\bin one breath\b|\bas ever\b|\bits kin\b": "both, as always, those like it",
    r"\b[Nn]o (printed )?prices?\b(?! of its own)": "no penalty",
    r"\bdismiss(es|ed)?\b": "remove",
    r"\b[Tt]aken? over .*\b(game|sheet|hall|file)": "imported",
    r"\b[Ee]mpty means\b": "if left empty",
    r"\b[Ss]core board\b": "score sheet, score workbook",
    r"\b(is|are) recorded\.$|^Recorded\.": "saved",
    r"\bno longer stands\b|\bstands again\b": "no longer counts, counts again",
    r"\b([Ss]emi|[Qq]uarter)-final": "semifinal, quarterfinal",
    r"\b([Oo]ther|[Bb]oth) teams\b|\bteams here\b": "sides, others, names: single players are not teams",
    r"\b[Ee]veryone plays everyone\b|\b[Aa]ll-play-all\b": "round robin",
    r"^(Charts|The evening|Given out|In hand)$": "Stats, Highlights, Paid out, Cash on hand",
    r"\bseed, if\b|\bdraw(ing of)? lots\b|\bLots (are|drawn|for the)\b": "draw for it, the number to draw with",
    r"^(Take them back|Seated … Take it back)$": "Undo; “Take it back” is right for money",
    r"\bpot\b.*\bgiven out\b": "paid",
    PLAYED: "game: a round is one of the bidding, of the playoffs or of a round robin",
}


@pytest.fixture(scope="module")
def said() -> list[Sentence]:
    return sentences()


def test_refused_words_stand_on_no_screen(said: list[Sentence]) -> None:
    read = {(sentence.path.partition("/")[0], sentence.path.rpartition(".")[2]) for sentence in said}
    places = {("templates", "html"), ("scoring", "py"), ("tournament", "py"), ("tournament", "js")}
    assert read == places, f"Sentences are read from these places alone; mend how they are found: {read ^ places}"
    refused = [
        f"{sentence.path}:{sentence.line}: “{sentence.text}”: write “{better}”"
        for words, better in REFUSED.items()
        for sentence in said
        if re.search(words, sentence.text) and not (words == PLAYED and sentence.path.startswith(FILES))
    ]
    assert not refused, "People do not say it so:\n" + "\n".join(refused)


def test_texts_are_what_a_person_reads() -> None:
    page = '<p title="Look">A <b>hand</b>\n{# no #}{% if x %}won{% else %}lost{% endif %} {{ it }}</p><input value="x">'
    page += '{{ why|default:"not known yet" }}{% include "a.html" with label="Score of" %}{{ at|date:"F j, Y" }}'
    module = '"""Doc."""\nWORDS = f"The {side} won."\nKEY = "side_key"\nSQL = "SELECT one"\n'
    script = '// a comment "not read"\nsay(`Line ${line}: void hand`, "data-x");\n'
    assert list(chain(template_texts(page), python_texts(module), script_texts(script))) == [
        (1, "Look"),
        (1, "A hand won | lost …"),
        (2, "not known yet"),
        (2, "Score of"),
        (2, "The … won."),
        (2, "Line …: void hand"),
    ]
