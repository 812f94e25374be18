"""Addresses of the money pages at the desk."""

from django.urls import path

from tournament.views import money, payouts

urlpatterns = [
    path("", money.money_page, name="desk-money"),
    path("cash/", money.cash, name="money-cash"),
    path("teams/<int:number>/", money.account, name="money-team"),
    path("teams/<int:number>/payments/", money.payment, name="money-payment"),
    path("teams/<int:number>/charges/", money.charge, name="money-charge"),
    path("teams/<int:number>/refunds/", money.refund, name="money-refund"),
    path("receipts/<int:number>/reversal/", money.reversal, name="money-reversal"),
    path("receipts/<int:number>.pdf", payouts.receipt_pdf, name="receipt-pdf"),
    path("prizes/", payouts.prizes, name="money-prizes"),
    path("payouts/", payouts.payout, name="money-payout"),
]
