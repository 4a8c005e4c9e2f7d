"""An episode inside Inspect: replies, context, tools, programs."""
