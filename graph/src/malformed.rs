//! Why bytes are no file of a format that is read.

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
        /// The message or the table, by its format's name.
        message: &'static str,
        /// Where it ends.
        at: usize,
    },
    /// Something else than TFLite's files begin with.
    #[error("TFLite's files have `TFL3` behind their first 4 bytes")]
    Identifier,
    /// Something of TVM's parameters that is another than their form has.
    #[error("at byte {at} it is not as TVM's parameters are: {rule}")]
    Parameters {
        /// Where.
        at: usize,
        /// The rule that it breaks.
        rule: &'static str,
    },
    /// Offsets of which many lead to the same bytes, so that a short file stands for a long one.
    #[error("its offsets lead to more than four times as many bytes as it has")]
    Repeated,
    /// A number that stands for something the file does not have.
    #[error("it names {what} {found}, and has {count} of them")]
    Reference {
        /// What.
        what: &'static str,
        /// The number.
        found: i64,
        /// How many there are.
        count: usize,
    },
    /// No graph in the file.
    #[error("the file holds no graph")]
    NoGraph,
}
