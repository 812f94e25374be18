"""Addresses of the tablet: binding it, its table's page, and what is done there."""

from django.urls import path

from tournament.views import notices, pairing, table_device, tablet, tablet_messages

urlpatterns = [
    path("", pairing.pair, name="pair"),
    path("table/", tablet.tablet, name="tablet"),
    path("table/key/", table_device.key, name="tablet-key"),
    path("table/writer/", table_device.writer, name="tablet-writer"),
    path("notices/<int:pk>/", notices.read, name="tablet-notice"),
    path("table/games/<int:pk>/entries/", tablet.entry_list, name="tablet-entry"),
    path("table/games/<int:pk>/preview/", tablet.preview, name="tablet-preview"),
    path("table/games/<int:pk>/undos/", tablet.undo_list, name="tablet-undo"),
    path("table/games/<int:pk>/seats/", tablet.seat_list, name="tablet-seats"),
    path("table/games/<int:pk>/calls/", tablet.call_list, name="tablet-call"),
    path("table/games/<int:pk>/calls/return/", tablet.call_return, name="tablet-call-return"),
    path("table/games/<int:pk>/time/", tablet.time_list, name="tablet-time"),
    path("table/games/<int:pk>/signatures/", tablet.signature_list, name="tablet-signature"),
    path("table/games/<int:pk>/signatures/return/", tablet.signature_return, name="tablet-signature-return"),
    path("api/submissions/", tablet_messages.submissions, name="api-submissions"),
    path("api/known/", tablet_messages.known, name="api-known"),
    path("api/state/", tablet_messages.state, name="api-state"),
    path("api/ping/", tablet_messages.ping, name="api-ping"),
]
