//! Pools against a plain list, on blocks that are numbers; sizes against recorded ones; and all of it on a device.

use super::{
    demand::{Bytes, Pixels},
    mode::check_image,
    pool::{Exhausted, Pool, Pooled, Source, Tally},
    *,
};
use crate::{
    ElementType,
    memory::{Exhaustion, Lifetime, Planner},
    opencl::{
        Buffer, Call, Context, ContextOptions, DeviceCaps, Devices, Driver, OpenClError,
        device::{number, recorded},
        driver::{Handle, MemoryObject},
    },
};
use opencl3::memory::CL_MEM_SIZE;
use proptest::prelude::*;
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    vec::Vec,
};

/// Blocks are their own numbers; a block takes what a driver would round it up to.
struct Numbers<D> {
    next: Cell<u64>,
    refuse: Rc<Cell<u32>>,
    demand: std::marker::PhantomData<D>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    NoMemory,
}

const GRAIN: u64 = 16;

impl<D: pool::Demand> Source for Numbers<D> {
    type Demand = D;
    type Block = u64;
    type Error = Refusal;

    fn make(&self, demand: &D) -> Result<(u64, u64), Refusal> {
        if self.refuse.get() > 0 {
            self.refuse.set(self.refuse.get() - 1);
            return Err(Refusal::NoMemory);
        }
        self.next.set(self.next.get() + 1);
        Ok((self.next.get(), demand.bytes().next_multiple_of(GRAIN)))
    }

    fn is_exhaustion(Refusal::NoMemory: &Refusal) -> bool {
        true
    }
}

fn pool<D: pool::Demand>(bound: WasteBound) -> (Pool<Numbers<D>>, Rc<Cell<u32>>) {
    let refuse = Rc::new(Cell::new(0));
    let source = Numbers { next: Cell::new(0), refuse: Rc::clone(&refuse), demand: std::marker::PhantomData };
    (Pool::new(source, bound, true, Arc::new(Tally::default())), refuse)
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Acquire(usize),
    Separate(usize),
    Drop(usize),
    Trim,
    Refuse,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1usize..400).prop_map(Step::Acquire),
        1 => (1usize..400).prop_map(Step::Separate),
        4 => (0usize..20).prop_map(Step::Drop),
        1 => Just(Step::Trim),
        1 => Just(Step::Refuse),
    ];
    prop::collection::vec(step, 0..80)
}

/// What the pool should hold: (size that it was made for, the block's number) of each free block.
#[derive(Default)]
struct Oracle {
    free: Vec<(usize, u64)>,
    made: u64,
    reused: u64,
    peak: u64,
    resident: u64,
}

impl Oracle {
    fn bytes(size: usize) -> u64 {
        (size as u64).div_ceil(GRAIN) * GRAIN
    }

    /// The size of the free block that serves `size`.
    fn best(&self, size: usize, bound: WasteBound) -> Option<usize> {
        let fits = |found: usize| found >= size && bound.allows((found - size) as u64, size as u64);
        self.free.iter().map(|(found, _)| *found).filter(|found| fits(*found)).min()
    }

    fn trim(&mut self) {
        self.resident -= self.free.iter().map(|(size, _)| Oracle::bytes(*size)).sum::<u64>();
        self.free.clear();
    }

    fn make(&mut self, size: usize) {
        self.made += 1;
        self.resident += Oracle::bytes(size);
        self.peak = self.peak.max(self.resident);
    }
}

