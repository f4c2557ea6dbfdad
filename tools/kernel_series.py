# SPDX-License-Identifier: MIT
"""The patch series for a Linux tree, from word.h, u128.h, kernel/kunit/ and the parts in kernel/patch/."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import uml

PARTS = uml.TOP / "kernel/patch"
INCLUDE = uml.TOP / "include/carrychain"


@dataclass(frozen=True)
class Release:
    """What differs from one Linux to the next."""

    name: str
    # the compiler's type
    native: str
    # where tests are
    tests: str
    # the file of the user that is converted, and before which of its lines it includes our header
    user: str
    include: str
    # the objects of the tree that gain by this
    objects: tuple[str, ...]


PATCHES = 5
INTEL = "drivers/net/ethernet/intel/"
SERIES = (
    Release(
        "6.1",
        "__uint128_t",
        "lib/math/",
        INTEL + "ice/ice_ptp.c",
        '#include "ice.h"\n',
        (INTEL + "ice/ice_ptp.o",),
    ),
    Release(
        "6.12",
        "u128",
        "lib/math/tests/",
        "include/linux/ptp_clock_kernel.h",
        "#include <linux/pps_kernel.h>\n",
        tuple(INTEL + name for name in (
            "e1000e/ptp.o", "i40e/i40e_ptp.o", "ice/ice_ptp.o", "igb/igb_ptp.o", "ixgbe/ixgbe_ptp.o")),
    ),
)  # fmt: skip

# the kernel has a function of this name, or needs but one of those that do the same
LEFT_OUT = (
    "mul_u64_u64_div_u64", "mul_u64_add_u64_div_u64", "mul_u64_u64_div_u64_roundup",
    "div_u96_u96", "div_u128_u96", "div_u128_u128", "mul_u128_u32_shr_fb", "mul_u128_u64_shr_fb",
    "mul_u128_u32", "mul_u128_u32_shr", "div_u128_u32", "div_u128_u32_rem",
)  # fmt: skip
# out of line, and exported
LARGE = ("mul_u128_u64_shr", "mul_u128_u128_shr", "div_u128_u64_rem", "div_u128_rem")
INLINE = (
    "u128_store", "u128_load_high", "u128_load_low", "u128_et", "u128_lt", "u128_gt", "u128_get", "u128_let",
    "add_u128_u128", "add_u128_u64", "sub_u128_u128", "sub_u128_u64", "u128_shr", "u128_shl",
    "mul_half_u128_u64", "mul_u128_u64", "mul_u128_u128", "div_u128", "div_u128_u64",
)  # fmt: skip

# holds in no kernel: assembly is in asm/div64.h, and 64-bit machines have the compiler's type
NEVER = "MATH128_NEVER"
NAMES = (
    # where two words are divided by one in an instruction
    (r"CC_X86_ASM && (?:defined\(__x86_64__\) && )?CC_U128_IMPL (?:== 128|!= 32)", "MATH128_DIV_U64"),
    (r"CC_X86_ASM && [^\n]*", NEVER),
    (r"CC_X86_ASM", "MATH128_DIV_U32"),
    (r'__asm__\("div([lq]) %4" : "=a"\(q\), "=d"\(\*rem\) : "0"\(u0\), "1"\(u1\), "r"\(d\) : "cc"\);',
     lambda found: f"q = arch_div_2by1_u{64 if found[1] == 'q' else 32}(rem, u1, u0, d);"),
    (r"CC_U128_IMPL == 64", NEVER),
    (r"CC_U128_IMPL (?:== 128|!= 32)", "MATH128_NATIVE"),
    (r"CC_U128_IMPL == 32", "!MATH128_NATIVE"),
    # a kernel has what its compiler calls for a quotient of words
    (r" && CC_HAS_DIVISION", ""),
    (r"CC_WORD_BITS", "BITS_PER_LONG"),
    (r" \* Aligned to 16 bytes[^\n]*\n \* h down to l,", " * b<h>_<l> are bits h down to l,"),
    (r" CC_ALIGNED\(16\)", ""),
    (r"\b(?:union )?cc_u128\b", "union math128"),
    # sparse asks for a mask where the bits of a constant are cut off
    (r"\(cc_u32\)(\w), (\w+) = ", r"(cc_u32)(\1 & U32_MAX), \2 = "),
    (r"\bcc_(u32|u64)\b", r"\1"),
    (r"\bcc_", "math128_"),
    (r"__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__", "defined(__BIG_ENDIAN)"),
    (r"\b__extension__ ", ""),
)  # fmt: skip
SUITE_NAMES = (
    ("<carrychain/u128.h>", "<linux/math128.h>"),
    ('"carrychain_u128"', '"math128"'),
    ("32-bit fallback", "generic"),
    ("u128_fallback64, u128_fallback32", "u128_generic"),
    ("u128_fallback32", "u128_generic"),
    ("its three implementations", "its two implementations"),
    ("Written by tools/kunit-cases: the", "The"),
    (" u128.h ", " linux/math128.h "),
    ("CC_KUNIT_U128_OPS_H", "MATH128_OPS_H"),
    ("License-Identifier: MIT", "License-Identifier: GPL-2.0 OR MIT"),
)
FUNCTION = re.compile(
    r"(?:/\*(?:(?!\*/)[\s\S])*\*/\n)?static inline [^\n]*?\b(\w+)\((?:[^{};])*\)\n\{\n[\s\S]*?\n\}\n"
)


def part(name: str) -> str:
    return (PARTS / name).read_text()


def functions(text: str) -> dict[str, str]:
    return {found[1]: found[0] for found in FUNCTION.finditer(text)}


def library() -> dict[str, str]:
    """All functions there are, by name, those called first."""
    own = functions(part("word.h"))
    all_of = functions((INCLUDE / "word.h").read_text()) | functions((INCLUDE / "u128.h").read_text())
    # beside the division, the instruction is only a shorter way to the reciprocal
    for name in ("cc_trap_div0", "cc_reciprocal_u32", "cc_reciprocal_u64"):
        all_of[name] = re.sub(r"(?:CC_X86_ASM|defined\(__sh__\))[^\n]*", NEVER, all_of[name])
    return all_of | own


def called(all_of: dict[str, str], names: tuple[str, ...]) -> set[str]:
    """NAMES, and what they call."""
    found = list(names)
    for name in found:
        calls = set(re.findall(r"\b\w+\b", all_of[name])) & all_of.keys()
        found += sorted(calls - set(found))
    return set(found)


class Sources:
    """The files of the series, for one release."""

    def __init__(self, release: Release, tree: Path) -> None:
        self.release, self.tree = release, tree
        self._unifdef = uml.WORK / "unifdef"
        source = str(tree / "scripts/unifdef.c")
        uml.run(["gcc", "-o", str(self._unifdef), source], uml.WORK / "unifdef.log", "compiling unifdef")
        # 100 columns are allowed, and what was written for them is no better cut
        style = (tree / ".clang-format").read_text().replace("ColumnLimit: 80", "ColumnLimit: 100")
        self._format = uml.WORK / "clang-format"
        self._format.write_text(style)
        self._library = library()
        self._small = called(
            {name: body for name, body in self._library.items() if name not in LARGE}, INLINE
        )

    def _kernel(self, text: str) -> str:
        for old, new in (*NAMES, (r"\bcc_native_u128\b|\bmath128_native_u128\b", self.release.native)):
            text = re.sub(old, new, text)
        return text

    def _style(self, name: str, text: str) -> str:
        """Without what holds nowhere, and as the kernel's own .clang-format has it."""
        command = [str(self._unifdef), f"-D{NEVER}=0", "-DCC_HAS_DIVISION=1"]
        text = subprocess.run(command, input=text, capture_output=True, text=True).stdout
        command = ["clang-format", f"--style=file:{self._format}", f"--assume-filename={name}"]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

    def header(self, more: str = "") -> str:
        text = (INCLUDE / "u128.h").read_text()
        union = text[text.index("/**\n * union cc_u128") : text.index("/**\n * u128_store()")]
        # kernel-doc wants each member described
        members = dict.fromkeys(re.findall(r"\bb(\d+)_(\d+);", union))
        described = "".join(f" * @b{high}_{low}: bits {high} to {low}\n" for high, low in members)
        union = union.replace("integer\n *\n", f"integer\n{described} *\n", 1)
        out = [union]
        for name, body in self._library.items():
            if name in LARGE:
                out.append(re.search(r"static inline ([^{]*\))\n\{", body)[1] + ";\n\n")
            elif name in self._small:
                out.append(body + "\n")
        text = part("header.h") + self._kernel("".join(out)).rstrip("\n") + "\n" + more
        return self._style("math128.h", text + "\n#endif /* _LINUX_MATH128_H */\n")

    def source(self) -> str:
        out = [part("source.c")]
        needed = called(self._library, LARGE)
        for name in (name for name in self._library if name in needed and name not in self._small):
            body = self._library[name]
            if name in LARGE:
                body = f"{body.replace('static inline ', '')}EXPORT_SYMBOL_GPL({name});\n"
            out.append(self._kernel(body) + "\n")
        out.append('MODULE_DESCRIPTION("128-bit integers");\nMODULE_LICENSE("Dual MIT/GPL");\n')
        return self._style("math128.c", "".join(out))

    def suite(self) -> dict[str, str]:
        """The KUnit suite's files, by their names in the tree."""
        command = [str(uml.TOP / "tools/kunit-cases")]
        cases = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        sources = {"u128_cases.h": cases}
        for name in ("u128_kunit.c", "u128_list.h", "u128_ops.h", "u128_table.h"):
            sources[name] = (uml.TOP / "kernel/kunit" / name).read_text()
        out = {}
        for source, text in sources.items():
            for name in LEFT_OUT:
                text = re.sub(rf"U128_CASE\({name}, (?:[^()]|\([^)]*\))*?\)\n", "", text)
                text = re.sub(rf"U128_OP\({name}, \d+\)\n|OF_(?:128|64)\({name}, .*\)\n", "", text)
                text = re.sub(rf"OP\({name}\)\n\{{\n[\s\S]*?\n\}}\n\n", "", text)
            # numbers as text are no part of the series
            text = re.sub(r"struct text_case \{[\s\S]*?(?=struct op_case \{)", "", text)
            text = re.sub(r"static size_t to_dec\([\s\S]*?(?=const struct u128_impl U128_TABLE)", "", text)
            gone = r"^.*(?:\b(?:to|from)_(?:dec|hex)\b|text_gen|refused_gen|64-bit fallback).*\n"
            text = re.sub(gone, "", text, flags=re.MULTILINE)
            for old, new in SUITE_NAMES:
                text = text.replace(old, new)
            text = self._kernel(re.sub(r'#include "u128_(\w+)\.h"', r'#include "math128_\1.h"', text))
            name = source.replace("u128_", "math128_")
            # the others are tables, of which clang-format makes a mess
            out[name] = self._style(name, text) if name == "math128_table.h" else text
        up = "../math128.c" if self.release.tests.endswith("tests/") else "math128.c"
        for path in sorted((PARTS / "tests").iterdir()):
            out[path.name] = path.read_text().replace("{math128}", up)
        return {self.release.tests + name: text for name, text in out.items()}


