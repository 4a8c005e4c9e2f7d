"""Who plays published games without a model."""
