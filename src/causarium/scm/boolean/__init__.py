"""Boolean structural models, and what rows seen under interventions say about them, exactly.

`formula`, `read_formula`, `truth_table` and `model` load no numpy and may be imported anywhere. The
other modules load it when they are imported, so whoever must start fast imports them where they are
used.
"""
