"""Pages on this machine: replay a run, play as a human, browse sets."""
