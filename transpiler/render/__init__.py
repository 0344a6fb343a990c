"""Prints Metal: the source's own text, with rules where CUDA and Metal say something differently."""
