"""The product's Python API. `import causarium` shows its names."""
