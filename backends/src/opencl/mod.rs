//! OpenCL C 1.2: one program a kernel, readable, and equal to the author's function to the bit.
//!
//! [`emit`] writes the text and lists its entry points: one for each choice of variants, subset of outputs and block of
//! the schedule. The calling convention is that of `OpenClEntry` in the runtime's `code.rs`. The program is to be
//! built with [`OPTIONS`].

mod block;
mod c;
mod emit;
mod entry;
mod head;
mod images;
mod program;
mod row_groups;
mod schedule;
mod tiles;

pub use emit::{Tabled, emit, emit_images, emit_marked, emit_with_lines, emit_with_tables};
pub use images::{NoImageForm, check_images};
pub use program::{CONSTANT, EntryPoint, OPTIONS, OpenClForm, OpenClText, Reads};
