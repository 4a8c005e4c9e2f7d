"""The rule judge, helped by an encoder; the rule `embeddings=minilm` asks for it."""
