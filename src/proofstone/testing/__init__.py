"""Fixtures and checks that other projects may use too."""
