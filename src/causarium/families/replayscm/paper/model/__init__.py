"""Data and declarations: levels, rules, instances, actions."""
