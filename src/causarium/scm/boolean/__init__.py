"""Boolean structural models, and what rows seen under interventions say about them, exactly.

`formula`, `table` and `model` load no numpy and may be imported anywhere. `seen` and all that
builds on it (`solve`, `count`, `certify`, `select`, `alternative`) load numpy when imported, so
whoever must start fast imports them where they are used.
"""
