"""SVG: marks, axes, causal graphs and their layout. Knows no benchmark."""
