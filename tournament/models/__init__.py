"""What is stored: one noun a file."""

from tournament.models.decision import Decision as Decision
from tournament.models.decision import Placing as Placing
from tournament.models.device import Device as Device
from tournament.models.entry import Entry as Entry
from tournament.models.event import Event as Event
from tournament.models.event import Official as Official
from tournament.models.game import Call as Call
from tournament.models.game import Game as Game
from tournament.models.game import Side as Side
from tournament.models.installation import Installation as Installation
from tournament.models.journal import Journal as Journal
from tournament.models.money import Ledger as Ledger
from tournament.models.notice import Notice as Notice
from tournament.models.result import Result as Result
from tournament.models.round import Bye as Bye
from tournament.models.round import Round as Round
from tournament.models.signature import Signature as Signature
from tournament.models.submission import Submission as Submission
from tournament.models.substitution import Substitution as Substitution
from tournament.models.team import Player as Player
from tournament.models.team import Team as Team
from tournament.models.verification import Verification as Verification
