//! Kernels written by hand by the rules of the tiling extension: who computes what, on what memory, under any scheduler.

mod rules;

use proptest::prelude::*;
use windrow_runtime::{
    DynKernel, Rect, RunError, Scheduler, Serial, Tensor, TensorInfo,
    divide::{Bodies, Division, divide},
    format::{ColourRange, ColourSpace, Format},
    schedule::{Split, schedule},
    spec::NeighbourhoodSpec,
    tiling::{ConfiguredTiling, InvalidTiling, Tile, TileBorder, TileError, TileImage, TilingKernel, TilingRequest},
};

static SRC: [TileImage; 1] = [TileImage::of::<u8>("src")];
static OUT: [TileImage; 1] = [TileImage::of::<u8>("out")];

fn kernel() -> TilingKernel {
    TilingKernel::new("marks", &SRC, &OUT)
}

fn leak(kernel: TilingKernel) -> &'static TilingKernel {
    Box::leak(Box::new(kernel))
}

/// Writes `mark` to each element, none of which may have been written before, and uses all of its memory.
fn mark(tile: &mut Tile<'_>, mark: u8) -> Result<(), TileError> {
    let (columns, rows) = tile.blocks();
    let memory = tile.memory();
    if memory.len() != 3 * columns * rows {
        return Err(TileError::Refused { reason: "memory of another size" });
    }
    memory.fill(mark);
    let mut out = tile.output::<u8>(0)?;
    for y in 0..tile.height() {
        for element in out.row_mut(y)? {
            if core::mem::replace(element, mark) != 0 {
                return Err(TileError::Refused { reason: "an element in two tiles" });
            }
        }
    }
    if memory.iter().all(|byte| *byte == mark) { Ok(()) } else { Err(TileError::Refused { reason: "shared memory" }) }
}

fn mark_fast(tile: &mut Tile<'_>) -> Result<(), TileError> {
    // Every read of a fast tile lies in the image.
    let (src, around) = (tile.input::<u8>(0)?, tile.neighbourhood());
    for y in 0..tile.height() {
        for dy in around.top..=around.bottom {
            src.row(y, dy)?;
        }
    }
    if !tile.is_aligned() {
        return Err(TileError::Refused { reason: "a fast tile off the grid" });
    }
    mark(tile, b'f')
}

fn mark_flexible(tile: &mut Tile<'_>) -> Result<(), TileError> {
    mark(tile, b'x')
}

fn marked(
    configured: &mut ConfiguredTiling<'_>,
    scheduler: &dyn Scheduler,
    size: (usize, usize),
) -> Result<Vec<u8>, RunError> {
    let src = Tensor::<u8>::new([size.1, size.0]).unwrap();
    let mut out = Tensor::<u8>::new([size.1, size.0]).unwrap();
    schedule(scheduler, &mut configured.bind(&[src.view().any()], &mut [out.view_mut().any()])?)?;
    Ok(out.to_vec())
}

/// Splits into many parts, on threads.
struct Many(usize, usize);

impl Scheduler for Many {
    fn num_threads(&self) -> usize {
        self.0
    }

    fn run(&self, workers: usize, worker: &(dyn Fn(usize) + Sync)) -> Result<(), windrow_runtime::ScheduleError> {
        std::thread::scope(|scope| (0..workers).for_each(|index| drop(scope.spawn(move || worker(index)))));
        Ok(())
    }

    fn split(&self) -> Split {
        if self.1 == 0 { Split::Static } else { Split::Dynamic { parts: self.1 } }
    }

