"""CausaLab: discover a hidden mechanism by experiment, and predict with it."""
