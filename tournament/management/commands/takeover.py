"""`manage.py takeover FOLDER…`: a second laptop continues from the newest copy on a stick or in a shared folder."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.dateformat import format as written
from rich.console import Console

from scoring.ledger import listed
from tournament.errors import DomainError
from tournament.management.commands import venue
from tournament.models import Event
from tournament.queries.laptops import since_words
from tournament.queries.takeover import CLOSED, NO_FOLDER, Club, Found, copies_in, marks_in, wrong_clock
from tournament.services.takeover import Taken, check_own_rows, first_good, take_over
from tournament.serving.server import STOP_FIRST, alone, certificate_folder
from tournament.site.data_folder import leave_demo_alone

NO_COPIES = (
    "There is no copy of Uptown in {}. Nothing was changed. Name the folder that the old laptop copied to, or one that "
    "`backup --to` packed up."
)
WHICH_CLUB = (
    "There are copies of {} clubs. Nothing was changed. Type the line again with the number of yours behind it, such "
    "as --club 1:\n{}"
)
NO_SUCH_CLUB = "There are copies of {} clubs, so --club is a number from 1 to {}. Nothing was changed."
NEWEST = "newest copy of {}"
SKIPPED = "Passed over: {} ({})."
CLOCK = (
    "A clock was wrong: the times of the copies do not follow what they hold. This copy holds the most, whatever its "
    "time says."
)
ALREADY = "{} already went on with these events, on {}. Stop Uptown there."
WITH_KEY = "The key was copied{}."
WITHOUT_KEY = (
    "No key was found there. Nothing is lost without it, but links in mails no longer work, and over https every "
    "tablet must install a new certificate first."
)
SIGN_IN = "Everybody signs in again, with the same name and password."
UNMARKED = (
    "Nothing can be written to {}, so the old laptop does not learn there that this one goes on. Do not start it again."
)
# What to do at the tablets.
SAME_PLACE = "This laptop has the old one's address, {}. Tablets go on by themselves: leave their pages open."
OTHER_PLACE = (
    "The old laptop was at {}, and this one is at {}. Give this laptop the address {} in its settings of the Wi-Fi; "
    "then tablets go on by themselves. Leave their pages open. Or print new cards at the desk, under Tablets."
)
UNKNOWN_PLACE = (
    "Give this laptop the address that the old one had on the Wi-Fi; then tablets go on by themselves. Leave their "
    "pages open. Or print new cards at the desk, under Tablets."
)
OTHER_PORT = "Port {} is taken here: stop the program that has it and start again, or tablets do not find this laptop."


class Command(venue.Command):
    help = "Take over from a laptop that is gone: restore the newest copy of these folders, and run the site."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(port=None)
        parser.add_argument(
            "folders",
            nargs="+",
            type=Path,
            metavar="FOLDER",
            help="a stick, or a folder with copies; or several",
        )
        parser.add_argument("--club", type=int, metavar="NUMBER", help="whose copies, where there are several")
        parser.add_argument(
            "--yes",
            action="store_true",
            help="put the copy in the place of whatever this laptop holds",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        leave_demo_alone(settings.DATA)
        with suppress(KeyboardInterrupt), alone(STOP_FIRST):
            self.old_address = ""
            try:
                taken = self.take_over(options)
            except (DomainError, OSError) as fault:
                raise CommandError(str(fault)) from fault
            self.go_on_as(taken, options)
            self.run_site(Console(), options)

    def take_over(self, options: dict[str, Any]) -> Taken:
        """Find the copy, restore it, and print the result."""
        folders = [folder.absolute() for folder in options["folders"]]
        found = _look_into(folders)
        club = _chosen(found, options["club"], folders)
        copy, torn = first_good(club)
        if not options["yes"]:
            check_own_rows(copy)
        for one in [*found.skipped, *torn]:
            self.say(SKIPPED.format(one.path, one.why.rstrip(".")))
        for mark in marks_in(folders, copy.installation):
            self.say(ALREADY.format(mark.laptop, _by_clock_here(mark.at)))
        taken = take_over(copy, club, folders, len(found.clubs))
        self.report(taken, wrong_clock(club.copies, timezone.now()))
        return taken

    def say(self, words: str) -> None:
        self.stdout.write(words)

    def report(self, taken: Taken, is_clock_wrong: bool) -> None:
        """What was taken over, how old it is, and what may be missing."""
        copy = taken.copy
        made = _by_clock_here(copy.made)
        self.say(f"Taken over: {listed(copy.events) if copy.events else 'no event'}, from {copy.path}, made on {made}.")
        if is_clock_wrong:
            self.say(CLOCK)
        has_certificates = (certificate_folder() / "root.pem").is_file()
        self.say(WITH_KEY.format(", with the certificates" * has_certificates) if taken.with_key else WITHOUT_KEY)
        self.say(SIGN_IN)
        if taken.restored.aside is not None:
            self.say(f"What was there before: {taken.restored.aside}")
        for folder in taken.unmarked:
            self.say(UNMARKED.format(folder))
        for event in Event.objects.exclude(since_copy={}):
            self.say("\n".join([f"\n{event}", *since_words(event)]))
        self.say("")

    def go_on_as(self, taken: Taken, options: dict[str, Any]) -> None:
        """Serve as the old laptop did: over https or not, at its port, also under its address, copying to the stick."""
        self.old_address = taken.copy.address
        old = urlsplit(self.old_address)
        is_plain = old.scheme == "http" if old.scheme else not (certificate_folder() / "root.pem").is_file()
        options["http"] = options["http"] or is_plain
        options["port"] = options["port"] or old.port or 8000
        if old.hostname and old.hostname not in settings.ALLOWED_HOSTS:
            settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, old.hostname]
            # The server's process may start from scratch.
            os.environ["UPTOWN_HOSTS"] = ",".join(settings.ALLOWED_HOSTS)
        if not settings.BACKUPS and taken.copy.path.parent not in taken.unmarked:
            settings.BACKUPS = os.environ["UPTOWN_BACKUPS"] = str(taken.copy.path.parent)

    def before_doors_open(self, console: Console, address: str) -> None:
        super().before_doors_open(console, address)
        words = _at_tablets(self.old_address, address)
        console.print(f"\n{words}", style="bold", highlight=False, markup=False, soft_wrap=True)


def _look_into(folders: list[Path]) -> Found:
    for folder in folders:
        if not folder.is_dir():
            raise CommandError(NO_FOLDER.format(folder))
        try:
            list(folder.iterdir())
        except OSError as fault:
            raise CommandError(CLOSED.format(folder, fault.strerror)) from fault
    found = copies_in(folders)
    if not found.clubs:
        torn = "".join(f" {SKIPPED.format(one.path, one.why)}" for one in found.skipped)
        raise CommandError(NO_COPIES.format(listed(map(str, folders))) + torn)
    return found


def _chosen(found: Found, number: int | None, folders: list[Path]) -> Club:
    """The club that was chosen, or the only one."""
    clubs = found.clubs
    if number is None and len(clubs) == 1:
        return clubs[0]
    if number is None:
        lines = (f"{place}  {_named(club)}" for place, club in enumerate(clubs, start=1))
        raise CommandError(WHICH_CLUB.format(len(clubs), "\n".join(lines)))
    if number not in range(1, len(clubs) + 1):
        raise CommandError(NO_SUCH_CLUB.format(len(clubs), len(clubs)))
    return clubs[number - 1]


def _named(club: Club) -> str:
    """A club by its latest events, because copies have no other name for it."""
    copy = club.newest
    return f"{listed(copy.events[:3]) if copy.events else 'no event'}: {NEWEST.format(_by_clock_here(copy.made))}"


def _by_clock_here(moment: datetime) -> str:
    return written(moment.astimezone(), "M j, g:i:s a")


def _at_tablets(old: str, new: str) -> str:
    """What to do so that tablets find this laptop."""
    if not old:
        return UNKNOWN_PLACE
    before, now = urlsplit(old), urlsplit(new)
    is_there = before.hostname == now.hostname
    words = SAME_PLACE.format(old) if is_there else OTHER_PLACE.format(old, new, before.hostname)
    return f"{words} {OTHER_PORT.format(before.port)}" if before.port != now.port else words
