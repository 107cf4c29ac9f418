"""The model client of the Gate (spec page 8)."""
