//! Why bytes are no ONNX file.

/// Bytes that are not what the format says; each with its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// The file, or a message in it, ends before something does that it begins.
    #[error("what begins at byte {at} ends behind the end of what it is part of")]
    Truncated {
        /// Where.
        at: usize,
    },
    /// A number of more than 64 bits.
    #[error("the number at byte {at} has more than 64 bits")]
    Number {
        /// Where.
        at: usize,
    },
    /// A kind of field that ONNX does not use.
    #[error("the field at byte {at} has the wire type {found}; ONNX has 0, 1, 2 and 5")]
    WireType {
        /// Where.
        at: usize,
        /// Its wire type.
        found: u64,
    },
    /// A field whose content is of another kind than ONNX says.
    #[error("field {field} of `{message}` that ends at byte {at} is of another kind than ONNX says")]
    Field {
        /// The message, by ONNX' name.
        message: &'static str,
        /// The field's number in it.
        field: u64,
        /// Where it ends.
        at: usize,
    },
    /// Text that is no UTF-8.
    #[error("the text of `{message}` that ends at byte {at} is no UTF-8")]
    Text {
        /// The message, by ONNX' name.
        message: &'static str,
        /// Where it ends.
        at: usize,
    },
    /// No graph in the file.
    #[error("the file holds no graph")]
    NoGraph,
}
