"""A function as LLVM's text: its blocks, their parameters, calls, checks and terminators."""

from __future__ import annotations

from ..machine.form import (
    BIG,
    MachineBlock,
    MachineBranch,
    MachineFail,
    MachineFunction,
    MachineJump,
    MachineReturn,
    Op,
    Operand,
    Word,
)
from . import arrays, lanes, values, words
from .names import function_symbol, is_array, llvm_type, returned
from .text import (
    CONTEXT_DUE,
    CONTEXT_LENGTH,
    CONTEXT_OPERAND,
    CONTEXT_POLL,
    LIKELY,
    UNLIKELY,
    BodyText,
)

PARTS = ("ptr", "ptr", "i64")  # an array's object, data and length


def _refuse(t: BodyText, op: Op) -> None:
    condition, *operand = map(t.of, op.args)
    type_ = op.args[1].type if operand else 64
    if type_ == 64:
        t.refuse(condition, op.site, *operand)
        return
    bad, go_on = t.fresh("bad", "ok")
    t.add(f"br i1 {condition}, label %{bad}, label %{go_on}, {UNLIKELY}")
    t.begin(bad)
    low = "0"
    if type_ is BIG:
        t.tell(operand[0])
    else:
        low = t.halved(operand[0])
    t.add("br label %trap")
    t.trap(op.site, low)
    t.begin(go_on)


def _deep(t: FunctionText, op: Op) -> None:
    # otherwise LLVM turns a recursion that never returns into an endless loop
    t.attributes = t.module.attributes + ' "disable-tail-calls"="true"'
    frame = t.let("call ptr @llvm.frameaddress.p0(i32 0)")
    end = t.let("load ptr, ptr %context")
    t.refuse(t.let(f"icmp ult ptr {frame}, {end}"), op.site)


def _poll(t: BodyText, op: Op) -> None:
    due = t.let(f"load atomic i8, ptr {t.place(CONTEXT_DUE)} monotonic, align 1")
    due = t.let(f"icmp ne i8 {due}, 0")
    ask, go_on = t.fresh("ask", "on")
    t.add(f"br i1 {due}, label %{ask}, label %{go_on}, {UNLIKELY}")
    t.begin(ask)
    # load the address here: a constant one would occupy a register throughout the loop
    poll = t.let(f"load ptr, ptr {t.place(CONTEXT_POLL)}")
    effects = "cold nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)"
    stop = t.let(f"call i32 {poll}(ptr %context) {effects}")
    stop = t.let(f"icmp ne i32 {stop}, 0")
    t.trap(op.site)
    t.add(f"br i1 {stop}, label %trap, label %{go_on}, {UNLIKELY}")
    t.begin(go_on)


def _open(t: FunctionText, op: Op) -> None:
    function = t.function
    t.filled = function.slots
    t.module.late = True
    t.add(f"call void @slots.open(ptr %slot{function.slots - function.late}, i64 {8 * function.late})")


def _close(t: FunctionText, op: Op) -> None:
    function = t.function
    t.filled = function.slots - function.late
    t.add(f"call void @ring_leave(ptr %slot{t.filled}, i64 {function.late})")


def _call(t: BodyText, op: Op) -> None:
    args = ["ptr %context"]
    args += [
        f"{llvm_type(arg.type)} {t.parts(arg)[0] if is_array(arg.type) else t.of(arg)}" for arg in op.args
    ]
    type_ = returned([word.type for word in op.results])
    made = t.let(f"call fastcc {type_} {function_symbol(op.attribute)}({', '.join(args)})")
    status = t.let(f"extractvalue {type_} {made}, 0")
    failed, (go_on,) = t.let(f"icmp ne i32 {status}, 0"), t.fresh("ok")
    t.add(f"br i1 {failed}, label %unwind, label %{go_on}, {UNLIKELY}")
    t.unwinds.append((t.label, status, t.module.site(op.site), t.filled))
    t.begin(go_on)
    for at, word in enumerate(op.results, 1):
        text = t.let(f"extractvalue {type_} {made}, {at}")
        if is_array(word.type):
            t.arrays[word] = arrays.parts(t, text)
        else:
            t.words[word] = text


EMITTED = {
    **words.EMITTED,
    **values.EMITTED,
    **arrays.EMITTED,
    "refuse": _refuse,
    "deep": _deep,
    "poll": _poll,
    "open": _open,
    "close": _close,
    "call": _call,
}


