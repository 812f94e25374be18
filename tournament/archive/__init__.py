"""The event file: written and read here, stored by `store`. Reading it changes nothing."""
