"""The crystal as a world, its words, and the reading of replies."""
