"""A report as a page, as Markdown and on the terminal."""
