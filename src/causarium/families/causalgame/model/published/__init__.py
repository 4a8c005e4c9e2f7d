"""Paper edition: the fourteen games as data."""