proptest! {
    #[test]
    fn a_pool_does_what_a_list_would(steps in steps(), percent in 0u32..200, bytes in 0u64..64) {
        let bound = WasteBound { percent, bytes };
        let (pool, refuse) = pool::<Bytes>(bound);
        let mut oracle = Oracle::default();
        // What is held: the guard, the size its block was made for, whether it goes back to the pool.
        let mut held: Vec<(Pooled<Numbers<Bytes>>, usize, bool)> = Vec::new();
        for step in steps {
            match step {
                Step::Acquire(size) => match oracle.best(size, bound) {
                    Some(found) => {
                        let guard = pool.acquire(&Bytes(size)).map_err(|_| TestCaseError::fail("refused"))?;
                        let index = oracle.free.iter().position(|free| *free == (found, *guard));
                        prop_assert!(index.is_some(), "block {} is no free one of {found}", *guard);
                        oracle.free.remove(index.unwrap());
                        oracle.reused += 1;
                        held.push((guard, found, true));
                    }
                    None if refuse.get() > 0 => {
                        refuse.set(if oracle.free.is_empty() { 1 } else { 2 });
                        let Exhausted { error, resident } = pool.acquire(&Bytes(size)).unwrap_err();
                        oracle.trim();
                        prop_assert_eq!((error, resident, refuse.get()), (Refusal::NoMemory, oracle.resident, 0));
                    }
                    None => {
                        held.push((pool.acquire(&Bytes(size)).unwrap(), size, true));
                        oracle.make(size);
                    }
                },
                Step::Separate(size) => {
                    refuse.set(0);
                    let before = *pool.acquire_separate(&Bytes(1)).unwrap();
                    oracle.make(1);
                    oracle.resident -= Oracle::bytes(1);
                    held.push((pool.acquire_separate(&Bytes(size)).unwrap(), size, false));
                    oracle.make(size);
                    prop_assert!(*held.last().unwrap().0 > before);
                }
                Step::Drop(index) if index < held.len() => {
                    let (guard, size, back) = held.swap_remove(index);
                    if back { oracle.free.push((size, *guard)) } else { oracle.resident -= Oracle::bytes(size) }
                }
                Step::Drop(_) => {}
                Step::Trim => {
                    let free: u64 = oracle.free.iter().map(|(size, _)| Oracle::bytes(*size)).sum();
                    oracle.trim();
                    prop_assert_eq!(pool.trim(), free);
                }
                Step::Refuse => refuse.set(1),
            }
            let owners: BTreeSet<u64> = held.iter().map(|(guard, ..)| **guard).collect();
            prop_assert_eq!(owners.len(), held.len(), "a block has two owners");
            let live: u64 = held.iter().map(|(_, size, _)| Oracle::bytes(*size)).sum();
            let Oracle { made, reused, peak, resident, .. } = oracle;
            let expected = PoolCounters { resident, live, free: resident - live, peak, made, reused };
            prop_assert_eq!(pool.counters(), expected);
        }
        // Blocks outlive their pool.
        drop(pool);
        held.iter().for_each(|(guard, size, _)| assert_eq!(guard.bytes(), Oracle::bytes(*size)));
    }

    #[test]
    fn an_image_that_fits_exactly_is_taken(
        sizes in prop::collection::vec((1usize..9, 1usize..9), 1..12),
        at in 0usize..12,
        exact: bool,
    ) {
        let (width, height) = sizes[at % sizes.len()];
        let shape = |(width, height)| ImageShape { width, height, element: ElementType::U8, channels: ImageChannels::Four };
        let (pool, _) = pool::<Pixels>(WasteBound { percent: 1000, bytes: 0 });
        let demand = |size, exact| Pixels { shape: shape(size), exact };
        let made: Vec<_> = sizes.iter().map(|&size| pool.acquire_separate(&demand(size, true)).unwrap()).collect();
        drop(made);
        let made: Vec<_> = sizes.iter().map(|&size| (size, pool.acquire(&demand(size, true)).unwrap())).collect();
        let of: BTreeMap<u64, (usize, usize)> = made.iter().map(|(size, guard)| (**guard, *size)).collect();
        drop(made);
        let found = pool.acquire(&demand((width, height), exact)).unwrap();
        prop_assert_eq!(of.get(&*found), Some(&(width, height)));
        // Another type of channel is another image.
        let other = Pixels { shape: ImageShape { element: ElementType::F32, ..shape((1, 1)) }, exact: false };
        prop_assert!(!of.contains_key(&*pool.acquire(&other).unwrap()));
    }

    #[test]
    fn packed_places_are_distinct_and_fill_their_buffer(n in 1usize..3, c in 1usize..10, h in 1usize..4, w in 1usize..4) {
        let tensor = Tensor4 { n, c, h, w };
        let mut places = BTreeSet::new();
        for index in 0..n * c * h * w {
            let (x, y, channel) = (index % w, index / w % h, index / (w * h) % c);
            let batch = index / (w * h * c);
            let place = tensor.offset(batch, channel, y, x).unwrap();
            prop_assert!(places.insert(place));
            // The same pixel of the image: planes side by side, batches below each other.
            let image = tensor.image(ElementType::F32).unwrap();
            let [left, top] = tensor.place(batch, channel / 4);
            prop_assert!(left + x < image.width && top + y < image.height);
        }
        let packed = tensor.groups() * 4 * n * h * w;
        prop_assert!(places.last().unwrap() < &packed);
        prop_assert!(Packing::ByFours.elements(tensor).unwrap() >= packed);
        prop_assert!(Packing::ByEights.elements(tensor) >= Packing::ByFours.elements(tensor).map(|size| size - 1));
        prop_assert_eq!(Packing::Plain.elements(tensor), Some((n * c * h * w).div_ceil(4) * 4));
    }
}

