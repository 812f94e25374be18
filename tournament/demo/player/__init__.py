"""One player for the whole project: it sends what tablets and the desk send, over HTTP, signed in as everybody is.

The demo lets it play the other tables; the journeys of the tests and the benchmarks play with the same hands, the same
tablet and the same desk. It knows the rules of the game as players do, and is no part of a real site.
"""
