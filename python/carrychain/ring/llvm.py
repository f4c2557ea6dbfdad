"""LLVM through llvmlite: text to machine code for this processor, and machine code to addresses."""

from __future__ import annotations

import platform
from functools import cache
from itertools import count

import llvmlite
import llvmlite.binding as llvm

from ..bindings.ring import functions

_numbers = count()


@cache
def _machine():
    if platform.machine() not in ("x86_64", "AMD64", "aarch64", "arm64"):
        raise NotImplementedError(
            f"compiled programs need a 64-bit x86 or ARM processor, not {platform.machine()}"
        )
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, reloc="pic"
    )


def version() -> str:
    """Of all that machine code depends on: llvmlite, LLVM, the processor."""
    features = llvm.get_host_cpu_features().flatten()
    return " ".join(
        [llvmlite.__version__, *map(str, llvm.llvm_version_info), llvm.get_host_cpu_name(), features]
    )


def _optimized(text: str):
    machine = _machine()
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return module


def machine_code(text: str) -> bytes:
    return _machine().emit_object(_optimized(text))


def load(code: bytes, names: list[str]):
    """What keeps the machine code in memory, and maps the names to addresses."""
    library = llvm.JITLibraryBuilder().add_object_img(code)
    for name, address in functions():
        library.import_symbol(name, address)
    for name in names:
        library.export_symbol(name)
    return library.link(_jit(), f"program {next(_numbers)}")


@cache
def _jit():
    return llvm.create_lljit_compiler(_machine())


def function_texts(text: str, labels: list[str], kind: str) -> list[str]:
    """Functions of a module as LLVM leaves them, or their assembly."""
    module = _optimized(text)
    if kind == "llvm":
        return [str(module.get_function(label)) for label in labels]
    lines = _machine().emit_assembly(module).splitlines()
    begins = {line.split("\t")[0].rstrip().strip(':"'): at for at, line in enumerate(lines)}
    found = []
    for label in labels:
        start = begins[label]
        end = next(at for at in range(start, len(lines)) if lines[at].startswith(".Lfunc_end"))
        found.append("\n".join(lines[start:end]))
    return found
