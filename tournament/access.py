"""Who may do what. Anything not allowed here is forbidden; the table in SECURITY.md is made from ACTIONS."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils.functional import SimpleLazyObject

from tournament.models import Device, Event, Game, Official, Substitution
from tournament.models import Player as PlayerRow
from tournament.models import Team as TeamRow
from tournament.words.phrases import A_PLAYER, NAMES_SHOWN
from tournament.words.texts import SUFFIX, name_key, near_key

PUBLIC, TABLE, ACCOUNT = "public", "table", "account"
VERIFIER, DIRECTOR, OWNER = "verifier", "director", "owner"
ROLES = (PUBLIC, TABLE, ACCOUNT, VERIFIER, DIRECTOR, OWNER)
OFFICIALS = frozenset({VERIFIER, DIRECTOR})
INSIDE = OFFICIALS | {TABLE}
DIRECTORS = frozenset({DIRECTOR})
EVERYBODY = frozenset(ROLES)
SIGNED_IN = EVERYBODY - {PUBLIC, TABLE}

# action: (what it is, who may). An account is anybody who has signed in, with or without an office in the event. A
# table acts only on the game that its tablet is bound to.
ACTIONS: dict[str, tuple[str, frozenset[str]]] = {
    "see-event": ("See an event, its schedule, standings and bracket", EVERYBODY),
    "enter": ("Enter a team where players enter themselves; change the entry by its private link", EVERYBODY),
    "see-sign-ins": ("See where your own account is signed in, sign it out, change the password", SIGNED_IN),
    "manage-accounts": ("Close an account, open it again, reset its second factor", frozenset({OWNER})),
    "manage-people": ("See all people of the club, rename, merge and part them, delete a person", frozenset({OWNER})),
    "see-season": ("See a season’s table with its files, and its partners as they are drawn", EVERYBODY),
    "manage-seasons": ("Set up seasons, say which events count, take dues, draw partners", frozenset({OWNER})),
    "create-event": ("Set up a new event", frozenset({OWNER})),
    "archive": ("Take an event off the front page, and put it back", frozenset({DIRECTOR, OWNER})),
    "delete": ("Delete an archived event, with the password and its name; read the site's log", frozenset({OWNER})),
    "check-in": ("Check a team in, with the code on the wall or on a tablet of the hall", EVERYBODY),
    "see-desk": ("See the desk: every table, running scores, rulings, log", OFFICIALS),
    "set-up": ("Change the event, its rule sheet and options", DIRECTORS),
    "change-teams": ("Enter and change teams, fees and pot", DIRECTORS),
    "check-in-desk": ("See who has come, and check teams in at the desk", OFFICIALS),
    "draw": ("Draw games", DIRECTORS),
    "run-rounds": ("Start and close games", DIRECTORS),
    "pair-tablets": ("Print table cards, set up and withdraw tablets", OFFICIALS),
    "see-table": ("See the running game of a table", frozenset({TABLE, VERIFIER, DIRECTOR})),
    "record": ("Record hands, voids and undo on an open game", frozenset({TABLE, VERIFIER, DIRECTOR})),
    "seat": ("Say who is seated, and undo it", frozenset({TABLE, VERIFIER, DIRECTOR})),
    "seat-round": ("Say that all tables are seated, and undo it", OFFICIALS),
    "call": ("Call the director", frozenset({TABLE})),
    "answer": ("Answer a table's call", DIRECTORS),
    "sign": ("Sign the sheet", frozenset({TABLE})),
    "paper-signatures": (
        "Note that all sides signed on paper; undo it until that game is closed everywhere",
        OFFICIALS,
    ),
    "witness": ("Sign for a side as a witness, with a reason", OFFICIALS),
    "rule": ("Rule: penalties, awards, adjustments", DIRECTORS),
    "verify": ("Compare a sheet with its paper: accept or reject", OFFICIALS),
    "correct": ("Correct a sheet, with a reason", OFFICIALS),
    "run-playoffs": ("Cut, tie-breaks, bracket", DIRECTORS),
    "pay": ("Record fees, settle the pot, pay out", DIRECTORS),
    "print": ("Print sheets and download the workbook", OFFICIALS),
    "export": ("Export the event file", DIRECTORS),
    "go-on": ("After a takeover: say which laptop goes on, and that the copy was checked", DIRECTORS),
    "see-log": ("Read the log", OFFICIALS),
}


class Actor(NamedTuple):
    """Whoever makes the request: a person who signed in, a table's tablet, both, or neither.

    `offices` are the person's roles by event, as far as they were looked up: one page asks several times. It belongs to
    a single request, so it never outlives the answer.
    """

    user: User | AnonymousUser | None = None
    device: Device | None = None
    address: str = ""
    offices: dict[int, set[str]] | None = None

    @property
    def person(self) -> User | None:
        """The signed-in user, or None."""
        return self.user if self.user is not None and self.user.is_authenticated else None

    @property
    def account(self) -> User:
        """The signed-in user, for acts that only officials do."""
        if self.person is None:
            raise PermissionDenied("Nobody is signed in")
        return self.person

    @property
    def tablet(self) -> Device:
        """The tablet, for acts that only tables do."""
        if self.device is None:
            raise PermissionDenied("This tablet does not belong to a table")
        return self.device


NOBODY = Actor()


def roles_in(actor: Actor, event: Event | None, game: Game | None = None) -> set[str]:
    """The roles an actor has in an event; “table” only for the game that the tablet is bound to."""
    roles = {PUBLIC}
    if actor.person is not None:
        roles.add(ACCOUNT)
        if directs_everything(actor):
            roles |= {OWNER, DIRECTOR}
        elif actor.person.is_staff:
            roles.add(OWNER)
        if event is not None:
            roles |= _offices(actor, actor.person, event)
    if is_bound(actor.device, event, game):
        roles.add(TABLE)
    return roles


def directs_everything(actor: Actor) -> bool:
    """Whether this is the installation's first owner, who directs every event."""
    return actor.person is not None and actor.person.is_superuser


