"""Where programs run that an agent wrote: never in this process, never as this user.

`bubblewrap` chooses what a run gets and is ours for machines without Docker; `guest` is what runs
inside of either.
"""
