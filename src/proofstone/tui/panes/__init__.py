"""Panes of the main screen, one module each."""