def _offices(actor: Actor, person: User, event: Event) -> set[str]:
    offices = {} if actor.offices is None else actor.offices
    if event.pk not in offices:
        offices[event.pk] = set(Official.objects.filter(event=event, user=person).values_list("role", flat=True))
    return offices[event.pk]


def is_bound(device: Device | None, event: Event | None, game: Game | None) -> bool:
    """Whether a tablet belongs to this event (and, if a game is named, to its table while its round runs)."""
    if device is None or event is None or device.revoked_at is not None or device.event_id != event.pk:
        return False
    if game is None:
        return True
    return game.table == device.table and game.round.event_id == event.pk and game.round.state == "running"


def may(actor: Actor, action: str, event: Event | None = None, game: Game | None = None) -> bool:
    """Whether the actor may do this; an unlisted action is a programming error (KeyError)."""
    _, allowed = ACTIONS[action]
    roles = roles_in(actor, event, game)
    if (
        event is not None
        and INSIDE.isdisjoint(roles)
        and ((action == "see-event" and is_hidden(event)) or (action == "enter" and event.is_rehearsal))
    ):
        return False
    return not allowed.isdisjoint(roles)


def directed_events(actor: Actor) -> set[int] | None:
    """The events that somebody directs; None for an owner, who may set how anybody is shown."""
    if may(actor, "manage-people"):
        return None
    return set(Official.objects.filter(user=actor.person, role=DIRECTOR).values_list("event", flat=True))


def is_hidden(event: Event) -> bool:
    """Whether an event is a rehearsal or still being set up: strangers see it once its first round is drawn."""
    return event.is_rehearsal or (event.stage == "setup" and not event.rounds.exists())


def rights_in(actor: Actor, event: Event | None = None) -> frozenset[str]:
    """Everything that the actor may do in an event: looked up once for a whole page."""
    roles = roles_in(actor, event)
    return frozenset(action for action, (_, allowed) in ACTIONS.items() if not allowed.isdisjoint(roles))


def rights_on_page(request: HttpRequest) -> dict[str, Any]:
    """What a template may offer: `{% if "draw" in may_do %}`, in the event of the page or on the whole site."""

    def actions() -> frozenset[str]:
        about = getattr(request, "about", None)
        return rights_in(getattr(request, "actor", NOBODY), about[0] if about else None)

    return {"may_do": SimpleLazyObject(actions)}


def require(actor: Actor, action: str, event: Event | None = None, game: Game | None = None) -> None:
    """Raise PermissionDenied unless the actor may do this; for strangers a hidden event does not exist (Http404)."""
    if not may(actor, action, event, game):
        if action == "see-event" or (event is not None and event.is_rehearsal):
            raise Http404
        raise PermissionDenied(ACTIONS[action][0])


# How names are shown to everybody. Rows hold the public names; officials ask a row for its `full_name`.


def strictest(shows: Iterable[str]) -> str:
    """If the event and the person disagree, the choice that shows less."""
    return max(shows, key=list(NAMES_SHOWN).index)


def shown_name(name: str, show: str, number: int) -> str:
    """A player's name as everybody reads it: “Otis Reed”, “Otis R.”, “Player 1”."""
    if show == "hidden":
        return f"Player {number}"
    words = _words(name)
    if show == "full" or not words:
        return name
    return words[0] if len(words) < 2 else f"{words[0]} {next(filter(str.isalnum, words[-1]), words[-1][0])}."


def _words(name: str) -> list[str]:
    """First names, then the surname, which may be written first: “Reed Jr., Otis”. Without “Jr.”."""
    surname, _, first = SUFFIX.sub("", name).partition(",")
    return [*first.split(), *SUFFIX.sub("", surname).split()]


def show_of(event: Event, player: PlayerRow | Substitution, strict: Mapping[str, str]) -> str:
    """How much of a player's name is shown: the strictest choice of event, row, and person."""
    return strictest([event.names, wish_of(player, strict)])


