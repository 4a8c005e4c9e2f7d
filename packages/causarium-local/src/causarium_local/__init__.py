"""A real language model on this machine: its weights, a llama.cpp server, and `--model local`."""
