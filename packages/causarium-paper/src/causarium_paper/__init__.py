"""A kit for papers: figures, a table, a caption and every number."""
