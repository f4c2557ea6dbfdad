"""A function for many inputs at once: words that differ between inputs have a lane for each.

A uniform word, which is the same for all inputs, stays a word: a loop's counter, an index computed from it,
the length of arrays of equal length. A branch on a uniform word stays a branch. A branch on a varying word
executes both sides, up to the block where all paths join: each side runs under a mask of the inputs that took
it, and at the join values are selected by the masks. So a side must not contain a loop, because the inputs
would leave it at different times.

An array parameter is one array per input, in ROWS, or one that all inputs share. An array that the function
makes is made for all inputs, in COLUMNS: if the index is uniform, the elements of all inputs are one vector.

A check fails if it fails for any input. Only arrays made by the function are stored to, so the caller may
then call the function again, one input at a time, to find out which.

Refusal says what in a function makes this impossible.
"""

from __future__ import annotations

from .copies import copies
from .form import (
    ARRAY,
    BIG,
    COLUMNS,
    LANEWISE,
    MASKED,
    OUT_OF_MEMORY,
    ROWS,
    Const,
    Lanes,
    MachineBlock,
    MachineBranch,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineModule,
    MachineReturn,
    MachineType,
    Op,
    Operand,
    Site,
    Word,
    type_text,
)
from .postdominators import edges, immediate_postdominators, reverse_postorder
from .stores import Stores
from .transpose import transpose

# Operations that LLVM must not execute for other lanes, or that are undefined for their arguments.
PARTIAL = frozenset(("udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr"))
DIVISIONS = frozenset(("udiv", "urem", "sdiv", "srem"))
COMPARISONS = frozenset(("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"))
OF_RUNTIME = frozenset(("isqrt", "gcd", "power"))
# Operations of 128 bits that are faster one input at a time.
HEAVY = frozenset(("mul", *DIVISIONS))


class Refusal(Exception):
    """Why a function cannot run in lanes, and where; the position is None if it is not known."""

    def __init__(self, message: str, position: str | None = None):
        super().__init__(f"{position}: {message}" if position else message)
        self.message = message
        self.position = position


def lanes(
    module: MachineModule, name: str, differ: tuple[bool, ...], count: int, register: int
) -> tuple[MachineModule, str]:
    """A module with the named function for `count` inputs at once, and the function's name there.

    `differ`: which parameters differ between inputs; `register`: the width of a vector register in bits.
    """
    maker = _Maker(module, count, register)
    params = module.functions[name].params
    types = [_type(param.type, each, count) for param, each in zip(params, differ, strict=True)]
    label = maker.function(name, types, None).name
    # functions may have been made for argument types that were inferred at first, and are no longer called
    return called(maker.made, label), label


def called(module: MachineModule, name: str) -> MachineModule:
    """The named function, and all that it calls."""
    needed, todo = {}, [name]
    while todo:
        at = todo.pop()
        if at not in needed:
            needed[at] = module.functions[at]
            todo += [op.attribute for op in needed[at].ops() if op.op == "call"]
    return MachineModule(
        {at: function for at, function in module.functions.items() if at in needed}, module.arrays
    )


def _type(type_: MachineType, differs: bool, count: int) -> MachineType:
    if not differs or type_ is BIG:
        return type_
    return Lanes(ROWS if type_ == ARRAY else type_, count)


class _Maker:
    def __init__(self, module: MachineModule, count: int, register: int):
        self.module = module
        self.count = count
        self.register = register
        self.made = MachineModule({}, module.arrays)
        self.stores = Stores(module)
        self.changed = {
            at for each in module.functions for at in self.stores.of(each)
        }  # the globals that some function stores to
        self.begun: set[str] = set()

    def function(self, name: str, types: list[MachineType], where: str | None) -> MachineFunction:
        """The named function for arguments of these types."""
        label = ":".join([name, *map(type_text, types)])
        if label in self.made.functions:
            return self.made.functions[label]
        if label in self.begun:
            raise Refusal(f"{name} calls itself", where)
        self.begun.add(label)
        made = _Lanes(self, self.module.functions[name], types).function(label)
        self.made.functions[label] = made
        return made

    def same(self, name: str) -> None:
        """Keeps the named function unchanged, for calls with uniform arguments."""
        if name not in self.made.functions:
            function = self.module.functions[name]
            self.made.functions[name] = function
            for op in function.ops():
                if op.op == "call":
                    self.same(op.attribute)


