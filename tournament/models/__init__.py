"""What is stored: one noun a file."""

from tournament.models.decision import Decision, Placing
from tournament.models.device import Device
from tournament.models.entry import Entry
from tournament.models.event import Event, Official
from tournament.models.game import Call, Game, Side
from tournament.models.installation import Installation
from tournament.models.journal import Journal
from tournament.models.money import Ledger
from tournament.models.notice import Notice
from tournament.models.pin import Pin
from tournament.models.result import Result
from tournament.models.round import Bye, Round
from tournament.models.signature import Signature
from tournament.models.submission import Submission
from tournament.models.substitution import Substitution
from tournament.models.team import Player, Team
from tournament.models.verification import Verification

__all__ = [
    "Bye",
    "Call",
    "Decision",
    "Device",
    "Entry",
    "Event",
    "Game",
    "Installation",
    "Journal",
    "Ledger",
    "Notice",
    "Official",
    "Pin",
    "Placing",
    "Player",
    "Result",
    "Round",
    "Side",
    "Signature",
    "Submission",
    "Substitution",
    "Team",
    "Verification",
]