class Repository:
    """Only the files that the series touches, so that git makes the patches of it."""

    def __init__(self, place: Path, author: str) -> None:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        name, address = re.fullmatch(r"(.*) <(.*)>", author).groups()
        settings = (f"user.name={name}", f"user.email={address}", "core.hooksPath=/dev/null")
        self.place = place
        self._command = ["git", "-C", str(place), *(word for each in settings for word in ("-c", each))]
        self.git("init", "-q")

    def git(self, *arguments: str) -> str:
        command = [*self._command, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-s", "-m", message)

    def write(self, name: str, text: str) -> None:
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def change(self, name: str, old: str, new: str) -> None:
        """Put NEW for OLD, which is in the file once; at the end if OLD is empty."""
        text = (self.place / name).read_text()
        if old and text.count(old) != 1:
            raise uml.Failed(f"{name} does not have {old!r} once")
        self.write(name, text.replace(old, new) if old else text + new)

    def before(self, name: str, mark: str, text: str) -> None:
        self.change(name, mark, text + mark)


def author() -> str:
    ask = ["git", "-C", str(uml.TOP), "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT"]
    found = subprocess.run(ask, capture_output=True, text=True)
    if found.returncode:
        print("  git has no user.name and user.email: signed by nobody, which is good enough for a test")
        return "Nobody <nobody@example.org>"
    return found.stdout.rsplit(" ", 2)[0]


def message(name: str) -> str:
    return part(f"messages/{name}").strip()


def write(release: Release, tree: Path, directory: Path) -> list[Path]:
    """The patches, in DIRECTORY; the cover letter there still lacks its numbers."""
    signer = author()
    repository = Repository(directory.with_name(directory.name + "-repository"), signer)
    div64, maintainers = "arch/x86/include/asm/div64.h", "MAINTAINERS"
    for name in (maintainers, "lib/Kconfig.debug", "lib/math/Kconfig", "lib/math/Makefile", div64,
                 release.tests + "Makefile", "Documentation/core-api/index.rst", release.user):  # fmt: skip
        repository.write(name, uml.original(tree, name))
    repository.commit(f"Linux {release.name}")
    sources = Sources(release, tree)
    end_of_entry = "\n3C59X NETWORK DRIVER\n"

    repository.write("include/linux/math128.h", sources.header())
    repository.write("lib/math/math128.c", sources.source())
    repository.change("lib/math/Kconfig", "", part("Kconfig"))
    repository.before(
        "lib/math/Makefile", "obj-$(CONFIG_PRIME_NUMBERS)", "obj-$(CONFIG_MATH128)\t\t+= math128.o\n"
    )
    repository.before(div64, "\n#else\n# include <asm-generic/div64.h>\n", part("div64_u32.h"))
    repository.before(div64, "\n#endif /* CONFIG_X86_32 */", part("div64_u64.h"))
    entry = part("maintainers").format(author=signer)
    repository.change(
        maintainers,
        end_of_entry,
        f"\n{entry}F:\tinclude/linux/math128.h\nF:\tlib/math/math128.c\n{end_of_entry}",
    )
    repository.commit(message("api"))

    repository.write("include/linux/math128.h", sources.header(part("const.h")))
    repository.commit(message("const"))

    for name, text in sources.suite().items():
        repository.write(name, text)
    repository.before("lib/Kconfig.debug", "config RATIONAL_KUNIT_TEST\n", part("Kconfig.debug"))
    if release.tests == "lib/math/tests/":
        # composite objects are only made in their own directory
        one = "obj-$(CONFIG_INT_POW_TEST)  += tests/int_pow_kunit.o\n"
        repository.change("lib/math/Makefile", one, "obj-y += tests/\n")
    repository.change(
        release.tests + "Makefile",
        "",
        "\nobj-$(CONFIG_MATH128_KUNIT_TEST) += math128_test.o\n"
        "math128_test-y := math128_kunit.o math128_native.o math128_generic.o math128_const_kunit.o\n",
    )
    repository.before(maintainers, end_of_entry, f"F:\t{release.tests}math128_*\n")
    repository.commit(message("tests"))

    text = (repository.place / release.user).read_text()
    text = text.replace("mul_u64_u64_div_u64", "mul_u64_u64_div_const")
    repository.write(release.user, text.replace("\t   1000000ULL << 16", "\t     1000000ULL << 16"))
    repository.before(release.user, release.include, "#include <linux/math128.h>\n")
    repository.commit(message(f"user-{release.name}"))

    repository.write("Documentation/core-api/math128.rst", part("math128.rst"))
    repository.before("Documentation/core-api/index.rst", "   timekeeping\n", "   math128\n")
    repository.before(
        maintainers, "F:\tinclude/linux/math128.h\n", "F:\tDocumentation/core-api/math128.rst\n"
    )
    repository.commit(message("documentation"))

    shutil.rmtree(directory, ignore_errors=True)
    first = f"HEAD~{PATCHES}"
    repository.git("format-patch", "-q", "--cover-letter", f"--base={first}", "-o", str(directory), first)
    return sorted(path for path in directory.iterdir() if not path.name.startswith("0000"))
