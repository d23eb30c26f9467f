//! The type stub of a module: each operator as a function with its parameters' types.

use crate::{
    describe::{documentation, dtype_name, is_option},
    options::NAMES,
    signature::{Parameter, Role, parameters},
};
use windrow::{
    ElementType,
    family::{Family, Registry},
    spec::ArgumentKind,
};

/// What stands before the operators.
const HEAD: &str = r#"# Written from the kernels' specifications; `WINDROW_BLESS=1 pytest` writes it anew.
from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array = Any
_Mode = Literal["undefined", "replicate", "reflect", "reflect101", "wrap"]
_Constant = tuple[Literal["constant"], SupportsIndex | SupportsFloat]
_Border = _Mode | _Constant | list[_Mode | _Constant]
_Out = _Array | tuple[_Array | Literal[False] | None, ...] | None
_Region = slice | tuple[slice, ...] | None

OPERATORS: list[str]
STUB: str

def devices() -> list[str]: ...

class Device:
    def __init__(self, which: int | str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def index(self) -> int: ...
    def upload(self, array: _Array) -> DeviceArray: ...
    def synchronize(self) -> None: ...

class DeviceArray:
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def device(self) -> Device: ...
    def download(self, out: _Array | None = None) -> NDArray[Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

class Operator:
    __name__: str
    @property
    def images(self) -> list[str]: ...
    @property
    def kernels(self) -> list[dict[str, Any]]: ...
    def infer(self, *args: Any, **kwargs: Any) -> tuple[dict[str, Any], list[tuple[tuple[int, ...], np.dtype[Any]]]]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
"#;

/// The stub of a registry's operators.
pub fn text(registry: &Registry) -> String {
    let mut text = HEAD.to_string();
    for family in registry.operators() {
        text.push_str(&function(&family));
    }
    text
}

fn function(family: &Family) -> String {
    let parameters = parameters(family);
    let mut written: Vec<String> = parameters
        .iter()
        .map(|parameter| {
            let name = parameter.names[0];
            match (parameter.required, takes(family, parameter)) {
                (true, taken) => format!("{name}: {taken}"),
                (false, taken) => format!("{name}: {taken} | None = None"),
            }
        })
        .collect();
    written.push("*".into());
    for name in NAMES.iter().filter(|name| is_option(family, &parameters, name)) {
        written.push(match *name {
            "out" => "out: _Out = None".into(),
            "border" => "border: _Border = \"undefined\"".into(),
            "threads" => "threads: int | None = None".into(),
            "dtype" => "dtype: Any = None".into(),
            "size" => "size: tuple[int, int] | None = None".into(),
            "shape" => "shape: tuple[int, ...] | None = None".into(),
            name => format!("{name}: _Region = None"),
        });
    }
    let docs = documentation(family, &parameters).replace('\\', "\\\\").replace("\"\"\"", "'''");
    let docs = docs.trim_end().lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    let docs = docs.collect::<Vec<_>>().join("\n");
    let docs = docs.trim_start();
    format!(
        "\ndef {}(\n    {},\n) -> {}:\n    \"\"\"{docs}\n    \"\"\"\n",
        family.name(),
        written.join(",\n    "),
        returned(family)
    )
}

/// The type of a parameter.
fn takes(family: &Family, parameter: &Parameter) -> String {
    if parameter.role != Role::Value {
        return "_Array".into();
    }
    let same = family.members().iter().flat_map(|code| crate::signature::arguments(code.spec(), parameter));
    let mut kinds: Vec<String> = Vec::new();
    for argument in same {
        let kind = match &argument.kind {
            ArgumentKind::Uniform(uniform) => match (uniform.dims, uniform.element) {
                ([], ElementType::F32) => "SupportsFloat | SupportsIndex".into(),
                ([], _) => "SupportsIndex".into(),
                _ => "ArrayLike".into(),
            },
            ArgumentKind::Variant { values, .. } => {
                let names = values.iter().map(|name| format!("{:?}", name.to_lowercase()));
                format!("Literal[{}]", names.collect::<Vec<_>>().join(", "))
            }
            ArgumentKind::Table { .. } => "ArrayLike".into(),
            ArgumentKind::Input(_) => "_Array".into(),
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(" | ")
}

/// The type of what is returned.
fn returned(family: &Family) -> String {
    let one = |code: &&'static windrow::KernelCode| {
        let types = code.spec().outputs.iter().map(|output| format!("NDArray[np.{}]", dtype_name(output.element)));
        let types: Vec<String> = types.collect();
        let has_optional = code.spec().outputs.iter().any(|output| output.optional);
        match types.as_slice() {
            [only] => only.clone(),
            // Outputs that are left out are not in the tuple.
            _ if has_optional => "Any".to_string(),
            all => format!("tuple[{}]", all.join(", ")),
        }
    };
    let mut found: Vec<String> = Vec::new();
    for kind in family.members().iter().map(one) {
        if !found.contains(&kind) {
            found.push(kind);
        }
    }
    found.join(" | ")
}
