"""Paper edition: how drones fly in the published games."""
