//! Pools against a plain list, on blocks that are numbers; places against each other.

use super::super::{
    pool::{Demand, Exhausted, Pool, Pooled, Source, Tally},
    source::Wanted,
    *,
};
use proptest::prelude::*;
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};
use windrow_runtime::ElementType;

/// Blocks are their own numbers; a block takes what a driver would round it up to.
struct Numbers {
    next: Cell<u64>,
    refuse: Rc<Cell<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    NoMemory,
}

const GRAIN: u64 = 16;

impl Source for Numbers {
    type Demand = Wanted;
    type Block = u64;
    type Error = Refusal;

    fn make(&self, demand: &Wanted) -> Result<(u64, u64), Refusal> {
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

fn pool(bound: WasteBound) -> (Pool<Numbers>, Rc<Cell<u32>>) {
    let refuse = Rc::new(Cell::new(0));
    let source = Numbers { next: Cell::new(0), refuse: Rc::clone(&refuse) };
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
        let (pool, refuse) = pool(bound);
        let mut oracle = Oracle::default();
        // What is held: the guard, the size its block was made for, whether it goes back to the pool.
        let mut held: Vec<(Pooled<Numbers>, usize, bool)> = Vec::new();
        for step in steps {
            match step {
                Step::Acquire(size) => match oracle.best(size, bound) {
                    Some(found) => {
                        let guard = pool.acquire(&Wanted::Bytes(size)).map_err(|_| TestCaseError::fail("refused"))?;
                        let index = oracle.free.iter().position(|free| *free == (found, *guard));
                        prop_assert!(index.is_some(), "block {} is no free one of {found}", *guard);
                        oracle.free.remove(index.unwrap());
                        oracle.reused += 1;
                        held.push((guard, found, true));
                    }
                    None if refuse.get() > 0 => {
                        refuse.set(if oracle.free.is_empty() { 1 } else { 2 });
                        let Exhausted { error, resident } = pool.acquire(&Wanted::Bytes(size)).unwrap_err();
                        oracle.trim();
                        prop_assert_eq!((error, resident, refuse.get()), (Refusal::NoMemory, oracle.resident, 0));
                    }
                    None => {
                        held.push((pool.acquire(&Wanted::Bytes(size)).unwrap(), size, true));
                        oracle.make(size);
                    }
                },
                Step::Separate(size) => {
                    refuse.set(0);
                    let before = *pool.acquire_separate(&Wanted::Bytes(1)).unwrap();
                    oracle.make(1);
                    oracle.resident -= Oracle::bytes(1);
                    held.push((pool.acquire_separate(&Wanted::Bytes(size)).unwrap(), size, false));
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
        let (pool, _) = pool(WasteBound { percent: 1000, bytes: 0 });
        let demand = |size, exact| Wanted::Image { shape: shape(size), exact };
        let made: Vec<_> = sizes.iter().map(|&size| pool.acquire_separate(&demand(size, true)).unwrap()).collect();
        drop(made);
        let made: Vec<_> = sizes.iter().map(|&size| (size, pool.acquire(&demand(size, true)).unwrap())).collect();
        let of: BTreeMap<u64, (usize, usize)> = made.iter().map(|(size, guard)| (**guard, *size)).collect();
        drop(made);
        let found = pool.acquire(&demand((width, height), exact)).unwrap();
        prop_assert_eq!(of.get(&*found), Some(&(width, height)));
        // Another type of channel is another image.
        let other = Wanted::Image { shape: ImageShape { element: ElementType::F32, ..shape((1, 1)) }, exact: false };
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
