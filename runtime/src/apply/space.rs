//! Where images lie and kernels run on them.

#[cfg(feature = "std")]
use crate::function::ChainBuilder;
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

    /// Runs a chain on images of this space, which are its inputs and outputs, and returns when the outputs may be used.
    ///
    /// # Errors
    /// The chain was made for other images, the images overlap, or the run failed.
    #[cfg(feature = "std")]
    fn run_chain(chain: ChainBuilder, arguments: Arguments<'_, '_, Self>) -> Result<(), Error>;
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

/// A space that is the space `S`: every space is itself, and no other.
///
/// The images of a call are held to it rather than to an equality of types, so that a mix of spaces is told in words.
#[diagnostic::on_unimplemented(
    message = "the images of one call lie in one memory: found one in `{Self}` and one in `{S}`",
    label = "lies in `{Self}`",
    note = "`Host` is the processor's memory, `OpenCl` that of a device",
    note = "`gpu.upload(&image)?` copies an image to a device, `tensor.download()?` copies it back"
)]
pub trait SameSpace<S: Space>: Space {
    /// Returns the image as one of `S`.
    fn readable<'a, R: Readable<Space = Self>>(image: &'a R) -> &'a (dyn Readable<Space = S> + 'a);

    /// Returns the image as one of `S`, to write.
    fn writable<'a, W: Writable<Space = Self>>(image: &'a mut W) -> &'a mut (dyn Writable<Space = S> + 'a);
}

impl<S: Space> SameSpace<S> for S {
    fn readable<'a, R: Readable<Space = S>>(image: &'a R) -> &'a (dyn Readable<Space = S> + 'a) {
        image
    }

    fn writable<'a, W: Writable<Space = S>>(image: &'a mut W) -> &'a mut (dyn Writable<Space = S> + 'a) {
        image
    }
}

/// Returns an image that is read, as one of the space of its call.
#[doc(hidden)]
pub fn readable<S: Space, R: Readable<Space: SameSpace<S>>>(image: &R) -> &dyn Readable<Space = S> {
    R::Space::readable(image)
}

/// Returns an image that is written, as one of the space of its call.
#[doc(hidden)]
pub fn writable<S: Space, W: Writable<Space: SameSpace<S>>>(image: &mut W) -> &mut dyn Writable<Space = S> {
    W::Space::writable(image)
}
