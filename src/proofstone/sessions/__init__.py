"""Readers of agents' own session files (spec page 8)."""
