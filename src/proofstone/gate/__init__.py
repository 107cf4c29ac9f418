"""The model client of the Gate (spec page 8). Only ``client`` needs httpx; import it late."""
