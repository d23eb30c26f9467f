//! Core allocates nothing and starts no thread: counted, on every path from a window to pixels.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    sync::{Arc, Mutex},
};

use crate::common::{EVERY_BORDER, KINDS, NO_OPENCL, Weighted, load, request, steps, weighted_sum};
use windrow::testing::{Counted, run_again};
use windrow_runtime::{
    AnyView, AnyViewMut, Border, DynKernel, Format, Kernel, KernelCode, Padding, PlanarMut, Rayon, Rect, RunError,
    Scheduler, Serial, Shape, TensorInfo, Tier, ValidRegion, View, ViewMut, Window,
    code::{Body, Rows},
    configure,
    divide::{Bodies, Division, divide},
    function::{
        Arguments, ChainBuilder, Compiled, Function, FunctionError, Operator, OperatorError, RunBound, Target, Whole,
        Workspace,
    },
    infer,
    kernel::{Splits, ThreadInfo},
    memory::Heap,
    schedule,
    spec::NeighbourhoodSpec,
    tiling::{Tile, TileError, TileImage, TilingKernel, TilingRequest},
    validate, walk,
};

/// The system's allocator, with a count of what it is asked for.
struct Counting;

thread_local! {
    /// Of this thread alone: the test harness has one of its own, which allocates as it likes.
    static ASKED: Cell<usize> = const { Cell::new(0) };
    /// The most bytes that were asked for at once.
    static MOST: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is the system's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        MOST.set(MOST.get().max(layout.size()));
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        MOST.set(MOST.get().max(size));
        // SAFETY: the caller's.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const AROUND: NeighbourhoodSpec = NeighbourhoodSpec { left: -1, right: 1, top: -1, bottom: 1 };

static TILING: TilingKernel = TilingKernel::new("copy", &[TileImage::of::<u8>("src")], &[TileImage::of::<u8>("out")])
    .block(4, 2)
    .neighbourhood(-1, 1, -1, 1)
    .tile_memory(16)
    .flexible(copy);

fn copy(tile: &mut Tile<'_>) -> Result<(), TileError> {
    let (src, mut out, memory) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?, tile.memory());
    memory.fill(1);
    for y in 0..tile.height() {
        out.row_mut(y)?.copy_from_slice(&src.row(y, 0)?[1..tile.width() + 1]);
    }
    Ok(())
}

/// `Weighted` without the test's own vectors: eight columns of two rows a step.
enum Plain {}

// SAFETY: the code takes these views.
unsafe impl Kernel for Plain {
    // SAFETY: the bodies compute this kernel, and touch what their rows lend them for these reads.
    const CODE: &'static KernelCode = &unsafe {
        KernelCode::new(
            Weighted::<8, 2, 0>::CODE.spec(),
            &[Body::new(Tier::Scalar, 0, (8, 2), &[KINDS[0].0], true, plain)],
            crate::common::derive_nothing,
            Weighted::<8, 2, 0>::CODE.reference(),
            &NO_OPENCL,
        )
    };
    type Inputs<'a> = View<'a, u8>;
    type Outputs<'a> = ViewMut<'a, i32>;
}

unsafe fn plain(rows: &Rows<'_>) {
    steps(rows.width, 8, rows.head, |x| {
        // SAFETY: the taps are those of `Reads`; the step lies inside the row.
        unsafe {
            let sum = |lane: usize, row: usize| {
                weighted_sum(KINDS[0].0, |dx, dy| {
                    load::<u8>(rows, (row as i32 + dy + 1) as usize, (x + lane) as isize + dx as isize)
                })
            };
            let block: [[i32; 8]; 2] = core::array::from_fn(|row| core::array::from_fn(|lane| sum(lane, row)));
            (0..2).for_each(|row| rows.outputs[row].cast::<i32>().add(x).cast::<[i32; 8]>().write(block[row]));
        }
    });
}

