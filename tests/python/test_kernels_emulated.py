"""Every kernel of every tier beside Python's integers, on any x86-64 processor: its bytes emulated, and run
where the processor has what it needs, on the same inputs; both leave the same in memory.

Bounded: of each kernel some inputs a width, and of the constant-time ones a third of the widths; half of
the kernels, and of those that the processor can run, and so tests/c does, a twelfth; drawn from the tree.
CC_TEST_LONG=1 has all.
"""

import ctypes

import numpy
from draws import LONG, share
from proving import BUILD

from proofs import native, tables

WORD = 1 << 64

SHORT = [*range(1, 41), *(range(1, 41) if LONG else ()), 63, 64, 65]
POWERS = [*range(1, 18), 24, 32]
BATCHES = [1, 2, 3, 4, 7, 8, 9, 16, 17]
WHOLE_FROM = 33  # bytes; below, checksum.c does it itself
SIZES = [*range(300), 511, 512, 513, 1023, 1500, 4099, 9001]


def number(words):
    return int.from_bytes(words.tobytes(), "little")


def words(value, count):
    return numpy.frombuffer(value.to_bytes(8 * count, "little"), "u8").copy()


class Case:
    """One call, made in each way on the same arrays: what is made here is kept for the next way."""

    def __init__(self, random):
        self.random, self.arrays = random, []

    def array(self, data, writable=False, offset=0):
        self.arrays.append((data, writable, offset))
        return len(self.arrays) - 1

    def vector(self, count, writable=False):
        """(the words, their place); no word of an output is the one that is expected."""
        data = native.words(self.random, count)
        return data, self.array(data, writable, 8 * int(self.random.integers(8)))

    def output(self, count):
        return self.vector(count, True)[1]

    def struct(self, *fields):
        """Of places, written as addresses, in lists, and of numbers, as they are."""
        self.arrays.append((fields, False, 0))
        return len(self.arrays) - 1

    def run(self, way, function, *arguments):
        """The result, and what is in each array then.  An argument is (number,), or a place."""
        call, addresses, data = way.call(self.random), [], []
        for content, writable, offset in self.arrays:
            if isinstance(content, tuple):
                content = numpy.array([addresses[f[0]] if isinstance(f, list) else f for f in content], "u8")
            data.append(content.copy())
            addresses.append(call.memory(data[-1], writable, offset))
        numbers = [each[0] if isinstance(each, tuple) else addresses[each] for each in arguments]
        return call.run(function, *numbers, random=self.random), data


# What a kernel's call is, and what it has to leave: (case, arguments, {place: integer}, result or None)


