import re
from pathlib import Path

import pytest
from carrychain.bench import machine


@pytest.mark.parametrize(
    ("vendor", "family", "model", "name"),
    [
        ("AuthenticAMD", 25, 1, "Zen 3"),
        ("AuthenticAMD", 25, 17, "Zen 4"),
        ("AuthenticAMD", 25, 33, "Zen 3"),
        ("AuthenticAMD", 25, 97, "Zen 4"),
        ("AuthenticAMD", 26, 2, "Zen 5"),
        ("AuthenticAMD", 27, 2, "family 27, model 2"),
        ("GenuineIntel", 6, 143, "family 6, model 143"),
    ],
)
def test_generations(vendor, family, model, name):
    assert machine.generation(vendor, family, model) == name


def test_this_processor_is_told_from_others_of_its_name():
    found = re.search(r"^cpu family\s*: (\d+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    if not found:
        pytest.skip("this processor has no family")
    assert re.search(rf"\((Zen \d|family {found[1]}, model \d+)\)$", machine.processor())


@pytest.mark.parametrize("said", [None, "", "CPU part : 0xd0c\n", "cpu family : x\nmodel : 1\n"])
def test_without_numbers(monkeypatch, said):
    def read(path):
        if said is None:
            raise FileNotFoundError(path)
        return said

    monkeypatch.setattr(machine.Path, "read_text", read)
    assert machine.processor() and "family" not in machine.processor()
