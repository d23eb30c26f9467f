//! Where images lie and kernels run on them.

use crate::{
    apply::images::{Readable, Writable},
    arguments::AnyTable,
    code::Kernel,
    configure::Configured,
    error::any::Error,
};

/// Where images lie and kernels run on them: the processor's memory ([`Host`](super::Host)), or that of a device.
///
/// All images of one call lie in one space.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a space of images",
    note = "`Host` is the processor's memory; a device's memory is a space of the crate that drives the device"
)]
pub trait Space: Sized {
    /// An image that is lent to be read.
    type Read<'a>;
    /// An image that is lent to be written.
    type Write<'a>;

    /// Runs a kernel on images of this space, and returns when the outputs may be used.
    ///
    /// # Errors
    /// The kernel was configured for other arguments, the images overlap, or the run failed.
    fn run<K: Kernel>(kernel: &Configured<K>, arguments: Arguments<'_, '_, Self>) -> Result<(), Error>;
}

/// The arguments of one run, in the kernel's order.
pub struct Arguments<'a, 'b, S: Space> {
    /// The images that are read; `#[inout]` ones are among the outputs.
    pub inputs: &'a [&'a dyn Readable<Space = S>],
    /// The tables.
    pub tables: &'a [AnyTable<'a>],
    /// The images that are written.
    pub outputs: &'a mut [&'b mut dyn Writable<Space = S>],
}
