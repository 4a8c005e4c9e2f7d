"""Data and declarations: levels, rules, instances and actions of both editions."""
