"""Recognize texts of a list that are not names: yes or no, a sum, an address, a date, an open seat."""

from __future__ import annotations

import re

# A player who is still to be named.
NOBODY = re.compile(
    r"(?!#)\W*(?:tb[acd]|n ?/? ?a|none|nobody|unknown|(?:needs?|looking for|no|seeking)(?: an?)? (?:partner|player)\b.*"
    r"|\?+|partner (?:needed|wanted|tb[acd])|pending|open|x{2,}|to be (?:announced|determined|decided))\W*|\W*\?\W*",
    re.IGNORECASE,
)
# What a name looks like, and what is never one.

# Texts that are never a name, and what a spreadsheet turns names into.
NEVER = {
    "an email address": re.compile(r"\S+@\S+\.\w+"),
    "a web address": re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE),
    "a date with a time": re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ T]+\d{1,2}:\d\d.*"),
    "a date": re.compile(r"\d{4}-\d\d-\d\d"),
    "a time": re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?", re.IGNORECASE),
    "a phone number": re.compile(r"\+?(?:\d[ .()/-]*){9,14}\d|\(\d{3}\) ?\d{3}-\d{4}|\d{3}[-.]\d{4}"),
    "a spreadsheet error": re.compile(r"#(?:N/A|REF!|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|SPILL!|####+)"),
}
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
CHANGED = re.compile(
    rf"\d{{1,2}}-(?:{MONTHS})|(?:{MONTHS})-\d{{1,2}}|\d+(?:\.\d+)?E\+?\d+|\d{{1,2}}[./]\d{{1,2}}(?:[./]\d{{2,4}})?",
    re.IGNORECASE,
)
# What looks odd in the name of a player or a team, and the question that it leads to.
ODD = {
    "player": re.compile(
        r".*(?:[/&;|?!=:*@<>]|\s[-–—]+\s|,(?! *(?:jr|sr|ii|iii|iv)\b)|\b\d+\b)"
        r"|(?:me|subs?|guest|plus one|myself|partner)$|(?-i:my|his|her|their|our|the|a) .*$|\W*\w\W*$"
        r"|(?:(?:my|his|her) )?(?:wife|husband|spouse|sister|brother|son|daughter|cousin|friend|mom|dad)$"
        r"|(?-i:[a-z])\S*(?: \S+){2,}$|(?:\S+ ){5}"
        r"|.*\s(?-i:NEW|SUB|OUT|LATE|GUEST|SCRATCHED|SCR|WD|PAID|PD|CXL|ROOKIE|VIP|DROPPED|CANCELL?ED)$",
        re.IGNORECASE,
    ),
    "name": re.compile(
        rf".*:$|(?:\S+\s+){{7}}|(?:\S+\s+){{4,}}\S+[.!?]+$|[a-z]\S*(?:\s+\S+){{3}}|(?i:{NOBODY.pattern})$"
        # “Ann Lee +1”, “Ann Lee and friend”.
        r"|.*(?i:\+ ?1|\b(?:plus|and|with|&) (?:(?:a|one|1|his|her|my) )*(?:one|1|guest|friend|partner|wife|husband))$"
    ),
}
NO_TOWN = re.compile(r"\b(?:I|I[’']m|we|we[’']re|me|us|you|please|thanks?|yes|no)\b|[!?]", re.IGNORECASE)
# Pictures around a name are not part of it.
PICTURES = re.compile("[\\s\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+$")

PICTURES_BEFORE = re.compile("^[\\s\u2190-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]+")
# How a line that is crossed out begins: “❌ Ann & Bo”, “~~Ann & Bo~~”.
STRUCK = re.compile(".*[❌✖✗✘🚫⛔]\\s*$|\\s*(?:[❌✖✗✘🚫⛔]|~~.*~~\\s*$|--+\\s*~~)")


def doubt_of(column: str, text: str) -> str:
    """The question about a name, a player or a town; nothing if it looks like one."""
    if CHANGED.fullmatch(text) or (column == "name" and text.isdecimal()):
        return f"did a spreadsheet turn what was typed into “{text}”?"
    if column == "city":
        return f"is “{text}” a town?" if not text[0].isupper() or NO_TOWN.search(text) else ""
    question = f"is “{text}” a player?" if column == "player" else "is this a team?"
    is_odd = bool(ODD[column].match(text)) or (column == "player" and is_mark(text))
    return question if is_odd else ""


def never_of(text: str) -> str:
    """The kind of a text that is never a name; nothing if it may be a name."""
    return next((words for words, pattern in NEVER.items() if pattern.fullmatch(text)), "")


