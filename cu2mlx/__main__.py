"""`python -m cu2mlx`."""

from cu2mlx.cli import main

if __name__ == "__main__":
    main()
