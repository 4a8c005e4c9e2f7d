"""A real language model on this machine: its weights, and a llama.cpp server of its own.

Nothing here knows Inspect; a served model is one more provider to it.
"""
