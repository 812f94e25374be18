"""The only way to write: a transaction that locks the event's row and adds its line to the log.

Writers of one event run one after another, because each locks that row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction
from django.db.models import F, QuerySet

from tournament.access import Actor, is_hidden
from tournament.errors import Conflict
from tournament.models import Event, Game, Journal, Notice, Round, Season, Side, SiteAct, Team
from tournament.queries.season_events import related
from tournament.site.database import Queue
from tournament.words import journal as words
from tournament.words.sentences import PAPERS, Reason

_writers = Queue()
DoneT = TypeVar("DoneT")


class Shown(IntEnum):
    """How far a change is visible: only at desk and tables, or on public pages."""

    INSIDE, PUBLIC = range(2)

    @property
    def raises(self) -> tuple[str, ...]:
        """The versions of the event that rise with it."""
        return ("version", "public_version")[: self + 1]


@dataclass
class EventLock:
    """The event that this thread has locked and is still writing, and how far its changes are visible.

    `season` is where it counted at the beginning, and `card` what its seasons showed of it then.
    """

    event: Event
    shown: Shown
    season: int | None
    card: tuple[object, ...]


_lock: ContextVar[EventLock | None] = ContextVar("lock", default=None)


@contextmanager
def writing(event: Event | int, shown: Shown = Shown.PUBLIC) -> Iterator[Event]:
    """Lock the event, write, and raise its versions, on which caches and every “nothing new” answer depend.

    An act whose writes are not visible everywhere says how far they are; one that does not is only slower to refresh.
    An act inside an act of the same event is part of it: the event is locked already, and its version rises once.
    """
    pk = event if isinstance(event, int) else event.pk
    outer = _lock.get()
    if outer is not None and outer.event.pk == pk:
        with transaction.atomic():
            yield outer.event
        show(shown)
        return
    with in_line(), transaction.atomic():
        locked = Event.objects.select_for_update().filter(pk=pk).first()
        if locked is None:
            raise Conflict("This event has been deleted.")
        lock = EventLock(locked, shown, locked.season_id, _card(locked))
        token = _lock.set(lock)
        try:
            yield lock.event
        finally:
            _lock.reset(token)
        _raise(lock, event)


def show(shown: Shown) -> None:
    """Say that what the current act wrote is visible this far, whatever it said at its beginning."""
    if (lock := _lock.get()) is not None:
        lock.shown = max(lock.shown, shown)


def _raise(lock: EventLock, given: Event | int) -> None:
    """The database counts the versions: they must never fall."""
    Event.objects.filter(pk=lock.event.pk).update(**{name: F(name) + 1 for name in lock.shown.raises})
    for name in lock.shown.raises:
        setattr(lock.event, name, getattr(lock.event, name) + 1)
        if isinstance(given, Event):
            setattr(given, name, getattr(lock.event, name))
    if lock.shown is Shown.PUBLIC and _seasons_show(lock):
        raise_seasons(lock.season, lock.event.season_id)


def in_line() -> AbstractContextManager[None]:
    """SQLite has one writer at a time: the others queue, or some would wait for seconds.

    An act within an act has its turn already.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return nullcontext()
    return _writers.turn()


def dry_run(act: Callable[[], DoneT]) -> DoneT:
    """Do an act and roll it back at once. Returns its result. A refusal is raised as by the act itself.

    The password is asked for only if the act is possible, and a page shows what an act would change.
    """
    with in_line(), transaction.atomic():
        result = act()
        transaction.set_rollback(True)
    return result


def locked_game(event: Event, pk: int, games: QuerySet[Game] | None = None) -> Game:
    """A game of a locked event as it is now, read with `games`; raises Conflict if it was drawn again."""
    found = Game.objects.select_related("round") if games is None else games
    try:
        game = found.get(pk=pk, round__event=event)
    except Game.DoesNotExist:
        raise Conflict(Reason("game-deleted")) from None
    game.round.event = event
    return game


def team_numbered(event: Event, number: int) -> Team:
    """A team of an event; raises Conflict if it no longer exists."""
    team = event.teams.filter(number=number).first()
    if team is None:
        raise Conflict(f"Number {number} is no longer in the list. Load the page again.")
    return team


def look_again(*events: Event, **which: Any) -> None:
    """These tables show something new besides their sheets: names, or the clock."""
    Game.objects.filter(round__event__in=events, round__state="running", **which).update(version=F("version") + 1)


# What its seasons show of an event before it is over: its name, its place, and its game. No game counts yet.
CARD = ("season_id", "stage", "counts", "name", "date", "place", "time_zone", "sheet", "slug", "names")


def _card(event: Event) -> tuple[object, ...]:
    """The same, with whether strangers see it at all; empty for an event that counts nowhere."""
    if event.season_id is None:
        return ()
    return (*(getattr(event, name) for name in CARD), is_hidden(event))


