"""Codes of pairs of a forward and a backward kernel that do not make a differentiable function."""

from cu2mlx.transpiler.diagnostics.model import Code, Effort, Severity

_ERROR, _MINUTES, _HOURS = Severity.ERROR, Effort.MINUTES, Effort.HOURS

ROWS = (
    Code("CU5101", "gradient-input-unclear", _ERROR, _MINUTES, "cannot tell what {backward} is to be given as {name}",
         'say it in a [gradient] table: parameters.{name} = "cotangent of Y", "argument", or a Python expression '
         "over the arguments and outputs of {forward}"),
    Code("CU5102", "gradient-output-unclear", _ERROR, _MINUTES,
         "cannot tell whose gradient {backward} writes to {name}",
         'say it in a [gradient] table: parameters.{name} = "gradient of X", or, where it is of no use, "scratch" for '
         "a buffer that is only written and what it starts with for any other"),
    Code("CU5103", "gradient-missing", _ERROR, _MINUTES, "no gradient of {name} comes from {backward}",
         'if none flows to it, say so in a [gradient] table: constants = ["{name}"]'),
    Code("CU5104", "gradient-without-cotangent", _ERROR, _HOURS,
         "{backward} takes no cotangent of an output of {forward}",
         'say which parameter is one in a [gradient] table: parameters.NAME = "cotangent of Y"; a kernel without one '
         "gives derivatives that its caller multiplies"),
    Code("CU5105", "gradient-of-refused", _ERROR, _MINUTES, "no differentiable function: {name} is not translated",
         "lift what keeps {name} from being translated"),
)  # fmt: skip
