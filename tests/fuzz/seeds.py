#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py DIRECTORY: inputs for fuzz_packet.c to begin with: each link with each upper layer, each tunnel in
each link, and each tunnel in each, whole, damaged, partial and cut."""

import random
import re
import sys
from itertools import product
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "python"))

from draws import random_for  # noqa: E402
from stacks import CONDITIONS, LINKS, TUNNELS, UPPERS, Stack, stack  # noqa: E402


def link_numbers() -> list[int]:
    """Those that the target knows, by their places in its list."""
    text = (TESTS / "fuzz" / "fuzz_packet.c").read_text()
    return [int(number) for number in re.search(r"links\[\] = \{([^}]*)\}", text)[1].split(",")]


def inputs(draw: random.Random) -> list[Stack]:
    links, tunnels, uppers = map(list, (LINKS, TUNNELS, UPPERS))
    names = [
        *product(links, uppers),
        *((link, tunnel, draw.choice(uppers)) for link, tunnel in product(links, tunnels)),
        *((draw.choice(links), *pair, draw.choice(uppers)) for pair in product(tunnels, tunnels)),
    ]
    made = (stack(draw.getrandbits(32), each, draw.choice(CONDITIONS)) for each in names)
    return [each for each in made if each]


def main(directory: Path) -> None:
    directory.mkdir(exist_ok=True)
    places = {number: place for place, number in enumerate(link_numbers())}
    for number, each in enumerate(inputs(random_for("fuzz"))):
        lacking = min(255, len(each.packet.data) - each.captured)
        (directory / str(number)).write_bytes(bytes((places[each.link], lacking)) + each.data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