/// Every path of core, on memory of the caller's.
fn everything(src: &[u8], out: &mut [i32], bytes: &mut [u8], scratch: &mut [u8]) -> usize {
    let window = Window::covering([0; 6], [37, 21, 3, 1, 1, 1], (4, 2));
    let mut seen = window.parts(1, 3).map(|part| part.iterations(1)).sum::<usize>();
    seen +=
        window.parts_2d((0, 1), (2, 2)).chain(window.slices(2)).filter(|part| window.check_part(part).is_ok()).count();
    seen += usize::from(window.collapse(&window, 2, 3).is_ok()) + usize::from("RGB888".parse::<Format>().is_ok());

    let view = View::from_slice(src, [21, 37]).unwrap();
    let info = TensorInfo::of::<u8>(&[21, 37]).unwrap();
    let padded = info.with_padding(Padding::automatic()).unwrap();
    let target = TensorInfo::of::<i32>(&[21, 37]).unwrap();
    let region = ValidRegion::new(Rect::new(1, 1, 30, 20), Shape::new(&[21, 37]).unwrap());
    seen += usize::from(info.with_valid_region(region).is_ok()) + padded.buffer_size();
    let spec = Plain::CODE.spec();
    for border in EVERY_BORDER {
        let (inputs, outputs) = ([&info], [Some(&target)]);
        let request = request(&inputs, &outputs, border);
        seen +=
            usize::from(infer(spec, &inputs, border.mode()).is_ok()) + usize::from(validate(spec, &request).is_ok());
        let configured = configure::<Plain>(&request).unwrap();
        for part in configured.window().parts(1, 4) {
            let out = ViewMut::from_slice(out, [21, 37]).unwrap();
            configured.run_window(&Serial, view, out, &part).unwrap();
        }
        let out = ViewMut::from_slice(out, [21, 37]).unwrap();
        configured.run_reference(view, out).unwrap();
    }

    let division = Division {
        width: 37,
        height: 21,
        block: (4, 2),
        neighbourhood: AROUND,
        self_bordered: false,
        bodies: Bodies::Both,
    };
    seen += divide(&division).unwrap().fast.area();
    let copied = ViewMut::from_slice(&mut bytes[..37 * 21], [21, 37]).unwrap();
    let mut tiling = TILING.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
    let mut outputs = [copied.any()];
    let mut bound = tiling.bind(&[view.any()], &mut outputs).unwrap();
    let whole = DynKernel::window(&bound);
    schedule::schedule_with_scratch(&Serial, &mut bound, &whole, scratch).unwrap();

    let mut planes = PlanarMut::from_slice(Format::Nv12, 36, 20, bytes).unwrap();
    let (luma, _) = planes.plane::<u8>(0).unwrap().split_at(1, 10).unwrap();
    let rows = Window::covering([0; 6], [10, 20, 1, 1, 1, 1], (1, 1));
    walk::rows(&rows, luma, |at, row| row.fill(at[1] as u8)).unwrap();
    seen
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
#[cfg_attr(miri, ignore = "counts threads in /proc")]
fn core_allocates_nothing_and_starts_no_thread() {
    // Threads of other tests come and go: in a process of its own there are none.
    const ALONE: &str = "WINDROW_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        let test = ["--exact", "allocations::core_allocates_nothing_and_starts_no_thread", "--test-threads=1"];
        let alone = run_again(|command| _ = command.args(test).env(ALONE, "1")).unwrap();
        assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stdout));
        return;
    }
    let src: Vec<u8> = (0..37 * 21).map(|at| (at * 7) as u8).collect();
    let (mut out, mut bytes, mut scratch) = (vec![0; 37 * 21], vec![0; 2000], vec![0; 1 << 16]);
    // What the processor can do is asked once, the first time.
    everything(&src, &mut out, &mut bytes, &mut scratch);
    let running = threads();
    let asked = ASKED.get();
    let seen = everything(&src, &mut out, &mut bytes, &mut scratch);
    assert_eq!(ASKED.get() - asked, 0, "allocations");
    assert_eq!(threads(), running, "threads");
    assert!(seen > 0 && asked > 0);
}

/// Rows reversed, by way of memory of the thread's own.
#[derive(Clone, Copy, Debug)]
struct Reversed {
    /// Bytes of scratch that its code says it needs.
    said: usize,
}

struct BoundReversed<'a> {
    src: AnyView<'a>,
    out: Mutex<AnyViewMut<'a>>,
    workspace: usize,
}

impl Operator for Reversed {
    fn name(&self) -> &str {
        "reversed"
    }

