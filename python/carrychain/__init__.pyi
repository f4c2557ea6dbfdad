"""What type checkers see: the names that are imported when they are asked for."""

from collections.abc import Callable
from typing import Annotated, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from .bindings.checksum import checksum as checksum
from .bindings.fibonacci import fib as fib
from .bindings.fixed import powmod as powmod
from .bindings.fixed import powmod_many as powmod_many
from .bindings.integer import Integer as Integer
from .bindings.modulus import Modulus as Modulus
from .bindings.theory import gcdext as gcdext
from .bindings.theory import inverse as inverse
from .bindings.theory import is_prime as is_prime
from .bindings.theory import jacobi as jacobi
from .bindings.theory import next_prime as next_prime
from .bindings.theory import sqrtmod as sqrtmod
from .pcap.frames import verify as verify
from .pcap.frames import verify_frame as verify_frame
from .ring.load import load_lisp as load_lisp
from .ring.many.vectorize import Vectorized as _Vectorized

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
_F = TypeVar("_F", bound=staticmethod[Any, Any] | classmethod[Any, Any, Any])

class _Jitted(Generic[_P, _R]):
    """ring.jit.Function"""

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
        self: _Jitted[Concatenate[Any, _Q], _R], instance: object, owner: type | None = None
    ) -> Callable[_Q, _R]: ...

# a staticmethod is callable, too: the first that fits is taken
@overload
def jit(function: _F, /, *, fallback: bool = False) -> _F: ...  # type: ignore[overload-overlap]
@overload
def jit(function: Callable[_P, _R], /, *, fallback: bool = False) -> _Jitted[_P, _R]: ...
@overload
def jit(*, fallback: bool = False) -> Callable[[Callable[_P, _R]], _Jitted[_P, _R]]: ...
def vectorize(function: _Jitted[..., Any], /, *, threads: int | None = None) -> _Vectorized: ...

class _Explanation:
    """ring.jit.explain.Explanation"""

    def _repr_html_(self) -> str: ...

def explain(function: Callable[..., Any], /, *args: Any, **named: Any) -> _Explanation: ...
