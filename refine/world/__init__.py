"""The world model: what has been decided, tried and learnt about a kernel, as immutable data."""
