"""Numbers of 129 to 256 bits as limbs: random programs of them, before and after, and as machine code."""

import random

import pytest
from carrychain.ring.call.compiled import compile_module
from carrychain.ring.compile import plans
from carrychain.ring.facts.ranges import ranges
from carrychain.ring.ir.form import print_function
from carrychain.ring.ir.interpret import Interpreter
from carrychain.ring.ir.parse import parse_module
from carrychain.ring.ir.verify import verify_module
from carrychain.ring.machine.form import BIG
from carrychain.ring.rewrite import cut
from carrychain.ring.rewrite.limbs import LONGEST, as_limbs, limbs
from carrychain.ring.rewrite.simplify import simplify
from hypothesis import given, settings
from hypothesis import strategies as st

random_programs = st.integers(0, 1 << 32).map(random.Random)


class Written:
    """A function of words, by way of longer numbers; of each value, how many bits it has at most."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []
        self.bits = {"a": 128, "b": 64, "c": 128, "n": 7}
        self.count = 0

    def emit(self, bits: int, text: str, type_: str = "int") -> str:
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"  %{name}: {type_} = {text}")
        if type_ == "int":
            self.bits[name] = bits
        return name

    def const(self, value: int) -> str:
        return self.emit(max(value.bit_length(), 1), f"const {value}")

    def value(self, most: int = LONGEST) -> str:
        names = [name for name, bits in self.bits.items() if bits <= most]
        long = [name for name in names if self.bits[name] > 128]
        return self.rng.choice(long if long and self.rng.random() < 0.7 else names)

    def step(self) -> None:
        rng, x = self.rng, self.value()
        bits = self.bits[x]
        match rng.choice(("add", "mul", "shift", "shift", "low", "select", "fmod", "const", "by")):
            case "add" if bits < LONGEST:
                y = self.value(LONGEST - 1)
                self.emit(max(bits, self.bits[y]) + 1, f"add %{x}, %{y}")
            case "mul":
                y = self.value(max(LONGEST - bits, 7))
                if bits + self.bits[y] <= LONGEST:
                    self.emit(bits + self.bits[y], f"mul %{x}, %{y}")
            case "shift":
                by = rng.randrange(-bits, LONGEST - bits + 1)
                self.emit(max(bits + by, 1), f"shift %{x}, %{self.const(by)}")
            case "by":
                # one bit of up to 127 places further, and back
                count = self.emit(8, f"sub %n, %{self.const(rng.choice((0, 3, 64)))}")
                del self.bits[count]
                self.emit(self.bits["b"] + 127, f"shift %b, %{count}")
            case "low":
                k = rng.randrange(1, LONGEST + 1)
                self.emit(min(k, bits), f"low {k} %{x}")
            case "select":
                test = self.emit(0, f"lt %b, %{self.const(1 << rng.randrange(64))}", "bool")
                y = self.value()
                self.emit(max(bits, self.bits[y]), f"select %{test}, %{x}, %{y}")
            case "fmod":
                self.rest(x)
            case "const":
                self.const(rng.getrandbits(rng.randrange(1, LONGEST + 1)))

    def rest(self, x: str) -> str:
        k = self.rng.randrange(65, 256)
        c = self.rng.choice((1, 2, 5, 19, 189, self.rng.getrandbits(32) | 1))
        return self.emit(k, f"fmod %{x}, %{self.const((1 << k) - c)}")

    def text(self) -> str:
        rng = self.rng
        zero, one, rounds = self.const(0), self.const(1), self.const(rng.randrange(1, 4))
        self.const(rng.getrandbits(200) | 1 << 199)
        for _ in range(rng.randrange(3)):
            self.step()
        start = self.value(200)
        self.lines.append(f"  jump loop(%{zero}, %{start})\nloop(%k: int, %x: int):")
        self.lines.append(f"  %more: bool = lt %k, %{rounds}\n  branch %more, round(), end()\nround():")
        outside = dict(self.bits)
        k = rng.randrange(129, 230)
        self.bits["x"] = max(k, self.bits[start])
        for _ in range(rng.randrange(2, 8)):
            self.step()
        c = rng.choice((1, 5, 19, 1 << 20))
        back = self.emit(k, f"fmod %{self.value()}, %{self.const((1 << k) - c)}")
        after = self.emit(2, f"add %k, %{one}")
        self.lines.append(f"  jump loop(%{after}, %{back})\nend():")
        self.bits = outside | {"x": self.bits["x"]}
        for _ in range(rng.randrange(4)):
            self.step()
        results = []
        for _ in range(3):
            x = self.value()
            by = self.const(-rng.randrange(0, self.bits[x] + 1))
            results.append(
                self.emit(128, f"low {rng.randrange(1, 129)} %{self.emit(0, f'shift %{x}, %{by}')}")
            )
        gives = ", ".join(f"%{name}" for name in results)
        head = "function @f -> (int, int, int) {\nentry(%a: u128, %b: u64, %c: u128, %n: int[0,127]):\n"
        return head + "\n".join(self.lines) + f"\n  return {gives}\n}}\n"


def written(function) -> bool:
    """Written as limbs where it may be; whether anything was."""
    simplify(function)
    known = ranges(function)
    long = as_limbs(function, known)
    if long:
        limbs(function, known, long)
    return bool(long)


def inputs(rng: random.Random) -> list[int]:
    """Words with few bits set, with few that are not, and any."""

    def word(bits: int) -> int:
        ends = (0, 1, (1 << bits) - 1, 1 << bits - 1, rng.getrandbits(bits), rng.getrandbits(bits))
        return rng.choice((*ends, 1 << rng.randrange(bits), (1 << bits) - 1 ^ 1 << rng.randrange(bits)))

    return [word(128), word(64), word(128), rng.choice((0, 1, 63, 64, 65, 127, rng.randrange(128)))]


@given(random_programs)
def test_limbs_are_the_number(rng):
    module = parse_module(Written(rng).text())
    verify_module(module)
    calls = [inputs(rng) for _ in range(4)]
    wanted = [Interpreter(module).call("f", *args) for args in calls]
    (function,) = module.functions.values()
    written(function)
    verify_module(module)
    assert [Interpreter(module).call("f", *args) for args in calls] == wanted, print_function(function)


@settings(max_examples=25)
@given(random_programs)
def test_machine_code(rng):
    module = parse_module(Written(rng).text())
    program = compile_module(module)
    for args in (inputs(rng) for _ in range(8)):
        assert program.call("f", *args) == Interpreter(module).call("f", *args)


def test_no_limb_is_big():
    rng, count = random.Random(7), 0
    for _ in range(60):
        (function,) = parse_module(Written(rng).text()).functions.values()
        before = {value.name for value in function.values()}
        if written(function):
            count += 1
            simplify(function)
            containers = cut.plan(function).containers
            assert all(bits is not BIG or value.name in before for value, bits in containers.items())
    assert count > 30


def compiled(text: str):
    """The function as it is compiled, and the containers of its integers."""
    plan = plans(parse_module(text), cut=True)["f"]
    return plan.function, set(plan.containers.values())


MODULI = [
    (1 << k) - c for k, c in ((65, 1), (127, 1), (128, 159), (130, 5), (191, 19), (255, 19), (128, 1 << 31))
]


@pytest.mark.parametrize("modulus", MODULI, ids=hex)
def test_near_multiples_of_a_modulus(modulus):
    module = parse_module(f"""
