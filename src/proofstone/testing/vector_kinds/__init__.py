"""One module per vector schema: how each kind of case is run."""
