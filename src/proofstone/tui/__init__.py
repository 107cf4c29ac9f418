"""The workbench: a Textual application over ``proofstone.curation``."""
