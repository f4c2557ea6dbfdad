"""A Rust crate of built functions: the static library, its declarations, and safe functions around them."""

from __future__ import annotations

from ... import __version__
from ..front.python.kinds import PythonKind, Tuple
from ..ir.form import Array, Bool
from ..ir.interface import Null
from .extension import ROOM
from .interface import CODES, CFunction, CParameter, CResult, elements

CARGO = """[package]
name = "{stem}"
version = "0.0.0+s{source}"
edition = "2021"
rust-version = "1.64"
description = "Functions of {file}, compiled by Carrychain {version}"
"""

BUILD = """fn main() {{
    let of = |name: &str| std::env::var(name).unwrap_or_default();
    let target = of("CARGO_CFG_TARGET_ARCH") + "-" + &of("CARGO_CFG_TARGET_OS");
    assert_eq!(target, "{target}", "lib{stem}.a is for another machine");
    println!("cargo:rustc-link-search=native={{}}", of("CARGO_MANIFEST_DIR"));
    println!("cargo:rustc-link-lib=static={stem}");
    println!("cargo:rerun-if-changed=lib{stem}.a");
}}
"""

TOP = """//! Functions of {file}, compiled by Carrychain {version}.

#![allow(dead_code, non_snake_case, clippy::all)]

use std::ffi::{{c_char, c_int, CStr}};
use std::fmt;

/// The place of a check in the source, and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {{
    pub file: &'static str,
    pub line: u32,
    pub column: u32,
    pub message: &'static str,
}}

/// The check of the program that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {{
    /// An index is out of bounds.
    Index(Place),
    /// A division by zero.
    ZeroDivide(Place),
    /// An argument or a value is not of its declared type.
    Range(Place),
    /// There is no memory.
    Memory(Place),
    /// The program's own error.
    Program(Place),
}}

impl Error {{
    pub fn place(&self) -> &Place {{
        match self {{
            Error::Index(at) | Error::ZeroDivide(at) | Error::Range(at) => at,
            Error::Memory(at) | Error::Program(at) => at,
        }}
    }}
}}

impl fmt::Display for Error {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        let at = self.place();
        write!(f, "{{}}:{{}}: {{}}", at.file, at.line, at.message)
    }}
}}

impl std::error::Error for Error {{}}

#[repr(C)]
struct Failure {{
    line: u32,
    column: u32,
    file: *const c_char,
    message: *const c_char,
}}

impl Failure {{
    const NONE: Failure = Failure {{
        line: 0,
        column: 0,
        file: std::ptr::null(),
        message: std::ptr::null(),
    }};

    // The texts are constants of the library.
    fn error(&self, status: c_int) -> Error {{
        let text = |text| unsafe {{ CStr::from_ptr(text) }}.to_str().unwrap_or_default();
        let place = Place {{
            file: text(self.file),
            line: self.line,
            column: self.column,
            message: text(self.message),
        }};
        match status {{
            {CC_EINDEX} => Error::Index(place),
            {CC_EZERODIVIDE} => Error::ZeroDivide(place),
            {CC_ERANGE} => Error::Range(place),
            {CC_ENOMEM} => Error::Memory(place),
            _ => Error::Program(place),
        }}
    }}
}}

"""

TEXT = """fn text(codes: &[u32]) -> String {
    let replaced = |&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    codes.iter().map(replaced).collect()
}

"""

KEYWORDS = frozenset((
    "abstract", "as", "async", "await", "become", "box", "dyn", "fn", "final", "gen", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "trait", "type",
    "unsafe", "unsized", "use", "where", "yield",
))  # fmt: skip
# No raw identifier can be one of these.
PATHS = frozenset(("crate", "self", "super", "Self"))
VARIANTS = {
    "CC_EINDEX": "Index", "CC_EZERODIVIDE": "ZeroDivide", "CC_ERANGE": "Range", "CC_ENOMEM": "Memory",
    "CC_EINVAL": "Program",
}  # fmt: skip