    fn grain(&self) -> usize {
        1
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn each_element_is_computed_once_by_whom_the_division_says(
        size in (1usize..50, 1usize..20),
        block in (1u32..18, 1u32..5),
        around in (-4i32..3, 0i32..5, -2i32..2, 0i32..3),
        functions in 0usize..3,
        self_bordered in any::<bool>(),
        tile in (1u32..4, 1u32..4),
        threads in 1usize..4,
        dynamic in 0usize..4,
    ) {
        let bodies = [Bodies::Fast, Bodies::Flexible, Bodies::Both][functions];
        let (left, right) = (around.0, around.0 + around.1);
        let (top, bottom) = (around.2, around.2 + around.3);
        let mut kernel = kernel().block(block.0, block.1).neighbourhood(left, right, top, bottom).tile_memory(3);
        if bodies != Bodies::Flexible {
            kernel = kernel.fast(mark_fast);
        }
        if bodies != Bodies::Fast {
            kernel = kernel.flexible(mark_flexible);
        }
        if self_bordered {
            kernel = kernel.border(TileBorder::SelfBordered);
        }
        let info = TensorInfo::of::<u8>(&[size.1, size.0]).unwrap();
        let configured = leak(kernel).configure(&TilingRequest::new(&[&info], &[&info]), &mut []);
        if self_bordered && bodies == Bodies::Fast {
            prop_assert_eq!(configured.map(drop), Err(InvalidTiling::NoFlexible { kernel: "marks" }));
            return Ok(());
        }
        let mut configured = configured.unwrap().with_tile(tile).unwrap();
        let found = marked(&mut configured, &Many(threads, dynamic), size).unwrap();
        let parts = divide(&Division {
            width: size.0,
            height: size.1,
            block,
            neighbourhood: NeighbourhoodSpec { left, right, top, bottom },
            self_bordered,
            bodies,
        }).unwrap();
        let valid = configured.valid_region().plane();
        for (index, found) in found.iter().enumerate() {
            let (x, y) = (index % size.0, index / size.0);
            let flexible = parts.flexible.iter().any(|rect| rect.contains(x, y));
            let expect = if parts.fast.contains(x, y) { b'f' } else if flexible { b'x' } else { 0 };
            prop_assert_eq!(*found, expect, "({}, {}) of {:?}", x, y, parts);
            prop_assert_eq!(valid.contains(x, y), expect != 0);
        }
    }
}

#[test]
fn a_flexible_function_alone_gets_aligned_tiles_for_most_pixels() {
    for (size, block, least) in
        [((640, 480), (16, 1), 0.90), ((640, 480), (4, 4), 0.95), ((1920, 1080), (16, 16), 0.95)]
    {
        for border in [TileBorder::Undefined, TileBorder::SelfBordered] {
            let info = TensorInfo::of::<u8>(&[size.1, size.0]).unwrap();
            let kernel = kernel().block(block.0, block.1).neighbourhood(-1, 1, -1, 1).border(border);
            let kernel = leak(kernel.flexible(mark_flexible));
            let configured = kernel.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
            let (mut aligned, mut all) = (0, 0);
            for (rect, fast) in configured.tiles(Rect::new(0, 0, size.0, size.1)) {
                assert!(!fast);
                let whole = |at: usize, block: u32| at.is_multiple_of(block as usize);
                let on_grid = whole(rect.x0, block.0)
                    && whole(rect.x1, block.0)
                    && whole(rect.y0, block.1)
                    && whole(rect.y1, block.1);
                aligned += if on_grid { rect.area() } else { 0 };
                all += rect.area();
            }
            assert!(
                aligned as f64 >= least * (size.0 * size.1) as f64,
                "{aligned} of {all} at {size:?} {block:?} {border}"
            );
        }
    }
}

#[test]
fn a_tile_gives_access_to_nothing_else() {
    fn probe(tile: &mut Tile<'_>) -> Result<(), TileError> {
        let src = tile.input::<u8>(0)?;
        let edge = tile.x() == 0;
        assert_eq!(src.at(0, 0, -1, 0).is_none(), edge, "left of the image");
        assert_eq!(src.row(0, 0).is_err(), edge || tile.x() + tile.width() == tile.image_width());
        assert!(src.at(0, 0, 2, 0).is_none() && src.at(0, 0, 0, 1).is_none(), "outside the neighbourhood");
        assert!(src.at(tile.width(), 0, 0, 0).is_none() && src.row(tile.height(), 0).is_err());
        assert!(matches!(tile.input::<i8>(0), Err(TileError::Element { name: "src", .. })));
        assert!(matches!(tile.input::<u8>(1), Err(TileError::NoImage { index: 1, declared: 1 })));
        let mut out = tile.output::<u8>(0)?;
        assert!(matches!(tile.output::<u8>(0), Err(TileError::Taken { name: "out" })));
        assert!(out.set(0, 0, 1) && !out.set(tile.width(), 0, 1) && !out.set(0, tile.height(), 1));
        Ok(())
    }
    let info = TensorInfo::of::<u8>(&[3, 12]).unwrap();
    let kernel = kernel().block(4, 1).neighbourhood(-1, 1, 0, 0).border(TileBorder::SelfBordered);
    let configured = leak(kernel.flexible(probe)).configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
    let found = marked(&mut configured.with_tile((1, 1)).unwrap(), &Serial, (12, 3)).unwrap();
    assert_eq!(found.iter().filter(|mark| **mark == 1).count(), 9);
}

#[test]
fn every_element_of_a_tile_is_found_by_its_coordinates() {
    fn probe(tile: &mut Tile<'_>) -> Result<(), TileError> {
        let src = tile.input::<u8>(0)?;
        let (width, height) = (tile.image_width() as i32, tile.image_height() as i32);
        for (y, x) in (0..tile.height()).flat_map(|y| (0..tile.width()).map(move |x| (y, x))) {
            for (dy, dx) in (-1..=2).flat_map(|dy| (-2..=1).map(move |dx| (dy, dx))) {
                let (column, row) = ((tile.x() + x) as i32 + dx, (tile.y() + y) as i32 + dy);
                let inside = (0..width).contains(&column) && (0..height).contains(&row);
                assert_eq!(
                    src.at(x, y, dx, dy),
                    inside.then_some((16 * row + column) as u8),
                    "({x} + {dx}, {y} + {dy})"
                );
            }
        }
        let (x, y) = (tile.width(), tile.height());
        let beyond = [(x, 0, 0, 0), (x, 0, -1, 0), (0, y, 0, 0), (0, y, 0, -1)];
        let outside = [(0, 0, -3, 0), (0, 0, 2, 0), (0, 0, 0, -2), (0, 0, 0, 3)];
        assert!(beyond.into_iter().chain(outside).all(|(x, y, dx, dy)| src.at(x, y, dx, dy).is_none()));
        Ok(())
    }
    let (src, mut out) =
        (Tensor::from_fn([9, 12], |[y, x]| (16 * y + x) as u8).unwrap(), Tensor::new([9, 12]).unwrap());
    let kernel = kernel().block(3, 2).neighbourhood(-2, 1, -1, 2).border(TileBorder::SelfBordered).flexible(probe);
    let request = [src.info()];
    let configured = leak(kernel).configure(&TilingRequest::new(&request, &request), &mut []).unwrap();
    let mut configured = configured.with_tile((2, 1)).unwrap();
    let mut outputs = [Tensor::<u8>::view_mut(&mut out).any()];
    schedule(&Serial, &mut configured.bind(&[src.view().any()], &mut outputs).unwrap()).unwrap();
}

#[test]
fn every_attribute_can_be_asked_for() {
    fn probe(tile: &mut Tile<'_>) -> Result<(), TileError> {
        let (src, mut out) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?);
        let attributes = src.attributes();
        assert_eq!((attributes.width, attributes.height, attributes.planes), (14, 6, 1));
        assert_eq!(attributes.format, Some(Format::U8));
        assert_eq!((attributes.range, attributes.space), (ColourRange::Restricted, ColourSpace::Bt709));
        assert_eq!(out.attributes(), attributes);
        assert_eq!(
            (src.strides(), out.strides(), src.scale(), out.scale()),
            ((1, 14), (1, 14), (1024, 1024), (1024, 1024))
        );
        assert_eq!(
            (src.dimensions(), out.dimensions()),
            ((tile.width(), tile.height()), (tile.width(), tile.height()))
        );
        // SAFETY: the tile's first element.
        assert_eq!(src.at(0, 0, 0, 0), Some(unsafe { src.base().read() }));
        assert_eq!(out.base(), out.row_mut(0)?.as_mut_ptr());
        assert_eq!((tile.block(), tile.image_width(), tile.image_height()), ((4, 2), 14, 6));
        assert_eq!((tile.kept(), tile.uniform::<i16>(0)), (&[7u8, 7, 7][..], -3));
        Ok(())
    }
    let kernel = kernel().block(4, 2).neighbourhood(-1, 2, 0, 1).tile_memory(5).uniforms(1).flexible(probe);
    let kernel = leak(kernel.kept_memory(3, |kept, _| kept.fill(7), None));
    let around = NeighbourhoodSpec { left: -1, right: 2, top: 0, bottom: 1 };
    assert_eq!((kernel.name(), kernel.input_neighbourhood()), ("marks", around));
    assert_eq!((kernel.output_tile_block(), kernel.input_tile_block()), ((4, 2), (4, 2)));
    assert_eq!(kernel.output_neighbourhood(), NeighbourhoodSpec::default());
    assert_eq!(
        (kernel.border_mode(), kernel.tile_memory_size(), kernel.kept_memory_size()),
        (TileBorder::Undefined, 5, 3)
    );
    let info = TensorInfo::of::<u8>(&[6, 14]).unwrap();
    let images = [&info];
    let request = TilingRequest {
        words: &[-3i16 as u32],
        range: ColourRange::Restricted,
        space: ColourSpace::Bt709,
        ..TilingRequest::new(&images, &images)
    };
    let mut kept = [0; 3];
    let mut configured = kernel.configure(&request, &mut kept).unwrap().with_tile((2, 3)).unwrap();
    assert_eq!((configured.greatest_tile_memory(), configured.kernel().name()), (30, "marks"));
    assert_eq!(configured.kept(), [7; 3]);
    marked(&mut configured, &Serial, (14, 6)).unwrap();
}

