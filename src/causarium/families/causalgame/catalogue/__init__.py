"""Fixed content: the published games and their hardware."""
