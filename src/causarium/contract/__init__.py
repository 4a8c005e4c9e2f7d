"""What a family promises, and the words everyone else uses to speak of it.

Nothing here knows a benchmark, a model or Inspect.
"""
