"""Proofstone: a person decides what AI agents may remember."""

__version__ = "0.1.0"
