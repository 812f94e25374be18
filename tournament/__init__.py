"""The site: teams, rounds, hands at the tables, standings and playoffs of a card tournament."""
