"""Reference of the transpose."""


def reference(**args):
    return {"out": args["in"].T}
