"""The judge without a key, helped by an encoder; the rule `embeddings=minilm` asks for it."""
