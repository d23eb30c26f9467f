//! The constants that are given with the JSON, which names them: tensors of the caller's, or a file of TVM's.

use windrow::{AnyView, tensor::DType};

use super::{
    params::{self, Param},
    tensor::{Tensor, Type},
};
use crate::{
    array,
    error::ModelError,
    model::{Constant, Elements},
};

/// A constant that is given.
pub(crate) enum Given<'g> {
    Tensor(&'g str, AnyView<'g>),
    /// One of a file, which may hold those of other JSON, too.
    Param(Param<'g>),
}

/// The constants that tensors are.
pub(crate) fn from_tensors<'g>(constants: &[(&'g str, AnyView<'g>)]) -> Vec<Given<'g>> {
    constants.iter().map(|&(name, view)| Given::Tensor(name, view)).collect()
}

/// The constants that a file of TVM's parameters holds.
pub(crate) fn from_params(bytes: &[u8]) -> Result<Vec<Given<'_>>, ModelError> {
    Ok(params::read(bytes)?.into_iter().map(Given::Param).collect())
}

impl Given<'_> {
    pub fn name(&self) -> &str {
        match self {
            Given::Tensor(name, _) => name,
            Given::Param(param) => param.name,
        }
    }

    fn extents(&self) -> Vec<usize> {
        match self {
            Given::Tensor(_, view) => view.info().shape().extents().to_vec(),
            Given::Param(param) => param.extents.clone(),
        }
    }

    /// `None` for a type that is not read.
    fn of(&self) -> Option<DType> {
        match self {
            Given::Tensor(_, view) => Some(view.info().dtype()),
            Given::Param(param) => param.of,
        }
    }

    /// `None` where they have gaps between them, or a type that no value has.
    fn elements(&self) -> Option<Elements> {
        match self {
            Given::Tensor(_, view) => Some(match array::Elements::of(*view)? {
                array::Elements::Floats(floats) => Elements::Floats(floats.into()),
                array::Elements::Bytes(bytes) => Elements::Bytes(bytes.into()),
                array::Elements::Ints(ints) => Elements::Ints(ints.iter().map(|&int| int.into()).collect()),
                array::Elements::Unsigned(_) => return None,
            }),
            Given::Param(param) => param.elements(),
        }
    }
}

impl Tensor {
    /// The constant whose elements are given.
    pub fn taken(&self, given: &Given<'_>) -> Result<Constant, ModelError> {
        let wrong = |found: String, rule| Err(ModelError::Value { value: self.name.clone(), found, rule });
        let (extents, of) = (given.extents(), given.of());
        let is_type = match self.of {
            Type::Float => of == Some(DType::F32),
            Type::Byte => of == Some(DType::I8),
            Type::Int => of == Some(DType::I32),
            Type::Unsigned => of == Some(DType::U8),
            Type::Other => true,
        };
        // A number has no dimension in the file, and one of one element where it is given.
        let is_number = self.extents.is_empty() && extents == [1];
        if !is_type || !(is_number || extents == self.extents) {
            let of = of.map_or("another type", DType::name);
            let found =
                format!("given as {extents:?} of {of}, and {:?} of {} in the file", self.extents, self.of.name());
            return wrong(found, "both have the same type and shape");
        }
        let elements = match self.of {
            Type::Unsigned | Type::Other => {
                Elements::Unread("whose elements are neither floats of 32 bits nor integers of 8 with a sign")
            }
            Type::Float | Type::Byte | Type::Int => match given.elements() {
                Some(elements) => elements,
                None => return wrong("given with gaps".to_owned(), "its elements lie side by side"),
            },
        };
        Ok(Constant { extents: self.extents.clone(), elements })
    }
}
