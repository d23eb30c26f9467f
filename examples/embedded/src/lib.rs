//! Kernels where there is no operating system: the caller's own arrays, and a `for` loop over sub-windows.
//!
//! Nothing here allocates or starts a thread. `cargo check --target aarch64-unknown-none` in this folder shows that it
//! builds without `std`; `tests/embedded.rs` that it computes what a whole run on a host does.
#![no_std]
#![forbid(unsafe_code)]

use windrow::{
    Border, Configured, InvalidConfiguration, InvalidTensor, Kernel, RunError, Serial, TensorInfo, View, ViewMut,
    prelude::*,
};
use windrow_operators::gaussian3x3;

/// Columns of a frame.
pub const WIDTH: usize = 83;
/// Rows of a frame.
pub const HEIGHT: usize = 41;

/// The camera's and the display's memory.
pub type Frame = [u8; WIDTH * HEIGHT];

/// Ordered dithering to black and white with a 2×2 pattern: a kernel of the application's own.
#[kernel(step(16, 1))]
pub fn dither(p: u8) -> u8 {
    let pattern = ((x() & 1) ^ (y() & 1)) + 2 * (y() & 1);
    if p as i32 > 32 + 64 * pattern { 255 } else { 0 }
}

/// Why a frame can't be shown.
#[derive(Debug)]
pub enum FrameError {
    /// The arrays don't fit the frame.
    Tensor(InvalidTensor),
    /// A kernel can't be configured.
    Configuration(InvalidConfiguration),
    /// A kernel can't be run.
    Run(RunError),
}

/// Blurs and dithers a frame; `slice` is called before each sub-window, between which a host may do other work.
pub fn show(
    camera: &Frame,
    blurred: &mut Frame,
    display: &mut Frame,
    mut slice: impl FnMut(),
) -> Result<(), FrameError> {
    let info = TensorInfo::of::<u8>(&[HEIGHT, WIDTH])?;
    let blur = gaussian3x3::configure(&info, &info, Border::Replicate)?;
    in_slices(&blur, camera, blurred, &mut slice)?;
    in_slices(&dither::configure(&info, &info)?, blurred, display, &mut slice)
}

/// Runs a kernel from one frame to another, eight rows or so at a time.
fn in_slices<K>(
    kernel: &Configured<K>,
    from: &Frame,
    to: &mut Frame,
    slice: &mut impl FnMut(),
) -> Result<(), FrameError>
where
    K: for<'v> Kernel<Inputs<'v> = View<'v, u8>, Outputs<'v> = ViewMut<'v, u8>>,
{
    let from = View::from_slice(from, [HEIGHT, WIDTH])?;
    let mut to = ViewMut::from_slice(to, [HEIGHT, WIDTH])?;
    for part in kernel.window().parts(1, HEIGHT.div_ceil(8)) {
        slice();
        kernel.run_window(&Serial, from, to.reborrow(), &part)?;
    }
    Ok(())
}

impl From<InvalidTensor> for FrameError {
    fn from(error: InvalidTensor) -> Self {
        FrameError::Tensor(error)
    }
}

impl From<InvalidConfiguration> for FrameError {
    fn from(error: InvalidConfiguration) -> Self {
        FrameError::Configuration(error)
    }
}

impl From<RunError> for FrameError {
    fn from(error: RunError) -> Self {
        FrameError::Run(error)
    }
}
