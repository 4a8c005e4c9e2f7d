"""Causarium's instances as Harbor tasks."""
