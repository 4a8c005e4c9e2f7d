"""Who plays expeditions without a model."""
