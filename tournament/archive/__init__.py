"""The event file: written and read here, stored by `store`. Reading one changes nothing."""