function @f -> (int, int) {{
entry(%a: u128, %b: u128):
  %up: int = const 128
  %high: int = shift %b, %up
  %x: int = add %high, %a
  %modulus: int = const {modulus}
  %rest: int = fmod %x, %modulus
  %down: int = const -128
  %upper: int = shift %rest, %down
  %lower: int = low 128 %rest
  return %upper, %lower
}}
""")
    program, plan = compile_module(module), plans(module.copy(), cut=True)["f"]
    assert BIG not in plan.containers.values()
    most = (1 << 256) - 1
    times = [
        0,
        1,
        2,
        3,
        most // modulus,
        most // modulus - 1,
        random.Random(modulus).randrange(most // modulus),
    ]
    for x in {q * modulus + d for q in times for d in (-2, -1, 0, 1, 2)} | {most, most >> 1, modulus << 20}:
        if 0 <= x <= most:
            upper, lower = program.call("f", x % 2**128, x >> 128)
            assert upper << 128 | lower == x % modulus


def test_what_else_is_done_with_a_number_leaves_it_big():
    text = """
function @f -> ({gives}) {{
entry(%a: u128, %b: u128):
  %x: int = add %a, %b
  %ten: int = const 10
  %y: int = {y}
  return %y
}}
"""
    # a word is all that is looked at; divided; given away
    _, containers = compiled(text.format(gives="int", y="low 128 %x"))
    assert containers == {128}
    for each in ("fdiv %x, %ten", "add %x, %ten"):
        function, containers = compiled(text.format(gives="int", y=each))
        assert BIG in containers and not any(i.op == "low" for i in function.instructions())
    _, containers = compiled(
        text.replace("%ten", "%P").replace("10", str(2**127 - 1)).format(gives="int", y="fmod %x, %P")
    )
    assert BIG not in containers
