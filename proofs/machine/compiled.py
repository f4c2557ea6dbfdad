# SPDX-License-Identifier: MIT
"""The domain of LLVM's values: instructions become a function on a state in memory, compiled.

Addresses that the instructions use are not this process's: regions say which exist, and where
their bytes are kept.  Whatever else is loaded or stored ends the function with a fault.
"""

import ctypes
import functools
import itertools

import llvmlite.binding as llvm
import numpy
from llvmlite import ir

from .domain import Domain
from .state import FLAGS, Machine, execute

# What a compiled function, and the processor's own trampoline (native.S), read and write.
STATE = numpy.dtype(
    [
        ("general", "<u8", 16),
        ("rip", "<u8"),
        ("flags", "<u8"),
        ("defined", "<u8"),  # the flags whose value is defined, as bits of the same places
        ("mxcsr", "<u8"),
        ("fault", "<u8"),  # 0, or one of FAULTS, from 1
        ("fault_rip", "<u8"),
        ("fault_address", "<u8"),
        ("fuel", "<u8"),  # branches back that may still be taken
        ("mask", "<u8", 8),
        ("vector", "<u8", (32, 8)),
    ]
)
MEMORY, ASSUMPTION, FUEL = 1, 2, 3

_I1, _I32, _I64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_DOUBLE = ir.DoubleType()
_POINTER = ir.PointerType()

# regions: their count, then (address, bytes, where they are kept, writable) of each
_TEXT = """
define private ptr @place(ptr %regions, i64 %address, i64 %size, i64 %write) {
entry:
  %count = load i64, ptr %regions
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %more, %again ]
  %any = icmp ult i64 %i, %count
  br i1 %any, label %look, label %none
look:
  %first = mul i64 %i, 4
  %p0 = getelementptr i64, ptr %regions, i64 %first
  %p1 = getelementptr i64, ptr %p0, i64 1
  %p2 = getelementptr i64, ptr %p0, i64 2
  %p3 = getelementptr i64, ptr %p0, i64 3
  %p4 = getelementptr i64, ptr %p0, i64 4
  %base = load i64, ptr %p1
  %bytes = load i64, ptr %p2
  %host = load i64, ptr %p3
  %writable = load i64, ptr %p4
  %offset = sub i64 %address, %base
  %inside = icmp ule i64 %offset, %bytes
  %left = sub i64 %bytes, %offset
  %fits = icmp ule i64 %size, %left
  %allowed = icmp ule i64 %write, %writable
  %both = and i1 %inside, %fits
  %all = and i1 %both, %allowed
  br i1 %all, label %found, label %again
again:
  %more = add i64 %i, 1
  br label %next
found:
  %at = add i64 %host, %offset
  %pointer = inttoptr i64 %at to ptr
  ret ptr %pointer
none:
  ret ptr null
}

define void @batch(ptr %states, ptr %regions, i64 %count, i64 %bytes) {
entry:
  %kept = getelementptr i64, ptr %regions, i64 3
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %more, %body ]
  %any = icmp ult i64 %i, %count
  br i1 %any, label %body, label %end
body:
  %offset = mul i64 %i, STATE_BYTES
  %state = getelementptr i8, ptr %states, i64 %offset
  call void @run(ptr %state, ptr %regions)
  %host = load i64, ptr %kept
  %after = add i64 %host, %bytes
  store i64 %after, ptr %kept
  %more = add i64 %i, 1
  br label %next
end:
  ret void
}
""".replace("STATE_BYTES", str(STATE.itemsize))


class Wide:
    """A vector: an LLVM vector of any lanes, and its bits."""

    def __init__(self, value, bits):
        self.value, self.bits = value, bits


