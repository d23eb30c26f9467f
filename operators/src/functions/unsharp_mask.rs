//! Unsharp mask: an image, and more of what a blur takes away from it.

use windrow::{
    AnyView, AnyViewMut, Border, Scheduler, TensorInfo,
    chain::{ChainBuilder, Composite, Executor, Function, FunctionError, Prepared, Value},
    memory::Allocation,
};

use crate::{convolve5x5, sharpen};

/// The weights' sum in fixed point, where the blur keeps the brightness.
const SCALE: i32 = 1 << 14;

/// How an unsharp mask sharpens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnsharpSettings {
    /// 256ths of the difference that are added, 0 to 1024.
    pub amount: i32,
    /// What the blur finds outside the image.
    pub border: Border,
}

/// src + amount · (src − blur(src)), where the blur has any 5×5 weights.
///
/// Preparing it turns the weights into fixed point and frees them.
#[derive(Debug)]
pub struct UnsharpMask {
    composite: Composite,
    blurred: Value,
    image: TensorInfo,
    border: Border,
    weights: Prepared<Allocation, ()>,
}

impl UnsharpMask {
    /// For 8-bit images like `image`. `weights` are 5×5 of `f32`, none negative, whose sum is positive.
    pub fn configure(
        image: &TensorInfo,
        weights: Allocation,
        settings: UnsharpSettings,
        executor: &dyn Executor,
    ) -> Result<UnsharpMask, FunctionError> {
        read_weights(&weights)?;
        let (image, border) = (TensorInfo::of::<u8>(&image.shape().extents())?, settings.border);
        let mut chain = ChainBuilder::new();
        let src = chain.input(image);
        let blur = convolve5x5::<u8>::configure(&image, [[0; 5]; 5], SCALE, &image, border)?;
        let [blurred] = chain.add_unprepared(&blur, &[src])?;
        let add = sharpen::configure(&image, &chain.info(blurred)?, settings.amount, &image)?;
        let [sharp] = chain.add(&add, &[src, blurred])?;
        chain.output(sharp)?;
        let (composite, weights) = (chain.compose(executor)?, Prepared::new(weights));
        Ok(UnsharpMask { composite, blurred, image, border, weights })
    }

    /// Whether the weights have been turned into fixed point.
    pub fn is_prepared(&self) -> bool {
        self.weights.is_prepared()
    }
}

impl Function for UnsharpMask {
    fn prepare(&self) -> Result<(), FunctionError> {
        let prepare = |weights: &Allocation| {
            let k = fixed_point(read_weights(weights)?);
            let blur = convolve5x5::<u8>::configure(&self.image, k, SCALE, &self.image, self.border)?;
            self.composite.chain().prepare(self.blurred, &blur)
        };
        self.weights.get(prepare).copied()
    }

    fn run(
        &self,
        scheduler: &dyn Scheduler,
        inputs: &[AnyView<'_>],
        outputs: &mut [AnyViewMut<'_>],
    ) -> Result<(), FunctionError> {
        self.prepare()?;
        self.composite.run(scheduler, inputs, outputs)
    }
}

fn read_weights(weights: &Allocation) -> Result<[[f32; 5]; 5], FunctionError> {
    let original = "weights";
    let view = weights.view().typed::<f32>()?;
    let mut read = [[0.0; 5]; 5];
    for (y, row) in read.iter_mut().enumerate() {
        let found = view.row(y).filter(|found| found.len() == row.len() && view.info().height() == 5);
        row.copy_from_slice(found.ok_or(FunctionError::Original { original, rule: "must be 5×5" })?);
    }
    let sum: f32 = read.iter().flatten().sum();
    if read.iter().flatten().any(|weight| !(0.0..).contains(weight)) || !(sum > 0.0 && sum.is_finite()) {
        return Err(FunctionError::Original { original, rule: "must be 0 or more, and have a sum" });
    }
    Ok(read)
}

/// The weights in parts of [`SCALE`], which they sum to. The kernel turns its coefficients around; so does this.
fn fixed_point(weights: [[f32; 5]; 5]) -> [[i16; 5]; 5] {
    let sum: f32 = weights.iter().flatten().sum();
    let mut fixed = [[0i16; 5]; 5];
    for (y, row) in weights.iter().enumerate() {
        for (x, weight) in row.iter().enumerate() {
            fixed[4 - y][4 - x] = (weight / sum * SCALE as f32).round() as i16;
        }
    }
    // What rounding lost goes to the centre.
    let found: i32 = fixed.iter().flatten().map(|weight| i32::from(*weight)).sum();
    fixed[2][2] = (i32::from(fixed[2][2]) + SCALE - found) as i16;
    fixed
}
