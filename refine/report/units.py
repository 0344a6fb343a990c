"""Numbers as a person reads them."""


def seconds(value: float) -> str:
    """54 µs, 1.25 ms, 3.2 s, 4 min."""
    if value >= 90:
        return f"{value / 60:.0f} min"
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 1:
            return f"{_digits(value * factor)} {unit}"
    return f"{_digits(value * 1e9)} ns" if value else "0 s"


def bytes_(value: float) -> str:
    """134 MB, 2.1 GB; decimal, as bandwidths are."""
    for factor, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= factor:
            return f"{_digits(value / factor)} {unit}"
    return f"{value:.0f} bytes"


def ratio(value: float) -> str:
    """1028×, 15.5×, 1.26×, 0.021×."""
    return f"{_digits(value)}×" if value >= 0.1 else f"{value:.2g}×"


def percent(value: float) -> str:
    return f"{100 * value:.0f} %" if value >= 0.095 else f"{100 * value:.2g} %"


def counted(number: int, what: str) -> str:
    """1 round, 2 rounds."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _digits(value: float) -> str:
    """Three digits at least."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
