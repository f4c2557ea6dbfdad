"""A function as LLVM's text: its blocks, calls and ends."""

from __future__ import annotations

from ..ir import (
    COMPARE,
    LOGIC,
    Array,
    Block,
    Bool,
    Branch,
    Edge,
    Instruction,
    Int,
    Jump,
    Return,
    Trap,
    Value,
)
from ..plan import BIG, Range
from ..ranges import reverse_postorder
from ..simplify import within
from .arithmetic import DIVISION
from .arrays import Arrays
from .passed import function_symbol, word_type
from .polls import Strip
from .values import CONTEXT_LENGTH, CONTEXT_OPERAND

# Of a name in the loop around the strips.
OUTER = ".outer"


class FunctionEmitter(Arrays):
    def emit(self) -> str:
        function, order = self.function, reverse_postorder(self.function)
        self.labels = {block: f"b{at}" for at, block in enumerate(order)}
        self.owned_arrays = self._owned_arrays()
        self.begin("body")
        self.strips = {strip.head: strip for strip in self.polls.strips.values()}
        if function.name in self.module.recursive:
            self.position = function.position
            frame = self.let("call ptr @llvm.frameaddress.p0(i32 0)")
            end = self.let("load ptr, ptr %context")
            self.refuse(self.let(f"icmp ult ptr {frame}, {end}"), "recursion too deep")
        if self.polls.entry:
            self.poll()
        params = ["ptr %context"]
        for at, (param, passed) in enumerate(zip(function.params, self.signature.params, strict=True)):
            params.append(f"{passed.llvm} %p{at}")
            if isinstance(param.type, Array):
                self._array(param, f"%p{at}")
            else:
                self.text[param] = f"%p{at}"
        for block in order:
            if block is not function.blocks[0]:
                for param in block.params:
                    self._parameter(param)
                if block in self.strips:
                    self._begin_strip(self.strips[block])
                self._begin(block, self.labels[block])
            self._block(block)
        self._ends()
        for at, block, label, suffix in reversed(self.phis):
            self.body[at:at] = self._phis(block, self.incoming[label], suffix)
        label = function_symbol(function.name)
        head = [
            f"define fastcc {self.signature.llvm} {label}({', '.join(params)}) nounwind {{",
            "entry:",
        ]
        if self.slots:
            head.append(f"  %slots = alloca [{self.slots} x i64], align 16")
            head.append(
                f"  call void @llvm.memset.p0.i64(ptr align 16 %slots, i8 0, i64 {8 * self.slots}, i1 false)"
            )
            head += [f"  %slot{k} = getelementptr i64, ptr %slots, i64 {k}" for k in range(self.slots)]
        return "\n".join([*head, "  br label %body", *self.body, "}"])

    def _begin(self, block: Block, label: str, suffix: str = "") -> None:
        self.begin(label)
        self.phis.append((len(self.body), block, label, suffix))

    def _block(self, block: Block) -> None:
        self._runs(block)
        self._measure(block)
        self._find_sums(block)
        for instruction in block.instructions:
            if instruction not in self.parts:
                self.position = instruction.position
                self._instruction(instruction)
        self._terminator(block)

    def _parameter(self, param: Value) -> None:
        name = f"%v{len(self.text) + len(self.arrays)}"
        if isinstance(param.type, Array):
            self.arrays[param] = (f"{name}.object", f"{name}.data", f"{name}.length")
            if param in self.owned_arrays:
                self.slot_of[param] = self.slot()
            return
        self.text[param] = name
        if isinstance(param.type, Int) and self.plan.containers[param] is BIG:
            self.slot_of[param] = self.slot()

    def _phis(self, block: Block, ways: list[tuple[str, list]], suffix: str = "") -> list[str]:
        """The block's parameters, by the label of each way in and what it brings."""
        lines = []
        for at, param in enumerate(block.params):
            if isinstance(param.type, Array):
                for part, type_ in enumerate(("ptr", "ptr", "i64")):
                    parts = ", ".join(f"[{texts[at][part]}, %{label}]" for label, texts in ways)
                    lines.append(f"  {self.arrays[param][part]}{suffix} = phi {type_} {parts}")
                continue
            type_ = "i1" if isinstance(param.type, Bool) else word_type(self.plan.containers[param])
            parts = ", ".join(f"[{texts[at]}, %{label}]" for label, texts in ways)
            lines.append(f"  {self.text[param]}{suffix} = phi {type_} {parts}")
        return lines

    def _edge(self, source: Block, edge: Edge) -> None:
        """Passes the arguments, and jumps."""
        block = edge.block
        if (source, block) in self.polls.edges:
            self.poll()
        texts: list = []
        owned: list[tuple[str, str]] = []
        tags: list[str] = []
        for param, arg in zip(block.params, edge.args, strict=True):
            if isinstance(param.type, Array):
                texts.append(self.arrays[arg])
                if param in self.slot_of and arg is not param:
                    owned.append(
                        (self.slot_of[param], self.let(f"ptrtoint ptr {self.arrays[arg][0]} to i64"))
                    )
                continue
            if isinstance(param.type, Bool):
                texts.append(self.text[arg])
                continue
            texts.append(self.passed(arg, param))
            if param in self.slot_of and arg is not param and not texts[-1].lstrip("-").isdigit():
                owned.append((self.slot_of[param], texts[-1]))
                tags.append(texts[-1])
        if owned:
            give, done = self.fresh_label("give"), self.fresh_label("given")
            if len(tags) == len(owned):
                tag = tags[0]
                for other in tags[1:]:
                    tag = self.let(f"and i64 {tag}, {other}")
                self.add(f"br i1 {self.let(f'trunc i64 {tag} to i1')}, label %{done}, label %{give}")
            else:
                self.add(f"br label %{give}")
            self.begin(give)
            # all are kept before any slot gives up what may be passed from it
            for _, text in owned:
                self.add(f"call void @ring_retain(i64 {text})")
            for slot, text in owned:
                self.add(f"call void @ring_put(ptr {slot}, i64 {text})")
            self.add(f"br label %{done}")
            self.begin(done)
        strip, label = self.strips.get(block), self.labels[block]
        if strip and (source is not strip.latch or self.resuming):
            label = f"strip.{label}"
        self.incoming.setdefault(label, []).append((self.label, texts))
        self.add(f"br label %{label}")

    def _begin_strip(self, strip: Strip) -> None:
        """Before the head of a loop that goes in strips: the same parameters, and how far to go."""
        head, label = strip.head, self.labels[strip.head]
        self._begin(head, f"strip.{label}", OUTER)
        texts = [
            tuple(f"{part}{OUTER}" for part in self.arrays[param])
            if isinstance(param.type, Array)
            else f"{self.text[param]}{OUTER}"
            for param in head.params
        ]
        self.incoming[label] = [(self.label, texts)]
        param = head.params[strip.position]
        start = self.resize(
            texts[strip.position], self.plan.containers[param], 64, self.range(param).negative
        )
        end = self.let(f"add i64 {start}, {strip.step * strip.rounds}")
        bound = self.word(strip.bound, 64)
        if strip.guarded:
            # LLVM no longer sees it where a strip begins that is not the first
            order = ("s" if strip.signed else "u") + ("lt" if strip.step > 0 else "gt")
            self.add(f"call void @llvm.assume(i1 {self.let(f'icmp {order} i64 {start}, {bound}')})")
        if strip.slack:
            bound = self.let(f"add i64 {bound}, {strip.slack}")
        nearer = ("s" if strip.signed else "u") + ("min" if strip.step > 0 else "max")
        self.add(f"%stop.{label} = call i64 @llvm.{nearer}.i64(i64 {bound}, i64 {end})")
        self.add(f"br label %{label}")

    def _strip(self, block: Block, strip: Strip) -> None:
        """The test of a loop that goes in strips."""
        end = block.terminator
        inside, outside = end.edges[strip.inside], end.edges[1 - strip.inside]
        op = ("s" if strip.signed else "u") + ("lt" if strip.step > 0 else "gt")
        more = self.let(f"icmp {op} i64 {self.word(strip.counter, 64)}, %stop.{self.labels[strip.head]}")
        go_on, stop, resume, leave = (self.fresh_label(n) for n in ("more", "stop", "resume", "leave"))
        self.add(f"br i1 {more}, label %{go_on}, label %{stop}, !prof !2")
        self.begin(go_on)
        self._edge(block, inside)
        self.begin(stop)
        ways = (resume, leave) if strip.inside == 0 else (leave, resume)
        self.add(f"br i1 {self.text[end.condition]}, label %{ways[0]}, label %{ways[1]}")
        self.begin(leave)
        self._edge(block, outside)
        self.begin(resume)
        self.poll()
        self.resuming = True
        if strip.counter in block.params:
            self._edge(block, Edge(block, block.params))
        elif block is strip.latch:
            self._edge(block, inside)
        else:
            self._block(strip.latch)
        self.resuming = False

    def _terminator(self, block: Block) -> None:
        end = block.terminator
        match end:
            case Jump(to):
                self._edge(block, to)
            case Branch() if block in self.polls.strips:
                self._strip(block, self.polls.strips[block])
            case Branch(condition, then, otherwise):
                labels = [self.fresh_label("then"), self.fresh_label("else")]
                self.add(f"br i1 {self.text[condition]}, label %{labels[0]}, label %{labels[1]}")
                for label, edge in zip(labels, (then, otherwise), strict=True):
                    self.begin(label)
                    self._edge(block, edge)
            case Return(args):
                self._return(args)
            case Trap(message, position):
                self.position = position
                self.traps.append((self.label, self.module.site(escape(message), position), "0", "0"))
                self.add("br label %trap")

    def _return(self, args: list[Value]) -> None:
        texts = []
        for arg, result in zip(args, self.signature.results, strict=True):
            if isinstance(result.type, Bool):
                texts.append(self.text[arg])
            elif isinstance(result.type, Array):
                texts.append(self.arrays[arg][0])
                value = self.let(f"ptrtoint ptr {texts[-1]} to i64")
                self.add(f"call void @ring_retain(i64 {value})")
            elif result.container is BIG:
                texts.append(self.big(arg))
                if not texts[-1].lstrip("-").isdigit():
                    self.add(f"call void @ring_retain(i64 {texts[-1]})")
            else:
                texts.append(self.word(arg, result.container))
        self.returns.append((self.label, texts))
        self.add("br label %return")

    def _leave(self) -> None:
        if self.slots:
            self.add(f"call void @ring_leave(ptr %slots, i64 {self.slots})")

    def _ends(self) -> None:
        """Where returns and failed checks meet."""
        type_ = self.signature.llvm
        if self.returns:
            self.begin("return")
            results = []
            for at, result in enumerate(self.signature.results):
                ways = ", ".join(f"[{texts[at]}, %{label}]" for label, texts in self.returns)
                results.append(self.let(f"phi {result.llvm} {ways}"))
            self._leave()
            whole = self.let(f"insertvalue {type_} poison, i32 0, 0")
            for at, (result, text) in enumerate(zip(self.signature.results, results, strict=True)):
                whole = self.let(f"insertvalue {type_} {whole}, {result.llvm} {text}, {at + 1}")
            self.add(f"ret {type_} {whole}")
        if self.traps:
            self.begin("trap")
            columns = []
            for kind, column in (("i32", 1), ("i64", 2), ("i64", 3)):
                ways = ", ".join(f"[{way[column]}, %{way[0]}]" for way in self.traps)
                columns.append(self.let(f"phi {kind} {ways}"))
            for text, place in ((columns[1], CONTEXT_OPERAND), (columns[2], CONTEXT_LENGTH)):
                self.add(f"store i64 {text}, ptr {self.let(f'getelementptr i8, ptr %context, i64 {place}')}")
            self.unwinds.append(("trap", columns[0]))
            self.add("br label %unwind")
        if self.unwinds:
            self.begin("unwind")
            ways = ", ".join(f"[{status}, %{label}]" for label, status in self.unwinds)
            status = self.let(f"phi i32 {ways}")
            self._leave()
            self.add(f"ret {type_} {self.let(f'insertvalue {type_} zeroinitializer, i32 {status}, 0')}")

    def _instruction(self, i: Instruction) -> None:
        op = i.op
        if op in ("add", "sub", "mul", "neg"):
            self._arithmetic(i)
        elif op in LOGIC:
            self._logic(i)
        elif op in COMPARE:
            self.text[i.result] = self.compare(op, *i.args)
        elif op in DIVISION:
            self._division(i)
        else:
            getattr(self, f"_{op}")(i)

    def _const(self, i: Instruction) -> None:
        if isinstance(i.result.type, Bool):
            self.text[i.result] = "true" if i.attribute else "false"
            return
        bits = self.plan.containers[i.result]
        self.text[i.result] = self.big(i.result) if bits is BIG else self.word(i.result, bits)

    def _narrow(self, i: Instruction) -> None:
        (x,) = i.args
        if not within(self.range(x), i.attribute):
            self.check(x, i.attribute)
        self._assume(i)

    def _assume(self, i: Instruction) -> None:
        self.text[i.result] = self.passed(i.args[0], i.result)

    def _select(self, i: Instruction) -> None:
        condition, a, b = i.args
        if isinstance(i.result.type, Array):
            parts = zip(("ptr", "ptr", "i64"), self.arrays[a], self.arrays[b], strict=True)
            self.arrays[i.result] = tuple(
                self.let(f"select i1 {self.text[condition]}, {t} {x}, {t} {y}") for t, x, y in parts
            )
            return
        if isinstance(i.result.type, Bool):
            t, x, y = "i1", self.text[a], self.text[b]
        else:
            t = word_type(self.plan.containers[i.result])
            x, y = self.passed(a, i.result), self.passed(b, i.result)
        self.text[i.result] = self.let(f"select i1 {self.text[condition]}, {t} {x}, {t} {y}")

    def _not(self, i: Instruction) -> None:
        self.text[i.result] = self.let(f"xor i1 {self.text[i.args[0]]}, true")

    def _call(self, i: Instruction) -> None:
        callee = self.module.signatures[i.attribute]
        args = ["ptr %context"]
        for arg, param, passed in zip(
            i.args, self.module.module.functions[i.attribute].params, callee.params, strict=True
        ):
            if isinstance(passed.type, Int):
                position, self.position = self.position, param.position
                self.check(arg, passed.type)
                self.position = position
                text = self.big(arg) if passed.container is BIG else self.word(arg, passed.container)
            elif isinstance(passed.type, Array):
                text = self.arrays[arg][0]
            else:
                text = self.text[arg]
            args.append(f"{passed.llvm} {text}")
        made = self.let(f"call fastcc {callee.llvm} {function_symbol(i.attribute)}({', '.join(args)})")
        status = self.let(f"extractvalue {callee.llvm} {made}, 0")
        failed, go_on = self.let(f"icmp ne i32 {status}, 0"), self.fresh_label("ok")
        self.add(f"br i1 {failed}, label %unwind, label %{go_on}, !prof !0")
        self.unwinds.append((self.label, status))
        self.begin(go_on)
        # every result is owned before any is looked at: what follows may fail
        texts = []
        for at, passed in enumerate(callee.results):
            text = self.let(f"extractvalue {callee.llvm} {made}, {at + 1}")
            texts.append(text)
            if isinstance(passed.type, Array):
                value = self.let(f"ptrtoint ptr {text} to i64")
                self.add(f"call void @ring_put(ptr {self.slot()}, i64 {value})")
            elif isinstance(passed.type, Int) and passed.container is BIG:
                put, done = self.fresh_label("put"), self.fresh_label("done")
                self.add(f"br i1 {self.let(f'trunc i64 {text} to i1')}, label %{done}, label %{put}")
                self.begin(put)
                self.add(f"call void @ring_put(ptr {self.slot()}, i64 {text})")
                self.add(f"br label %{done}")
                self.begin(done)
        for result, passed, text in zip(i.results, callee.results, texts, strict=True):
            if isinstance(passed.type, Array):
                self._array(result, text)
            elif isinstance(passed.type, Int):
                self.define(result, text, passed.container, Range(None if passed.negative else 0, None))
            else:
                self.text[result] = text


def escape(message: str) -> str:
    """A message in which nothing is to be filled in."""
    return message.replace("{", "{{").replace("}", "}}")
