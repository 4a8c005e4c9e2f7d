"""Exact inference: the pairs of worlds that fit what was seen, and the choice of the next trial."""
