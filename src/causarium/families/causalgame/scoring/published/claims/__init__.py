"""Claims about a game: their terms, whether they are true, and the ideas that were published."""
