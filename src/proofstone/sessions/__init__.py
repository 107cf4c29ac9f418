"""Readers of agents' own session files: lines in, turns out (spec page 8, Session readers)."""
