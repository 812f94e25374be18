"""Addresses of the tablets at the desk."""

from django.urls import path

from tournament.views import parked, pins, tablets

urlpatterns = [
    path("", tablets.tablet_cards, name="desk-tablets"),
    path("parked/", parked.parked_list, name="desk-parked"),
    path("parked/<int:pk>/decision/", parked.decision, name="parked-decision"),
    path("pins/", pins.pin_list, name="desk-pins"),
    path("pins/slips.pdf", pins.slips, name="pins-pdf"),
    path("pins/<int:number>/", pins.pin, name="desk-pin"),
    path("cards/", tablets.all_cards, name="desk-tablet-cards"),
    path("<int:table>/card/", tablets.card, name="desk-tablet-card"),
    path("<int:table>/further/", tablets.further_card, name="desk-tablet-further"),
    path("<int:table>/revocation/", tablets.revocation, name="desk-tablet-revocation"),
    path("<int:table>/return/", tablets.put_back, name="desk-tablet-return"),
]
