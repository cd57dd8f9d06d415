"""`python -m cudasmith`: the command line."""

from cudasmith.cli.main import main

if __name__ == "__main__":
    main()
