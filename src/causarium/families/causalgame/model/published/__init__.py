"""The fourteen games as data: what they are made of, and what claims may say."""
