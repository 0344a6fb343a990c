"""Binding: from a kernel's interface to the emitted Python module, Metal file and MLX's generated source."""
