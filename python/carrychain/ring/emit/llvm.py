"""LLVM through llvmlite: text to machine code for this processor, and machine code to addresses."""

from __future__ import annotations

import platform
from functools import cache
from itertools import count

import llvmlite
import llvmlite.binding as llvm

from ...bindings.ring import functions

_numbers = count()

# The parts of a module's text: functions with short loops; those without (lower/loops.py); what both need.
DIVIDER = "; --\n"


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
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=1, reloc="pic"
    )


@cache
def _features() -> str:
    return llvm.get_host_cpu_features().flatten()


def register() -> int:
    """The width of a vector register in bits."""
    features = _features().split(",")
    if "+avx512bw" in features and "+avx512vl" in features:
        return 512
    return 256 if "+avx2" in features else 128


def version() -> str:
    """The versions that machine code depends on: llvmlite, LLVM, the processor."""
    names = llvm.get_host_cpu_name(), _features()
    return " ".join([llvmlite.__version__, *map(str, llvm.llvm_version_info), *names])


def _optimized(text: str):
    """Optimizes both kinds of functions, each with its own pipeline, as if the others were external."""
    looping, straight, shared = text.split(DIVIDER)
    machine = _machine()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    module = llvm.parse_assembly(straight + _declared(looping) + shared)
    passes = llvm.create_new_module_pass_manager()
    passes.add_simplify_cfg_pass()
    passes.add_sroa_pass()
    passes.add_reassociate_pass()
    passes.add_instruction_combine_pass()
    passes.add_loop_rotate_pass()
    passes.add_new_gvn_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    if not looping:
        return module
    whole = llvm.parse_assembly(looping + _declared(straight) + shared)
    builder.getModulePassManager().run(whole, builder)
    for variable in module.global_variables:
        # both modules define the arrays: merge them
        if variable.linkage == llvm.Linkage.external:
            variable.linkage = llvm.Linkage.weak_any
    whole.link_in(module)
    return whole


def _declared(functions: str) -> str:
    lines = (line for line in functions.splitlines() if line.startswith("define "))
    return "".join(f"declare {line.removeprefix('define ').removesuffix(' {')}\n" for line in lines)


def machine_code(text: str) -> bytes:
    return _machine().emit_object(_optimized(text))


# What one of a library's modules defines for the others.
SHARED = frozenset(f"ring_{name}" for name in (
    "called", "gcd_word", "isqrt_word", "leave", "malloc", "memmove", "memset", "new", "power_word", "put",
    "release", "retain",
))  # fmt: skip
# The targets of library objects, by the architecture's name in a triple: the rest of it, the processor,
# features, and ABI.
TARGETS = {
    "x86_64": ("linux-gnu", "x86-64", "", ""),
    "aarch64": ("linux-gnu", "generic", "", ""),
    "riscv64": ("linux-gnu", "generic-rv64", "+m,+a,+f,+d,+c", "lp64d"),
    "i686": ("linux-gnu", "i686", "", ""),
    # memory of a malloc on ARM may be aligned to 8 octets, which NEON's loads of 16 may not be
    "armv7": ("linux-gnueabihf", "generic", "-neon", ""),
    "thumbv7m": ("none-eabi", "cortex-m3", "", ""),
}


def library_object(texts: list[str], exported: set[str], machine) -> bytes:
    """One object of several modules, in which only the exported names can be seen from outside."""
    whole = None
    for text in texts:
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        _hide(module, exported | SHARED)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    _hide(whole, exported)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(whole, builder)
    return machine.emit_object(whole)


def target_machine(triple: str):
    """The machine of a triple; ValueError if there is no such target."""
    known = TARGETS.get(triple.partition("-")[0])
    try:
        if known is None:
            raise RuntimeError
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        # LLVM takes the second of three parts for a vendor
        parts = triple.split("-")
        whole = triple if len(parts) > 3 else "-".join([parts[0], "unknown", *parts[1:]])
        # gnueabi's functions on memory are C's, and eabi's are not
        target = llvm.Target.from_triple(whole.replace("-none-eabi", "-none-gnueabi"))
    except RuntimeError:
        names = ", ".join(f"{each}-{rest}" for each, (rest, *_) in TARGETS.items())
        raise ValueError(f"no target {triple!r}: the targets are {names}") from None
    _, processor, features, abi = known
    # a program without a system is loaded where it was linked for
    reloc = "static" if "-none-" in triple else "pic"
    return target.create_target_machine(
        cpu=processor, features=features, opt=3, reloc=reloc, codemodel="default", abiname=abi
    )


def is_narrow(machine) -> bool:
    """Whether the machine's addresses have 32 bits."""
    return "-p:32:32" in str(machine.target_data)


def _hide(module, exported: set[str]) -> None:
    for each in (*module.functions, *module.global_variables):
        if not each.is_declaration and each.name not in exported:
            each.linkage = llvm.Linkage.internal


def load(code: bytes, name: str):
    """The engine that owns the machine code, and the address of the name."""
    library = llvm.JITLibraryBuilder().add_object_img(code)
    for function, address in functions():
        library.import_symbol(function, address)
    library.export_symbol(name)
    return library.link(_jit(), f"program {next(_numbers)}")


@cache
def _jit():
    return llvm.create_lljit_compiler(_machine())


def function_texts(text: str, labels: list[str], kind: str) -> list[str]:
    """Functions of a module after LLVM's optimization, or their assembly."""
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
