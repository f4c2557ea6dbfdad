# SPDX-License-Identifier: MIT
"""Kernels with one damage to their bytes: each must be refused, or do the same.

    python -m proofs.mutants [--kernel PATTERN] [--count N] [--inputs N] [--seed N] [BUILD]

A mutant has one bit of an instruction inverted (an operand, a register, a displacement, another
opcode), an instruction dropped, or two swapped.  It is tried at widths that run through the damage, from
the shortest paths to the longest, the stack aligned in each way.  One that is accepted by all of them is
then emulated beside the original on random inputs: results and memory must agree.  Exit status 1 if
they do not.
"""

import argparse
import collections
import copy
import sys

import numpy

from . import objects, run
from .claims import claim
from .emulated import Emulated
from .identity import Refused
from .machine import Unknown
from .path import STACKS, Path
from .prove import check, chosen

NOP = 0x90
CASES = 200  # at most, of a kernel's
WIDTHS = 12  # at most, at which a mutant is tried before it counts as accepted
LONG = 4000  # steps
REACH = 64  # bytes after a damage, within which instructions begin where they did again


def covering(image, function, random, most):
    """{address: [(steps, case)]}: the shortest two that run through there, and some up to the longest.

    Long paths are left out, but for two of the shortest for what no other runs through.
    """
    cases = claim(function).CASES
    found, late = collections.defaultdict(list), []
    for number in random.permutation(len(cases))[:most]:
        case = cases[number]
        try:
            trace = check(image, function, case, most=LONG).trace
        except Refused as refused:
            if "it has no end" not in str(refused):
                raise
            late.append(case)
            continue
        for address in set(trace):
            found[address].append((len(trace), case))
    for trace, case in [(check(image, function, case).trace, case) for case in sorted(late)[:2]]:
        for address in set(trace):
            if all(steps > LONG for steps, _ in found[address]):
                found[address].append((len(trace), case))
    chosen = {}
    for address, each in found.items():
        each.sort()
        places = {0, 1, *numpy.linspace(0, len(each) - 1, WIDTHS, dtype=int)}
        chosen[address] = [each[place] for place in sorted(places) if place < len(each)]
    return chosen


def mutations(image, addresses, random, count):
    """So many of (what, address, the bytes from there on), all different."""
    made = {}
    while len(made) < count:
        address = int(random.choice(addresses))
        code = image.program[address].code
        kind = int(random.integers(10))
        if kind == 0:
            what, code = "dropped", bytes([NOP] * len(code))
        elif kind == 1 and image.program[address].end in image.program:
            what, code = "swapped", image.program[image.program[address].end].code + code
        else:
            bit = int(random.integers(8 * len(code)))
            what = f"bit {bit} inverted"
            code = (int.from_bytes(code, "little") ^ 1 << bit).to_bytes(len(code), "little")
        if code != image.program[address].code:
            made[address, code] = what
    return [(what, address, code) for (address, code), what in made.items()]


def damaged(image, address, code):
    """The image with these bytes at the address."""
    mutant = copy.copy(image)
    mutant.program, mutant.compiled = dict(image.program), {}
    at, following = address, b""
    while at in image.program and len(following) < len(code) + REACH:
        following += image.program[at].code
        at = image.program[at].end
    rest = code + following[len(code) :]
    for old in range(address, address + len(code)):
        mutant.program.pop(old, None)
    at = address
    while at < address + len(code) or at not in image.program:  # until all is as it was
        instruction = objects.first(rest[at - address :], at)
        if instruction is None:
            break
        mutant.program[at] = instruction
        at = instruction.end
    return mutant


def refusal(image, function, cases):
    """Why a case is refused, or None.  The shortest is tried with each alignment of the stack."""
    for number, (steps, case) in enumerate(cases):
        for stack in range(STACKS) if number == 0 else [number % STACKS]:
            try:
                claim(function).prove(Path(image, 4 * steps + 64, stack), function, *case)
            except (Refused, Unknown, ValueError) as refused:
                return str(refused)
    return None


class Samples:
    """Of a function's cases: calls with contents at random, which the original made as the claim says."""

    def __init__(self, image, function, random):
        self.image, self.function, self.random = image, function, random
        self.made = collections.defaultdict(list)

    def of(self, case, number):
        """(the call, the seed of its contents)"""
        made = self.made[case]
        while len(made) <= number:
            seed = int(self.random.integers(2**63))
            made.append((self._call(self.image, case, seed), seed))
        return made[number]

    def _call(self, image, case, seed):
        emulated = Emulated(image, numpy.random.default_rng(seed))
        claim(self.function).prove(emulated, self.function, *case)
        return emulated

    def difference(self, mutant, cases, inputs):
        """What it does otherwise on so many inputs, or None."""
        for number in range(inputs):
            _, case = cases[number % len(cases)]
            call, seed = self.of(case, number // len(cases))
            try:
                # a result may have bits that the claim leaves open
                if not call.same(mutant):
                    other = self._call(mutant, case, seed)
                    if any((a.left != b.left).any() for a, b in zip(call.arrays, other.arrays, strict=True)):
                        return f"{case}: memory differs"
            except (run.Fault, Refused, Unknown, ValueError) as refused:
                return f"{case}: {refused}"
        return None


def judge(image, function, count, inputs, random, cases=CASES):
    """How many are refused, which are accepted, and of these what is not the same."""
    places = covering(image, function, random, cases)
    samples = Samples(image, function, random)
    accepted, differences, refused = [], [], 0
    for what, address, code in mutations(image, sorted(places), random, count):
        mutant = damaged(image, address, code)
        label = f"{image.program[address]}, {what}"
        if refusal(mutant, function, places[address]):
            refused += 1
            continue
        accepted.append(label)
        if found := samples.difference(mutant, places[address], inputs):
            differences.append(f"{label}: {found}")
    return refused, accepted, differences


def main(arguments):
    parser = argparse.ArgumentParser(prog="python -m proofs.mutants")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--inputs", type=int, default=10_000, help="for each that is accepted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="name what is accepted")
    found, options = chosen(arguments, parser)
    failed = 0
    print(f"{'kernel':40} {'mutants':>8} {'refused':>8} {'agree':>6} {'differ':>6}")
    for image, function in found:
        if claim(function) is None:
            continue
        random = numpy.random.default_rng(options.seed)
        refused, accepted, differences = judge(image, function, options.count, options.inputs, random)
        agree = len(accepted) - len(differences)
        print(f"{function:40} {options.count:8} {refused:8} {agree:6} {len(differences):6}", flush=True)
        for line in [*differences, *(accepted if options.verbose else [])]:
            print(f"    {line}")
        failed += len(differences)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
