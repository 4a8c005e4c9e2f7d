"""Logs: reading them, and the rows they hold."""
