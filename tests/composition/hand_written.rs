//! An operator written by hand, with a constant that it packs once and memory of its own for each thread.

use crate::{
    everywhere::{Place, everywhere, image, whole},
    of, spread,
};
use std::sync::{Arc, Mutex};
use windrow::{
    AnyView, AnyViewMut, BorderMode, RunError, Window,
    chain::*,
    prelude::*,
    schedule::{DynKernel, Splits, ThreadInfo},
};

/// A vertical filter of three weights: sums of 16 bits in a row that each thread has, then 8 of them.
#[derive(Debug)]
struct Filter {
    weights: Arc<[u16; 3]>,
}

/// Its code: the weights are packed as eight lanes each.
#[derive(Debug)]
struct FilterCode {
    weights: Option<Arc<[u16; 3]>>,
    width: usize,
}

struct BoundFilter<'a> {
    src: AnyView<'a>,
    out: Mutex<AnyViewMut<'a>>,
    packed: &'a [u8],
    workspace: usize,
    code: &'a FilterCode,
}

impl Operator for Filter {
    fn name(&self) -> &str {
        "filter of an imported graph"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        let [src] = inputs else { return Err(OperatorError::InputCount { found: inputs.len(), expected: 1 }) };
        Ok(vec![Some(TensorInfo::of::<u8>(&src.shape().extents())?)])
    }

    fn footprint(&self, _: usize) -> Footprint {
        // SAFETY: a run reads the rows above, of and below those of its window, the edge's where there are none.
        unsafe { Footprint::rows::<Filter>(-1, 1, 1, BorderMode::Replicate) }
    }

    fn lower(&self, target: &dyn Target, inputs: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        Processor::expect(target)?;
        Ok(Box::new(FilterCode { weights: Some(self.weights.clone()), width: inputs[0].width() }))
    }
}

impl Compiled for FilterCode {
    fn workspace(&self) -> Workspace {
        Workspace { per_run: 5, per_thread: 2 * self.width }
    }

    fn constants(&self) -> Vec<usize> {
        vec![3 * 16, 1]
    }

    fn pack(&mut self, constants: &mut [&mut [u8]]) -> Result<(), OperatorError> {
        // The original goes as soon as it is packed.
        let weights = self.weights.take().ok_or(OperatorError::InputCount { found: 0, expected: 3 })?;
        let lanes = weights.iter().flat_map(|weight| [weight.to_ne_bytes(); 8].concat());
        constants[0].iter_mut().zip(lanes).for_each(|(byte, lane)| *byte = lane);
        constants[1][0] = 77;
        Ok(())
    }

    unsafe fn bind(&self, mut given: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
        let missing = RunError::Kernel { reason: "an argument is missing" };
        let workspace = given.workspace();
        workspace.fill(1);
        let (packed, other) = (given.constant(0).ok_or(missing)?, given.constant(1).ok_or(missing)?);
        assert_eq!((packed.len(), packed.as_ptr().addr() % 64, other), (48, 0, &[77][..]));
        let out = given.output(0).ok_or(missing)?;
        let (src, workspace) = (given.inputs()[0], workspace.len());
        run(&mut BoundFilter { src, out: Mutex::new(out), packed, workspace, code: self })
    }
}