    fn infer(&self, inputs: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        Ok(vec![Some(inputs[0])])
    }

    fn lower(&self, _: &dyn Target, _: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        Ok(Box::new(*self))
    }
}

impl Compiled for Reversed {
    fn workspace(&self) -> Workspace {
        Workspace { per_run: 24, per_thread: self.said }
    }

    unsafe fn bind(&self, mut given: Arguments<'_>, run: &mut RunBound<'_>) -> Result<(), RunError> {
        let (workspace, out) = (given.workspace().len(), Mutex::new(given.output(0).unwrap()));
        run(&mut BoundReversed { src: given.inputs()[0], out, workspace })
    }
}

impl DynKernel for BoundReversed<'_> {
    fn name(&self) -> &str {
        "reversed"
    }

    fn window(&self) -> Window {
        Window::covering([0; 6], self.src.info().shape().inner_extents(), (37, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        37
    }

    unsafe fn run(&self, window: &Window, thread: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        assert_eq!((self.workspace, thread.threads <= 3), (24, true));
        let src = self.src.typed::<u8>().unwrap();
        for y in window.dimension(1).start()..window.dimension(1).end() {
            let row = &mut thread.scratch[..37];
            row.copy_from_slice(src.row(y).unwrap());
            row.reverse();
            self.out.lock().unwrap().reborrow().typed::<u8>().unwrap().row_mut(y).unwrap().copy_from_slice(row);
        }
        Ok(())
    }
}

/// Adds what is kept between runs: 1, and 1 more before each run.
static KEEPING: TilingKernel =
    TilingKernel::new("keeping", &[TileImage::of::<u8>("src")], &[TileImage::of::<u8>("out")])
        .tile_memory(16)
        .kept_memory(3, |kept, _| kept.fill(1), Some(|kept, _| kept.iter_mut().for_each(|byte| *byte += 1)))
        .flexible(|tile| {
            let (src, mut out, kept) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?, tile.kept()[2]);
            tile.memory().fill(9);
            for y in 0..tile.height() {
                out.row_mut(y)?.iter_mut().zip(src.row(y, 0)?).for_each(|(out, src)| *out = src.wrapping_add(kept));
            }
            Ok(())
        });

#[test]
fn a_chain_of_every_kind_of_stage_runs_again_without_allocating() {
    let info = TensorInfo::of::<u8>(&[21, 37]).unwrap();
    let target = TensorInfo::of::<i32>(&[21, 37]).unwrap();
    let mut chain = ChainBuilder::new();
    let src = chain.input(info);
    let [kept] = chain.add_operator(Arc::new(KEEPING.operator()), &[src]).unwrap();
    let [reversed] = chain.add_operator(Arc::new(Reversed { said: 37 }), &[kept]).unwrap();
    let (inputs, outputs) = ([&info], [Some(&target)]);
    let plain = configure::<Plain>(&request(&inputs, &outputs, Border::Replicate)).unwrap();
    let [out] = chain.add(&plain, &[reversed]).unwrap();
    chain.output(out).unwrap();
    let counted = Arc::new(Counted::new(Heap));
    let whole = chain.compose(&Whole::immediate(counted.clone()).with_threads(3)).unwrap();

    let bytes: Vec<u8> = (0..37 * 21).map(|at| (at * 7) as u8).collect();
    let turned: Vec<u8> = bytes.chunks(37).flat_map(|row| row.iter().rev().map(|byte| byte.wrapping_add(2))).collect();
    let [mut expected, mut found] = [(); 2].map(|()| vec![0; 37 * 21]);
    let view = |bytes: &'static [u8]| View::from_slice(bytes, [21, 37]).unwrap();
    let (src, turned) = (view(bytes.leak()), view(turned.leak()));
    plain.run_reference(turned, ViewMut::from_slice(&mut expected, [21, 37]).unwrap()).unwrap();
    let inputs = [src.any()];
    let run = |scheduler: &dyn Scheduler, found: &mut [i32]| {
        found.fill(0);
        whole.run(scheduler, &inputs, &mut [ViewMut::from_slice(found, [21, 37]).unwrap().any()]).unwrap();
    };
    // The first run asks the processor what it can do; a pool starts its threads.
    run(&Rayon::new().with_grain(1), &mut found);
    assert_eq!(found, expected);
    let (asked, planned) = (ASKED.get(), counted.allocations());
    for _ in 0..3 {
        run(&Serial, &mut found);
        assert_eq!(found, expected);
    }
    assert_eq!((ASKED.get() - asked, counted.allocations() - planned), (0, 0), "allocations");
}

