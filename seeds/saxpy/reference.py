"""float64 reference of saxpy."""


def reference(a, x, y, **_):
    return {"y": a * x + y}