/// A frame number that the kernel keeps, and a table that it prepares once.
#[test]
fn memory_is_kept_between_runs() {
    fn table(kept: &mut [u8], words: &[u32]) {
        kept.iter_mut().enumerate().for_each(|(index, byte)| *byte = (index as u32 * words[0]) as u8);
        kept[0] = 0;
    }
    fn count(kept: &mut [u8], words: &[u32]) {
        assert_eq!(words, [20]);
        kept[0] += 1;
    }
    fn body(tile: &mut Tile<'_>) -> Result<(), TileError> {
        let (kept, mut out) = (tile.kept(), tile.output::<u8>(0)?);
        (0..tile.height()).try_for_each(|y| out.row_mut(y).map(|row| row.fill(kept[0] + kept[3])))
    }
    let kernel = leak(kernel().uniforms(1).flexible(body).kept_memory(4, table, Some(count)));
    let info = TensorInfo::of::<u8>(&[2, 5]).unwrap();
    let images = [&info];
    let mut kept = [0; 4];
    let request = TilingRequest { words: &[20], ..TilingRequest::new(&images, &images) };
    let mut configured = kernel.configure(&request, &mut kept).unwrap();
    for run in 1..4 {
        assert_eq!(marked(&mut configured, &Serial, (5, 2)).unwrap(), [60 + run; 10]);
    }
    configured.kept_mut()[0] = 9;
    assert_eq!(marked(&mut configured, &Many(2, 0), (5, 2)).unwrap(), [70; 10]);
}

#[test]
fn a_kernel_of_one_function_is_a_kernel_like_any() {
    fn fails(_: &mut Tile<'_>) -> Result<(), TileError> {
        Err(TileError::Refused { reason: "not today" })
    }
    let info = TensorInfo::of::<u8>(&[9, 33]).unwrap();
    let kernel = leak(kernel().block(16, 2).fast(fails));
    let mut configured = kernel.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
    assert_eq!(configured.window().to_string(), "0..48/16×0..10/2");
    let (src, mut out) = (Tensor::<u8>::new([9, 33]).unwrap(), Tensor::<u8>::new([9, 33]).unwrap());
    let mut outputs = [out.view_mut().any()];
    let mut bound = configured.bind(&[src.view().any()], &mut outputs).unwrap();
    assert_eq!((bound.name(), bound.scratch_per_thread()), ("marks", 0));
    let error = schedule(&Serial, &mut bound).unwrap_err();
    assert_eq!(error.to_string(), "a tile of `marks`: not today");
}
