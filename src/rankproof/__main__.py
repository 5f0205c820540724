"""`python -m rankproof` is the command line."""

from rankproof.cli.main import main

main()