def cell_name(column: int, row: int) -> str:
    """Name a cell as a spreadsheet does: columns count from zero, rows from one; lists have fewer than 700 columns."""
    return ("" if column < 26 else chr(64 + column // 26)) + chr(65 + column % 26) + str(row)


# What follows a name without being part of it: money, and remarks in brackets.

HOW_PAID = r"(?:in full|by|with|w/|via|cash|check|card|venmo|zelle|pay ?pal|cash ?app|online|at (?:the )?door)"
SUM_PAID = r"(?:[$€£] ?\d+ +)?(?:pd|paid|unpaid|owe[sd]?)\b\s*(?:[$€£]?\s*\d[^()]*|(?:" + HOW_PAID + r"\s*)*)"
PAYMENT = re.compile(
    rf"(?:(?<![\s,;–-])[\s,;–-]+|^)\(?((?:(?:half|part(?:ly|ially)?|not(?: yet)?|has|have|all) )?{SUM_PAID}"
    r"|(?:venmo|zelle|pay ?pal|cash ?app)(?:e?d)?|[$€£] ?\d+(?:[.,]\d\d)?)\)?$"
    # A bare word must be apart and in lower case: there are people called Cash.
    r"|(?:\s{2,}|\s*[,;–(]\s*|\s+-\s+)((?-i:cash|check|card|comped)(?: ?#?\d+)?)\)?$",
    re.IGNORECASE,
)
# A partial payment is asked about.
PARTLY = re.compile(r"(?:half|part|partly|partially|partial|deposit|some)\b.*", re.IGNORECASE)
WITH_IN_BRACKETS = re.compile(r"(?<!\s)\s*\((?:with|w/|and|&|\+|partner:?) *([^()\d]+)\)", re.IGNORECASE)
SMALL_TALK = re.compile(
    r"(?:they|them|she|hers?|he|him|his)(?:/\w+)*|new|late|guests?|sub|host|vip|rookies?"
    r"|(?:defending )?champ(?:ion)?s?",
    re.IGNORECASE,
)
IN_BRACKETS = re.compile(r"(?<!\s)\s*\(([^()]*)\)")


# A phone number or a table after the names: “555-0148”, “T4”.
AT_THE_END = re.compile(
    r"(?<![\s,;–-])[\s,;–-]+((?:\+?1[ .-])?(?:\(?\d{3}\)?[ .-]?)?\d{3}[-.]\d{4}|(?:t|tbl|table) ?#?\d{1,2})$",
    re.IGNORECASE,
)


# Without one of these a text does not mention money; this test is faster.
OF_MONEY = re.compile(r"[$€£]|pd|paid|owe|venmo|zelle|pay ?pal|cash|check|card|comped", re.IGNORECASE)
AMOUNT_BEFORE = re.compile(r"\s*([$€£]\s*\d+(?:[.,]\d\d)?)[\s,;:–-]+(?=[^\W\d])")


def without_payment(text: str) -> tuple[str, str]:
    """Split off what a text says about money at its end: “Ann Lee  paid cash” is Ann Lee, “paid cash”.

    It may also be at its beginning: “$20 Ann Lee”.
    """
    if amount := AMOUNT_BEFORE.match(text):
        return text[amount.end() :], amount[1]
    match = PAYMENT.search(text) if OF_MONEY.search(text) else None
    if not match or not text[: match.start()].strip():
        return text, ""
    rest, said = text[: match.start()], match[1] or match[2]
    if rest.count("(") > rest.count(")"):
        # “Bo Carter (Ann pd)” says it in brackets, along with a name.
        rest, _, before = rest.rpartition("(")
        said = f"{before} {said}"
    return rest, said


def without_remarks(text: str) -> tuple[str, list[str]]:
    """Split off remarks in brackets: “(they/them)”, “(new, first time)”, “(late)”.

    Keep a nickname, a town, two players and a mark that has a meaning. Split off a phone number at the end, too.
    """
    if (end := AT_THE_END.search(text)) and any(map(str.isalpha, text[: end.start()])):
        rest, remarks = without_remarks(text[: end.start()])
        return rest, [*remarks, end[1]]
    # “Ann Lee (with Bo Carter)” are two players.
    text = WITH_IN_BRACKETS.sub(r" & \1", text)
    remarks = [inside for inside in IN_BRACKETS.findall(text) if _is_remark(inside)]
    if not remarks:
        return text, []
    return IN_BRACKETS.sub(lambda match: "" if _is_remark(match[1]) else match[0], text), remarks


def _is_remark(inside: str) -> bool:
    """Whether a text in brackets is small talk rather than a name."""
    words = inside.strip()
    if not words or is_mark(words) or NOBODY.fullmatch(words) or PAYMENT.search(words):
        return False
    if OUT_AT_THE_BEGINNING.match(words) or not words[0].isalnum():
        return False
    # “Ann Lee and Bo Carter” are people; “Beto will be 15 min late” is a sentence.
    is_sentence = len(words.split()) > 3 and not re.search(r"[/&+,;]|\b(?:and|with)\b", words)
    return words[0].islower() or is_sentence or bool(SMALL_TALK.fullmatch(words))


# How a status or note begins for a team that is out: “Withdrawn (refunded)”, “Dropped 10/12”, “Out - sick”.
OUT_AT_THE_BEGINNING = re.compile(
    r"\W*(?:w/d|withdr[ae]wn?|withdrew|withdraws?|cancell?ed|cancels?|drop(?:ped|s)?(?: out)?|scratched|refunded"
    r"|declined|no[ -]?shows?|cannot\b|(?:not|won.t be|can.t) (?:coming|attending|playing|make|be|come|play)\b"
    r"|(?:is )?out\b"
    r"|dnp|dns|disqualified|dq|removed|regrets|wait(?:ing)?[ -]?list(?:ed)?|stand-?by)(?![a-z])",
    re.IGNORECASE,
)
# “OUT - Ann & Bo”, “WD Ann & Bo” before a team.
OUT_BEFORE = re.compile(
    r"\W*(?:OUT|W/?D|SCR|SCRATCH(?:ED)?|CANCEL(?:L?ED)?|DROP(?:PED)?|NO SHOW|NOT (?:COMING|PLAYING|ATTENDING))\b"
    r"\W*(?=[^\W\d])"
)
# “Ann & Bo SCRATCHED 3/1” after a team.
OUT_BEHIND = re.compile(
    r".*\S\s+\(?(?:OUT|W/?D|SCR|SCRATCHED|WITHDR[AE]WN?|WITHDREW|CANCELL?ED|CXL|DROPPED(?: OUT)?|NO SHOW)"
    r"(?:\s*\d{1,2}[/.-]\d{1,2})?\)?"
)
# A status that only says that a team plays.
PLAYS = re.compile(
    r"\W*(?:confirmed|registered|paid|unpaid|pending|ok|okay|yes|in|active|accepted|attending|approved|entered|playing"
    r"|complete[d]?|checked[ -]in|good|current|new|owes?|✓|✔|x)\b.*|\W*",
    re.IGNORECASE,
)

# Texts that say yes, or a sum.

YES = {"yes", "y", "x", "1", "true", "paid", "in", "ok", "✓", "✔", "☑", "√", "on", "full", "pd", "cash", "ja", "check"}
YES |= {"venmo", "venmoed", "zelle", "zelled", "paypal", "pay pal", "cashapp", "cash app", "card", "comped", "all paid"}
NO = {"", "no", "n", "0", "false", "owed", "owes", "out", "-", "–", "—", "unpaid", "off", "☐", "not paid", "nein"}
AMOUNT = r"(?:[$€£]\s*)?{}\d*(?:[.,]\d{{1,2}})?(?:\s*[$€£])?"
PAID = re.compile(
    rf"(?:(?:has )?(?:paid|pd)\s*)?{AMOUNT.format('[1-9]')}|(?:paid|pd)\b.*|(?:check|ck) ?#?\d+", re.ASCII
)
OWES = re.compile(rf".*\bowe[sd]?\b.*|(?:unpaid|not (?:yet )?paid|(?:will )?pays?)\b.*|{AMOUNT.format('0+')}", re.ASCII)

SAYS_YES, SAYS_NO = re.compile(r"(?:yes|yep|yeah)\b"), re.compile(r"(?:no|not|nope|i will|will)\b")
LATER = re.compile(r"\b(?:will|later|door|owe|half|soon|tomorrow)\b")


def mark_of(text: str) -> bool | None:
    """Whether a text says yes (or a sum) or no (or none); None if it says neither."""
    word = text.casefold().strip().rstrip(".")
    if word in NO or OWES.fullmatch(word):
        return False
    return True if word in YES or PAID.fullmatch(word) else None


def answer_of(text: str) -> bool | None:
    """Read an answer in a column of marks: “Yes, Cash App” is yes, “not yet” is no, “yes, later” is neither."""
    mark, word = mark_of(text), text.casefold().strip()
    if mark is None and SAYS_NO.match(word):
        return False
    if mark is None and SAYS_YES.match(word) and not LATER.search(word):
        return True
    return mark


def is_mark(text: str) -> bool:
    """Whether a piece says yes, no or a sum, and is not a town."""
    return bool(text) and mark_of(text) is not None