#[test]
fn sizes_are_those_recorded() {
    let tensor = Tensor4 { n: 1, c: 3, h: 5, w: 7 };
    let elements = Packing::ALL.map(|packing| packing.elements(tensor));
    assert_eq!(elements, [Some(384), Some(244), Some(108)]);
    assert_eq!(Packing::ByEights.bytes(tensor, ElementType::F32), Some(4 * 384));
    assert_eq!((Packing::vector_elements(9), Packing::vector_elements(usize::MAX)), (Some(12), None));
    let image = tensor.image(ElementType::U8).unwrap();
    assert_eq!((image.width, image.height, image.bytes()), (7, 5, 140));
    let two = Tensor4 { n: 2, c: 5, h: 3, w: 4 };
    let image = two.image(ElementType::I16).unwrap();
    assert_eq!((image.width, image.height, two.place(1, 1)), (8, 6, [4, 3]));
    let vast = Tensor4 { n: usize::MAX, c: 9, h: 1, w: usize::MAX };
    assert_eq!((Packing::ALL.map(|packing| packing.elements(vast)), vast.image(ElementType::U8)), ([None; 3], None));
}

#[test]
fn forms_follow_from_what_is_known_of_a_device() {
    let small = ImageShape { width: 64, height: 64, element: ElementType::U8, channels: ImageChannels::Four };
    let wide = ImageShape { width: 16385, ..small };
    let (mali, adreno) = (recorded::mali(), recorded::adreno());
    let blind = DeviceCaps { images: None, ..recorded::adreno() };
    let rows = [
        (MemMode::Auto, &mali, small, Some((MemForm::Buffer, Reason::Family))),
        (MemMode::Auto, &adreno, small, Some((MemForm::Image, Reason::Family))),
        (MemMode::Auto, &adreno, wide, Some((MemForm::Buffer, Reason::TooLarge))),
        (MemMode::Auto, &blind, small, Some((MemForm::Buffer, Reason::NoImages))),
        (MemMode::Image, &mali, small, Some((MemForm::Image, Reason::Asked))),
        (MemMode::Image, &mali, wide, None),
        (MemMode::Image, &blind, small, None),
        (MemMode::Buffer, &adreno, small, Some((MemForm::Buffer, Reason::Asked))),
    ];
    for (mode, caps, image, expected) in rows {
        assert_eq!(mode.choose(caps, &[image]).ok(), expected, "{mode} on {}", caps.name);
    }
    let error = MemMode::Image.choose(&mali, &[wide]).unwrap_err();
    assert_eq!(error.to_string(), "an image of 16385×64 pixels, the device takes 1×1 to 16384×16384");
    assert!(MemMode::Image.choose(&blind, &[]).unwrap_err().is_absence());
    assert!(check_image(&mali, &ImageShape { height: 0, ..small }).is_err());
}

fn memory() -> Option<(Driver, DeviceMemory)> {
    memory_with(&ContextOptions::default())
}

