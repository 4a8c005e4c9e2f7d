"""ReCITE: read a text and write down its causal graph.

`certified` holds a ladder of texts whose keys are derived from their evidence, `paper` the
published tasks.
"""
