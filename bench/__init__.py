"""Speed, as ratios within one run: `./run bench [NAME]`."""
