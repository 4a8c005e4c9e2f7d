"""A real language model on this machine: by a llama.cpp server, in batches, or recorded."""
