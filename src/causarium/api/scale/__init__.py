"""Work that is shared out: sets in parts, shards, processes, machines."""
