"""LLVM through llvmlite: text to machine code for this processor, and machine code to addresses."""

from __future__ import annotations

import platform
from functools import cache
from itertools import count

import llvmlite
import llvmlite.binding as llvm

from ..bindings.ring import functions

_numbers = count()

# Two kinds of functions, by what is worth doing for them (emit/loops.py): their attributes, by number.
LOOPING, STRAIGHT = "#0", "#1"
ATTRIBUTES = f"attributes {LOOPING} = {{ nounwind }}\nattributes {STRAIGHT} = {{ nounwind }}\n"


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
    """The module, each kind of function by its own pipeline, which passes the other kind by."""
    straight = _run(text, passed_by=LOOPING)
    if f"{LOOPING} {{\n" not in text:
        return straight
    looping = _run(text, passed_by=STRAIGHT)
    looping.link_in(straight)
    return looping


def _run(text: str, passed_by: str):
    machine = _machine()
    kind = f"attributes {passed_by} = {{"
    module = llvm.parse_assembly(text.replace(kind, f"{kind} noinline optnone"))
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    if passed_by == STRAIGHT:
        passes = builder.getModulePassManager()
    else:
        passes = llvm.create_new_module_pass_manager()
        passes.add_simplify_cfg_pass()
        passes.add_reassociate_pass()
        passes.add_instruction_combine_pass()
        passes.add_loop_rotate_pass()
        passes.add_new_gvn_pass()
        passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    # of what both modules have, the one that it is not weak in stays
    for function in module.functions:
        if function.linkage == llvm.Linkage.external and any(b"optnone" in a for a in function.attributes):
            function.linkage = llvm.Linkage.weak_any
    if passed_by == LOOPING:
        for variable in module.global_variables:
            if variable.linkage == llvm.Linkage.external:
                variable.linkage = llvm.Linkage.weak_any
    return module


def machine_code(text: str) -> bytes:
    return _machine().emit_object(_optimized(text))


def load(code: bytes, name: str):
    """What keeps the machine code in memory, and maps the name to its address."""
    library = llvm.JITLibraryBuilder().add_object_img(code)
    for function, address in functions():
        library.import_symbol(function, address)
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
