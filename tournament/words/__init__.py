"""What is said: phrases, names as people type them, and what rows say: a code and values there, the sentence here.

A second language is a second set of these.
"""
