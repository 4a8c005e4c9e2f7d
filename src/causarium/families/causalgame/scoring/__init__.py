"""Grades, judges and numbers."""