class _Lanes:
    def __init__(self, maker: _Maker, function: MachineFunction, types: list[MachineType]):
        self.maker = maker
        self.count = maker.count
        self.old = function
        self.exit = MachineBlock(max(block.number for block in function.blocks) + 1)
        self.exit.params = [Word(0, type_) for type_ in function.results]
        self.order = reverse_postorder(function, self.exit)
        self.number = {block: at for at, block in enumerate(self.order)}
        self.postdominator = immediate_postdominators(self.order, self.exit)
        self.types: dict[Word, MachineType] = dict(zip(function.params, types, strict=True))
        self.regions: dict[MachineBlock, list[MachineBlock]] = {}
        self.masked: set[MachineBlock] = set()
        # arrays: in columns, but perhaps a copy; neither made here nor constant
        self.copied: set[Word] = set()
        self.given = {
            param
            for param, type_ in zip(function.params, types, strict=True)
            if param.type == ARRAY and type_ != Lanes(COLUMNS, self.count)
        }
        self._infer()
        self.new: dict[Word, Operand] = {}
        self.form = MachineFunction("", [], [], straight=function.straight, slots=function.slots)
        self.ops: list[Op] = []

    # what varies -------------------------------------------------------------------------------------

    def _infer(self) -> None:
        """Infers the types of words, and which blocks run under a mask."""
        self.changed = True
        while self.changed:
            self.changed = False
            for param in self.exit.params:
                if param.type == ARRAY:
                    self._join(param, Lanes(COLUMNS, self.count), None)
            for block in self.order:
                for op in block.ops:
                    for word, type_ in zip(op.results, self._results(op, block in self.masked), strict=True):
                        self._join(word, type_, op)
                if isinstance(block.end, MachineJump | MachineReturn):
                    self._joined(block)
            for block in self.order:
                if isinstance(block.end, MachineBranch) and self._differs(block.end.condition):
                    self._region(block)
            if any(param in self.given for param in self.exit.params):
                raise self._refusal("it returns an array that it was given")

    def _joined(self, block: MachineBlock) -> None:
        for to, args in self._edges(block):
            for param, arg in zip(to.params, args, strict=True):
                if isinstance(arg, Word):
                    if arg in self.types:
                        self._join(param, self.types[arg], None)
                        self._come(param, arg)
                else:
                    self._join(param, arg.type, None)

    def _edges(self, block: MachineBlock) -> list[tuple[MachineBlock, list[Operand]]]:
        return list(edges(block, self.exit))

    def _differs(self, operand: Operand) -> bool:
        return isinstance(self.types.get(operand) if isinstance(operand, Word) else operand.type, Lanes)

    def _lanes(self, type_: MachineType) -> Lanes:
        return type_ if isinstance(type_, Lanes) else Lanes(type_, self.count)

    def _join(self, word: Word, type_: MachineType, op: Op | None) -> None:
        """Widens the word's type to include this one."""
        if type_ is BIG:
            raise self._refusal("an integer of any size", op)
        before = self.types.get(word)
        if word.type == ARRAY:
            if before not in (None, type_):
                # an array that is not in columns is copied when it is passed
                type_ = Lanes(COLUMNS, self.count)
                self._mark(self.copied, word)
        elif isinstance(before, Lanes):
            type_ = before
        if isinstance(type_, Lanes) and type_.of == 128 and op is not None and op.op in HEAVY:
            raise self._refusal(f"{op.op} of 128 bits that differ from input to input", op)
        if type_ != before:
            self.types[word], self.changed = type_, True

    def _mark(self, marked: set[Word], word: Word) -> None:
        if word not in marked:
            marked.add(word)
            self.changed = True

    def _come(self, word: Word, *operands: Operand) -> None:
        """The word may be any of these arrays, so it is `copied` or `given` if one of them is."""
        for marked in (self.copied, self.given):
            if any(operand in marked for operand in operands):
                self._mark(marked, word)

    def _refusal(self, what: str, op: Op | None = None, block: MachineBlock | None = None) -> Refusal:
        return Refusal(what, self._where(op, block))

    def _where(self, op: Op | None, block: MachineBlock | None = None) -> str | None:
        """The position of the operation, or else of a check near it."""
        if op is not None and op.site is not None and op.site.position:
            return op.site.position
        near = [each for each in self.order if block is each or (op is not None and op in each.ops)]
        for each in (*near, *self.order[self.number[near[0]] if near else 0 :]):
            if isinstance(each.end, MachineFail) and each.end.site.position:
                return each.end.site.position
            for other in each.ops:
                if other.site is not None and other.site.position:
                    return other.site.position
        return None

    def _results(self, op: Op, masked: bool) -> list[MachineType]:
        types = [word.type for word in op.results]
        if BIG in types or any(arg.type is BIG for arg in op.args):
            raise self._refusal("an integer of any size", op)
        differ = any(map(self._differs, op.args))
        match op.op:
            case "select" if op.result.type == ARRAY:
                if self._differs(op.args[0]) or masked:
                    raise self._refusal("an array that differs from input to input", op)
                self._come(op.result, *op.args[1:])
                for arg in op.args[1:]:
                    self._join(op.result, self.types[arg], op)
                return [self.types[op.result]]
            case "load" | "bytes" if differ or masked:
                return [self._lanes(types[0])]
            case "new":
                if differ:
                    raise self._refusal("an array whose length differs from input to input", op)
                if masked:
                    raise self._refusal("an array that is made for some inputs and not for others", op)
                return [Lanes(COLUMNS, self.count)]
            case "global" if op.attribute in self.maker.changed:
                self._mark(self.given, op.result)
            case "store":
                self._may_store(op)
            case "call":
                return self._call_results(op, differ, masked)
            case "deep":
                raise self._refusal(f"{self.old.name} calls itself", op)
            case "own" | "give" | "keep" | "retain" if masked:
                raise self._refusal("an array that differs from input to input", op)
        if op.op in OF_RUNTIME and differ:
            raise self._refusal(f"{op.op} has no form for lanes", op)
        if op.op in LANEWISE and (differ or (masked and _partial(op))):
            return [self._lanes(type_) for type_ in types]
        return types

    def _may_store(self, op: Op) -> None:
        array = self.types[op.args[0]]
        if array != Lanes(COLUMNS, self.count) or op.args[0] in self.copied:
            whose = "an array that all inputs share" if array == ARRAY else "an argument"
            raise self._refusal(f"it stores to {whose}", op)

    def _call_results(self, op: Op, differ: bool, masked: bool) -> list[MachineType]:
        if masked:
            raise self._refusal(f"{op.attribute} is called for some inputs and not for others", op)
        if not differ:
            if self.maker.stores.of(op.attribute):
                raise self._refusal(f"{op.attribute} stores to an array that all inputs share", op)
            for word in op.results:
                if word.type == ARRAY:
                    self._mark(self.given, word)
            return [word.type for word in op.results]
        stored = self.maker.stores.of(op.attribute)
        if any(arg in self.copied for at, arg in enumerate(op.args) if at in stored):
            raise self._refusal(f"{op.attribute} stores to an argument", op)
        for word in op.results:
            if word.type == ARRAY:
                # arrays that are passed to it and returned are in columns
                columns = Lanes(COLUMNS, self.count)
                self._come(word, *(arg for arg in op.args if self.types.get(arg) == columns))
        return self._callee(op).results

    def _callee(self, op: Op) -> MachineFunction:
        types = [self.types[arg] if isinstance(arg, Word) else arg.type for arg in op.args]
        return self.maker.function(op.attribute, types, self._where(op))

    def _region(self, start: MachineBlock) -> None:
        """Marks the blocks on the paths from a varying branch up to the join; what they pass to it varies."""
        end, region, todo = self.postdominator.get(start), set(), list(start.end.blocks)
        while todo:
            block = todo.pop()
            if block is start:
                raise self._refusal("a loop that goes on for some inputs and not for others", None, start)
            if block is not end and block not in region:
                region.add(block)
                todo += [to for to, _ in self._edges(block)]
        ordered = sorted(region, key=self.number.__getitem__)
        for block in ordered:
            for to, _ in self._edges(block):
                if to in region and self.number[to] <= self.number[block]:
                    raise self._refusal("a loop that some inputs enter and others do not", None, block)
        if self.regions.get(start) != ordered:
            self.regions[start], self.changed = ordered, True
            self.masked |= region
        ways: dict[MachineBlock, list[list[Operand]]] = {}
        for block in (start, *ordered):
            for to, args in self._edges(block):
                ways.setdefault(to, []).append(args)
        for to, passed in ways.items():
            for param, args in zip(to.params, zip(*passed, strict=True), strict=True):
                if any(arg != args[0] for arg in args):
                    if param.type == ARRAY:
                        raise self._refusal("an array that differs from input to input", None, to)
                    self._join(param, self._lanes(param.type), None)

    # the function ------------------------------------------------------------------------------------

    def function(self, name: str) -> MachineFunction:
        form = self.form
        form.name = name
        for param in self.old.params:
            self.new[param] = form.word(self.types[param])
            form.params.append(self.new[param])
        inside = set().union(*self.regions.values()) if self.regions else set()
        blocks = {block: MachineBlock(at) for at, block in enumerate(self.order) if block not in inside}
        for old, block in blocks.items():
            for param in old.params:
                self.new[param] = form.word(self.types[param])
                block.params.append(self.new[param])
        for old, block in blocks.items():
            form.blocks.append(block)
            self.ops = block.ops
            for op in old.ops:
                self._op(op, None)
            block.end = self._end(old, blocks)
        form.results = [self.types.get(param, param.type) for param in self.exit.params]
        for block in form.blocks:
            transpose(form, block, self.count, self.maker.register)
        copies(form, self.maker.register)
        return form

    def _end(self, old: MachineBlock, blocks: dict[MachineBlock, MachineBlock]):
        match old.end:
            case None:
                return MachineReturn([self.new[param] for param in old.params])
            case MachineJump() | MachineReturn():
                ((to, args),) = self._edges(old)
                return MachineJump(blocks[to], self._passed(args, to))
            case MachineBranch(condition, then, otherwise, likely) if old not in self.regions:
                return MachineBranch(self._of(condition), blocks[then], blocks[otherwise], likely)
            case MachineBranch():
                return self._taken(old, blocks)
        return old.end

    def _passed(self, args: list[Operand], to: MachineBlock) -> list[Operand]:
        return [self._as(arg, self.types[param]) for arg, param in zip(args, to.params, strict=True)]

    def _of(self, operand: Operand) -> Operand:
        return self.new[operand] if isinstance(operand, Word) else operand

    def _as(self, operand: Operand, type_: MachineType) -> Operand:
        """The old operand as this type; a uniform word is the same in all lanes."""
        found = self._of(operand)
        if found.type == type_:
            return found
        if operand.type == ARRAY:
            return self._columns(operand, type_)
        return Const(type_, found.value) if isinstance(found, Const) else self._let("splat", type_, found)

    def _columns(self, old: Word, type_: Lanes) -> Word:
        """A copy in columns of one array, or of rows."""
        bits = self._bits().get(old)
        if bits is None:
            raise self._refusal("an array that is one of two, made and given")
        word, site = self.form.word(type_), Site(OUT_OF_MEMORY)
        self.ops.append(Op("columns", [self._of(old)], [word], bits, self.form.slots, site))
        self.form.slots += 1
        return word

    def _bits(self) -> dict[Operand, int]:
        """The widths of arrays' elements, as far as their uses show."""
        found: dict[Operand, int] = {}
        same: list[tuple[Operand, Operand]] = []
        for op in self.old.ops():
            match op.op:
                case "new":
                    found[op.result] = op.attribute
                case "global":
                    found[op.result] = self.maker.module.arrays[op.attribute].type
                case "load":
                    found[op.args[0]] = op.result.type
                case "store":
                    found[op.args[0]] = op.args[2].type
                case "bytes":
                    found[op.args[0]] = 8
                case "select":
                    same += [(op.result, arg) for arg in op.args[1:]]
        for block in self.order:
            for to, args in self._edges(block):
                same += zip(to.params, args, strict=True)
        before = -1
        while len(found) != before:
            before = len(found)
            for a, b in same:
                for one, other in ((a, b), (b, a)):
                    if one in found:
                        found.setdefault(other, found[one])
        return found

    def _wide(self, operand: Operand) -> Operand:
        return self._as(operand, self._lanes(operand.type))

    def _let(self, op: str, type_: MachineType, *args: Operand, attribute=None) -> Word:
        word = self.form.word(type_)
        self.ops.append(Op(op, list(args), [word], attribute))
        return word

    def _truth(self, op: str, *args: Operand) -> Operand:
        return self._let(op, Lanes(1, self.count), *args)

    def _and(self, mask: Operand | None, condition: Operand) -> Operand:
        """mask and condition, as a select: in a lane outside of the mask, the condition may be POISON."""
        if mask is None:
            return condition
        return self._truth("select", mask, condition, Const(condition.type, 0))

    def _taken(self, start: MachineBlock, blocks: dict[MachineBlock, MachineBlock]):
        """Executes all paths from a branch, one after the other, up to their join."""
        region, end = self.regions[start], self.postdominator.get(start)
        into: dict[MachineBlock, list[tuple[Operand, list[Operand]]]] = {}

        def leave(block: MachineBlock, mask: Operand | None) -> None:
            if isinstance(block.end, MachineFail):
                self.ops.append(Op("refuse", [self._let("any", 1, mask)], [], None, None, block.end.site))
            elif isinstance(block.end, MachineBranch):
                condition = self._wide(block.end.condition)
                inverse = self._truth("xor", condition, Const(condition.type, -1))
                for to, taken in ((block.end.then, condition), (block.end.otherwise, inverse)):
                    into.setdefault(to, []).append((self._and(mask, taken), []))
            else:
                ((to, args),) = self._edges(block)
                into.setdefault(to, []).append((mask, args))

        leave(start, None)
        for block in region:
            ways = into[block]
            mask = ways[0][0]
            for other, _ in ways[1:]:
                mask = self._truth("or", mask, other)
            for param, word in zip(block.params, self._selected(ways, block), strict=True):
                self.new[param] = word
            for op in block.ops:
                self._op(op, mask)
            leave(block, mask)
        if end is None:
            # no path continues, so a check has failed
            return MachineFail(next(block.end.site for block in region if isinstance(block.end, MachineFail)))
        return MachineJump(blocks[end], self._selected(into[end], end))

    def _selected(self, ways: list[tuple[Operand, list[Operand]]], to: MachineBlock) -> list[Operand]:
        found = []
        for param, args in zip(to.params, zip(*(args for _, args in ways), strict=True), strict=True):
            type_ = self.types[param]
            word = self._as(args[0], type_)
            for (mask, _), arg in zip(ways[1:], args[1:], strict=True):
                if arg != args[0]:
                    word = self._let("select", type_, mask, self._as(arg, type_), word)
            found.append(word)
        return found

    def _op(self, op: Op, mask: Operand | None) -> None:
        name, same = op.op, _same(op)
        if name == "hide" and not isinstance(self.types[op.result], Lanes):
            same = op.args[0]
        if same is not None:
            # so that `copies` recognizes the index
            self.new[op.result] = self._as(same, self.types[op.result])
        elif name in LANEWISE and op.result.type != ARRAY and isinstance(self.types[op.result], Lanes):
            self._lanewise(op, mask)
        elif name in MASKED and (mask is not None or any(map(self._differs, op.args))):
            self._memory(op, mask)
        elif name in ("bounds", "bounds_run", "refuse") and (
            mask is not None or any(map(self._differs, op.args[1:] if name != "refuse" else op.args))
        ):
            self._check(op, mask)
        elif name == "assume" and (mask is not None or self._differs(op.args[0])):
            pass
        elif name == "call" and any(map(self._differs, op.args)):
            callee = self._callee(op)
            args = [self._as(arg, param.type) for arg, param in zip(op.args, callee.params, strict=True)]
            self.ops.append(Op("call", args, self._words(op.results), callee.name, site=op.site))
        elif name == "select" and op.result.type == ARRAY:
            condition, *arrays = op.args
            args = [self._of(condition), *(self._as(arg, self.types[op.result]) for arg in arrays)]
            self.ops.append(Op(name, args, self._words(op.results)))
        else:
            if name == "call":
                self.maker.same(op.attribute)
            attribute = None if mask is not None and name in ("add", "sub") else op.attribute
            args = [self._of(arg) for arg in op.args]
            self.ops.append(Op(name, args, self._words(op.results), attribute, op.slot, op.site))

    def _words(self, results: list[Word]) -> list[Word]:
        for word in results:
            self.new[word] = self.form.word(self.types[word])
        return [self.new[word] for word in results]

    def _lanewise(self, op: Op, mask: Operand | None) -> None:
        one_for_all = op.op == "select" and not self._differs(op.args[0])
        args = [
            self._of(arg) if one_for_all and at == 0 else self._wide(arg) for at, arg in enumerate(op.args)
        ]
        if mask is not None and op.op in DIVISIONS and not isinstance(args[1], Const):
            args[1] = self._let("select", args[1].type, mask, args[1], Const(args[1].type, 1))
        attribute = None if mask is not None else op.attribute
        self.ops.append(Op(op.op, args, self._words(op.results), attribute))

    def _memory(self, op: Op, mask: Operand | None) -> None:
        array, index, *value = op.args
        args = [self._of(array), self._of(index), *map(self._wide, value)]
        if self.types[array] == ARRAY:
            args[1] = self._wide(index)
        if mask is not None:
            args.append(mask)
        self.ops.append(Op(op.op, args, self._words(op.results)))

    def _check(self, op: Op, mask: Operand | None) -> None:
        if op.op == "refuse":
            self._refuse(op.args[0], self._of(op.args[0]), mask, op.site)
            return
        if op.op == "bounds":
            (array, index), least, count, site = op.args, [], op.attribute, op.site
        else:
            array, _, index, *least = op.args
            count, site = op.attribute[1], op.attribute[2][0][2]
        bits = index.type
        length = self._let("length", 64, self._of(array))
        if bits > 64:
            length = self._let("zext", bits, length)
        wide = self._lanes(bits)
        here = self._as(index, wide)
        bad = self._truth("uge", here, self._let("splat", wide, length))
        if count > 1:
            last = self._let("sub", bits, length, Const(bits, count))
            short = self._let("ult", 1, length, Const(bits, count))
            bad = self._truth("ugt", here, self._let("splat", wide, last))
            bad = self._truth("or", bad, self._let("splat", Lanes(1, self.count), short))
        for each in least:
            low = self._truth("slt", self._as(each, wide), Const(wide, 0))
            bad = self._truth("or", bad, low)
        self._fail(self._and(mask, bad), site)

    def _refuse(self, old: Operand, condition: Operand, mask: Operand | None, site: Site) -> None:
        self._fail(self._and(mask, self._as(old, Lanes(1, self.count))), site)

    def _fail(self, condition: Operand, site: Site) -> None:
        """Fails if the check of any input does. Which one, and its operand, is found one input at a time."""
        plain = Site(site.message, site.position)
        self.ops.append(Op("refuse", [self._let("any", 1, condition)], [], None, None, plain))


def _same(op: Op) -> Operand | None:
    """The argument that the operation returns unchanged."""
    if op.op == "select" and isinstance(op.args[0], Const):
        return op.args[1] if op.args[0].value else op.args[2]
    neutral = {"mul": 1, "add": 0, "sub": 0}.get(op.op)
    if neutral is not None and isinstance(op.args[1], Const) and op.args[1].value == neutral:
        return op.args[0]
    return None


def _partial(op: Op) -> bool:
    return op.op in PARTIAL and not (isinstance(op.args[1], Const) and op.args[1].value)
