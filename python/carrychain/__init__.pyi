"""The package as type checkers see it. At run time each name is imported on first use."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from typing_extensions import Buffer

from .bindings.fibonacci import fib as fib
from .bindings.fixed import powmod as powmod
from .bindings.integer import Integer as Integer
from .bindings.modulus import Modulus as Modulus
from .bindings.modulus import Rows as _Rows
from .bindings.pylong import accelerate_int as accelerate_int
from .bindings.pylong import restore_int as restore_int
from .bindings.theory import gcdext as gcdext
from .bindings.theory import inverse as inverse
from .bindings.theory import is_prime as is_prime
from .bindings.theory import jacobi as jacobi
from .bindings.theory import next_prime as next_prime
from .bindings.theory import sqrtmod as sqrtmod
from .pcap.frames import Layer as _Layer
from .pcap.frames import verify as verify
from .pcap.packets import Capture as Capture
from .ring.call.load import load_lisp as load_lisp
from .ring.library.build import build as build

__version__: str

i8 = Annotated[int, "from -2**7 to 2**7 - 1"]
i16 = Annotated[int, "from -2**15 to 2**15 - 1"]
i32 = Annotated[int, "from -2**31 to 2**31 - 1"]
i64 = Annotated[int, "from -2**63 to 2**63 - 1"]
u8 = Annotated[int, "from 0 to 2**8 - 1"]
u16 = Annotated[int, "from 0 to 2**16 - 1"]
u32 = Annotated[int, "from 0 to 2**32 - 1"]
u64 = Annotated[int, "from 0 to 2**64 - 1"]

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R", covariant=True)
_S = TypeVar("_S")

class _Jitted(Generic[_P, _R]):
    """ring.call.jit.Jitted"""

    __name__: str
    __qualname__: str
    __wrapped__: Callable[_P, _R]
    @property
    def kinds(self) -> list[tuple[object, ...]]: ...
    def inspect_ir(self, kinds: tuple[object, ...] | None = None) -> str: ...
    def inspect_llvm(self, kinds: tuple[object, ...] | None = None) -> str: ...
    def inspect_asm(self, kinds: tuple[object, ...] | None = None) -> str: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(
        self: _Jitted[Concatenate[_S, _Q], _R], instance: _S, owner: type | None = None
    ) -> Callable[_Q, _R]: ...

# a staticmethod is callable, too: the first overload that fits is used
@overload
def jit(  # type: ignore[overload-overlap]
    function: staticmethod[_P, _R], /, *, fallback: bool = False, exact_items: bool = False
) -> staticmethod[_P, _R]: ...
@overload
def jit(
    function: classmethod[_S, _P, _R], /, *, fallback: bool = False, exact_items: bool = False
) -> classmethod[_S, _P, _R]: ...
@overload
def jit(
    function: Callable[_P, _R], /, *, fallback: bool = False, exact_items: bool = False
) -> _Jitted[_P, _R]: ...
@overload
def jit(
    *, fallback: bool = False, exact_items: bool = False
) -> Callable[[Callable[_P, _R]], _Jitted[_P, _R]]: ...

_A = TypeVar("_A", bound=_Rows)

class _Vectorized(Generic[_R]):
    """ring.call.many.vectorize.Vectorized"""

    __name__: str
    # typed by the first argument, if that is many; other cases are not typed precisely
    @overload
    def __call__(
        self, first: _A, /, *args: object, out: _A | None = None, threads: int | None = None
    ) -> _A: ...
    @overload
    def __call__(self, first: list[int], /, *args: object, threads: int | None = None) -> list[_R]: ...
    @overload
    def __call__(self, first: int, /, *args: int, threads: int | None = None) -> _R: ...
    @overload
    def __call__(
        self, *args: object, out: object = None, threads: int | None = None, **named: object
    ) -> object: ...

@overload
def checksum(data: Buffer) -> int: ...
@overload
def checksum(data: Iterable[Buffer]) -> list[int]: ...
def vectorize(function: Callable[..., _R], /, *, threads: int | None = None) -> _Vectorized[_R]: ...
@overload
def powmod_many(bs: Sequence[int], es: Sequence[int], ms: Sequence[int]) -> list[int]: ...
@overload
def powmod_many(bs: _A, es: _A, ms: _A) -> _A: ...
def repair(data: Buffer, link: int = 1, *, length: int | None = None, heuristics: bool = True) -> bytes: ...
def verify_frame(
    data: Buffer, link: int = 1, *, length: int | None = None, heuristics: bool = True
) -> tuple[_Layer, ...]: ...

class _Explanation:
    """ring.explain.python.Explanation"""

    def _repr_html_(self) -> str: ...

def explain(function: Callable[..., object], /, *args: object, **named: object) -> _Explanation: ...