def wish_of(player: PlayerRow | Substitution, strict: Mapping[str, str]) -> str:
    """The stricter wish of the row and its person, which is loaded with the person it was merged into.

    For an unlinked row, the strictest wish among people of that name counts: `strict` has those by near key.
    """
    if player.person is None:
        return strictest([player.show, strict.get(near_key(player.full_name), "full")])
    persons = [player.person, *([player.person.merged_into] if player.person.merged_into else [])]
    return strictest([player.show, *(person.show for person in persons)])


def is_deleted(player: PlayerRow) -> bool:
    """Whether the person behind a row was deleted: here, or on the site that an event file came from."""
    if player.full_name == A_PLAYER:
        return True
    return player.person is not None and player.person.deleted_at is not None


def shown_names(event: Event, team: TeamRow, strict: Mapping[str, str]) -> tuple[str, list[str]]:
    """The public names of a team and its players, from rows that are loaded with persons.

    `strict` has the strictest wishes by near key, for unlinked rows.
    """
    players = list(team.players.all())
    if players and not team.named:
        [player] = players
        name = team.full_name
        if not is_deleted(player):
            name = shown_name(name, show_of(event, player, strict), team.number)
        return name, [A_PLAYER if is_deleted(player) else name]
    shows = [show_of(event, player, strict) for player in players]
    names = [
        A_PLAYER if is_deleted(player) else shown_name(player.full_name, show, position)
        for position, (player, show) in enumerate(zip(players, shows, strict=True), start=1)
    ]
    hidden = [
        word
        for player, show in zip(players, shows, strict=True)
        if show != "full" and not is_deleted(player)
        for word in hidden_words(player.full_name, show)
    ]
    for name in (team.full_name, team.shown_as):
        if name and not tells(name, hidden):
            return name, names
    return f"Team {team.number}", names


def name_at_most(name: str, show: str) -> str:
    """A name outside an event, where nobody has a number: “Otis R.”, or “a player” if it is hidden or deleted."""
    return A_PLAYER if show == "hidden" or not name else shown_name(name, show, 0)


def shown_team(name: str, shown_as: str, players: Sequence[tuple[str, str]]) -> str:
    """The same for a team, whose players are named with how each is shown."""
    if [player for player, _ in players] == [name]:
        return name_at_most(*players[0])
    hidden = [word for player, show in players if show != "full" for word in hidden_words(player, show)]
    return next((text for text in (name, shown_as) if text and not tells(text, hidden)), "a team")


def hidden_words(name: str, show: str) -> Sequence[str]:
    """The words of a name that nobody may read: all of them, or all after the first."""
    words = _words(name_key(name))[0 if show == "hidden" else 1 :]
    return [part for word in words for part in re.findall(r"\w+", word) if len(part) > 1]


def tells(name: str, hidden: Iterable[str]) -> bool:
    """Whether a team's name contains one of these words, also as “the Reeds”."""
    words = re.findall(r"\w+", name_key(name))
    return not {*words, *(word.removesuffix("s") for word in words)}.isdisjoint(hidden)


# Copied texts. Officials read them as they were written.

# Values with these names in a text always name a team or a player.
WHO = frozenset("team teams first second late side sides name player out joining".split())


class Names:
    """The names of some teams and of those who play for them.

    `labels` are how teams are written, by number; `rows` have each public name, and the whole one. Only complete values
    are looked up, never a word within a sentence. If a name of these teams is hidden, a name in a text that is not
    shown now could belong to anybody: it becomes “a player”.
    """

    def __init__(self, labels: Mapping[int, str], rows: Iterable[tuple[str, str]]) -> None:
        self.labels = labels
        self.shown: dict[str, str] = {}
        self.now = set(labels.values())
        self.hides = False
        for name, full_name in rows:
            self.now.add(name)
            if name == A_PLAYER:
                self.hides = True
            if full_name != name:
                self.hides = True
                self.shown.setdefault(name_key(full_name), name)

    def of(self, text: str) -> str:
        """The public name for this name."""
        if not self.hides:
            return text
        numbered = re.fullmatch(r"(\d{1,4}) .+", text)
        if numbered and (label := self.labels.get(int(numbered[1]))):
            return label
        return self.shown.get(name_key(text)) or (text if text in self.now else A_PLAYER)

    def within(self, facts: Any, *, who: bool = False) -> Any:
        """The same facts with public names in them."""
        if not self.hides:
            return facts
        if isinstance(facts, dict):
            return {key: self.within(value, who=key in WHO) for key, value in facts.items()}
        if isinstance(facts, list):
            return [self.within(value, who=who) for value in facts]
        return self.of(facts) if who and isinstance(facts, str) else self.shown.get(name_key(str(facts)), facts)


def names_of(teams: Iterable[TeamRow]) -> Names:
    """The names of teams that are loaded with players and substitutes."""
    labels, rows = dict[int, str](), list[tuple[str, str]]()
    for team in teams:
        labels[team.number] = str(team)
        named: list[TeamRow | PlayerRow | Substitution] = [team, *team.players.all(), *team.substitutions.all()]
        rows += [(row.name, row.full_name) for row in named]
    return Names(labels, rows)
