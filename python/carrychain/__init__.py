"""Exact integers at hardware speed."""

__version__ = "0.1.0"

# Each is imported on first use, so that Fibonacci numbers do not load the compiler, and the command answers
# Ctrl-C before it imports anything.
_HOMES = {
    "Capture": ".pcap.packets",
    "Integer": ".bindings.integer",
    "Modulus": ".bindings.modulus",
    "accelerate_int": ".bindings.pylong",
    "build": ".ring.library.build",
    "checksum": ".bindings.checksum",
    "explain": ".ring.explain.python",
    "fib": ".bindings.fibonacci",
    "gcdext": ".bindings.theory",
    "i8": ".ring.call.jit",
    "i16": ".ring.call.jit",
    "i32": ".ring.call.jit",
    "i64": ".ring.call.jit",
    "inverse": ".bindings.theory",
    "is_prime": ".bindings.theory",
    "jacobi": ".bindings.theory",
    "jit": ".ring.call.jit",
    "load_lisp": ".ring.call.load",
    "next_prime": ".bindings.theory",
    "powmod": ".bindings.fixed",
    "powmod_many": ".bindings.fixed",
    "repair": ".pcap.frames",
    "restore_int": ".bindings.pylong",
    "sqrtmod": ".bindings.theory",
    "vectorize": ".ring.call.many.vectorize",
    "verify": ".pcap.frames",
    "verify_frame": ".pcap.frames",
    "u8": ".ring.call.jit",
    "u16": ".ring.call.jit",
    "u32": ".ring.call.jit",
    "u64": ".ring.call.jit",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name], __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
