"""The pages, and in `generate` what writes parts of them from cards, code and stored audits."""
