"""float64 reference of the vector sum. The output buffer is added to."""


def reference(out, **args):
    return {"out": out + args["in"].sum()}
