"""A family as an Inspect task: samples, solvers, scorers."""
