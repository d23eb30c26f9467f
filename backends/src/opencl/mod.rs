//! OpenCL C 1.2: one program a kernel, readable, and equal to the author's function to the bit.
//!
//! [`emit`] writes the text and lists its entry points: one for each choice of variants, subset of outputs and block of
//! the schedule. The calling convention is that of `OpenClEntry` in the runtime's `code.rs`. The program is to be
//! built with [`OPTIONS`].

mod arguments;
mod block;
mod c;
mod emit;
mod entry;
mod expression;
mod floats;
mod head;
mod images;
mod names;
mod operation;
mod pieces;
mod places;
mod prelude;
mod program;
mod reads;
mod schedule;
mod stores;
mod survey;
mod types;
mod value_names;

pub use emit::{Tabled, emit, emit_images, emit_with_lines, emit_with_tables};
pub use images::{NoImageForm, check_images};
pub use program::{CONSTANT, EntryPoint, OPTIONS, OpenClForm, OpenClText};
