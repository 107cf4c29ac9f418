"""The Markdown vault on disk (spec page 5): reading, exact writing, lock, journal."""
