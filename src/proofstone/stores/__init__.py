"""Other programs' memory stores behind one port (spec page 8)."""
