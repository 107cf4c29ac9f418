"""``python -m proofstone``, the same as the console script."""

from proofstone.cli.main import main

main()
