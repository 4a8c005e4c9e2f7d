"""ReplaySCM: write the rules behind tables of 0 and 1; `certified` and `paper` are its editions."""
