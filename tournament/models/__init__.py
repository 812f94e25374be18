"""What is stored: one noun a file."""

from tournament.models.event import Device as Device
from tournament.models.event import Event as Event
from tournament.models.event import Installation as Installation
from tournament.models.event import Official as Official
from tournament.models.game import Bye as Bye
from tournament.models.game import Call as Call
from tournament.models.game import Entry as Entry
from tournament.models.game import Game as Game
from tournament.models.game import Notice as Notice
from tournament.models.game import Result as Result
from tournament.models.game import Round as Round
from tournament.models.game import Side as Side
from tournament.models.game import Signature as Signature
from tournament.models.game import Submission as Submission
from tournament.models.game import Verification as Verification
from tournament.models.stored import Decision as Decision
from tournament.models.stored import Journal as Journal
from tournament.models.stored import Placing as Placing
from tournament.models.stored import SiteAct as SiteAct
from tournament.models.team import Ledger as Ledger
from tournament.models.team import Person as Person
from tournament.models.team import Player as Player
from tournament.models.team import Registration as Registration
from tournament.models.team import Substitution as Substitution
from tournament.models.team import Team as Team
