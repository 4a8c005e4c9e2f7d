"""The binding to Inspect AI. Knows no benchmark: it turns any family into a task."""