def limbs(name, random, n):
    case = Case(random)
    x, x_at = case.vector(n)
    x = number(x)
    base = WORD**n
    if name in ("sqr_basecase", "sqr_few"):
        z = case.output(2 * n)
        return case, (z, x_at, (n,)), {z: x * x}, None
    if name in ("mul_basecase", "mul_few"):
        m = int(random.integers(1, min(n + 1, tables.FEW if name == "mul_few" else n + 1)))
        y, y_at = case.vector(m)
        z = case.output(n + m)
        return case, (z, x_at, (n,), y_at, (m,)), {z: x * number(y)}, None
    if name in ("add", "sub"):
        y, y_at = case.vector(n)
        z = case.output(n)
        total = x + number(y) if name == "add" else x - number(y)
        return case, (z, x_at, y_at, (n,)), {z: total % base}, abs(total // base)
    if name in ("lshift", "rshift"):
        count, z = int(random.integers(64)), case.output(n)
        if name == "lshift":
            return case, (z, x_at, (n,), (count,)), {z: (x << count) % base}, x << count >> 64 * n
        return case, (z, x_at, (n,), (count,)), {z: x >> count}, (x << 64 >> count) % WORD
    w = int(native.words(random, 1)[0])
    z, z_at = case.vector(n, True)
    total = {"mul_1": x * w, "addmul_1": number(z) + x * w, "submul_1": number(z) - x * w}[name]
    return case, (z_at, x_at, (n,), (w,)), {z_at: total % base}, abs(total // base)


def modulus(random, n):
    data = native.words(random, n)
    data[0] |= 1
    return data


def power(case, random, n, bits, r_squared):
    """Places of r, b, e, m, and of the square of R that is given; and r's with the power."""
    m = modulus(random, n)
    b, b_at = case.vector(n)
    count = -(-bits // 64)
    e, e_at = case.vector(count)
    r, m_at = case.output(n), case.array(m)
    kept = [case.array(words(pow(2, r_squared, number(m)), n))] if r_squared else 0
    wanted = pow(number(b), number(e) % (1 << bits), number(m))
    return [[r], [b_at], [e_at], [m_at], kept], (r, wanted)


def fixed(name, random, n, radix, lanes):
    """@radix: log2 of the kernel's R, which it may be given the square of."""
    case = Case(random)
    if name in ("radix", "radix_8", "worth"):
        return case, ((n,),), {}, None
    if name.startswith("powmod"):
        bits = int(random.integers(1, 140 if n < 9 else 12))
        r_squared = 2 * radix * int(random.integers(2))
        if name == "powmod_odd":
            fields, (r, wanted) = power(case, random, n, bits, r_squared)
            at, results, room = case.struct(*fields, int(random.integers(2))), {r: wanted}, 56 * n + 512
        else:
            made = [power(case, random, n, bits, r_squared) for _ in range(lanes)]
            made += made[:1] * (8 - lanes)
            at = case.struct(*(fields[part] for part in range(5) for fields, _ in made))
            results, room = dict(result for _, result in made), 240 * n + 2048
        scratch = case.array(native.words(random, room), True)
        return case, (at, (n,), (bits,), scratch), results, None
    x, x_at = case.vector(n)
    if name == "sqr":
        z = case.output(2 * n)
        return case, (z, x_at, (n,)), {z: number(x) ** 2}, None
    if name == "mul":
        y, y_at = case.vector(n)
        z = case.output(2 * n)
        return case, (z, x_at, y_at, (n,)), {z: number(x) * number(y)}, None
    m = modulus(random, n)
    m_at, base = case.array(m), WORD**n
    inverse = -pow(number(m), -1, base) % base
    if name == "clear_low":
        t, t_at = case.vector(2 * n, True)
        total = number(t) + number(t) * inverse % base * number(m)
        results = {(t_at, n): total // base % base}
        return case, (t_at, m_at, (n,), (inverse % WORD,)), results, total // base**2
    y = words(number(native.words(random, n)) % number(m), n)
    y_at, z = case.array(y), case.output(n)
    if name == "mont_sqr_8":
        x, x_at = y, y_at
    wanted = number(x) * number(y) * pow(base, -1, number(m)) % number(m)
    return case, (z, x_at, y_at, m_at, (n,), (inverse % WORD,)), {z: wanted}, None


def checksum(name, random, n):
    case = Case(random)
    data, other = (native.words(random, n // 8 + 1).view("u1")[:n].copy() for _ in range(2))
    if not random.integers(8):
        data[:] = 0
    offset = int(random.integers(64))
    at = case.array(data, offset=offset)
    total = int(data[::2].sum(dtype="u8") + 256 * data[1::2].sum(dtype="u8"))
    results, arguments = {}, (at, (n,))
    if name == "copy":
        to = case.array(other, True, int(random.integers(64)))
        results, arguments = {to: number(data)}, (to, at, (n,))
    return case, arguments, results, (total, name)


def holds(name, got, wanted):
    """Of a checksum: modulo 65535, and 0 only for 0; of a whole one, its complement's two bytes."""
    if isinstance(wanted, int):
        return got == wanted
    total, name = wanted
    if name == "whole":
        got = ~got & 0xFFFF
    else:
        got %= 1 << 32
    return got % 65535 == total % 65535 and (got == 0) == (total == 0)


def check(module, cases, random, record):
    """Each of the tables' kernels on its cases, in each way: how many, emulated and also run."""
    emulated, there = tables.Emulated(BUILD, module), tables.Native(BUILD)
    there.library.cc_cpu_detected.restype = ctypes.c_uint64
    has = there.library.cc_cpu_detected()
    kernels, others = getattr(tables, module)(emulated), getattr(tables, module)(there)
    assert [each[:3] for each in kernels] == [each[:3] for each in others]
    counted = {}
    # what is portable runs wherever tests/c does; the number of lanes is no kernel
    names = [(tier, name) for tier, _, name, _ in kernels if tier != "generic" and name != "lanes"]
    shown = share(f"kernels_emulated {module}", names, 12)
    lacking = share(f"kernels_emulated {module}, lacking", names, 2)
    for (tier, needs, name, function), (*_, address) in zip(kernels, others, strict=True):
        # what the processor has tests/c runs, on more cases
        if (tier, name) not in (lacking if needs & ~has else shown):
            continue
        run, made = 0, cases(name, emulated, {name: at for t, _, name, at in kernels if t == tier})
        for count, (case, arguments, results, result) in enumerate(made, 1):
            ways = [(emulated, function)] + [(there, address)] * (not needs & ~has)
            seen = [case.run(way, at, *arguments) for way, at in ways]
            said = f"{module} {tier} {name}: case {count}, {arguments}"
            for got, data in seen:
                if result is not None:
                    assert holds(name, got, result), said
                for place, wanted in results.items():
                    place, first = place if isinstance(place, tuple) else (place, 0)
                    assert number(data[place][first:]) == wanted, said
            run += len(seen) - 1
        assert count
        all_of_tier = counted.setdefault(tier, [0, 0])
        all_of_tier[0] += count
        all_of_tier[1] += run
    assert counted
    for tier, (count, run) in counted.items():
        record("emulated", f"{module} {tier}: {count} cases emulated, {run} of them also run")


def test_limbs(random, record_property):
    def cases(name, *_):
        return (limbs(name, random, n) for n in SHORT if name != "sqr_few" or n < tables.FEW)

    check("limbs", cases, random, record_property)


def test_checksum(random, record_property):
    def cases(name, *_):
        return (checksum(name, random, n) for n in SIZES if name != "whole" or n >= WHOLE_FROM)

    check("checksum", cases, random, record_property)


def some(random, widths):
    """The least and the greatest of them, and a fifth of the others."""
    if LONG:
        return widths
    others = random.choice(widths, len(widths) // 5, replace=False)
    return [min(widths), *map(int, others), max(widths)]


def test_fixed(random, record_property):
    def cases(name, emulated, tier):
        if name.startswith("mont_"):
            widths = [int(name[9:])] * 20
        elif name.endswith("_8"):
            widths = BATCHES
        else:
            widths = POWERS if name == "powmod_odd" else SHORT
        for n in some(random, widths):
            radix = 0
            if name.startswith("powmod"):
                radix = emulated.call(random).run(tier[name.replace("powmod_odd", "radix")], n)
            yield fixed(name, random, n, radix, tier.get("lanes"))

    check("fixed", cases, random, record_property)