def _seasons_show(lock: EventLock) -> bool:
    """Whether the seasons of an event show what was written in it."""
    return lock.event.stage == "over" or _card(lock.event) != lock.card


def hold_seasons() -> dict[int, Season]:
    """Lock the seasons, always in the same order, so that no two acts wait for each other.

    Events are locked before people, and people before seasons: an act that holds a season locks neither of the others.
    The locks on people and seasons leave their keys free, so that a row that refers to one of them can still be added.
    """
    return {season.pk: season for season in Season.objects.select_for_update(no_key=True).order_by("pk")}


def raise_seasons(*changed: int | None) -> None:
    """The content of these seasons has changed, and so has that of the seasons around and inside them."""
    if not any(changed):
        return
    seasons = hold_seasons()
    Season.objects.filter(pk__in=related(changed, seasons)).update(version=F("version") + 1)


def raise_events(events: Collection[int], shown: Shown = Shown.PUBLIC) -> None:
    """The pages of these events have changed. The caller holds the events."""
    others = set(events)
    if (lock := _lock.get()) is not None and lock.event.pk in others:
        # It rises once, at the end of its act.
        others.remove(lock.event.pk)
        show(shown)
    Event.objects.filter(pk__in=others).update(**{name: F(name) + 1 for name in shown.raises})


# Writing the journal: every act with its author, time, place, and the values before and after.


Act = ParamSpec("Act")


def act_of(
    actor: Actor,
    event: Event,
    action: str,
    noun: str,
    key: object,
    code: str,
    facts: dict[str, Any] | None = None,
    *,
    before: Any = None,
    after: Any = None,
) -> Journal:
    """An act that is not announced yet, with a code and values of `words/journal.py`."""
    # A missing sentence is a programming error, and is noticed while nothing is stored.
    words.text(action, code, facts or {})
    return Journal(
        event=event,
        user=actor.person,
        device=actor.device,
        address=actor.address,
        action=action,
        noun=noun,
        key=str(key),
        code=code,
        facts=facts or {},
        before=before,
        after=after,
    )


def announce_acts(acts: Sequence[Journal]) -> None:
    """Announce what just happened to log and teams, within the transaction of the act itself.

    Values that are only recomputed or imported did not happen now, and are not announced. Future recipients of
    announcements belong here, too.
    """
    Journal.objects.bulk_create(acts)
    for act in acts:
        if facts := words.for_teams(act.action, act.code, act.facts):
            teams = Side.objects.filter(game=int(act.key)).order_by("index").values_list("team", flat=True)
            Notice.objects.bulk_create(
                Notice(team_id=team, game_id=int(act.key), code=act.code, facts=facts) for team in teams
            )


def _announced(make: Callable[Act, Journal]) -> Callable[Act, Journal]:
    @wraps(make)
    def announce(*args: Act.args, **named: Act.kwargs) -> Journal:
        """Announce one act."""
        act = make(*args, **named)
        announce_acts([act])
        return act

    return announce


announce = _announced(act_of)


def note_site(actor: Actor, action: str, about: str, slug: str = "") -> None:
    """A line of the site's log. It names persons only by their numbers, because nothing there is ever changed."""
    SiteAct.objects.create(user=actor.person, address=actor.address, action=action, event=about[:60], slug=slug)


def title_of(round_: Round) -> int | str:
    """A round as a row stores it: its title, or the number of its game."""
    return round_.title or round_.number


def place_of(game: Game) -> dict[str, Any]:
    """The round and the table of a game, as a row stores them."""
    return {"round": title_of(game.round), "table": game.table}


# What was printed: recorded in the journal, so that sheets are printed once and a new draw says which papers it spoils.


def note_printed(actor: Actor, event: Event, codes: Sequence[str]) -> None:
    """Record that these sheets were printed in their current form. Nothing that is shown changes: the version stays."""
    if codes:
        with transaction.atomic():
            said = {"sheets": len(codes)}
            announce(actor, event, "print", "event", event.pk, "sheets", said, after={"codes": list(codes)})


def note_papers(actor: Actor, event: Event, papers: Collection[str]) -> None:
    """Record that papers of the draw were printed, once for each draw.

    They are printed even if nothing can be recorded.
    """
    said = {"papers": [name for name in PAPERS if name in papers]}
    if not said["papers"]:
        return
    with suppress(OperationalError), transaction.atomic():
        acts = Journal.objects.filter(event=event)
        drawn = acts.filter(action="draw").order_by("-pk").values_list("pk", flat=True).first() or 0
        if not acts.filter(action="print", facts=said, pk__gt=drawn).exists():
            announce(actor, event, "print", "event", event.pk, "papers", said)