class Values(Domain):
    """A scalar is an LLVM integer; inside map(), a vector of all lanes at once."""

    def __init__(self):
        self.builder = None
        self.rounds = False

    @staticmethod
    def _type(a, width):
        return ir.VectorType(ir.IntType(width), a.type.count) if _is_vector(a) else ir.IntType(width)

    def _same(self, b, a):
        if not isinstance(b, int):
            return b
        element = a.type.element if _is_vector(a) else a.type
        b &= (1 << element.width) - 1
        return ir.Constant(a.type, [ir.Constant(element, b)] * a.type.count if _is_vector(a) else b)

    def const(self, width, value):
        return ir.Constant(ir.IntType(width), value & ((1 << width) - 1))

    def width(self, a):
        return (a.type.element if _is_vector(a) else a.type).width

    def not_(self, a):
        return self.xor(a, -1)

    def eq(self, a, b):
        return self.builder.icmp_unsigned("==", a, self._same(b, a))

    def ult(self, a, b):
        return self.builder.icmp_unsigned("<", a, self._same(b, a))

    def slt(self, a, b):
        return self.builder.icmp_signed("<", a, self._same(b, a))

    def select(self, condition, a, b):
        return self.builder.select(condition, a, b)

    def zext(self, a, width):
        return a if width == self.width(a) else self.builder.zext(a, self._type(a, width))

    def sext(self, a, width):
        return a if width == self.width(a) else self.builder.sext(a, self._type(a, width))

    def extract(self, a, low, width):
        if low:
            a = self.lshr(a, low)
        return a if width == self.width(a) else self.builder.trunc(a, self._type(a, width))

    def concat(self, parts):
        total = sum(self.width(part) for part in parts)
        value, low = self.zext(parts[0], total), self.width(parts[0])
        for part in parts[1:]:
            value = self.or_(value, self.shl(self.zext(part, total), low))
            low += self.width(part)
        return value

    # doubles: LLVM's constrained operations, so that the rounding is what the processor is set to
    def _double(self, name, *operands, to=None):
        self.rounds = True
        first = operands[0]
        lanes = f"v{first.type.count}" if _is_vector(first) else ""

        def shape(kind):
            return ir.VectorType(kind, first.type.count) if lanes else kind

        double = shape(_DOUBLE)
        doubles = [
            self.builder.bitcast(each, double) if not name.startswith(("sitofp", "uitofp")) else each
            for each in operands
        ]
        result = shape(_I64) if to else double
        suffix = f"{lanes}{'i64' if to else 'f64'}"
        if name.startswith(("sitofp", "uitofp")):
            suffix += f".{lanes}i{self.width(first)}"
        elif to:
            suffix += f".{lanes}f64"
        notes = ["round.dynamic"] * (name not in ("roundeven", "fptosi")) + ["fpexcept.ignore"]
        kinds = [each.type for each in doubles] + [ir.MetaDataType()] * len(notes)
        function = self.builder.module.declare_intrinsic(
            f"llvm.experimental.constrained.{name}.{suffix}", (), ir.FunctionType(result, kinds)
        )
        said = [ir.MetaDataString(self.builder.module, note) for note in notes]
        value = self.builder.call(function, [*doubles, *said])
        return value if to else self.builder.bitcast(value, shape(_I64))

    def set_rounding(self, mode):
        """To mxcsr's two bits: nearest, down, up, to zero; LLVM numbers them otherwise."""
        self.rounds = True
        modes = ir.Constant(_I32, 1 | 3 << 2 | 2 << 4 | 0 << 6)
        twice = self.builder.shl(self.builder.zext(mode, _I32), ir.Constant(_I32, 1))
        chosen = self.builder.and_(self.builder.lshr(modes, twice), ir.Constant(_I32, 3))
        self.put_rounding(chosen)

    def get_rounding(self):
        """LLVM's own number."""
        return self._rounding_function("get", _I32, [], [])

    def put_rounding(self, number):
        self._rounding_function("set", ir.VoidType(), [_I32], [number])

    def _rounding_function(self, verb, result, kinds, arguments):
        function = self.builder.module.declare_intrinsic(
            f"llvm.{verb}.rounding", (), ir.FunctionType(result, kinds)
        )
        return self.builder.call(function, arguments)

    def fadd(self, a, b):
        return self._double("fadd", a, b)

    def fsub(self, a, b):
        return self._double("fsub", a, b)

    def fmul(self, a, b):
        return self._double("fmul", a, b)

    def fdiv(self, a, b):
        return self._double("fdiv", a, b)

    def fma(self, a, b, c):
        return self._double("fma", a, b, c)

    def froundeven(self, a):
        return self._double("roundeven", a)

    def from_signed(self, a):
        return self._double("sitofp", a)

    def from_unsigned(self, a):
        return self._double("uitofp", a)

    def to_signed(self, a):
        return self._double("fptosi", self._double("rint", a), to=True)

    def to_signed_truncated(self, a):
        return self._double("fptosi", a, to=True)

    # vectors
    def _raw(self, vector, width):
        wanted = ir.VectorType(ir.IntType(width), vector.bits // width)
        return vector.value if vector.value.type == wanted else self.builder.bitcast(vector.value, wanted)

    def total(self, vector):
        return vector.bits

    def lanes(self, vector, width):
        raw = self._raw(vector, width)
        return [self.builder.extract_element(raw, ir.Constant(_I32, lane)) for lane in range(raw.type.count)]

    def vector(self, lanes):
        value = ir.Constant(ir.VectorType(lanes[0].type, len(lanes)), ir.Undefined)
        for index, lane in enumerate(lanes):
            value = self.builder.insert_element(value, lane, ir.Constant(_I32, index))
        return Wide(value, len(lanes) * lanes[0].type.width)

    def map(self, width, function, *vectors):
        value = function(*(self._raw(vector, width) for vector in vectors))
        return Wide(value, value.type.count * value.type.element.width)

    def conditions(self, width, function, *vectors):
        value = function(*(self._raw(vector, width) for vector in vectors))
        return self.builder.bitcast(value, ir.IntType(value.type.count))

    def blend(self, width, bits, a, b):
        chosen = self.builder.bitcast(bits, ir.VectorType(_I1, self.width(bits)))
        return Wide(self.builder.select(chosen, self._raw(a, width), self._raw(b, width)), a.bits)

    def shuffle(self, width, vectors, indices):
        a = self._raw(vectors[0], width)
        b = self._raw(vectors[1], width) if len(vectors) > 1 else ir.Constant(a.type, ir.Undefined)
        places = ir.Constant(
            ir.VectorType(_I32, len(indices)), [ir.Constant(_I32, index) for index in indices]
        )
        return Wide(self.builder.shuffle_vector(a, b, places), len(indices) * width)

    def splat(self, scalar, count):
        single = Wide(
            self.builder.insert_element(
                ir.Constant(ir.VectorType(scalar.type, 1), ir.Undefined), scalar, ir.Constant(_I32, 0)
            ),
            scalar.type.width,
        )
        return self.shuffle(scalar.type.width, [single], [0] * count)

    def zero(self, bits):
        return Wide(ir.Constant(ir.VectorType(_I64, bits // 64), None), bits)

    def extended(self, vector, bits):
        if vector.bits == bits:
            return vector
        count = vector.bits // 64
        indices = [*range(count), *[count] * ((bits - vector.bits) // 64)]
        return self.shuffle(64, [vector, self.zero(vector.bits)], indices)


def _instruction(name):
    """An operation that is one instruction of LLVM's."""
    return lambda self, a, b: getattr(self.builder, name)(a, self._same(b, a))


for _name in ("add", "sub", "mul", "udiv", "and_", "or_", "xor", "shl", "lshr", "ashr"):
    setattr(Values, _name, _instruction(_name))


def _is_vector(a):
    return isinstance(a.type, ir.VectorType)


class Translator(Machine):
    """Emits the instructions reachable from an address by direct branches, as one function."""

    def __init__(self, program, entry, stops=(), ops=None):
        super().__init__(ops or Values())
        self.module = ir.Module()
        self.places = {}
        signature = ir.FunctionType(_POINTER, [_POINTER, _I64, _I64, _I64])
        self.place = ir.Function(self.module, signature, "place")
        run = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [_POINTER, _POINTER]), "run")
        self.state, self.regions = run.args
        self.first = ir.IRBuilder(run.append_basic_block("entry"))
        self.last = ir.IRBuilder(run.append_basic_block("exit"))
        self.program = program
        leaders, reached = _leaders(program, entry, stops)
        self.blocks = {address: run.append_basic_block(f"x{address:x}") for address in sorted(leaders)}
        self.run = run
        for address, block in self.blocks.items():
            self._block(address, block, reached)
        self._finish(entry)

    def _block(self, address, block, reached):
        self.ops.builder = ir.IRBuilder(block)
        while True:
            if address not in reached:
                self.jump(self.ops.const(64, address))
                return
            self.instruction = self.program[address]
            execute(self, self.instruction)
            if self.ops.builder.block.is_terminated:
                return
            address = self.instruction.end
            if address in self.blocks:
                self.ops.builder.branch(self.blocks[address])
                return

    def _finish(self, entry):
        """Registers that are used come from the state at first, and go back to it at the end."""
        if self.ops.rounds:
            self._rounding()
        for (file, number), place in self.places.items():
            where, width = self._where(file, number)
            value = self.first.load(self._field(self.first, where), typ=place.kept, align=8)
            if width is not None:
                value = self.first.trunc(self.first.lshr(value, ir.Constant(_I64, width)), _I1)
            self.first.store(value, place)
            value = self.last.load(place, typ=_I1 if width is not None else place.kept)
            if width is not None:
                field = self._field(self.last, where)
                old = self.last.and_(self.last.load(field, typ=_I64), ir.Constant(_I64, ~(1 << width)))
                value = self.last.or_(
                    old, self.last.shl(self.last.zext(value, _I64), ir.Constant(_I64, width))
                )
                self.last.store(value, field)
            else:
                self.last.store(value, self._field(self.last, where), align=8)
        self.first.branch(self.blocks[entry])
        self.last.ret_void()

    def _rounding(self):
        """The processor rounds as the state says, and at the end as before."""
        ops = self.ops
        self._variable("mxcsr", 0)
        ops.builder = self.first
        before = ops.get_rounding()
        state = self.first.load(self._field(self.first, self._where("mxcsr", 0)[0]), typ=_I64, align=8)
        ops.set_rounding(ops.extract(state, 13, 2))
        ops.builder = self.last
        ops.put_rounding(before)

    def text(self):
        lines = [line for line in str(self.module).splitlines() if not line.startswith("declare")]
        return "\n".join(lines) + _TEXT

    # registers
    @staticmethod
    def _where(file, number):
        """Its offset in the state, and the bit there if it is one."""
        if file == "flag":
            return STATE.fields["flags"][1], FLAGS[number]
        if file == "defined":
            return STATE.fields["defined"][1], FLAGS[number]
        size = {"vector": 64}.get(file, 8)
        return STATE.fields[file][1] + number * size, None

    def _field(self, builder, offset):
        return builder.gep(self.state, [ir.Constant(_I64, offset)], source_etype=ir.IntType(8))

    def _variable(self, file, number):
        if (file, number) not in self.places:
            kept = ir.VectorType(_I64, 8) if file == "vector" else _I64
            place = self.first.alloca(_I1 if file in ("flag", "defined") else kept)
            place.kept = kept
            self.places[file, number] = place
        return self.places[file, number]

    def get(self, file, number):
        place = self._variable(file, number)
        kept = _I1 if file in ("flag", "defined") else place.kept
        value = self.ops.builder.load(place, typ=kept)
        return Wide(value, 512) if file == "vector" else value

    def put(self, file, number, value):
        if file == "vector":
            value = self.ops._raw(value, 64)
        self.ops.builder.store(value, self._variable(file, number))

    # memory
    def _host(self, address, size, write):
        builder = self.ops.builder
        number = functools.partial(ir.Constant, _I64)
        found = builder.call(self.place, [self.regions, address, number(size), number(int(write))])
        self._require(builder.icmp_unsigned("!=", found, ir.Constant(_POINTER, None)), MEMORY, address)
        return found

    def load(self, address, bits):
        host = self._host(address, bits // 8, False)
        kind = ir.IntType(bits) if bits <= 64 else ir.VectorType(_I64, bits // 64)
        value = self.ops.builder.load(host, typ=kind, align=1)
        return value if bits <= 64 else Wide(value, bits)

    def store(self, address, value):
        bits = value.bits if isinstance(value, Wide) else self.ops.width(value)
        host = self._host(address, bits // 8, True)
        self.ops.builder.store(value.value if isinstance(value, Wide) else value, host, align=1)

    def load_lanes(self, address, width, bits):
        """Those lanes whose bit is set, the others 0 and not touched."""
        return self._lanes(address, width, bits, None)

    def store_lanes(self, address, width, bits, vector):
        self._lanes(address, width, bits, vector)

    def _lanes(self, address, width, bits, vector):
        """A loop over the lanes, through a copy of the vector on the stack."""
        count, size = self.ops.width(bits), width // 8
        lane = ir.IntType(width)
        copy = self.first.alloca(ir.VectorType(lane, count))
        first = self.first.bitcast(copy, lane.as_pointer())
        builder = self.ops.builder
        held = vector or self.ops.zero(count * width)
        builder.store(self.ops._raw(held, width), copy)
        before = builder.block
        head, touch, tail, end = (self.run.append_basic_block() for _ in range(4))
        builder.branch(head)
        builder.position_at_end(head)
        index = builder.phi(_I64)
        index.add_incoming(ir.Constant(_I64, 0), before)
        moved = builder.lshr(builder.zext(bits, _I64), index)
        builder.cbranch(builder.trunc(moved, _I1), touch, tail)
        builder.position_at_end(touch)
        offset = builder.mul(index, ir.Constant(_I64, size))
        host = self._host(builder.add(address, offset), size, vector is not None)
        mine = builder.gep(first, [index])
        to, source = (host, mine) if vector else (mine, host)
        builder.store(builder.load(source, typ=lane, align=1), to, align=1)
        builder.branch(tail)
        builder.position_at_end(tail)
        more = builder.add(index, ir.Constant(_I64, 1))
        index.add_incoming(more, builder.block)
        builder.cbranch(builder.icmp_unsigned("<", more, ir.Constant(_I64, count)), head, end)
        builder.position_at_end(end)
        return Wide(builder.load(copy, typ=ir.VectorType(lane, count)), count * width)

    # control
    def _leave(self, rip, fault=0, address=None):
        builder = self.ops.builder
        builder.store(rip, self._variable("rip", 0))
        if fault:
            builder.store(ir.Constant(_I64, fault), self._variable("fault", 0))
            builder.store(ir.Constant(_I64, self.instruction.address), self._variable("fault_rip", 0))
            builder.store(address or ir.Constant(_I64, 0), self._variable("fault_address", 0))
        builder.branch(self.last.block)

    def _require(self, condition, fault, address=None):
        builder = self.ops.builder
        go, stop = self.run.append_basic_block(), self.run.append_basic_block()
        builder.cbranch(
            condition,
            go,
            stop,
        )
        builder.position_at_end(stop)
        self._leave(self.ops.const(64, self.instruction.address), fault, address)
        builder.position_at_end(go)

    def assume(self, condition, reason):
        self._require(condition, ASSUMPTION)

    def jump(self, target):
        builder = self.ops.builder
        if isinstance(target, ir.Constant) and target.constant in self.blocks:
            self._burn(target.constant)
            builder.branch(self.blocks[target.constant])
        else:
            self._leave(target)

    def branch(self, condition, target):
        builder = self.ops.builder
        taken, other = self.run.append_basic_block(), self.run.append_basic_block()
        builder.cbranch(condition, taken, other)
        for block, address in ((taken, target), (other, self.instruction.end)):
            builder.position_at_end(block)
            self.jump(self.ops.const(64, address))

    def _burn(self, target):
        """A branch back costs one of the fuel."""
        if target <= self.instruction.address:
            fuel = self.get("fuel", 0)
            self._require(self.ops.ne(fuel, 0), FUEL)
            self.put("fuel", 0, self.ops.sub(fuel, 1))


def _leaders(program, entry, stops):
    """Where blocks begin, and all that is reached, from the entry by direct branches."""
    leaders, reached, todo = {entry}, set(), [entry]
    while todo:
        address = todo.pop()
        while address in program and address not in reached:
            if address in stops and address != entry:
                break
            reached.add(address)
            i = program[address]
            if i.mnemonic.startswith("rep "):  # a branch to itself
                leaders.add(address)
            if i.mnemonic in ("ret", "call", "ud2"):
                break
            if i.branches:
                target = getattr(i.operands[0], "value", None)
                conditional = i.mnemonic != "jmp"
                for each in [target] * (target is not None) + [i.end] * conditional:
                    if each in program and not (each in stops and each != entry):
                        leaders.add(each)
                        todo.append(each)
                break
            address = i.end
    return leaders, reached


@functools.cache
def _target():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.load_library_permanently("libgcc_s.so.1")  # the quotient of 128 bits
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=0, reloc="pic"
    )


@functools.cache
def _jit():
    return llvm.create_lljit_compiler(_target())


_numbers = itertools.count()


class Compiled:
    """run(state, regions) and batch(states, regions, count, bytes) of a translation, on pointers."""

    def __init__(self, translator):
        module = llvm.parse_assembly(translator.text())
        name = f"instructions {next(_numbers)}"
        library = llvm.JITLibraryBuilder().add_object_img(_target().emit_object(module))
        for symbol in ("run", "batch"):
            library.export_symbol(symbol)
        library.add_current_process()
        self.code = library.link(_jit(), name)
        pointer, word = ctypes.c_void_p, ctypes.c_uint64
        self.run = ctypes.CFUNCTYPE(None, pointer, pointer)(self.code["run"])
        self.batch = ctypes.CFUNCTYPE(None, pointer, pointer, word, word)(self.code["batch"])
