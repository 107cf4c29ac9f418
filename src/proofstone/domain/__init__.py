"""Pure rules: no disk, clock, randomness, environment or screen.

Everything here is a frozen value or a function of its arguments, so every result can be
repeated. Times, identities and file contents come in from outside.
"""
