"""The papers' result tables as tidy data, each with its source."""
