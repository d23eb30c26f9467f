//! Configurations some of whose inputs no run changes.

use crate::{
    code::Kernel,
    configure::{Configured, KernelPlan},
    error::RunError,
    execute::whole_view,
    infer::{check_input_count, check_whole, images},
    info::MAX_DIMENSIONS,
    job::check,
    packing::{Constant, Packing, is_packed, quad_columns},
    view::AnyView,
};

impl KernelPlan {
    /// Returns the same plan with an image that no run changes, as [`Configured::with_constant`] does.
    ///
    /// # Errors
    /// [`RunError`] where the plan reads no such image, or one of another type or shape.
    pub fn with_constant(mut self, input: usize, view: &AnyView<'_>) -> Result<KernelPlan, RunError> {
        self.add_constant(input, view)?;
        Ok(self)
    }

    fn add_constant(&mut self, input: usize, view: &AnyView<'_>) -> Result<(), RunError> {
        let spec = self.spec();
        let mut read = images(spec).enumerate().filter(|(_, (_, input))| input.inout.is_none());
        let Some((image, (argument, need))) = read.nth(input) else {
            return Ok(check_input_count(spec, input.saturating_add(1))?);
        };
        let shape = self.inputs.get(input).unwrap_or(&self.shape);
        check(argument, view.info(), (need.element, need.channels), shape)?;
        if need.is_whole() {
            check_whole(argument, need, view.info())?;
        }
        self.constants.retain(|constant| constant.image() != image);
        self.packing = Packing::new(self.spec(), self.body, &self.shape, &self.inputs);
        let (is_tensor, form) = (self.is_tensor(image), (view.info().pixel_size(), self.packing.strip));
        // Of an image that is given plane by plane there would be a copy for each of them.
        if is_packed(self.body, image) && (is_tensor || view.info().shape().planes() == 1) {
            let whole = whole_view(view, &[0; MAX_DIMENSIONS], is_tensor);
            let quads = quad_columns(self.body, image);
            self.constants.extend(Constant::new(image, &whole, self.shape.width(), form, quads));
        }
        // The strips of constants begin with the first column: no others are packed beside them.
        if !self.constants.is_empty() {
            self.packing.bytes = 0;
        }
        Ok(())
    }
}

impl<K: Kernel> Configured<K> {
    /// Returns the bytes of the copies that [`Configured::with_constant`] has made.
    pub fn constant_bytes(&self) -> usize {
        self.plan.constants.iter().map(Constant::bytes).sum()
    }

    /// Returns the same configuration with an input that no run changes: the weights of a layer, for example. `input` is its place
    /// among the images that runs are given to read.
    ///
    /// Where elements of the output read it column by column, as products and convolutions do, a copy is laid out as the processor
    /// reads it, once for all runs; elsewhere nothing changes. Runs are given the image as before, with the elements that it has now:
    /// one that is given others may answer with either.
    ///
    /// ```
    /// use windrow::{Serial, Tensor, language::*};
    ///
    /// #[kernel(step(8, 1))]
    /// fn product([y, x]: At<2>, a: View<f32>, b: View<f32>) -> f32 {
    ///     let ([_, inner], [height, width]) = (a.extents(), b.extents());
    ///     let mut sum = 0.0;
    ///     for k in 0..inner.min(height) {
    ///         sum = a.get([y, k]).unwrap_or(0.0).mul_add(b[[k, x.min(width - 1)]], sum);
    ///     }
    ///     sum
    /// }
    ///
    /// let (a, weights) = (Tensor::from_vec(vec![1f32; 640], [10, 64])?, Tensor::from_vec(vec![0.5; 8192], [64, 128])?);
    /// let mut out = Tensor::<f32>::new([10, 128])?;
    /// let layer = product::configure(a.info(), weights.info(), out.info())?.with_constant(1, weights.view())?;
    /// layer.run(&Serial, (&a, &weights), &mut out)?;
    /// assert_eq!(out.to_vec(), [32.0; 1280]);
    /// # Ok::<(), windrow::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`RunError`] where the kernel reads no such image, or one of another type or shape.
    pub fn with_constant<'a>(self, input: usize, view: impl Into<AnyView<'a>>) -> Result<Self, RunError> {
        let mut configured = self;
        configured.plan.add_constant(input, &view.into())?;
        Ok(configured)
    }
}
