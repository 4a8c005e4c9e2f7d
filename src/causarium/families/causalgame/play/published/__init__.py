"""Paper edition: how published games are played."""
