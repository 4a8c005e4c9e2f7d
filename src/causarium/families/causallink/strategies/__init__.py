"""How players think: what they ask, and what they take the answers to mean."""
