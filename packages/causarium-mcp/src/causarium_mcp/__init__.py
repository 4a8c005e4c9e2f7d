"""Serves episodes to clients of the Model Context Protocol."""
