"""Where programs run that an agent wrote: never in this process, never as this user.

`choice` says which sandbox a run gets, `bubblewrap` is ours for machines without Docker, and
`guest` is what runs inside of either.
"""
