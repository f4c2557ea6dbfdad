"""What the processor supports, and which tiers of the library may use it."""

import os
from dataclasses import dataclass

from ._carrychain import ffi, lib

FEATURES = {
    "x86-64": lib.CC_CPU_X86_64,
    "BMI2": lib.CC_CPU_BMI2,
    "ADX": lib.CC_CPU_ADX,
    "AVX2": lib.CC_CPU_AVX2,
    "AVX-512 F+BW+DQ+VL": lib.CC_CPU_AVX512,
    "AVX-512 IFMA": lib.CC_CPU_AVX512IFMA,
    "AVX-512 VNNI": lib.CC_CPU_AVX512VNNI,
    "NEON": lib.CC_CPU_NEON,
    "AltiVec": lib.CC_CPU_ALTIVEC,
}

# Each module that has tiers, and the function that says which is in use.
MODULES = {"limbs": lib.cc_limbs_tier, "fixed": lib.cc_fz_tier, "checksum": lib.cc_checksum_tier}

ALL = 2**64 - 1


@dataclass(frozen=True)
class Tier:
    name: str
    needs: int

    def missing(self) -> list[str]:
        """The features that the tier needs and this machine lacks."""
        return names(self.needs & ~detected())


def names(features: int) -> list[str]:
    known = [name for name, bit in FEATURES.items() if features & bit]
    unknown = features & ~sum(FEATURES.values())
    return known + [f"feature {bit}" for bit in range(64) if unknown >> bit & 1]


def tiers() -> list[Tier]:
    """Every tier that the library has for this architecture, slowest first."""
    count = ffi.new("size_t *")
    table = lib.cc_cpu_tiers(count)
    return [Tier(ffi.string(table[i].name).decode(), table[i].needs) for i in range(count[0])]


def detected() -> int:
    return lib.cc_cpu_detected()


def in_use() -> int:
    return lib.cc_cpu_features()


def set_mask(mask: int) -> None:
    """Use only the features in ``mask``. Do not call this while another thread is inside the library."""
    lib.cc_cpu_set_mask(mask)


def chosen(module: str) -> str:
    return ffi.string(MODULES[module]()).decode()


def brand() -> str:
    name = ffi.new("char[49]")
    lib.cc_cpu_brand(name)
    return ffi.string(name).decode(errors="replace").strip()


def forced() -> list[str]:
    """The tier names in CC_CPU; empty if the variable is unset or empty."""
    return [name for name in os.environ.get("CC_CPU", "").split(",") if name]


def compiler() -> str:
    return ffi.string(lib.compiler_name()).decode()
