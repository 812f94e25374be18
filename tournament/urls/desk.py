"""Addresses of the desk pages."""

from django.urls import path

from tournament.views import desk, deskgames, gamerulings, log, revisions, signatures, verification

urlpatterns = [
    path("", desk.desk, name="desk"),
    path("next-act/", desk.next_act, name="next-act"),
    path("rounds/<int:number>/seats/", desk.seat_all, name="round-seats"),
    path("rounds/<int:number>/seats/return/", desk.unseat_all, name="round-seats-return"),
    path("calls/<int:pk>/answer/", desk.answer, name="call-answer"),
    path("games/<int:pk>/", deskgames.show, name="desk-game"),
    path("games/<int:pk>/entries/", deskgames.enter, name="game-entry"),
    path("games/<int:pk>/preview/", deskgames.preview, name="game-preview"),
    path("games/<int:pk>/undo/", deskgames.undo, name="game-undo"),
    path("games/<int:pk>/opening/", deskgames.opening, name="game-opening"),
    path("games/<int:pk>/entries/<int:position>/revisions/", revisions.revise, name="game-revision"),
    path("games/<int:pk>/entries/<int:position>/rulings/", gamerulings.rule_instead, name="game-line-ruling"),
    path("games/<int:pk>/rulings/", gamerulings.rule, name="game-ruling"),
    path("games/<int:pk>/signatures/", signatures.witness, name="game-witness"),
    path("games/<int:pk>/signatures/paper/", signatures.on_paper, name="game-paper-signatures"),
    path("games/<int:pk>/signatures/paper/return/", signatures.back, name="game-paper-signatures-return"),
    path("games/<int:pk>/seats/", deskgames.seat, name="game-seat"),
    path("games/<int:pk>/set-aside/", revisions.set_aside, name="game-set-aside"),
    path("games/<int:pk>/verification/", verification.verify, name="game-verification"),
    path("verify/", verification.queue, name="desk-verify"),
    path("verify/alone/", verification.alone, name="run-alone"),
    path("rulings/", gamerulings.report, name="desk-rulings"),
    path("log/", log.log, name="desk-log"),
]
