"""Certified edition: the players without a model."""
