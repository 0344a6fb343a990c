"""Answers questions over a whole file: declarations, types, address spaces, what kernels do to memory."""
