"""Rows to tables, figures and pages. Knows no family by name: it reads facets and labels."""

FORMATS = ("html", "md", "json")
"""What a report can be written as."""
