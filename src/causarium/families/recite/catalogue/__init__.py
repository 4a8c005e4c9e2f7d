"""The words and wordings that made documents are written with."""
