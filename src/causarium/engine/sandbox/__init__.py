"""Where programs run that an agent wrote: never in this process, never as this user.

`bubblewrap` is the sandbox that a run gets; `guest` is what runs inside.
"""
