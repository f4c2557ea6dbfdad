"""Reading, evaluating and expanding when the program is compiled: for reader macros and code walkers."""

from __future__ import annotations

from .data import NIL, Character, Cons, T, symbol
from .expand import Scope
from .library import Refused, Values, define, truth
from .limits import CELL
from .reader import Reader, Readtable
from .texts import text


@define("READ")
def _read(self, stream, *rest):
    if not isinstance(stream, Reader):
        raise Refused
    return stream.read()


@define("READ-PRESERVING-WHITESPACE")
def _read_preserving(self, stream, *rest):
    return _read(self, stream)


@define("READ-CHAR")
def _read_char(self, stream, *rest):
    at = stream.at
    if at >= len(stream.text):
        raise stream.error("the text ends where a character should be")
    stream.at = at + 1
    return Character(ord(stream.text[at]))


@define("PEEK-CHAR")
def _peek_char(self, kind, stream, *rest):
    """The next character; after a kind of T, the next that is no space."""
    if kind is T:
        stream.skip()
    if stream.at >= len(stream.text):
        raise stream.error("the text ends where a character should be")
    return Character(ord(stream.text[stream.at]))


@define("UNREAD-CHAR")
def _unread_char(self, character, stream):
    stream.at -= 1
    return NIL


@define("READ-DELIMITED-LIST")
def _read_delimited_list(self, end, stream, *rest):
    return stream.until(chr(end.code))


@define("READ-FROM-STRING")
def _read_from_string(self, source, *rest):
    self.room(len(text(source)) * CELL)
    self.cells(len(source))
    reader = Reader(source, "a string", self)
    return Values([reader.read(), reader.at])


@define("COPY-READTABLE")
def _copy_readtable(self, table=None, *rest):
    """Of NIL, the standard one."""
    table = self.readtable() if table is None else table
    self.room(CELL)
    return Readtable() if table is NIL else Readtable({**table.after_sharp}, {**table.alone})


@define("SET-DISPATCH-MACRO-CHARACTER")
def _set_dispatch(self, character, following, function, table=None):
    if character.code != ord("#"):
        raise self.error("other dispatching macro characters than # are not supported")
    (self.readtable() if table is None else table).after_sharp[chr(following.code).upper()] = function
    return T


@define("SET-MACRO-CHARACTER")
def _set_macro(self, character, function, *rest):
    table = rest[1] if len(rest) > 1 else self.readtable()
    table.alone[chr(character.code)] = function
    return T


@define("EVAL")
def _eval(self, form):
    return self.eval(form, Scope(self.world))


@define("MACROEXPAND")
def _macroexpand(self, form, around=NIL):
    scope = around if isinstance(around, Scope) else Scope(self.world)
    found = scope.expand(form)
    return Values([found, truth(found is not form)])


@define("MACROEXPAND-1")
def _macroexpand_1(self, form, around=NIL):
    scope = around if isinstance(around, Scope) else Scope(self.world)
    macro = scope.macro(form.car) if isinstance(form, Cons) else None
    found = macro.expand(form, scope) if macro else form
    return Values([found, truth(found is not form)])


@define("MACRO-FUNCTION")
def _macro_function(self, name, around=NIL):
    scope = around if isinstance(around, Scope) else Scope(self.world)
    macro = scope.macro(name)
    return NIL if macro is None else lambda self, form, within: macro.expand(form, scope)


@define("FIND-PACKAGE")
def _find_package(self, name):
    """Packages are names: all symbols are of one."""
    return symbol(f":{text(name)}")


@define("SYMBOL-PACKAGE")
def _symbol_package(self, name):
    return symbol(":KEYWORD" if name.name.startswith(":") else ":COMMON-LISP-USER")


@define("FIND-SYMBOL")
def _find_symbol(self, name, *package):
    return symbol(name)
