"""Models on this machine: a real one, and one whose replies are written down.

The real one has its weights and a llama.cpp server of its own, and knows nothing of Inspect; the
other (`script_model`) is a provider of Inspect's.
"""
