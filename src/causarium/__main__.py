"""`python -m causarium`: the command line."""

from causarium.cli import main

if __name__ == "__main__":
    main()
