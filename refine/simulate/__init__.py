"""Strategies compared on recorded sweeps: no device, no compiler, and the same numbers every time."""