def crate(
    stem: str, file: str, source: str, functions: list[CFunction], prefix: str, library: bytes, triple: str
) -> dict[str, bytes]:
    """The crate's files, in a folder of its name; `source` is the hash of the program."""
    machine, system, *_ = triple.split("-")
    found = [_Safe(each, prefix, file) for each in functions]
    declared = "".join(each.declared() for each in found)
    bodies = "\n".join(each.emit() for each in found)
    codes = {code: value for code, (value, _) in CODES.items()}
    top = TOP.format(file=file, version=__version__, **codes)
    text = f'{top}{TEXT if "text(&" in bodies else ""}extern "C" {{\n{declared}}}\n\n{bodies}'
    files = {
        "Cargo.toml": CARGO.format(stem=stem, source=source[:12], file=file, version=__version__).encode(),
        "build.rs": BUILD.format(stem=stem, target=f"{machine}-{system}").encode(),
        "src/lib.rs": text.encode(),
        f"lib{stem}.a": library,
    }
    return {f"{stem}/{name}": content for name, content in files.items()}


def _name(name: str) -> str:
    if name in PATHS:
        return f"{name}_"
    return f"r#{name}" if name in KEYWORDS else name


def _word(bits: int, signed: bool) -> str:
    return f"{'i' if signed else 'u'}{bits}"


def _element(type_: Array) -> str:
    bits, signed, _ = elements(type_)
    return _word(bits, signed)


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


