//! A thousand random pipelines, several at a time, on random threads, splits, pools and bands: each equal to its kernels' own
//! references, and no byte kept at the end.

#![cfg(not(miri))]

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

use crate::common::{chains::*, threads::Threads};
use windrow::testing::Counted;
use windrow_runtime::{
    AnyViewMut, Rayon, Scheduler, Serial, Split, Tensor,
    band::InBands,
    function::{ChainBuilder, Composite, Function, Whole},
    memory::{Allocator, Heap, MemoryManager, Planner},
};

/// Pipelines, and those that run at a time.
const PIPELINES: usize = 1000;
const AT_ONCE: usize = 4;

/// A generator (splitmix): the same number draws the same pipeline.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

fn scheduler<'p>(random: &mut Random, pools: &'p [rayon::ThreadPool]) -> Box<dyn Scheduler + Send + Sync + 'p> {
    let split = [Split::Static, Split::DYNAMIC, Split::Dynamic { parts: 9 }][random.below(3)];
    match random.below(4) {
        0 => Box::new(Serial),
        1 => Box::new(Threads(1 + random.below(4), split)),
        _ => {
            let rayon = Rayon::on(&pools[random.below(pools.len())]).with_grain(1).with_split(split);
            rayon.set_num_threads(random.below(6));
            Box::new(rayon)
        }
    }
}

/// The chain, with its intermediates somewhere; the manager that it draws on.
fn compose(
    random: &mut Random,
    builder: ChainBuilder,
    allocator: &Arc<dyn Allocator>,
) -> (Composite, Option<Arc<MemoryManager>>) {
    match random.below(5) {
        0 => (builder.compose(&Whole::immediate(allocator.clone())).unwrap(), None),
        1 | 2 => (builder.compose(&InBands { cache: random.below(20_000) }).unwrap(), None),
        kind => {
            let planner = [Planner::Arena, Planner::Pooled][kind - 3];
            let manager = Arc::new(MemoryManager::new(planner));
            let composite = builder.compose(&Whole::managed(manager.clone())).unwrap();
            manager.populate(allocator.clone(), 1 + random.below(3)).unwrap();
            (composite, Some(manager))
        }
    }
}

fn views(canvases: &mut [Tensor<u8>]) -> Vec<AnyViewMut<'_>> {
    canvases.iter_mut().map(|canvas| canvas.view_mut().any()).collect()
}

/// One pipeline, run by several threads at once.
fn pipeline(number: usize, pools: &[rayon::ThreadPool], allocator: &Arc<dyn Allocator>) {
    let random = &mut Random(number as u64);
    let extents = vec![1 + random.below(70), 1 + random.below(90), 1 + random.below(2)];
    let mut step = || (random.below(9), random.below(8), random.below(8), random.below(6), random.below(3) == 0);
    let steps = (0..1 + number % 7).map(|_| step()).collect();
    let sources = sources(&extents, number);
    let built = build(&Choices { extents, steps }, &sources);
    let canvases = built.canvases();
    let (composite, manager) = compose(random, built.builder, allocator);
    let inputs = [sources[0].view().any(), sources[1].view().any()];
    thread::scope(|scope| {
        for _ in 0..1 + random.below(3) {
            let (scheduler, mut found) = (scheduler(random, pools), canvases.clone());
            let (composite, inputs, expect) = (&composite, &inputs, &built.expect);
            scope.spawn(move || {
                composite.run(&*scheduler, inputs, &mut views(&mut found)).unwrap();
                Built::check(expect, &found);
            });
        }
    });
    if let Some(manager) = manager {
        assert_eq!(manager.counters().live, 0, "pipeline {number}");
        manager.clear().unwrap();
    }
}

#[test]
fn a_thousand_random_pipelines_are_right_and_leave_nothing() {
    let counted = Arc::new(Counted::new(Heap));
    let allocator: Arc<dyn Allocator> = counted.clone();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (pools, next) = ([1, 2, 5].map(pool), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let number @ 0..PIPELINES = next.fetch_add(1, SeqCst) {
                    pipeline(number, &pools, &allocator);
                }
            });
        }
    });
    assert_eq!(counted.counters().resident, 0);
    assert!(counted.allocations() > PIPELINES / 2);
}
