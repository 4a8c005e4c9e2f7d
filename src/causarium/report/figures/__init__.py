"""What a report shows as SVG."""
