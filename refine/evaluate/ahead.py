"""Compilers started before what they make is asked for. They work in processes of their own or without Python's lock,
so those of several texts run side by side."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from cu2mlx.runtime.protocol import KernelText


def compile_ahead(compiler: Callable[[KernelText], object], texts: Iterable[KernelText]) -> None:
    """Each different text once; `compiler` keeps what it makes. What does not compile is for the stage that needs it
    to find and to say."""
    with ThreadPoolExecutor() as pool:
        for text in dict.fromkeys(texts):
            pool.submit(compiler, text)