class _Safe:
    """A declaration and the safe function around it."""

    def __init__(self, function: CFunction, prefix: str, file: str):
        self.function, self.file = function, file
        self.name = _name(function.name.removeprefix(prefix))
        self.before: list[str] = []
        self.args: list[str] = []
        self.after: list[str] = []

    def declared(self) -> str:
        params = []
        for taken in self.function.takes:
            name = _name(taken.name)
            match taken.type:
                case Bool():
                    params.append(f"{name}: bool")
                case Array():
                    pointer = "*mut" if taken.written else "*const"
                    params += [f"{name}: {pointer} {_element(taken.type)}", f"{taken.name}_length: usize"]
                case _ if taken.bits == 128:
                    params += [f"{taken.name}_low: u64", f"{taken.name}_high: {_word(64, taken.signed)}"]
                case _:
                    params.append(f"{name}: {_word(taken.bits, taken.signed)}")
        for given in self.function.gives:
            params.append(f"{given.name}: *mut {_pointed(given)}")
            params += [f"{given.name}_length: *mut usize"] * given.counted
        lines = "".join(f"        {param},\n" for param in [*params, "failure: *mut Failure"])
        return f"    fn {self.function.name}(\n{lines}    ) -> c_int;\n"

    def emit(self) -> str:
        function = self.function
        takes = iter(function.takes)
        params = []
        for param in function.params:
            pattern, type_ = self.param(param.kind, takes)
            if type_ != "()":
                params.append(f"{pattern}: {type_}")
        counted = [given for given in function.gives if given.counted]
        for given in function.gives:
            self.result(given)
        gives = iter(function.gives)
        value, type_ = _value(function.value, gives)
        codes = [VARIANTS[code] for code in function.codes if code in VARIANTS]
        stored = [each for each in function.takes if each.written] if counted else []
        self.before += [f"let {each.name}_saved = {_name(each.name)}.to_vec();" for each in stored]
        call = [
            f"unsafe {{ {function.name}(",
            *(f"    {arg}," for arg in [*self.args, "&mut cc_failure"]),
            ") }",
        ]
        lines = [*self.before, "let mut cc_failure = Failure::NONE;"]
        lines += [f"let {'mut ' * bool(counted)}cc_status = {call[0]}", *call[1:-1], f"{call[-1]};"]
        if counted:
            again = [f"cc_status = {call[0]}", *call[1:-1], f"{call[-1]};"]
            again = [f"{each.name}.resize({each.name}_length, 0);" for each in counted] + again
            again = [f"{_name(each.name)}.copy_from_slice(&{each.name}_saved);" for each in stored] + again
            lines += [f"if cc_status == {CODES['CC_ENOSPC'][0]} {{", *(f"    {line}" for line in again), "}"]
        if codes:
            lines += ["if cc_status != 0 {", "    return Err(cc_failure.error(cc_status));", "}"]
        else:
            lines.append("debug_assert_eq!(cc_status, 0);")
        lines += [*self.after, f"Ok({value})" if codes else value]
        told = [f"Line {function.position.line} of {self.file}."]
        if codes:
            told += ["", "# Errors", "", f"{', '.join(f'[`Error::{code}`]' for code in codes)}."]
        head = [f"/// {line}".rstrip() for line in told]
        head.append(
            f"pub fn {self.name}({', '.join(params)}) -> {f'Result<{type_}, Error>' if codes else type_} {{"
        )
        return "\n".join([*head, *(f"    {line}" for line in lines), "}", ""])

    def param(self, kind: PythonKind | Array, takes) -> tuple[str, str]:
        """A parameter's pattern and type; what it is passed as is added."""
        if isinstance(kind, Null):
            return "()", "()"
        if isinstance(kind, Tuple):
            parts = [self.param(item, takes) for item in kind.items]
            patterns, types = zip(*parts, strict=True) if parts else ((), ())
            return _tuple([*patterns]), _tuple([*types])
        return self.leaf(next(takes))

    def leaf(self, taken: CParameter) -> tuple[str, str]:
        name = _name(taken.name)
        match taken.type:
            case Bool():
                self.args.append(name)
                return name, "bool"
            case Array() if taken.type.text and not taken.written:
                self.before.append(f"let {name}: Vec<u32> = {name}.chars().map(u32::from).collect();")
                self.args += [f"{name}.as_ptr()", f"{name}.len()"]
                return name, "&str"
            case Array():
                self.args += [f"{name}.{'as_mut_ptr' if taken.written else 'as_ptr'}()", f"{name}.len()"]
                return name, f"&{'mut ' * taken.written}[{_element(taken.type)}]"
        if taken.bits == 128:
            self.args += [f"{name} as u64", f"({name} >> 64) as {_word(64, taken.signed)}"]
        else:
            self.args.append(name)
        return name, _word(taken.bits, taken.signed)

    def result(self, given: CResult) -> None:
        """Declares the room for a result, and what becomes of it."""
        name = given.name
        if not isinstance(given.type, Array):
            none = "false" if isinstance(given.type, Bool) else "0"
            wide = given.passed.container == 128
            self.before.append(f"let mut {name}: {_result(given)} = {'[0; 2]' if wide else none};")
            self.args.append(f"{name}.as_mut_ptr()" if wide else f"&mut {name}")
            if wide:
                whole = f"({name}[1] as u128) << 64 | {name}[0] as u128"
                self.after.append(
                    f"let {name} = ({whole}) as i128;" if given.passed.negative else f"let {name} = {whole};"
                )
            return
        element = _element(given.type)
        if given.counted:
            arrays = [taken for taken in self.function.takes if isinstance(taken.type, Array)]
            lengths = [f"4 * {_name(taken.name)}.len()" for taken in arrays]
            room = " + ".join([str(ROOM), *lengths])
            self.before.append(f"let mut {name}: Vec<{element}> = vec![0; {room}];")
            self.before.append(f"let mut {name}_length = {name}.len();")
            self.after.append(f"{name}.truncate({name}_length);")
        else:
            self.before.append(f"let mut {name}: [{element}; {given.length}] = [0; {given.length}];")
        self.args += [f"{name}.as_mut_ptr()", *[f"&mut {name}_length"] * given.counted]
        if given.type.text:
            self.after.append(f"let {name} = text(&{name});")


def _pointed(given: CResult) -> str:
    if isinstance(given.type, Array):
        return _element(given.type)
    return "u64" if given.passed.container == 128 else _result(given)


def _result(given: CResult) -> str:
    """The type of a result's room."""
    if isinstance(given.type, Bool):
        return "bool"
    return (
        "[u64; 2]" if given.passed.container == 128 else _word(given.passed.container, given.passed.negative)
    )


def _value(kind: PythonKind | Array, gives) -> tuple[str, str]:
    """The expression and the type of a value."""
    if isinstance(kind, Null):
        return "()", "()"
    if isinstance(kind, Tuple):
        parts = [_value(item, gives) for item in kind.items]
        return _tuple([part for part, _ in parts]), _tuple([type_ for _, type_ in parts])
    given = next(gives)
    match given.type:
        case Array() if given.type.text:
            return given.name, "String"
        case Array() if given.counted:
            return given.name, f"Vec<{_element(given.type)}>"
        case Array():
            return given.name, f"[{_element(given.type)}; {given.length}]"
        case Bool():
            return given.name, "bool"
    return given.name, _word(given.passed.container, given.passed.negative)
