"""The command line: one file per verb, imported only when that verb is asked for."""

import importlib.util
from typing import Any

import click

from cu2mlx import __version__

# verb → what `cu2mlx --help` says of it; cli/<verb>.py holds a click command of that name
VERBS = {
    "translate": "Translate a CUDA file to an MLX module and Metal.",
    "check": "Type-check Metal, or the translation of a CUDA file.",
    "verify": "Run original and translation on the same data and compare.",
    "report": "What translates in files and folders: totals, codes, effort.",
    "optimize": "Search for a faster kernel.",
    "bench": "Time a task's kernels against its baselines.",
    "explain": "A diagnostic's page.",
    "query": "How Metal says a CUDA function.",
    "doctor": "What this machine can do.",
}

_INTERRUPTED = 130  # as shells say it
_AS_JSON = "cu2mlx.json"


class _Verbs(click.Group):
    """Imports a verb's file when it is used: start-up counts."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [verb for verb in VERBS if importlib.util.find_spec(f"cu2mlx.cli.{verb}") is not None]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command: click.Command = getattr(importlib.import_module(f"cu2mlx.cli.{name}"), name)
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in self.list_commands(context) or name.startswith("-"):
            return super().resolve_command(context, args)
        from difflib import get_close_matches

        close = get_close_matches(name, VERBS, 1)
        meant = close[0] if close else f"translate {name}" if name.endswith((".cu", ".cuh")) else ""
        hint = f"did you mean cu2mlx {meant}?" if meant else f"there are {', '.join(VERBS)}"
        raise click.UsageError(f"no verb {name!r}; {hint}", context)

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        context.meta[_AS_JSON] = "--json" in args
        return super().parse_args(context, args)

    def invoke(self, context: click.Context) -> Any:
        """Run the verb. Errors are JSON too with --json; Ctrl-C has an exit code that no verb has for its results."""
        try:
            return super().invoke(context)
        except click.ClickException as error:
            if context.meta[_AS_JSON]:
                from cu2mlx.cli.output import error_as_json, print_json

                print_json(error_as_json(error))
            raise
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            context.exit(_INTERRUPTED)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(verb, VERBS[verb]) for verb in self.list_commands(context)])


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cu2mlx")
def main(**_: Any) -> None:
    """CUDA kernels to MLX operations: translate, check, run and optimise them."""
