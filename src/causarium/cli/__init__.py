"""One file a verb: each parses, calls and prints."""
