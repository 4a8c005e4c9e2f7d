"""The play of expeditions."""