fn memory_with(options: &ContextOptions) -> Option<(Driver, DeviceMemory)> {
    let driver = Driver::new();
    let context =
        Devices::find_with(&driver).and_then(|devices| Context::with_options(&driver, devices.choose()?, options));
    match context {
        Ok(context) => Some((driver, DeviceMemory::new(&context))),
        Err(error) if error.is_absence() => {
            std::eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

const SHAPE: ImageShape = ImageShape { width: 6, height: 4, element: ElementType::U8, channels: ImageChannels::Four };

#[test]
fn counters_are_the_sum_of_the_drivers_sizes() {
    let Some((driver, memory)) = memory() else { return };
    let sizes = [1, 100, 5000, 70_000];
    let buffers: Vec<Buffer> = sizes
        .into_iter()
        .zip(Storage::ALL.into_iter().cycle())
        .map(|(size, storage)| memory.buffer(size, storage).unwrap())
        .collect();
    let images: Vec<Image2d> = Storage::ALL.map(|storage| memory.image(SHAPE, storage).unwrap()).into();
    let size = |handle: &Handle<MemoryObject>| number(&driver.memory_info(handle, CL_MEM_SIZE).unwrap()).unwrap();
    let all = buffers.iter().map(|buffer| size(buffer.memory())).chain(images.iter().map(|image| size(image.handle())));
    let live: u64 = all.sum();
    assert_eq!(memory.counters(), PoolCounters { resident: live, live, free: 0, peak: live, made: 7, reused: 0 });
    let separate = size(buffers[2].memory()) + size(images[2].handle());
    drop((images, buffers));
    let free = live - separate;
    assert_eq!(memory.counters(), PoolCounters { resident: free, live: 0, free, peak: live, made: 7, reused: 0 });
    // The pools of what stays and of what passes do not mix.
    let again = memory.buffer(1, Storage::Static).unwrap();
    assert_eq!((again.len(), memory.counters().reused), (1, 1));
    drop(memory.buffer(1, Storage::Dynamic).unwrap());
    assert_eq!((memory.counters().made, memory.counters().reused), (7, 2));
    let made = driver.counters().allocations();
    drop(again);
    memory.trim();
    assert_eq!((memory.counters().resident, driver.counters().allocations()), (0, made));
    drop(memory);
    assert_eq!((driver.counters().live(), driver.counters().failed_releases()), (0, 0));
}

#[test]
fn memory_that_is_not_in_use_goes_back_at_once_where_asked() {
    let options = ContextOptions { hints: std::vec![Hint::LowMemory], ..Default::default() };
    let Some((driver, memory)) = memory_with(&options) else { return };
    drop((memory.buffer(100, Storage::Static).unwrap(), memory.buffer(100, Storage::Dynamic).unwrap()));
    assert_eq!((memory.counters().resident, memory.counters().made), (0, 2));
    drop(memory.image(SHAPE, Storage::Dynamic).unwrap());
    drop(memory);
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn exhaustion_is_an_error_and_the_next_call_works() {
    const ALLOCATION_FAILURE: i32 = -4;
    const INVALID_VALUE: i32 = -30;
    let Some((driver, memory)) = memory() else { return };
    let held = memory.buffer(1000, Storage::Dynamic).unwrap();
    let resident = memory.counters().resident;
    driver.fail(Call::CreateBuffer, 0, ALLOCATION_FAILURE);
    let error = memory.buffer(9000, Storage::Dynamic).unwrap_err();
    assert!(
        matches!(&error, OpenClError::OutOfMemory { bytes: 9000, resident: found, .. } if *found == resident),
        "{error}"
    );
    driver.fail(Call::CreateImage, 0, ALLOCATION_FAILURE);
    assert!(matches!(memory.image(SHAPE, Storage::Dynamic), Err(OpenClError::OutOfMemory { .. })));
    // A failure of another kind keeps its name.
    driver.fail(Call::CreateBuffer, 0, INVALID_VALUE);
    assert!(matches!(memory.buffer(9000, Storage::Dynamic), Err(OpenClError::Call { code: INVALID_VALUE, .. })));
    driver.fail(Call::GetMemoryInfo, 0, INVALID_VALUE);
    assert!(memory.buffer(9000, Storage::Dynamic).is_err());
    assert_eq!(memory.counters().resident, resident);
    drop(memory.buffer(9000, Storage::Dynamic).unwrap());
    // Free blocks go back before the driver is asked again.
    driver.fail(Call::CreateBuffer, 0, ALLOCATION_FAILURE);
    let larger = memory.buffer(90_000, Storage::Dynamic).unwrap();
    assert_eq!(memory.counters().free, 0);
    larger.write(89_999, &[7]).unwrap();
    drop((memory, held, larger));
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn parts_share_their_whole_and_keep_it_alive() {
    let Some((driver, memory)) = memory() else { return };
    let manager = DeviceManager::new(&memory, Planner::Offsets);
    let (alignment, whole) = (manager.alignment(), Arc::new(memory.buffer(1 << 16, Storage::Dynamic).unwrap()));
    let part = Arc::new(Buffer::part(&whole, alignment, 64).unwrap());
    part.write(3, &[1, 2, 3]).unwrap();
    let mut found = [0; 3];
    whole.read(alignment + 3, &mut found).unwrap();
    assert_eq!(found, [1, 2, 3]);
    let error = Buffer::part(&whole, alignment + 1, 8).unwrap_err();
    assert!(matches!(error, OpenClError::Misaligned { .. }), "{error}");
    assert!(matches!(Buffer::part(&whole, 1 << 16, 1), Err(OpenClError::OutOfRange { .. })));
    // A part of a part is one of the whole.
    let inner = Buffer::part(&part, 0, 8).unwrap();
    assert_eq!(inner.place(), (whole.place().0, alignment));
    drop((whole, part));
    assert!(memory.counters().live > 0);
    inner.read(3, &mut found).unwrap();
    assert_eq!(found, [1, 2, 3]);
    drop(inner);
    assert_eq!(memory.counters().live, 0);
    drop((manager, memory));
    assert_eq!(driver.counters().live(), 0);
}

#[test]
fn plans_are_served_with_parts_that_are_made_once() {
    let Some((driver, memory)) = memory() else { return };
    for planner in Planner::ALL {
        let manager = DeviceManager::new(&memory, planner);
        let claim = |size, first, last| Lifetime { size, alignment: 1, first, last };
        let plan = manager.plan(&[claim(1000, 0, 1), claim(300, 1, 2), claim(900, 2, 3), claim(0, 3, 3)]);
        assert!(manager.acquire(&plan, Exhaustion::Error).is_err());
        manager.populate(1).unwrap();
        let mut made = None;
        for _ in 0..3 {
            let mut acquired = manager.acquire(&plan, Exhaustion::Error).unwrap();
            let [first, second, third, last] =
                [(0, 1000), (1, 300), (2, 900), (3, 0)].map(|(index, size)| acquired.part(&plan, index, size).unwrap());
            first.write(0, &[5; 1000]).unwrap();
            second.write(0, &[6; 300]).unwrap();
            assert_ne!(first.place(), second.place());
            third.write(0, &[7; 900]).unwrap();
            let mut found = [0; 300];
            second.read(0, &mut found).unwrap();
            assert_eq!(found, [6; 300]);
            last.write(0, &[8]).unwrap();
            assert!(plan.size() < 1000 + 300 + 900 + 4 * manager.alignment());
            let allocations = driver.counters().allocations();
            assert_eq!(*made.get_or_insert(allocations), allocations, "{planner}: a later run allocates");
            assert!(manager.populate(1).is_err() && manager.counters().live == plan.size());
        }
        manager.clear().unwrap();
        assert_eq!(memory.counters().live, 0);
    }
}

#[test]
fn pixels_come_back_and_boxes_keep_to_their_image() {
    let Some((_, memory)) = memory() else { return };
    if memory.context().device().images.is_none() {
        return;
    }
    let image = memory.image(SHAPE, Storage::Dynamic).unwrap();
    let pixels: Vec<u8> = (0..96).collect();
    image.write(&pixels).unwrap();
    let mut found = std::vec![0; 96];
    image.read(&mut found).unwrap();
    assert_eq!(found, pixels);
    // A box of 2×3 pixels goes to a buffer and to another place.
    let buffer = memory.buffer(64, Storage::Dynamic).unwrap();
    image.copy_to([1, 1], [2, 3], &buffer, 16).unwrap();
    image.copy_from([4, 0], [2, 3], &buffer, 16).unwrap();
    image.read(&mut found).unwrap();
    let at = |x: usize, y: usize| (y * 6 + x) * 4;
    assert_eq!(found[at(4, 0)..at(6, 0)], pixels[at(1, 1)..at(3, 1)]);
    assert!(matches!(image.copy_from([5, 0], [2, 1], &buffer, 0), Err(OpenClError::OutsideImage { x: 5, .. })));
    assert!(matches!(image.copy_to([0, 0], [6, 4], &buffer, 0), Err(OpenClError::OutOfRange { .. })));
    assert!(image.write(&pixels[1..]).is_err());
    let limits = memory.context().device().images.unwrap();
    let wide = ImageShape { width: limits.width as usize + 1, ..SHAPE };
    assert!(matches!(memory.image(wide, Storage::Dynamic), Err(OpenClError::ImageSize { .. })));
}
