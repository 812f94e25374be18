"""What the rows say: a code and values there, the sentence here. A second language is a second set of these."""
