"""placeholder"""


def rewrite_asm(text: str) -> str:
    return text
