"""Is what a log says true: instances, turns, verdicts and counts, worked out anew."""
