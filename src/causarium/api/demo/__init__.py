"""The demo: every family in half a minute, or with logs on the standard sets."""
