"""The addresses of the site: nouns. Every address is in the authorization test."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path, re_path

from tournament.forms.practice import name_dealer, sign_side, take_back, write_hand
from tournament.gate.public_pages import PublicPage
from tournament.lists.catalog import LISTS
from tournament.queries.papers import AFTER, BETWEEN, TONIGHT
from tournament.reports.pdf.catalog import PAPERS
from tournament.views import (
    accounts,
    checkin,
    desk,
    deskgames,
    dues,
    errors,
    inviting,
    laptops,
    leaving,
    members,
    money,
    papers,
    people,
    playoffs,
    public,
    registrations,
    season,
    setup,
    tablet,
    tablets,
    teams,
    waiting,
)

handler400 = "tournament.views.errors.not_understood"
handler403 = "tournament.views.errors.forbidden"
handler404 = "tournament.views.errors.not_found"
handler500 = "tournament.views.errors.broken"

NAMES = "|".join(PAPERS)
JOBS = "|".join((TONIGHT, BETWEEN, AFTER))
FILES = "|".join(LISTS)

# Events, signing in and out.
SITE = [
    path("", setup.event_list, name="events"),
    path("new/", setup.event_new, name="event-new"),
    path("new/draft/", setup.event_draft, name="event-draft"),
    path("new/copy/", setup.event_copy, name="event-copy"),
    # In a printed QR code it is in capitals.
    re_path(r"^[sS]/(?P<code>[0-9A-Za-z]{6,19})/?$", public.by_code, name="sheet-code"),
    path("import/", setup.event_import, name="event-import"),
    path("import/<slug:slug>/", setup.event_imported, name="event-imported"),
    re_path(r"^works/[0-9a-f]{32}/", errors.order_gone, name="order-gone"),
    path("sign-in/", accounts.sign_in, name="sign-in"),
    path("sign-in/code/", accounts.code, name="sign-in-code"),
    path("sign-in/second-factor/", accounts.set_up, name="second-factor"),
    path("sign-ins/", accounts.sign_ins, name="sign-ins"),
    path("password/", accounts.password, name="password"),
    path("password/forgotten/", accounts.Forgotten.as_view(), name="password-forgotten"),
    path("password/sent/", accounts.reset_mail_sent, name="password-sent"),
    path("password/new/<uidb64>/<token>/", accounts.NewPassword.as_view(), name="password-new"),
    path("app.webmanifest", public.manifest, name="manifest"),
    path("archive/", setup.archive, name="archive"),
    path("accounts/", accounts.account_list, name="accounts"),
    path("accounts/<int:user>/closing/", accounts.closing, name="account-closing"),
    path("accounts/<int:user>/opening/", accounts.opening, name="account-opening"),
    path("accounts/<int:user>/second-factor/", accounts.factor_reset, name="account-factor"),
    path("people/", people.people_list, name="people"),
    path("people/<int:pk>/", people.person_page, name="person"),
    path("people/<int:pk>/name/", people.naming, name="person-name"),
    path("people/<int:pk>/wish/", people.own_wish, name="person-own-wish"),
    path("people/<int:pk>/merger/", people.merger, name="person-merger"),
    path("people/<int:pk>/parting/", people.parting, name="person-parting"),
    path("people/<int:pk>/deletion/", people.deletion, name="person-deletion"),
    path("seasons/", season.season_list_page, name="seasons"),
    path("seasons/<slug:slug>/", season.season_page, name="season"),
    re_path(
        r"^seasons/(?P<slug>[-\w]+)/standings\.(?P<kind>pdf|xlsx|csv|json)$", season.season_file, name="season-file"
    ),
    path("seasons/<slug:slug>/setup/", season.season_setup, name="season-setup"),
    path("seasons/<slug:slug>/events/", season.season_events, name="season-events"),
    path("seasons/<slug:slug>/team/", season.season_team, name="season-team"),
    path("seasons/<slug:slug>/told/", season.season_told, name="season-told"),
    path("seasons/<slug:slug>/deletion/", season.season_deletion, name="season-deletion"),
    path("seasons/<slug:slug>/dues/", dues.dues, name="season-dues"),
    path("seasons/<slug:slug>/dues/payments/", dues.payment, name="season-dues-payment"),
    re_path(r"^seasons/(?P<slug>[-\w]+)/dues\.(?P<kind>csv|json|xlsx)$", dues.dues_file, name="season-dues-file"),
    path("seasons/<slug:slug>/dues/<int:number>/reversal/", dues.reversal, name="season-dues-reversal"),
    path("seasons/<slug:slug>/members/", members.members, name="season-members"),
    path("seasons/<slug:slug>/partners/", season.partners, name="season-partners"),
    path("seasons/<slug:slug>/partners/entries/", season.partners_entries, name="partners-entries"),
    path("seasons/<slug:slug>/partners/board/", season.partners_board, name="partners-board"),
    path("seasons/<slug:slug>/invite/", inviting.invitation, name="season-invite"),
    path("alive/", errors.alive, name="alive"),
    path("ready/", errors.ready, name="ready"),
    path("trust/", tablets.trust, name="trust"),
    path("trust/uptown.crt", tablets.certificate, name="trust-certificate"),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
]

# Pages of an event that strangers read. Other properties of a page are in its row (`PublicPage`).
PUBLIC = [
    PublicPage("", public.standings_page, "standings", shared=True, follows=True),
    PublicPage("enter/", registrations.enter, "enter", asks=True),
    PublicPage("entry/<str:token>/", registrations.entry, "entry", asks=True),
    PublicPage("schedule/", public.schedule_page, "schedule", shared=True, follows=True),
    PublicPage("search/", public.search, "search", asks=True, follows=True),
    PublicPage("check-in/", checkin.check_in_page, "check-in", asks=True, follows=True),
    PublicPage("teams/", public.teams_page, "teams", shared=True, follows=True),
    PublicPage("teams/<int:number>/", public.team_page, "team", shared=True, follows=True),
    PublicPage("cross-table/", public.cross_page, "cross-table", shared=True, follows=True),
    PublicPage("bracket/", playoffs.bracket_page, "bracket", shared=True, follows=True),
    PublicPage("picture.png", public.event_picture, "event-picture", shared=True),
    PublicPage("pictures/", public.pictures_page, "pictures", shared=True, follows=True),
    PublicPage("rules/", public.rules_page, "rules", shared=True),
    PublicPage("corrections/", deskgames.corrections, "corrections", follows=True),
    PublicPage("board/", public.board_page, "board", shared=True, follows=True, shows_season=True),
    PublicPage("games/<int:pk>/", public.game_page, "public-game", follows=True),
]

DESK = [
    path("", desk.desk, name="desk"),
    path("next-act/", desk.next_act, name="next-act"),
    path("laptop/", laptops.this_laptop, name="this-laptop"),
    path("copy/", laptops.copy_checked, name="copy-checked"),
    path("rounds/<int:number>/seats/", desk.seat_all, name="round-seats"),
    path("rounds/<int:number>/seats/return/", desk.unseat_all, name="round-seats-return"),
    path("calls/<int:pk>/answer/", desk.answer, name="call-answer"),
    path("calls/<int:pk>/way/", desk.on_my_way, name="call-way"),
    path("games/<int:pk>/", deskgames.show, name="desk-game"),
    path("games/<int:pk>/entries/", deskgames.enter, name="game-entry"),
    path("games/<int:pk>/preview/", deskgames.preview, name="game-preview"),
    path("games/<int:pk>/undo/", deskgames.undo, name="game-undo"),
    path("games/<int:pk>/opening/", deskgames.opening, name="game-opening"),
    path("games/<int:pk>/entries/<int:position>/revisions/", deskgames.revise, name="game-revision"),
    path("games/<int:pk>/entries/<int:position>/rulings/", deskgames.rule_instead, name="game-line-ruling"),
    path("games/<int:pk>/sheet/", deskgames.type_again, name="game-sheet"),
    path("games/<int:pk>/rulings/", deskgames.rule, name="game-ruling"),
    path("games/<int:pk>/signatures/", deskgames.witness, name="game-witness"),
    path("games/<int:pk>/signatures/paper/", deskgames.on_paper, name="game-paper-signatures"),
    path(
        "games/<int:pk>/signatures/paper/return/",
        deskgames.return_paper_signatures,
        name="game-paper-signatures-return",
    ),
    path("games/<int:pk>/seats/", deskgames.seat, name="game-seat"),
    path("games/<int:pk>/set-aside/", deskgames.set_aside, name="game-set-aside"),
    path("games/<int:pk>/verification/", deskgames.verify, name="game-verification"),
    path("verify/", deskgames.queue, name="desk-verify"),
    path("verify/alone/", deskgames.run_alone, name="run-alone"),
    path("rulings/", deskgames.report, name="desk-rulings"),
    path("log/", desk.log, name="desk-log"),
]

# The event and its rules, teams, draw, rounds, the event file.
SETTING_UP = [
    path("setup/", setup.event_setup, name="desk-setup"),
    path("setup/options/", setup.event_options, name="desk-options"),
    path("setup/officials/", setup.appoint, name="officials"),
    path("setup/officials/<int:user>/dismissal/", setup.dismiss, name="official-dismissal"),
    path("rehearsal/", setup.rehearsal, name="rehearsal"),
    path("archive/", setup.event_archive, name="event-archive"),
    path("archive/deletion/", setup.event_deletion, name="event-deletion"),
    path("check-in/", checkin.desk_page, name="desk-check-in"),
    path("check-in/code/", checkin.new_code, name="wall-code"),
    path("check-in/absent/", checkin.leave_out, name="leave-out"),
    path("check-in/paid/", checkin.all_paid, name="door-all-paid"),
    path("check-in/<int:number>/note/", checkin.note, name="team-note"),
    path("check-in/<int:number>/", checkin.came, name="team-came"),
    path("teams/", teams.team_list, name="desk-teams"),
    path("entries/", registrations.entry_list, name="desk-entries"),
    path("entries/acceptance/", registrations.acceptance, name="entries-acceptance"),
    path("entries/teams/", registrations.joining, name="entries-joining"),
    path("players/<int:pk>/link/", registrations.player_link, name="player-link"),
    path("entries/<int:position>/place/", waiting.letting_in, name="entry-let-in"),
    path("entries/<int:position>/told/", waiting.told, name="entry-told"),
    path("entries/<int:position>/partner/", waiting.partner, name="entry-partner"),
    path("entries/leaving/<int:number>/", leaving.decision, name="team-leaving"),
    path("teams/numbers/", teams.numbers, name="team-numbers"),
    path("teams/<int:number>/", teams.one_team, name="desk-team"),
    path("teams/<int:number>/paid/", teams.mark_paid, name="team-paid"),
    path("teams/<int:number>/pot/", teams.pot, name="team-pot"),
    path("teams/<int:number>/withdrawal/", teams.withdrawal, name="team-withdrawal"),
    path("teams/<int:number>/comeback/", teams.comeback, name="team-comeback"),
    path("teams/<int:number>/removal/", teams.removal, name="team-removal"),
    path("teams/<int:number>/substitutes/", teams.substitute, name="team-substitute"),
    path("teams/<int:number>/merger/", teams.merge, name="team-merger"),
    path("people/", people.desk_people, name="desk-people"),
    path("people/search/", people.find, name="people-search"),
    path("people/<int:pk>/", people.choose, name="player-person"),
    path("people/<int:pk>/wish/", people.wish, name="person-wish"),
    path("people/<int:pk>/row-wish/", people.row_wish, name="row-wish"),
    path("people/<int:pk>/kept-wish/", people.kept_wish, name="kept-wish"),
    path("rounds/<int:number>/clock/", desk.clock, name="round-clock"),
    path("rounds/<int:number>/time/", desk.time, name="round-time"),
    path("rounds/<int:number>/late/", desk.late, name="round-late"),
    path("rounds/<int:number>/swaps/", teams.swap, name="round-swap"),
    path("roster/", teams.roster, name="desk-roster"),
    path("draw/", desk.draw, name="desk-draw"),
    path("draw/removal/", desk.removal, name="draw-removal"),
    path("draw/seats/<int:number>/", leaving.seat, name="draw-seat"),
    path("draw/<int:number>/by-hand/", desk.by_hand, name="draw-by-hand"),
    path("rounds/<int:number>/start/", desk.start, name="round-start"),
    path("rounds/<int:number>/start/return/", desk.take_back, name="round-start-return"),
    path("rounds/<int:number>/closure/", desk.close, name="round-close"),
    path("file/", setup.event_export, name="event-export"),
]

RESULTS = [
    path("standings/", public.desk_standings, name="desk-standings"),
    path("board/", public.board_section, name="board-section"),
    path("word/", public.hall_word, name="hall-word"),
    path("pot/", money.pot_page, name="desk-pot"),
    path("playoffs/", playoffs.playoffs_page, name="desk-playoffs"),
    path("playoffs/cut/", playoffs.cut, name="cut"),
    path("playoffs/tiebreak/", playoffs.tiebreak, name="tiebreak"),
    path("playoffs/tiebreak/rounds/", playoffs.tie_round, name="tie-round"),
    path("playoffs/tiebreak/end/", playoffs.tie_end, name="tie-end"),
    path("playoffs/placings/", playoffs.placing, name="placing"),
    path("playoffs/rounds/", playoffs.bracket_round, name="bracket-round"),
    path("playoffs/matches/<slug:key>/again/", playoffs.replay_match, name="match-again"),
    path("playoffs/matches/<slug:key>/out/", playoffs.both_out, name="match-out"),
    path("playoffs/end/", playoffs.ending, name="ending"),
]

# Print and files.
DOWNLOADS = [
    path("papers/", papers.desk_papers, name="desk-papers"),
    path("papers/one/", papers.one_paper, name="one-paper"),
    re_path(rf"^papers/jobs/(?P<job>{JOBS})/$", papers.print_choice, name="print-choice"),
    re_path(rf"^papers/(?P<job>{JOBS})\.pdf$", papers.print_file, name="print-job"),
    path("papers/score-sheets.pdf", papers.event_sheets_pdf, name="sheets-pdf"),
    path("papers/new-score-sheets.pdf", papers.unprinted_sheets_pdf, name="unprinted-pdf"),
    path("papers/blank.pdf", papers.blank_sheet_pdf, name="blank-pdf"),
    path("papers/rounds/<int:number>/score-sheets.pdf", papers.round_sheets_pdf, name="round-pdf"),
    path("papers/rounds/<int:number>/seating.pdf", papers.seating_pdf, name="seating-pdf"),
    path("papers/games/<int:pk>.pdf", papers.game_sheet_pdf, name="game-pdf"),
    re_path(rf"^papers/(?P<name>{NAMES})\.pdf$", papers.event_paper, name="event-pdf"),
    path("papers/boards/", papers.boards_page, name="desk-boards"),
    path("papers/boards/entries/", papers.boards_entry, name="boards-entry"),
    path("papers/boards/blank.xlsx", papers.blank_boards_file, name="blank-boards"),
    path("papers/boards/rounds/<int:number>.xlsx", papers.round_boards_file, name="round-boards"),
    path("papers/workbook.xlsx", papers.workbook, name="workbook"),
    re_path(rf"^papers/(?P<name>{FILES})\.(?P<kind>csv|json|xlsx)$", papers.event_list, name="event-list"),
]

MONEY = [
    path("", money.money_page, name="desk-money"),
    path("cash/", money.cash, name="money-cash"),
    path("teams/<int:number>/", money.account, name="money-team"),
    path("teams/<int:number>/payments/", money.payment, name="money-payment"),
    path("teams/<int:number>/charges/", money.charge, name="money-charge"),
    path("teams/<int:number>/refunds/", money.refund, name="money-refund"),
    path("receipts/<int:number>/reversal/", money.reversal, name="money-reversal"),
    path("receipts/<int:number>.pdf", money.receipt_pdf, name="receipt-pdf"),
    path("prizes/", money.prizes, name="money-prizes"),
    path("payouts/", money.payout, name="money-payout"),
]

TABLETS = [
    path("", tablets.tablet_cards, name="desk-tablets"),
    path("parked/", tablets.pending_list, name="desk-parked"),
    path("parked/<int:pk>/decision/", tablets.decision, name="parked-decision"),
    path("cards/", tablets.all_cards, name="desk-tablet-cards"),
    path("<int:table>/card/", tablets.card, name="desk-tablet-card"),
    path("<int:table>/further/", tablets.further_card, name="desk-tablet-further"),
    path("<int:table>/revocation/", tablets.revocation, name="desk-tablet-revocation"),
    path("<int:table>/return/", tablets.put_back, name="desk-tablet-return"),
]

PRACTICE = [
    path("", tablet.practice, name="practice"),
    path("entries/", tablet.step, {"act": write_hand}, name="practice-entry"),
    path("preview/", tablet.practice_preview, name="practice-preview"),
    path("undos/", tablet.step, {"act": take_back}, name="practice-undo"),
    path("seats/", tablet.step, {"act": name_dealer}, name="practice-seats"),
    path("signatures/", tablet.step, {"act": sign_side}, name="practice-signature"),
]

# A tablet: binding it, its table, and what is done there.
TABLE = [
    path("", tablet.pair, name="pair"),
    path("table/", tablet.tablet, name="tablet"),
    path("table/key/", tablet.key, name="tablet-key"),
    path("table/writer/", tablet.writer, name="tablet-writer"),
    path("notices/<int:pk>/", deskgames.acknowledge, name="tablet-notice"),
    path("table/games/<int:pk>/preview/", tablet.preview, name="tablet-preview"),
    path("table/games/<int:pk>/time/", tablet.time_list, name="tablet-time"),
    # Where the script of 78bd27c posts what it cannot store, and hands that are refused.
    path("table/games/<int:pk>/<path:form>/", tablet.from_before, name="tablet-before"),
    path("api/submissions/", tablet.submissions, name="api-submissions"),
    path("api/known/", tablet.known, name="api-known"),
    path("api/state/", tablet.state, name="api-state"),
    path("api/ping/", tablet.ping, name="api-ping"),
]

urlpatterns = [
    *SITE,
    path("e/<slug:slug>/", include(PUBLIC)),
    path("desk/<slug:slug>/", include([*DESK, *SETTING_UP, *RESULTS, *DOWNLOADS])),
    path("desk/<slug:slug>/money/", include(MONEY)),
    path("desk/<slug:slug>/tablets/", include(TABLETS)),
    path("practice/", include(PRACTICE)),
    path("t/", include(TABLE)),
    path("sw.js", tablet.worker, name="worker"),
]
