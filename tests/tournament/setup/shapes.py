"""Lists made from known teams in the shapes in which clubs write them, with what a reader must find in each.

A shape writes all teams of a list one way. Noise is what surrounds them: numbers, bullets, titles, sums, remarks,
who is out. `made(seed)` gives a list, its teams, and the names of its shape and noise.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

FIRST = (
    "Ann Bo Cy Ida Zoë Otis Nell Ella Ron Vic Deb Cal Mary Marcus Tonya Lupe Carmen Dwight Yolanda Earl Bernice "
    "Nadine Tyrone Sal Kim Peter Kathleen Eileen Lou Ray Willie Curtis Jamal Latoya DeShawn Priya Wei Kenji "
    "Amara Ngozi Xiomara Rosalind Hubert Cleo Floyd Phyllis Jo Al Di Flo Ned Eve Gene Dottie Opal Percy Thelma "
    "Clifton Geraldine Quincy Garland "
).split()
LAST = (
    "Lee Carter O’Neal Smith-Jones Reed Gaines Walsh Young Dodd Eaton Bell Lyles Tubbs Kerr Rao Day Banks "
    "Quarles Battle Staton Hobbs Upshaw Mabry Hargrove Tate Broadnax Fuqua Gaddis Crump Toliver Nguyen Dahl "
    "Tanaka Okafor Hernandez Plunkett Stumpf Dietz Hatcher Trammell Jackson Washington Robinson King Price Love "
    "Knight Church Brooks Fields "
).split()
# Names that no table of first names has.
RARE = (
    "Ngozi Oyelaran Thuy Bjorn Siobhan Tevin Quanda Zebulon Lindiwe Marisela Anh Tuan Precious Jaylen Nevaeh Makayla "
    "Trudell Ozell Arvella Cloteal"
).split()
TEAMS = (
    "Night Owls|Eagles|Cut & Deal|Six and a Half|The O’Neals|Kitty Free|Trump Tight|Low Ball|Aces|Table Talk"
    "|Book Makers|High Low Jack|Beale Street Blues|Rise and Fly|Uptown Down|Sandbaggers|Downtown Divas|No Trump"
    "|Jacks or Better|Grand Slam|Six Low|The Big Joker|Wild Deuces|Boston Tea Party|Railroad Aces|Hoosiers"
    "|Set & Match|4 No Trump|Queens Up|Little Joker|Gem City Sharks|Blind Faith|Second Baptist Crew|Ruff Riders"
    "|Bag Ladies|King’s Men"
).split("|")
TOWNS = "Dayton|Toledo|Xenia|Lima|Springfield|Cleveland|Richmond|St. Louis|Akron|Gary|Beavercreek|Ottumwa".split("|")


class Made(NamedTuple):
    """A team as it was made."""

    name: str
    players: tuple[str, ...]
    town: str


class Listed(NamedTuple):
    """A list as a club sends it; `teams` are those that play: name, players, town, empty where it does not say."""

    text: str
    teams: list[tuple[str, tuple[str, ...], str]]
    shape: str
    noise: str
    wanted: int = 2


def some_teams(dice: random.Random, count: int, size: int = 2) -> list[Made]:
    """This many teams of a size; nobody plays twice, and one in six has a rare name."""
    people: list[str] = []
    while len(people) < size * count:
        person = f"{dice.choice(RARE if dice.random() < 1 / 6 else FIRST)} {dice.choice(LAST)}"
        if person not in people:
            people.append(person)
    names = dice.sample(TEAMS, count)
    towns = dice.sample(TOWNS, dice.randint(2, 6))
    members = zip(*(people[seat::size] for seat in range(size)), strict=True)
    return [Made(name, players, dice.choice(towns)) for name, players in zip(names, members, strict=True)]


def turned(person: str) -> str:
    first, _, last = person.rpartition(" ")
    return f"{last}, {first}"


# A line a team: the pattern, and which of name, players and town it tells.
LINES = {
    **dict.fromkeys(
        (
            "{n} – {a} / {b}",
            "{n} - {a} & {b}",
            "{n}: {a}, {b}",
            "{n} ({a} and {b})",
            "{n}\t{a}\t{b}",
            "{n}; {a}; {b}",
            "{n} | {a} | {b}",
            "{n}, {a}, {b}",
            "{n}   {a}   {b}",
            "{n}, {a} & {b}",
            "{n} - {a}, {b}",
            "{n}: {a} and {b}",
            "{n} — {a} w/ {b}",
            "{n} - {a} + {b}",
            "{n}: {ta}; {tb}",
            "{n} - {ta} / {tb}",
            "{n}: {ta} & {tb}",
        ),
        "np",
    ),
    **dict.fromkeys(
        (
            "{a} & {b}",
            "{a} / {b}",
            "{a}, {b}",
            "{a} and {b}",
            "{a} + {b}",
            "{a}\t{b}",
            "{a}; {b}",
            "{a} w/ {b}",
            "{ta} & {tb}",
            "{ta}; {tb}",
            "{ta} / {tb}",
            "{ta} and {tb}",
            "{a} - {b}",
            "{a}/{b}",
        ),
        "p",
    ),
    **dict.fromkeys(
        (
            "{a}, {b}, {t}",
            "{a} & {b} - {t}",
            "{a} / {b} ({t})",
            "{a} & {b}, {t}",
            "{a}/{b}, {t}, OH",
            "{a}\t{b}\t{t}",
            "{a} and {b} from {t}",
            "{t}: {a} & {b}",
            "{t} - {a}, {b}",
            "{ta}; {tb}; {t}",
        ),
        "pt",
    ),
    **dict.fromkeys(
        (
            "{n} - {a} & {b} - {t}",
            "{n}, {a}, {b}, {t}",
            "{n} ({t}) - {a} / {b}",
            "{n} ({t}): {a}, {b}",
            "{n}: {a} / {b}, {t}",
            "{n}\t{a}\t{b}\t{t}",
            "{n} - {a} & {b} ({t})",
            "{n} ({a} & {b}) {t}",
        ),
        "npt",
    ),
    **dict.fromkeys(
        ("{a} & {b} - {n}", "{a} / {b} ({n})", "{a}, {b}, {n}", "{a} and {b}: {n}", "{a}\t{b}\t{n}", "{a}, {b} - {n}"),
        "np",
    ),
}
# Several lines a team, with a blank line or an indent between.
BLOCKS = {
    "{n}\n{a}\n{b}\n": "np",
    "{n}\n  {a}\n  {b}": "np",
    "{a}\n{b}\n": "p",
    "Team: {n}\nPlayers: {a}, {b}\n": "np",
    "{n}\n- {a}\n- {b}": "np",
    "{n}\n{a} & {b}\n": "np",
    "Team: {n}\nPlayer 1: {a}\nPlayer 2: {b}\n": "np",
}
# Tables: the heading of each column and its content; two headings in one table are two columns.
TABLES: dict[tuple[tuple[str, str], ...], str] = {
    (("Team", "n"), ("Player 1", "a"), ("Player 2", "b")): "np",
    (("No.", "#"), ("Team", "n"), ("Player 1", "a"), ("Player 2", "b"), ("City", "t")): "npt",
    (("Team", "n"), ("Players", "a, b")): "np",
    (("Team", "n"), ("Players", "a / b")): "np",
    (("Team", "n"), ("Players", "a & b")): "np",
    (("Team", "n"), ("Players", "a and b")): "np",
    (("Team", "n"), ("Players", "a; b")): "np",
    (("Team", "n"), ("Players", "a\nb")): "np",
    (("Team", "n"), ("Players", "ta; tb")): "np",
    (("Team", "n"), ("Names", "a, b"), ("Town", "t")): "npt",
    (("Team", "n"), ("Captain", "ta"), ("Partner", "tb")): "np",
    (("Player 1", "a"), ("Player 2", "b"), ("Town", "t")): "pt",
    (("Player 1", "ta"), ("Player 2", "tb")): "p",
    (("Name", "a"), ("Partner", "b"), ("Phone", "phone")): "p",
    (("Timestamp", "when"), ("Your name", "a"), ("Partner’s name", "b"), ("Team name", "n")): "np",
    (("Équipe", "n"), ("Joueur 1", "a"), ("Joueur 2", "b"), ("Ville", "t")): "npt",
    (("Equipo", "n"), ("Jugador 1", "a"), ("Jugador 2", "b")): "np",
    (("Mannschaft", "n"), ("Spieler 1", "a"), ("Spieler 2", "b"), ("Ort", "t")): "npt",
    (("", "n"), ("", "a"), ("", "b")): "np",
    (("", "n"), ("", "a / b")): "np",
    (("", "n"), ("", "a, b")): "np",
    (("", "a"), ("", "b")): "p",
    (("", "a"), ("", "b"), ("", "t")): "pt",
    (("", "#"), ("", "n"), ("", "a"), ("", "b"), ("", "t")): "npt",
    (("Town", "t"), ("Pair", "a & b")): "pt",
    (("First", "fa"), ("Last", "la"), ("Partner first", "fb"), ("Partner last", "lb"), ("Team", "n")): "np",
}
STATUS = (
    "Withdrawn (refunded)",
    "Cancelled 10/12",
    "Dropped",
    "Out - sick",
    "Withdrew",
    "Canceled",
    "dropped out",
    "OUT",
    "Scratched 10/3",
    "No show",
    "Refunded",
    "Not coming",
)
IN = ("Confirmed", "Paid", "OK", "Registered", "Confirmed 10/2", "Active")


def _fields(team: Made) -> dict[str, str]:
    a, b = team.players
    (fa, _, la), (fb, _, lb) = a.rpartition(" "), b.rpartition(" ")
    return {
        "n": team.name,
        "a": a,
        "b": b,
        "t": team.town,
        "ta": turned(a),
        "tb": turned(b),
        "fa": fa,
        "la": la,
        "fb": fb,
        "lb": lb,
    }


def _told(team: Made, what: str) -> tuple[str, tuple[str, ...], str]:
    return (team.name if "n" in what else "", team.players, team.town if "t" in what else "")


# What surrounds the teams of a list of lines.


def _numbered(lines: list[str], dice: random.Random) -> list[str]:
    sign = dice.choice(["{}. ", "{}) ", "#{} ", "{} - "])
    return [sign.format(number) + line for number, line in enumerate(lines, start=1)]


def _bullets(lines: list[str], dice: random.Random) -> list[str]:
    sign = dice.choice(["• ", "- ", "* ", "♠ ", "♣ ", "♦️ "])
    return [sign + line for line in lines]


def _title(lines: list[str], dice: random.Random) -> list[str]:
    return [dice.choice(["Autumn Open 2026", "Team list for Saturday", "SPRING CLASSIC - teams so far"]), "", *lines]


def _sum(lines: list[str], dice: random.Random) -> list[str]:
    words = ["Total: 8 teams", "Total collected $480", "Amount in box: $240", "Total paid $160", "Cash in box $300"]
    return [*lines, "", dice.choice([*words, "Grand total 640"])]


def _paid(lines: list[str], dice: random.Random) -> list[str]:
    words = ["", "  paid cash", " - pd $20", ", paid", "  venmo", " (paid)", " paid zelle", "  half paid", " owes $20"]
    return [line + dice.choice(words) for line in lines]


def _out(lines: list[str], dice: random.Random) -> list[str]:
    """Some teams are out, which is said behind them."""
    words = [" - dropped out", " (withdrew)", " - cancelled 10/12", " (Dropped)", " - WITHDRAWN", " (out - sick)"]
    return [line + dice.choice(words) if dice.random() < 0.3 else line for line in lines]


def _waiting(lines: list[str], dice: random.Random) -> list[str]:
    """The last two teams wait, below a heading."""
    return [*lines[:-2], "", dice.choice(["WAITING LIST", "Wait list:", "Alternates", "On standby"]), *lines[-2:]]


def _remarks(lines: list[str], dice: random.Random) -> list[str]:
    words = [
        "",
        " (they/them)",
        " (new, first time)",
        " (sits near door / needs ramp)",
        " (cousins & champs)",
        " (late)",
    ]
    return [line + dice.choice(words) for line in lines]


def _plain(lines: list[str], dice: random.Random) -> list[str]:
    return lines


Noise = Callable[[list[str], random.Random], list[str]]
NOISE: tuple[Noise, ...] = (
    _plain,
    _plain,
    _numbered,
    _bullets,
    _title,
    _sum,
    _paid,
    _remarks,
)


# Ways that another way looks just like, the other way round.
ALIKE = {"{a}, {b}, {n}", "{a}\t{b}\t{n}"}
# Games of one, three and four a side: the pattern, with {p} for the players between a sign.
MORE = {
    "{n} - {p}": "np",
    "{n}: {p}": "np",
    "{n} ({p})": "np",
    "{p}": "p",
    "{n}; {p}": "np",
    "{n}\t{p}": "np",
    "{n}, {p}": "np",
    "{n} - {p} - {t}": "npt",
    "{n} ({t}) - {p}": "npt",
    "{n} - {p} ({t})": "npt",
    "{p} - {n}": "np",
}
ALONE = {
    "{a}": "n",
    "{ta}": "n",
    "{a} – {t}": "nt",
    "{a} ({t})": "nt",
    "{a}, {t}": "nt",
    "{a}\t{t}": "nt",
    "{a} - {t}": "nt",
}
ALONE_TABLES: dict[tuple[tuple[str, str], ...], str] = {
    (("Name", "a"), ("Town", "t")): "nt",
    (("Player", "a"), ("Phone", "phone")): "n",
    (("First", "fa"), ("Last", "la"), ("City", "t")): "nt",
    (("Last name", "la"), ("First name", "fa")): "n",
    (("Name", "ta"), ("City", "t")): "nt",
    (("#", "#"), ("Name", "a"), ("City", "t")): "nt",
    (("", "a"), ("", "t")): "nt",
}


def made(seed: int) -> Listed:
    """The list of a seed."""
    dice = random.Random(seed)
    count = dice.randint(2, 12)
    kind = dice.choices(("lines", "blocks", "table", "mixed", "alone", "more", "persons"), (10, 2, 8, 1, 2, 2, 1))[0]
    if kind in ("alone", "more"):
        return (_alone if kind == "alone" else _more)(count, dice)
    teams = some_teams(dice, count)
    kinds = {"lines": _lines, "blocks": _blocks, "table": _table, "mixed": _mixed, "persons": _persons}
    return kinds[kind](teams, dice)


def _lines(teams: list[Made], dice: random.Random) -> Listed:
    pattern, what = dice.choice([*LINES.items()])
    noise = dice.choice(NOISE)
    return _noisy([pattern.format(**_fields(team)) for team in teams], teams, what, pattern, noise, dice)


def _noisy(
    lines: list[str], teams: list[Made], what: str, shape: str, noise: Noise, dice: random.Random, wanted: int = 2
) -> Listed:
    """The lines with noise; who is out, or waits, does not play."""
    shown = noise(lines, dice)
    playing = teams
    if noise is _out:
        playing = [team for team, line, was in zip(teams, shown, lines, strict=True) if line == was]
    elif noise is _waiting:
        playing = teams[:-2]
    return Listed("\n".join(shown), [_told(team, what) for team in playing], shape, noise.__name__, wanted)


def _mixed(teams: list[Made], dice: random.Random) -> Listed:
    """Two hands wrote the list, each another way, and with other signs."""
    what = dice.choice(["np", "p"])
    ways = dice.sample([pattern for pattern, tells in LINES.items() if tells == what and pattern not in ALIKE], 2)
    lines = [dice.choice(ways).format(**_fields(team)) for team in teams]
    return Listed("\n".join(lines), [_told(team, what) for team in teams], " + ".join(ways), "mixed")


def _more(count: int, dice: random.Random) -> Listed:
    """Three or four players a team."""
    size = dice.choice([3, 3, 4])
    teams = some_teams(dice, count, size)
    pattern, what = dice.choice([*MORE.items()])
    sign = dice.choice([", ", " / ", " & ", "; "])
    lines = [pattern.format(n=team.name, t=team.town, p=sign.join(team.players)) for team in teams]
    return _noisy(lines, teams, what, f"{size} {pattern} {sign!r}", dice.choice(NOISE), dice, size)


def _alone(count: int, dice: random.Random) -> Listed:
    """Everybody plays alone: the entry is called as the player is."""
    teams = [team._replace(name=team.players[0], players=()) for team in some_teams(dice, count, 1)]
    people = [Made("", (team.name, "x y"), team.town) for team in teams]
    if dice.random() < 0.5:
        pattern, what = dice.choice([*ALONE.items()])
        lines = [pattern.format(**_fields(person)) for person in people]
        return _noisy(lines, teams, what, f"1 {pattern}", dice.choice(NOISE), dice, 1)
    columns, what = dice.choice([*ALONE_TABLES.items()])
    grid = [[_cell(key, person, number) for _, key in columns] for number, person in enumerate(people, start=1)]
    heads = [head for head, _ in columns]
    text = _as_csv([heads, *grid] if any(heads) else grid, dice.choice(",;\t"))
    return Listed(text, [_told(team, what) for team in teams], f"1 {columns}", "", 1)


def _persons(teams: list[Made], dice: random.Random) -> Listed:
    """One line a person, with their team."""
    order = dice.choice([("Team", "Player"), ("Player", "Team"), ("Name", "Team name", "Phone")])
    grid = [list(order)]
    for team in teams:
        for player in team.players:
            cells = {
                "Team": team.name,
                "Team name": team.name,
                "Player": player,
                "Name": player,
                "Phone": "216-555-0142",
            }
            grid.append([cells[head] for head in order])
    return Listed(
        _as_csv(grid, dice.choice(",;\t")), [_told(team, "np") for team in teams], " | ".join(order), "persons"
    )


def _as_csv(grid: Sequence[Sequence[str]], delimiter: str) -> str:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(grid)
    return file.getvalue()


def _blocks(teams: list[Made], dice: random.Random) -> Listed:
    pattern, what = dice.choice([*BLOCKS.items()])
    text = "\n".join(pattern.format(**_fields(team)) for team in teams)
    return Listed(text, [_told(team, what) for team in teams], pattern, "")


def _cell(key: str, team: Made, number: int) -> str:
    values = _fields(team) | {"#": str(number), "phone": f"216-555-01{number:02}", "when": f"10/{number}/2026 18:02:11"}
    for sign in (", ", " / ", " & ", " and ", "; ", "\n"):
        if sign in key:
            return sign.join(values[part] for part in key.split(sign))
    return values[key]


def _table(teams: list[Made], dice: random.Random) -> Listed:
    columns, what = dice.choice([*TABLES.items()])
    rows = [[_cell(key, team, number) for _, key in columns] for number, team in enumerate(teams, start=1)]
    heads = [head for head, _ in columns]
    playing, noise = [*teams], dice.choice(("", "", "status", "sum", "twice", "pay", "remark"))
    if noise == "status" and heads[0]:
        heads.append(dice.choice(["Status", "Registration status", "Notes"]))
        for row, team in zip(rows, teams, strict=True):
            is_out = dice.random() < 0.25
            row.append(dice.choice(STATUS if is_out else IN if heads[-1] != "Notes" else ("",)))
            if is_out:
                playing.remove(team)
    elif noise == "sum":
        rows.append(
            [dice.choice(["Total collected", "Amount in box", "Total", "TOTAL PAID"]), "$480", *[""] * len(columns)][
                : len(columns)
            ]
        )
    elif noise == "twice" and heads[0] and [key for _, key in columns if key in "ab"]:
        double = dice.choice(teams)
        other = double._replace(players=double.players[::-1])
        rows.append([_cell(key, other, len(rows) + 1) for _, key in columns])
    elif noise == "pay" and heads[0]:
        row = dice.choice(rows)
        row[-1] += dice.choice(["  paid cash", " venmo", " half paid"]) if row[-1] else ""
    elif noise == "remark" and heads[0]:
        row = dice.choice(rows)
        row[-1] += dice.choice([" (they/them)", " (new, first time)", " (cousin & champ)"])
    delimiter = dice.choice(",;\t")
    grid: Sequence[Sequence[str]] = [heads, *rows] if any(heads) else rows
    return Listed(
        _as_csv(grid, delimiter),
        [_told(team, what) for team in playing],
        f"{delimiter!r} {' | '.join(f'{head}={key}' for head, key in columns)}",
        noise,
    )
