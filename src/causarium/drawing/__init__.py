"""Drawings of plain marks: causal graphs, laid out and compared. Knows no benchmark."""
