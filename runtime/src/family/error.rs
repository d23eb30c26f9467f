//! Why a family can't be called with these arguments.

use std::string::String;

/// Why a family can't be called with these arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FamilyError {
    /// No kernel of the family takes such images.
    #[error("`{family}` has no kernel for {asked}; it has {offered}")]
    NoMember {
        /// The family.
        family: String,
        /// The types of the images given, and the output's type and size where they were asked for.
        asked: String,
        /// What it has.
        offered: String,
    },
    /// Several kernels of the family take such images, and differ in what they write or in their size.
    #[error("`{family}` has several kernels for {asked}: {offered}; the output's type or the size chooses one")]
    Ambiguous {
        /// The family.
        family: String,
        /// The types of the images given.
        asked: String,
        /// The kernels that take them.
        offered: String,
    },
    /// A kernel needs a value that was not given.
    #[error("`{kernel}` needs a value for `{argument}`")]
    Missing {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
    },
    /// No kernel of the family has such an argument.
    #[error("no kernel of `{family}` has an argument `{argument}`")]
    Unknown {
        /// The family.
        family: String,
        /// The argument.
        argument: String,
    },
    /// A value that the argument can't have.
    #[error("`{argument}` of `{kernel}` is {found}, expected {expected}")]
    Value {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// The value given.
        found: String,
        /// What it takes.
        expected: String,
    },
    /// The kernel reads an image that it also writes.
    #[error("`{kernel}` writes into an image that it reads, which a call by types can't lend it")]
    InOut {
        /// The kernel.
        kernel: String,
    },
}
