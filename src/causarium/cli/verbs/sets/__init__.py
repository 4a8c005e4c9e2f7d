"""The verbs about sets of instances."""
