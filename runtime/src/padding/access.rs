//! What whole steps of a window would touch, as libraries that compute nothing but whole steps count it.
//!
//! ```text
//!        -left        W        W + right
//! memory  [··|#########|········]        steps of 4, −1..=1: the last step reads up to column 13,
//! steps      |---|---|---|               beyond the image's 10: it wants 3 columns more
//! ```

use crate::{
    code::Kernel,
    configure::{Configured, KernelPlan},
    error::InvalidConfiguration,
    infer::{check_input_count, check_output_count, element_wise, images, read_images},
    info::{MAX_DIMENSIONS, Shape, TensorInfo},
    padding::Padding,
    region::ValidRegion,
    spec::{AccessSpec, InputSpec},
    window::{Dimension, Window},
};

/// What a step at `x` touches of a tensor along one dimension: elements `stride·x + least ..= stride·x + greatest`.
#[derive(Clone, Copy, Debug)]
struct Access {
    stride: i64,
    least: i64,
    greatest: i64,
}

impl Access {
    /// That of an element alone.
    const OWN: [Access; 2] = [Access { stride: 1, least: 0, greatest: 0 }; 2];

    /// Those of a tensor in x and y.
    fn both(input: &InputSpec) -> [Access; 2] {
        let along = |access: &AccessSpec| Access {
            stride: access.equation().map_or(1, |(_, by)| by.into()),
            least: access.least.into(),
            greatest: access.greatest.into(),
        };
        let mut innermost = input.accesses().iter().rev().map(along);
        Access::OWN.map(|own| innermost.next().unwrap_or(own))
    }

    /// Elements before the first and behind the last of `extent` that the whole of `window` touches.
    fn wanted(&self, window: Dimension, extent: usize) -> (usize, usize) {
        if window.iterations() == 0 {
            return (0, 0);
        }
        let first = self.stride * window.start() as i64 + self.least;
        let last = self.stride * (window.end() as i64 - 1) + self.greatest;
        ((-first).max(0) as usize, (last + 1 - extent as i64).max(0) as usize)
    }

    /// The steps of `window` that touch nothing more than `before` and `behind` elements beyond `extent`.
    fn allowed(&self, window: Dimension, extent: usize, (before, behind): (usize, usize)) -> Dimension {
        let (start, step, steps) = (window.start() as i64, window.step() as i64, window.iterations() as i64);
        // Step i touches from stride·(start + i·step) + least to stride·(start + (i + 1)·step − 1) + greatest.
        let each = self.stride * step;
        let least = -(before as i64) - self.least - self.stride * start;
        let greatest = extent as i64 + behind as i64 - 1 - self.greatest - self.stride * (start - 1);
        let first = -(-least.max(0)).div_euclid(each);
        let first = first.min(steps);
        let end = greatest.div_euclid(each).clamp(first, steps);
        let at = |steps: i64| (start + steps * step) as usize;
        Dimension::new(at(first), at(end), window.step()).unwrap_or(window)
    }
}

impl<K: Kernel> Configured<K> {
    /// Returns the padding with which every whole step of the window would read image `image` inside its memory,
    /// counted among the images read, `#[inout]` ones included. A run needs none of it.
    ///
    /// `None` where there is no such image. One that is read anywhere is read inside alone, and wants none.
    pub fn wanted_input_padding(&self, image: usize) -> Option<Padding> {
        let (_, input) = images(K::CODE.spec).nth(image)?;
        if input.is_whole() {
            return Some(Padding::default());
        }
        let shape = match input.inout {
            Some(_) => self.plan.shape,
            None => input_shape(&self.plan, image)?,
        };
        Some(wanted(&self.plan.window, shape, Access::both(input)))
    }

    /// Returns the padding with which every whole step of the window would write inside each output's memory. A run
    /// needs none of it, and never writes it.
    pub fn wanted_output_padding(&self) -> Padding {
        wanted(&self.plan.window, self.plan.shape, Access::OWN)
    }

    /// Returns the same configuration on those steps of the window alone that stay inside memory, padding included: the
    /// valid region says what is left. `inputs` are the images read, `outputs` those written, as in `configure`.
    ///
    /// For hosts that rely on it; every other run computes everything, whatever padding there is.
    pub fn with_manual_padding(
        mut self,
        inputs: &[&TensorInfo],
        outputs: &[Option<&TensorInfo>],
    ) -> Result<Self, InvalidConfiguration> {
        let plan = &self.plan;
        check_input_count(plan.spec(), inputs.len())?;
        check_output_count(plan.spec(), outputs.len())?;
        let mut window = plan.window;
        let mut shrink = |info: &TensorInfo, access: [Access; 2]| {
            let Padding { left, right, top, bottom } = info.padding();
            for (d, (access, around)) in access.iter().zip([(left, right), (top, bottom)]).enumerate() {
                let allowed = access.allowed(window.dimension(d), info.shape().inner_extent(d), around);
                window = window.with_dimension(d, allowed).unwrap_or(window);
            }
        };
        for ((argument, input), (info, shape)) in read_images(plan.spec()).zip(inputs.iter().zip(&plan.inputs)) {
            check_shape(argument, info, *shape)?;
            if !input.is_whole() && !broadcast(input, info, plan.shape) {
                shrink(info, Access::both(input));
            }
        }
        for (output, info) in
            plan.spec().outputs.iter().zip(outputs).filter_map(|(output, info)| Some((output, (*info)?)))
        {
            check_shape(output.name, info, plan.shape)?;
            shrink(info, Access::OWN);
        }
        self.plan.valid = plan.valid.intersect(&reached(&window));
        self.plan.window = window;
        Ok(self)
    }
}

/// Whether `info` is the one element of many along x or y.
fn broadcast(input: &InputSpec, info: &TensorInfo, shape: Shape) -> bool {
    element_wise(input) && (0..2).any(|d| info.shape().inner_extent(d) != shape.inner_extent(d))
}

/// The shape configured of image `image`, which is not an output.
fn input_shape(plan: &KernelPlan, image: usize) -> Option<Shape> {
    let read = images(plan.spec()).take(image).filter(|(_, input)| input.inout.is_none()).count();
    plan.inputs.get(read).copied()
}

fn wanted(window: &Window, shape: Shape, access: [Access; 2]) -> Padding {
    let [(left, right), (top, bottom)] = [0, 1].map(|d| access[d].wanted(window.dimension(d), shape.inner_extent(d)));
    Padding { left, right, top, bottom }
}

fn reached(window: &Window) -> ValidRegion {
    let ends =
        |end: fn(&Dimension) -> usize| core::array::from_fn::<_, MAX_DIMENSIONS, _>(|d| end(&window.dimension(d)));
    ValidRegion { start: ends(Dimension::start), end: ends(Dimension::end), rank: 0 }
}

fn check_shape(argument: &'static str, info: &TensorInfo, expected: Shape) -> Result<(), InvalidConfiguration> {
    let found = info.shape();
    if found.same_extents(&expected) { Ok(()) } else { Err(InvalidConfiguration::Shape { argument, found, expected }) }
}
