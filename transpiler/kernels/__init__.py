"""Kernels: from the model of one kernel to the interface that binding prints."""

from cu2mlx.transpiler.kernels.translate import TranslatedKernel, translate_kernel

__all__ = ["TranslatedKernel", "translate_kernel"]
