//! Borders by name: `"replicate"`, `("constant", 7)`, or a list with one for each image.

use crate::value::scalar;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyList, PyString, PyTuple},
};
use windrow::{Border, BorderMode, Borders};

/// What other libraries call the borders. Where they mean different things by a name, it is not here.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("clamp", "`replicate`, the nearest edge element"),
    ("edge", "`replicate`, the nearest edge element"),
    ("nearest", "`replicate`, the nearest edge element"),
    ("symmetric", "`reflect`, the mirrored image, its edge repeated"),
    ("mirror", "`reflect101`, the mirrored image, its edge once"),
    ("periodic", "`wrap`, the image's opposite side"),
    ("zero", "`(\"constant\", 0)`"),
    ("zeros", "`(\"constant\", 0)`"),
];

/// The borders that an object says.
pub fn borders(object: &Bound<'_, PyAny>) -> PyResult<Borders> {
    match object.cast::<PyList>() {
        Ok(list) => {
            let each = list.iter().map(|object| border(&object)).collect::<PyResult<Vec<_>>>()?;
            Ok(Borders::each(&each))
        }
        Err(_) => Ok(border(object)?.into()),
    }
}

/// The border that an object says.
pub fn border(object: &Bound<'_, PyAny>) -> PyResult<Border> {
    if let Ok(name) = object.cast::<PyString>() {
        let name = name.to_string();
        return match BorderMode::ALL.into_iter().find(|mode| mode.name() == name) {
            Some(BorderMode::Undefined) => Ok(Border::Undefined),
            Some(BorderMode::Replicate) => Ok(Border::Replicate),
            Some(BorderMode::Reflect) => Ok(Border::Reflect),
            Some(BorderMode::Reflect101) => Ok(Border::Reflect101),
            Some(BorderMode::Wrap) => Ok(Border::Wrap),
            Some(BorderMode::Constant) => {
                Err(PyValueError::new_err("the border constant needs a value: `border=(\"constant\", 7)`"))
            }
            None => Err(unknown(&name)),
        };
    }
    let Ok(pair) = object.cast::<PyTuple>() else { return Err(other(object)) };
    let [name, value] = pair.iter().collect::<Vec<_>>().try_into().map_err(|_| other(object))?;
    match name.cast::<PyString>().map_err(|_| other(object))?.to_string().as_str() {
        "constant" => Ok(Border::Constant(scalar(&value)?.ok_or_else(|| other(object))?)),
        name => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> PyErr {
    if let Some((_, ours)) = OTHER_NAMES.into_iter().find(|(theirs, _)| *theirs == name) {
        return PyValueError::new_err(format!("there is no border `{name}`; write {ours}"));
    }
    let names = BorderMode::ALL.map(BorderMode::name).join(", ");
    PyValueError::new_err(format!("there is no border `{name}`; there are {names}"))
}

fn other(object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.repr().map_or_else(|_| String::new(), |text| text.to_string());
    PyTypeError::new_err(format!(
        "`border` is {found}, expected a name, `(\"constant\", value)`, or a list with one of these for each image"
    ))
}
