"""The command line (spec page 8)."""
