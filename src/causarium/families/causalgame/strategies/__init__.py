"""How players think: searches, regressions, and the one that reasons about causes."""
