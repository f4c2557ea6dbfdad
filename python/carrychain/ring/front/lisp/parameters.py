"""Functions' parameters, and which arguments of a call belong to them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...ir.errors import SourceError
from ...ir.form import Position
from ...ir.names import ir_name
from .data import NIL, Cons, Symbol, T, brief, items, symbol


@dataclass
class Parameter:
    """A parameter; `how` is "" if it is required, else "optional" or "key"; `supplied` is its supplied-p."""

    name: Symbol
    how: str = ""
    default: object = NIL
    keyword: Symbol | None = None
    supplied: Symbol | None = None

    @property
    def called(self) -> str:
        """The name by which callers pass it."""
        return ir_name((self.keyword or self.name).name.removeprefix(":"))


@dataclass
class LambdaList:
    parameters: list[Parameter] = field(default_factory=list)
    aux: list[tuple[Symbol, object]] = field(default_factory=list)
    rest: Symbol | None = None
    others: bool = False  # whether any keyword is allowed

    def positional(self) -> list[Parameter]:
        return [parameter for parameter in self.parameters if parameter.how != "key"]

    def keywords(self, count: int) -> range:
        """The positions of the keywords in a call with `count` arguments."""
        if self.rest:
            return range(0)
        return range(len(self.positional()), count, 2)

    def match(
        self, forms: list, function: Symbol, position: Position | None
    ) -> list[tuple[Parameter, int | None]]:
        """For each parameter, its argument's position; None if it is omitted."""
        positional = self.positional()
        least, most = sum(not each.how for each in positional), len(positional)
        keyed = most < len(self.parameters)
        if self.rest and len(forms) >= least:
            most = max(most, len(forms))
        if len(forms) < least or (len(forms) > most and (not keyed or (len(forms) - most) % 2)):
            takes = (
                f"{least} argument{'s' * (least != 1)}" if least == most else f"{least} to {most} arguments"
            )
            raise SourceError(f"{function} takes {takes}, not {len(forms)}", position)
        places: dict[Symbol, int] = {}
        known = {each.keyword for each in self.parameters if each.how == "key"}
        for at in self.keywords(len(forms)):
            if forms[at] not in known and not self.others:
                raise SourceError(f"{function} takes no argument {brief(forms[at])}", position)
            places.setdefault(forms[at], at + 1)
        return [
            (each, places.get(each.keyword) if each.how == "key" else at if at < len(forms) else None)
            for at, each in enumerate(self.parameters)
        ]


def lambda_list(form, position: Position | None) -> LambdaList:
    """A function's parameters."""
    found = LambdaList()
    names: list = []
    mode = ""
    for each in items(form):
        if isinstance(each, Symbol) and each.name.startswith("&"):
            mode = each.name
            if mode == "&ALLOW-OTHER-KEYS":
                found.others = True
            elif mode == "&BODY" or mode not in ("&OPTIONAL", "&REST", "&KEY", "&AUX"):
                raise SourceError(f"functions with {mode.lower()} parameters are not supported", position)
            continue
        spec = list(each) if isinstance(each, Cons) and mode else [each]
        if len(spec) > (2 if mode == "&AUX" else 3):
            raise SourceError(f"{brief(each)} is not a parameter", position)
        name, default = spec[0], spec[1] if len(spec) > 1 else NIL
        supplied = spec[2] if len(spec) > 2 else None
        keyword = None
        if mode == "&KEY":
            keyword, name = name if isinstance(name, Cons) else (symbol(f":{name.name}"), name)
        if mode == "&REST":
            found.rest = name
        elif mode == "&AUX":
            found.aux.append((name, default))
        else:
            found.parameters.append(Parameter(name, mode[1:].lower(), default, keyword, supplied))
        names += [name] if supplied is None else [name, supplied]
    if found.rest and any(each.how == "key" for each in found.parameters):
        raise SourceError("functions with both &rest and &key parameters are not supported", position)
    for name in names:
        if not nameable(name):
            raise SourceError(f"{brief(name)} is not a valid name for a parameter", position)
    for parameter in found.parameters:
        for name in filter(None, (parameter.name, parameter.supplied)):
            if names.count(name) > 1 and name not in [aux for aux, _ in found.aux]:
                raise SourceError(f"two parameters are called {brief(name)}: rename one", position)
    return found


def nameable(name) -> bool:
    """Whether variables and functions may have this name."""
    return isinstance(name, Symbol) and name not in (NIL, T) and not name.name.startswith((":", "&"))
