"""The program's wording: phrases, names as people type them, and sentences for the codes and values that rows store.

A second language would be a second set of these.
"""
