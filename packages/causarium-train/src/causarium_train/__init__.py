"""Adapters for trainers: Gymnasium, and TRL."""
