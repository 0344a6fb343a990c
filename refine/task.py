"""A task: the kernel to improve, what it must compute, and the numbers that may be varied."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.space import Space, Tunable, read_space
from cu2mlx.runtime.spec import Case, Spec, SpecError, load_reference, load_spec, resolve
from cu2mlx.runtime.spec.reference import Reference
from cu2mlx.runtime.verify import emitted_kernel, translation_of
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.signature import Signature, signature
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.source import UnusableInput, read_source


class TaskError(Exception):
    """A task that cannot be used; the message says where and what to do."""


@dataclass(frozen=True, slots=True)
class Task:
    """`shown` cases guide the search; `held_out` ones decide promotion and never appear in a prompt.

    `space`: the numbers that a candidate may choose. `original`: the CUDA text that the kernel reaches.
    `reference`: float64, None where the original is the oracle. `interface` and `binding` are the baseline
    translation's: a candidate keeps its buffers.
    """

    name: str
    spec: Spec
    original: str
    interface: KernelInterface
    binding: Signature
    reference: Reference | None
    space: Space
    shown: tuple[Case, ...]
    held_out: tuple[Case, ...]
    timed: tuple[Case, ...]

    @property
    def seed(self) -> Candidate:
        """The baseline translation."""
        return Candidate(self.binding.header, self.binding.body)

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        return self.space.tunables

    def allows(self, numbers: Mapping[str, int]) -> bool:
        """Whether these values of tunables may stand together."""
        return self.space.violated(numbers) is None


def load_task(path: Path) -> Task:
    """Reads a folder with task.toml, or a spec file. Raises TaskError."""
    file = path / "task.toml" if path.is_dir() else path
    if path.is_dir() and not file.exists():
        named = ", ".join(sorted(each.name for each in path.glob("*.toml"))) or "none"
        raise TaskError(f"{path}: no task.toml in this folder; its spec files, which are tasks too: {named}")
    if file.suffix != ".toml":
        raise TaskError(
            f"{path}: a task is a folder with task.toml or a spec file (docs/spec-files.md); "
            "`cu2mlx optimize FILE.cu` makes one under tasks/"
        )
    try:
        spec = load_spec(file)
        reference = load_reference(spec)
        folder = file.resolve().parent.name
        name = folder if file.stem == "task" else f"{folder}-{file.stem}"
        interface, original = _translated(spec, file)
        return assembled(name, spec, interface, original, reference)
    except (SpecError, UnusableInput) as error:
        raise TaskError(str(error)) from None


def assembled(
    name: str, spec: Spec, interface: KernelInterface, original: str, reference: Reference | None
) -> Task:
    """A task of its parts: cases and tunables are the spec's. Raises TaskError, SpecError."""
    shown, held_out, timed = _cases(spec)
    return Task(
        name=name,
        spec=spec,
        original=original,
        interface=interface,
        binding=signature(interface),
        reference=reference,
        space=read_space(spec, (*shown, *held_out, *timed)),
        shown=shown,
        held_out=held_out,
        timed=timed,
    )


def _translated(spec: Spec, file: Path) -> tuple[KernelInterface, str]:
    if spec.source is None:
        raise TaskError(f"{file}: source: is missing; name the CUDA file beside the task")
    macros = {case.defines for case in spec.cases}
    if len(macros) > 1:
        raise TaskError(
            f"{file}: defines: differ between cases, but a search has one text; make a task of each"
        )
    template = tuple((name, _spelled(value)) for name, value in spec.cases[0].template)
    folders = tuple(file.parent / each for each in spec.includes)
    source = read_source(file.parent / spec.source)
    asked = (source, spec.kernel, folders, macros.pop(), "refuse", template)
    kernel = emitted_kernel(*asked)
    if kernel is None:
        names = ", ".join(each.name for each in translation_of(*asked).kernels) or "none"
        raise TaskError(f"{file}: kernel: {spec.source} has no kernel {spec.kernel!r}; its kernels: {names}")
    interface = interface_of(kernel, file)
    _require_one_instance(spec, file, {each.name for each in interface.template})
    return interface, kernel.original


def interface_of(kernel: TranslatedKernel, file: Path) -> KernelInterface:
    """Raises TaskError for a kernel that was refused."""
    if kernel.interface is None:
        why = "; ".join(each.message for each in kernel.diagnostics if each.severity.value == "error")
        raise TaskError(f"{file}: {kernel.name} has no translation to start from: {why}")
    return kernel.interface


def _spelled(value: int | bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _require_one_instance(spec: Spec, file: Path, open_names: set[str]) -> None:
    """Template arguments that MLX cannot pass are part of the text: all cases have to have the same."""
    fixed = {name for name, _ in spec.cases[0].template} - open_names
    if len({tuple(item for item in case.template if item[0] in fixed) for case in spec.cases}) > 1:
        names = ", ".join(sorted(fixed))
        raise TaskError(
            f"{file}: template: {names} cannot be passed through MLX and differ between cases, but a search has one "
            "text; make a task of each"
        )
    declared = spec.optimize.get("tunables")
    for name in declared if isinstance(declared, Mapping) else ():
        if name in fixed:
            raise TaskError(f"{file}: optimize.tunables.{name}: is fixed in this kernel's text")


Cases = tuple[Case, ...]


def _cases(spec: Spec) -> tuple[Cases, Cases, Cases]:
    """Shown, held-out and timed cases: `[optimize] held_out` names some of the cases, else it is the last third;
    each `[[optimize.timed]]` is a case of its own, too large for the CPU machine."""
    held_out = _named(spec, "held_out")
    if held_out is None:
        held_out = spec.cases[len(spec.cases) - len(spec.cases) // 3 :]
    shown = tuple(case for case in spec.cases if case not in held_out)
    if not shown:
        raise TaskError(f"{spec.path}: optimize.held_out: leaves no case to search with")
    return shown, held_out, tuple(_timed(spec))


def _timed(spec: Spec) -> Iterator[Case]:
    """What a timed case leaves open of the template is as in the first case."""
    tables = spec.optimize.get("timed", [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise TaskError(
            f"{spec.path}: optimize.timed: is written [[optimize.timed]], with the sizes below it"
        )
    first = spec.cases[0]
    for table in tables:
        name, template = table.get("name"), table.get("template", {})
        sizes = {key: value for key, value in table.items() if key not in ("name", "template")}
        where = f"{spec.path}: optimize.timed {name!r}"
        if not isinstance(name, str) or not isinstance(template, dict):
            raise TaskError(f"{where}: needs a name, and a template that is a table if there is any")
        if not all(type(value) in (int, float) for value in sizes.values()):
            raise TaskError(f"{where}: sizes are numbers")
        if unknown := set(template) - {key for key, _ in first.template}:
            raise TaskError(f"{where}: template.{unknown.pop()} is not declared in [template]")
        merged = tuple((dict(first.template) | template).items())
        case = Case(name, tuple(sizes.items()), merged, first.defines)
        resolve(spec, case)  # raises SpecError where a size is missing
        yield case


def _named(spec: Spec, key: str) -> Cases | None:
    wish = spec.optimize.get(key)
    names = [case.name for case in spec.cases]
    if wish is None:
        return None
    if not isinstance(wish, list) or not all(each in names for each in wish):
        raise TaskError(f"{spec.path}: optimize.{key}: a list of case names, of {', '.join(names)}")
    return tuple(case for case in spec.cases if case.name in wish)
