"""Runs MSL on an Apple GPU, through MLX's Metal back end. Nothing here has run on Apple hardware yet."""

from cu2mlx.runtime.metal.executor import MetalExecutor

__all__ = ["MetalExecutor"]