impl DynKernel for BoundFilter<'_> {
    fn name(&self) -> &str {
        "filter"
    }

    fn window(&self) -> Window {
        let shape = self.src.info().shape();
        Window::covering([0; 6], shape.inner_extents(), (shape.width() as u32, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        self.code.workspace().per_thread
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        assert_eq!((self.workspace, thread.scratch.len() >= self.scratch_per_thread()), (5, true));
        let (width, height) = (self.src.info().width(), self.src.info().height());
        let src = self.src.typed::<u8>().map_err(|_| RunError::Kernel { reason: "not bytes" })?;
        let weight = |k: usize| u16::from_ne_bytes([self.packed[16 * k], self.packed[16 * k + 1]]);
        for y in window.dimension(1).start()..window.dimension(1).end() {
            let rows = [y.saturating_sub(1), y, (y + 1).min(height - 1)];
            let sums = &mut thread.scratch[..2 * width];
            sums.fill(0);
            for (k, row) in rows.into_iter().enumerate() {
                let row = src.row(row).ok_or(RunError::Kernel { reason: "a row is missing" })?;
                for (sum, x) in sums.chunks_exact_mut(2).zip(row) {
                    let more = u16::from_ne_bytes([sum[0], sum[1]]) + weight(k) * u16::from(*x);
                    sum.copy_from_slice(&more.to_ne_bytes());
                }
            }
            let mut out = self.out.lock().map_err(|_| RunError::Kernel { reason: "a part panicked" })?;
            let mut out = out.reborrow().typed::<u8>().map_err(|_| RunError::Kernel { reason: "not bytes" })?;
            let out = out.row_mut(y).ok_or(RunError::Kernel { reason: "a row is missing" })?;
            for (out, sum) in out.iter_mut().zip(sums.chunks_exact(2)) {
                *out = (u16::from_ne_bytes([sum[0], sum[1]]) / 8) as u8;
            }
        }
        Ok(())
    }
}

fn chain(extents: [usize; 2], weights: &Arc<[u16; 3]>) -> ChainBuilder {
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [wide] = chain.add(&spread::configure(&bytes, &bytes, Border::Wrap).unwrap(), &[src]).unwrap();
    let [filtered] = chain.add_operator(Arc::new(Filter { weights: weights.clone() }), &[wide]).unwrap();
    let [out] = chain.add(&spread::configure(&bytes, &bytes, Border::Replicate).unwrap(), &[filtered]).unwrap();
    chain.output(out).unwrap();
    chain
}

#[test]
fn an_operator_written_by_hand_runs_among_generated_ones() {
    let (extents, weights) = ([61, 40], Arc::new([1u16, 5, 2]));
    let src = image::<u8>(7, extents);
    let bytes = of::<u8>(extents);
    let [mut wide, mut out] = [(); 2].map(|()| Tensor::<u8>::new(extents).unwrap());
    spread::configure(&bytes, &bytes, Border::Wrap).unwrap().run_reference(src.view(), wide.view_mut()).unwrap();
    let filtered = Tensor::from_fn(extents, |[y, x]| {
        let at = |y: usize| u16::from(wide.view().get([y, x]).unwrap_or(0));
        ((at(y.saturating_sub(1)) + 5 * at(y) + 2 * at((y + 1).min(60))) / 8) as u8
    });
    let last = spread::configure(&bytes, &bytes, Border::Replicate).unwrap();
    last.run_reference(filtered.unwrap().view(), out.view_mut()).unwrap();
    let elsewhere =
        |place| (place == Place::Device).then_some(("filter of an imported graph", "for the processor alone"));
    everywhere(&|| chain(extents, &weights), &[src.view().any()], &[out.to_vec()], elsewhere);
}

#[test]
fn what_was_packed_is_dropped_and_the_rest_is_planned() {
    let weights = Arc::new([1u16, 5, 2]);
    let builder = chain([61, 40], &weights);
    assert_eq!(Arc::strong_count(&weights), 2);
    let composite = builder.compose(&whole()).unwrap();
    // Neither the operator nor its code holds the original any more.
    assert_eq!((Arc::strong_count(&weights), composite.chain().constant_bytes()), (1, 65));
    // The workspace of the run and the threads' scratch are planned with the intermediates.
    let plan = composite.chain().memory().unwrap().plan();
    assert_eq!(plan.places.len(), 2 + 2);
    let bands = chain([61, 40], &weights).finish_in_bands(0).unwrap();
    let alone = bands.chain().stages()[1].compiled().workspace();
    assert!(bands.scratch_per_thread() >= alone.per_run + alone.per_thread);
}
