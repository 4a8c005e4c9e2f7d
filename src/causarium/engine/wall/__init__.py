"""The wall around an agent of one's own: a process that holds neither the truth nor a key."""
