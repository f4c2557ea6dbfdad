"""Types, by CLHS 4.2: what is of one, and what an array of such elements holds."""

from collections.abc import Callable

from .data import NIL, Array, Character, Cons, Structure, Table, Trap, eql, items

Holds = Callable[[object], bool]
MOST_POSITIVE_FIXNUM = (1 << 62) - 1

SIMPLE: dict[str, Holds] = {
    "T": lambda x: True, "ATOM": lambda x: not isinstance(x, Cons), "NIL": lambda x: False,
    "NULL": lambda x: x == NIL, "SYMBOL": lambda x: isinstance(x, str),
    "KEYWORD": lambda x: isinstance(x, str) and x[0] == ":", "BOOLEAN": lambda x: x in ("T", "NIL"),
    "CONS": lambda x: isinstance(x, Cons), "LIST": lambda x: isinstance(x, Cons) or x == NIL,
    "NUMBER": lambda x: type(x) is int, "REAL": lambda x: type(x) is int,
    "RATIONAL": lambda x: type(x) is int, "CHARACTER": lambda x: isinstance(x, Character),
    "BASE-CHAR": lambda x: isinstance(x, Character), "STANDARD-CHAR": lambda x: isinstance(x, Character),
    "FUNCTION": callable, "HASH-TABLE": lambda x: isinstance(x, Table),
    "SEQUENCE": lambda x: isinstance(x, Cons | Array) or x == NIL,
}  # fmt: skip
# The types of arrays that have names of their own: the elements and the dimensions.
NAMED = {
    "STRING": ("CHARACTER", 1), "SIMPLE-STRING": ("CHARACTER", 1), "SIMPLE-BASE-STRING": ("CHARACTER", 1),
    "SIMPLE-VECTOR": ("T", 1), "BIT-VECTOR": ("BIT", 1), "SIMPLE-BIT-VECTOR": ("BIT", 1),
}  # fmt: skip


def parts(form) -> tuple[str, list]:
    return (form.car, items(form.cdr)) if isinstance(form, Cons) else (form, [])


class Types:
    def __init__(self):
        self.expanders: dict[str, Callable] = {}  # of deftype: the arguments make a type
        self.structures: set[str] = set()
        self.known: dict[object, Holds] = {}

    def expanded(self, form):
        name, rest = parts(form)
        while name in self.expanders:
            form = self.expanders[name](*rest)
            name, rest = parts(form)
        return form

    def bounds(self, form) -> tuple[int | None, int | None] | None:
        """The ends of a type of integers; None, if it is not plainly one."""
        name, args = parts(self.expanded(form))
        given = [None if each == "*" else each for each in args]
        match name:
            case "INTEGER":
                low, high = ([*given, None, None])[:2]
                low = low.car + 1 if isinstance(low, Cons) else low
                return low, high.car - 1 if isinstance(high, Cons) else high
            case "UNSIGNED-BYTE":
                return 0, (1 << given[0]) - 1 if given and given[0] is not None else None
            case "SIGNED-BYTE":
                if not given or given[0] is None:
                    return None, None
                return -1 << (given[0] - 1), (1 << (given[0] - 1)) - 1
            case "BIT":
                return 0, 1
            case "MOD":
                return 0, given[0] - 1
            case "FIXNUM":
                return -MOST_POSITIVE_FIXNUM - 1, MOST_POSITIVE_FIXNUM
        return None

    def holds(self, form) -> Holds:
        """What tells whether something is of the type."""
        if isinstance(form, Cons):
            if form.known is None or form.known[0] != "type":
                form.known = "type", self._holds(form)
            return form.known[1]
        if form not in self.known:
            self.known[form] = self._holds(form)
        return self.known[form]

    def _holds(self, form) -> Holds:
        ends = self.bounds(form)
        if ends:
            low, high = ends
            return lambda x: type(x) is int and (low is None or low <= x) and (high is None or x <= high)
        name, args = parts(self.expanded(form))
        match name:
            case "AND" | "OR":
                every = all if name == "AND" else any
                tests = list(map(self.holds, args))
                return lambda x: every(test(x) for test in tests)
            case "NOT":
                test = self.holds(args[0])
                return lambda x: not test(x)
            case "MEMBER" | "EQL":
                return lambda x: any(eql(x, each) for each in args)
            case "FUNCTION":
                return callable
            case "CONS":
                return lambda x: isinstance(x, Cons)
            case _ if name in self.structures:
                return lambda x: isinstance(x, Structure) and x.type == name
            case _ if name in SIMPLE:
                return SIMPLE[name]
        of = self.array(name, args)
        if of is None:
            raise Trap(f"{name} is not a known type")
        element, dims = of

        def is_array(x) -> bool:
            if not isinstance(x, Array) or (element is not None and x.element != element):
                return False
            if isinstance(dims, int):
                return len(x.dims) == dims
            return dims is None or (
                len(x.dims) == len(dims)
                and all(want in ("*", have) for want, have in zip(dims, x.dims, strict=True))
            )

        return is_array

    def array(self, name: str, args: list):
        """The elements of a type of arrays, None if they may be any; and the dimensions, or how many."""
        if name in NAMED:
            element, rank = NAMED[name]
            return self.element(element), args or rank
        if name in ("VECTOR", "ARRAY", "SIMPLE-ARRAY"):
            element, dims = ([*args, "*", "*"])[:2]
            if isinstance(dims, Cons) or dims == NIL:
                dims = items(dims)
            elif name == "VECTOR":
                dims = [dims]
            return None if element == "*" else self.element(element), None if dims == "*" else dims
        return None

    def element(self, form):
        """What a type of elements comes to: an array of integers holds what is between its ends."""
        ends = self.bounds(form)
        if ends:
            return "T" if ends == (None, None) else ends
        return "CHARACTER" if self.expanded(form) in ("CHARACTER", "BASE-CHAR", "STANDARD-CHAR") else "T"

    def elements_of(self, form) -> tuple | None:
        """Of a type of arrays, the type of the elements."""
        form = self.expanded(form)
        name, args = parts(form)
        if name == "OR":
            return next(filter(None, map(self.elements_of, args)), None)
        if name in NAMED:
            return (NAMED[name][0],)
        if name in ("VECTOR", "ARRAY", "SIMPLE-ARRAY"):
            return (args[0] if args and args[0] != "*" else "T",)
        return None

    def made(self, dims: list[int], element, data) -> Array:
        if any(type(n) is not int or n < 0 for n in dims):
            raise Trap("no dimension of an array")
        holds = (lambda x: True) if self.element(element) == "T" else self.holds(element)
        return Array(dims, self.element(element), holds, data)

    def initial(self, element):
        """What an array holds that is given nothing: 0, or what is least like it."""
        of = self.element(element)
        if of == "CHARACTER":
            return Character(0)
        return 0 if of == "T" or not isinstance(of, tuple) or self.holds(element)(0) else of[0]