/// A kernel whose parts need more scratch than a processor can address.
struct Boundless(usize);

impl DynKernel for Boundless {
    fn name(&self) -> &str {
        "boundless"
    }

    fn window(&self) -> Window {
        Window::covering([0; 6], [4096, 64, 1, 1, 1, 1], (1, 1))
    }

    fn splits(&self) -> Splits {
        Splits::NONE.along(1, 1)
    }

    fn scratch_per_thread(&self) -> usize {
        self.0
    }

    unsafe fn run(&self, _: &Window, _: &mut ThreadInfo<'_>) -> Result<(), RunError> {
        panic!("it has no scratch");
    }
}

#[test]
fn more_scratch_than_there_can_be_is_refused() {
    let threads = Rayon::new().with_grain(1);
    let schedulers: [&dyn Scheduler; 2] = [&Serial, &threads];
    for bytes in [usize::MAX, usize::MAX - 62, usize::MAX - 63, usize::MAX / 2 + 1, isize::MAX as usize] {
        for scheduler in schedulers {
            let mut kernel = Boundless(bytes);
            let window = kernel.window();
            assert!(schedule::scratch_bytes(scheduler, &kernel) >= bytes);
            let refused = schedule::schedule_with_scratch(scheduler, &mut kernel, &window, &mut [0; 256]);
            assert!(matches!(refused, Err(RunError::Scratch { found: 256, expected }) if expected >= bytes), "{bytes}");
            let refused = schedule(scheduler, &mut kernel);
            assert!(matches!(refused, Err(RunError::Scratch { .. })), "{bytes}: {refused:?}");
        }
    }
}

#[test]
fn a_kernel_that_needs_more_scratch_than_its_code_says_is_refused() {
    let info = TensorInfo::of::<u8>(&[21, 37]).unwrap();
    let mut chain = ChainBuilder::new();
    let src = chain.input(info);
    let [out] = chain.add_operator(Arc::new(Reversed { said: 0 }), &[src]).unwrap();
    chain.output(out).unwrap();
    let whole = chain.compose(&Whole::immediate(Arc::new(Heap))).unwrap();
    let (bytes, mut reversed) = (vec![1u8; 37 * 21], vec![0u8; 37 * 21]);
    let src = View::from_slice(&bytes, [21, 37]).unwrap();
    let out = ViewMut::from_slice(&mut reversed, [21, 37]).unwrap();
    let error = RunError::Scratch { found: 0, expected: 64 + 63 };
    let refused = FunctionError::Run { kernel: "reversed".into(), error: error.into() };
    assert_eq!(whole.run(&Serial, &[src.any()], &mut [out.any()]), Err(refused));
}

#[test]
fn bands_keep_their_scratch_from_run_to_run() {
    let info = TensorInfo::of::<u8>(&[21, 37]).unwrap();
    let mut chain = ChainBuilder::new();
    let src = chain.input(info);
    let [kept] = chain.add_operator(Arc::new(KEEPING.operator()), &[src]).unwrap();
    let [again] = chain.add_operator(Arc::new(KEEPING.operator()), &[kept]).unwrap();
    chain.output(again).unwrap();
    let bands = chain.finish_in_bands(0).unwrap();
    let (bytes, mut found) = (vec![1u8; 37 * 21], vec![0u8; 37 * 21]);
    let inputs = [View::from_slice(&bytes, [21, 37]).unwrap().any()];
    let mut run = || {
        MOST.set(0);
        bands.run(&Serial, &inputs, &mut [ViewMut::from_slice(&mut found, [21, 37]).unwrap().any()]).unwrap();
        MOST.get()
    };
    let (first, second, scratch) = (run(), run(), bands.scratch_per_thread());
    assert!(first >= scratch && second < scratch, "{first} bytes at once, then {second}; a thread has {scratch}");
    assert!(found.iter().all(|byte| *byte == 5));
}