class FunctionText(BodyText):
    def __init__(self, module, function: MachineFunction):
        super().__init__(module, function.calls)
        self.function = function
        self.attributes = module.attributes
        # by how many slots may hold something: labels, and the results
        self.returns: dict[int, list[tuple[str, list[str]]]] = {}
        self.filled = function.slots - function.late
        # how many slots may hold something where a block begins
        self.begins: dict[MachineBlock, int] = {}
        # where each block's phis are inserted at the end, and the edges into it
        self.phis: list[tuple[int, MachineBlock]] = []
        self.ways: dict[MachineBlock, list[tuple[str, list[Operand]]]] = {}

    def emit(self) -> str:
        function = self.function
        self.begin("body")
        params = ["ptr %context"]
        for at, param in enumerate(function.params):
            params.append(f"{llvm_type(param.type)} %p{at}")
            self._name(param, f"%p{at}")
            if is_array(param.type):
                self.arrays[param] = arrays.parts(self, f"%p{at}")
        for block in function.blocks:
            if block is not function.blocks[0]:
                self.filled = self.begins[block]
                self.begin(f"b{block.number}")
                for param in block.params:
                    self._name(param, f"%v{param.number}")
                self.phis.append((len(self.body), block))
            for op in block.ops:
                (lanes.EMITTED if lanes.concerned(op) else EMITTED)[op.op](self, op)
            self._end(block)
            self.begins.update(dict.fromkeys(block.end.blocks, self.filled))
        self._ends()
        for at, block in reversed(self.phis):
            self.body[at:at] = self._phis(block)
        head = [f"define fastcc {returned(function.results)} {function_symbol(function.name)}"
                f"({', '.join(params)}) nounwind{self.attributes} {{", "entry:"]  # fmt: skip
        if function.slots:
            size, early = function.slots, function.slots - function.late
            head.append(f"  %slots = alloca [{size} x i64], align 16")
            if early:
                head.append(
                    f"  call void @llvm.memset.p0.i64(ptr align 16 %slots, i8 0, i64 {8 * early}, i1 false)"
                )
            head += [f"  %slot{k} = getelementptr i64, ptr %slots, i64 {k}" for k in range(size)]
        head += self.rooms
        return "\n".join([*head, "  br label %body", *self.body, "}"])

    def _name(self, param: Word, name: str) -> None:
        if is_array(param.type):
            self.arrays[param] = (f"{name}.object", f"{name}.data", f"{name}.length")
        else:
            self.words[param] = name

    def _phis(self, block: MachineBlock) -> list[str]:
        """The phis of the block's parameters."""
        lines = []
        for at, param in enumerate(block.params):
            ways = [(label, args[at]) for label, args in self.ways[block]]
            if is_array(param.type):
                for part, (type_, name) in enumerate(zip(PARTS, self.arrays[param], strict=True)):
                    found = ", ".join(f"[{self.arrays[arg][part]}, %{label}]" for label, arg in ways)
                    lines.append(f"  {name} = phi {type_} {found}")
            else:
                found = ", ".join(f"[{self.of(arg)}, %{label}]" for label, arg in ways)
                lines.append(f"  {self.words[param]} = phi {llvm_type(param.type)} {found}")
        return lines

    def _end(self, block: MachineBlock) -> None:
        match block.end:
            case MachineJump(to, args):
                self.ways.setdefault(to, []).append((self.label, args))
                self.add(f"br label %b{to.number}")
            case MachineBranch(condition, then, otherwise, likely):
                note = f", {LIKELY}" if likely else ""
                self.add(
                    f"br i1 {self.of(condition)}, label %b{then.number}, label %b{otherwise.number}{note}"
                )
            case MachineReturn(args):
                texts = [self.parts(arg)[0] if is_array(arg.type) else self.of(arg) for arg in args]
                self.returns.setdefault(self.filled, []).append((self.label, texts))
                self.add(f"br label %return.{self.filled}")
            case MachineFail(site):
                self.trap(site)
                self.add("br label %trap")

    def _leave(self, filled: int | str) -> None:
        if filled:
            self.add(f"call void @ring_leave(ptr %slots, i64 {filled})")

    def _ends(self) -> None:
        """The blocks at the end, to which returns, failed checks and failed calls jump."""
        type_ = returned(self.function.results)
        for filled, returns in self.returns.items():
            self.begin(f"return.{filled}")
            names = [llvm_type(result) for result in self.function.results]
            results = []
            for at, name in enumerate(names):
                ways = ", ".join(f"[{texts[at]}, %{label}]" for label, texts in returns)
                results.append(self.let(f"phi {name} {ways}"))
            self._leave(filled)
            whole = self.let(f"insertvalue {type_} poison, i32 0, 0")
            for at, (name, text) in enumerate(zip(names, results, strict=True), 1):
                whole = self.let(f"insertvalue {type_} {whole}, {name} {text}, {at}")
            self.add(f"ret {type_} {whole}")
        if self.traps:
            self.begin("trap")
            columns = []
            for kind, column in (("i32", 1), ("i64", 2), ("i64", 3)):
                ways = ", ".join(f"[{way[column]}, %{way[0]}]" for way in self.traps)
                columns.append(self.let(f"phi {kind} {ways}"))
            filled = self._filled([(way[0], way[4]) for way in self.traps])
            for text, place in ((columns[1], CONTEXT_OPERAND), (columns[2], CONTEXT_LENGTH)):
                self.add(f"store i64 {text}, ptr {self.place(place)}")
            self.unwinds.append(("trap", columns[0], 0, filled))
            self.add("br label %unwind")
        if self.unwinds:
            self.begin("unwind")
            ways = ", ".join(f"[{status}, %{label}]" for label, status, _, _ in self.unwinds)
            status = self.let(f"phi i32 {ways}")
            filled = self._filled([(label, filled) for label, _, _, filled in self.unwinds])
            if any(site for _, _, site, _ in self.unwinds):
                sites = ", ".join(f"[{site}, %{label}]" for label, _, site, _ in self.unwinds)
                self.add(f"call void @ring_called(ptr %context, i32 {self.let(f'phi i32 {sites}')})")
            self._leave(filled)
            self.add(f"ret {type_} {self.let(f'insertvalue {type_} zeroinitializer, i32 {status}, 0')}")

    def _filled(self, ways: list[tuple[str, int | str]]) -> int | str:
        """How many slots may hold something, by the block that this one is entered from."""
        counts = {filled for _, filled in ways}
        if len(counts) == 1:
            return counts.pop()
        return self.let(f"phi i64 {', '.join(f'[{filled}, %{label}]' for label, filled in ways)}")
