"""Paper edition: what a session earns."""
