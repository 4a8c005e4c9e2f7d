"""How sessions are played: worlds, words, and the reading of replies."""
