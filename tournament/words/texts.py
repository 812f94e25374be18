"""Names as people type them: cleaned, compared as people read them, refused if they could deceive."""

from __future__ import annotations

import re
import unicodedata

from tournament.words.characters import unprintable

LONGEST_NAME = 40
# The desk's own note about a team.
NOTE_LONG = 120
# “Jr.” after a name is not part of the surname.
SUFFIX = re.compile(r"(?:[\s,]+(?:jr|sr|ii|iii|iv)\.?)+$", re.IGNORECASE)
# Joiners are needed inside words of some scripts; every other invisible character is refused.
JOINERS = {"\u200c", "\u200d"}
# A joiner that joins nothing: at an end of a word, or next to a letter of an alphabet without joined forms.
JOINS_NOTHING = re.compile("(?<![^\\s\u0000-\u052f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\\s\u0000-\u052f])")
MOST_ACCENTS = 4
# Letters that look like a Latin letter with a mark but are not, and apostrophes, which people may omit.
PLAIN_LETTERS = str.maketrans("øłđħı", "oldhi", "'’‘`´")
# Letters of Cyrillic and Greek that look like a Latin one, folded to lowercase first.
LOOK_ALIKES = str.maketrans("авекмнорстухіјѕԁһԛԝѵαεηικμνορτυχϲ", "abekmhopctyxijsdhqwvaenikmvoptuxc")

# What the program itself writes if a name is hidden, was deleted, or would reveal who plays.
PLACEHOLDERS = re.compile(r"a player|a team|(player|team) \d{1,4}")


class Refused(ValueError):
    """A text that is refused, with the reason as a sentence."""


def clean_name(text: str, *, longest: int = LONGEST_NAME, free: bool = False) -> str:
    """The text in composed form with single spaces.

    Raises Refused for characters that are invisible or cannot be printed, and for empty and too long names. The name of
    a player or a team also needs a letter or digit, and must not be one that the program gives; `free` is for texts
    that name nobody, or were stored before.
    """
    composed = unicodedata.normalize("NFC", JOINS_NOTHING.sub("", text.replace("\t", " ")))
    for character in composed:
        if unicodedata.category(character) in {"Cc", "Cs", "Co", "Cn", "Cf", "Zl", "Zp"} and character not in JOINERS:
            raise Refused(f"The character U+{ord(character):04X} cannot be used in a name.")
    if lost := unprintable("".join(composed.split())):
        words = ", ".join(f"“{character}” (U+{ord(character):04X})" for character in lost[:5])
        raise Refused(f"This cannot be printed: {words}. Please write the name in letters that paper can show.")
    cleaned = " ".join(composed.split())
    kinds = "".join(unicodedata.category(character)[0] for character in cleaned)
    if "M" * (MOST_ACCENTS + 1) in kinds:
        raise Refused(f"At most {MOST_ACCENTS} accents are possible on one letter.")
    if not kinds.strip("MCZ"):
        raise Refused("A name is needed.")
    if len(cleaned) > longest:
        raise Refused(f"At most {longest} characters: this has {len(cleaned)}.")
    if not free and not {"L", "N"} & {*kinds}:
        raise Refused(f"“{cleaned}” has no letter and no digit. Please write a name.")
    if not free and is_placeholder(cleaned):
        raise Refused(f"“{cleaned}” is shown in place of a hidden or deleted name. Please write another name.")
    return cleaned


def is_placeholder(name: str) -> bool:
    """Whether this is the replacement for a hidden or deleted name, and names nobody."""
    return PLACEHOLDERS.fullmatch(name_key(name)) is not None


def name_key(text: str) -> str:
    """The common key of two names that look the same: ignoring case, width, accents' spelling, joiners, alphabet."""
    if text.isascii():
        # Nearly every name: only the case needs folding.
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(
        "".join(character for character in folded if character not in JOINERS).translate(LOOK_ALIKES).split()
    )


def by_alphabet(text: str) -> str:
    """The sort key of names: as in a phone book, ignoring capitals and accents.

    Databases sort text by different rules of their own, so lists of names are sorted here.
    """
    return " ".join(without_accents(text).split())


def without_accents(text: str) -> str:
    """The text in lowercase without accents and apostrophes."""
    bare = text.casefold().translate(PLAIN_LETTERS)
    if bare.isascii():
        return bare
    apart = unicodedata.normalize("NFKD", bare)
    return "".join(character for character in apart if unicodedata.category(character) != "Mn")


def near_key(text: str) -> str:
    """The common key of names that may be one human's: the key without accents, order, and “Jr.”.

    “Nuñez, José” and “Jose Nunez Jr.” are near each other. It suggests who may be meant and never decides it.
    """
    bare = without_accents(text)
    surname, _, first = SUFFIX.sub("", bare).partition(",")
    words = re.findall(r"\w+", name_key(f"{first} {SUFFIX.sub('', surname)}"))
    numbers = re.findall(r"\b\d+\b", bare)
    if not numbers:
        return " ".join(sorted(words))
    # Numbers distinguish players without other names: “Team 1 2” is not “Team 2 1”.
    letters = sorted(word for word in words if not word.isdecimal())
    return " ".join([*letters, *numbers])


def mixed_letters(text: str) -> str:
    """A letter of another alphabet in a Latin word, which may deceive; empty if there is none."""
    words = [word for word in text.split() if re.search("[A-Za-z]", word)]
    return next(
        (letter for word in words for letter in word if letter.casefold().translate(LOOK_ALIKES) != letter.casefold()),
        "",
    )
