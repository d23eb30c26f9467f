//! The memory manager: what it hands out is nobody else's, and what it counts is what was allocated.

use std::{
    alloc::Layout,
    ptr::NonNull,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use proptest::prelude::*;
use windrow::testing::Counted;
use windrow_runtime::{
    TensorInfo,
    memory::{
        Acquired, Allocation, Allocator, Heap, MemoryCounters, MemoryError, MemoryGroup, MemoryManager,
        MemoryRecording, Planner, TensorId,
    },
};

const PLANNERS: [Planner; 2] = [Planner::Arena, Planner::Pooled];

fn bytes(size: usize) -> TensorInfo {
    TensorInfo::of::<u8>(&[size]).unwrap()
}

/// A chain of tensors of these sizes, each needed until the next one is written.
fn chain(mut recording: MemoryRecording, sizes: &[usize]) -> (MemoryGroup, Vec<TensorId>) {
    let mut tensors: Vec<TensorId> = Vec::new();
    for &size in sizes {
        tensors.push(recording.begin_lifetime(bytes(size)));
        if let [.., before, _] = tensors[..] {
            recording.end_lifetime(before).unwrap();
        }
    }
    recording.end_lifetime(*tensors.last().unwrap()).unwrap();
    (recording.finish().unwrap(), tensors)
}

fn counted() -> (Arc<Counted<Heap>>, Arc<dyn Allocator>) {
    let counted = Arc::new(Counted::new(Heap));
    (Arc::clone(&counted), counted)
}

#[test]
fn groups_share_pools_and_the_counters_are_the_allocators() {
    for (planner, each) in [(Planner::Arena, 5000 + 3000), (Planner::Pooled, 5000 + 3000)] {
        let (counted, allocator) = counted();
        let manager = Arc::new(MemoryManager::new(planner));
        let (large, tensors) = chain(MemoryRecording::managed(&manager), &[5000, 2000, 4000, 1000]);
        let (small, _) = chain(MemoryRecording::managed(&manager), &[3000, 3000]);
        assert_eq!(counted.counters(), MemoryCounters::default());
        manager.populate(allocator, 3).unwrap();
        let expect = MemoryCounters { resident: counted.counters().resident, live: 0, peak: counted.counters().peak };
        assert_eq!(manager.counters(), expect);
        assert!(expect.resident <= 3 * (each + 64), "{planner:?} takes {} bytes", expect.resident);
        {
            let mut one = large.try_acquire().unwrap();
            let _two = small.try_acquire().unwrap();
            assert_eq!(manager.counters(), MemoryCounters { live: expect.resident / 3 * 2, ..expect });
            let [a, b] = one.tensors([tensors[0], tensors[1]]).unwrap();
            assert_eq!((a.info().width(), b.info().width()), (5000, 2000));
            assert_eq!(manager.populate(Arc::new(Heap), 1), Err(MemoryError::InUse { pools: 2 }));
            assert_eq!(manager.clear(), Err(MemoryError::InUse { pools: 2 }));
        }
        assert_eq!(manager.counters(), expect);
        manager.clear().unwrap();
        assert_eq!(counted.counters().resident, 0);
        assert_eq!(manager.counters(), MemoryCounters { resident: 0, live: 0, peak: expect.peak });
        assert!(matches!(large.acquire(), Err(MemoryError::NotPopulated)));
    }
}

#[test]
fn exhausted_pools_refuse_or_wait_as_asked() {
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let (group, _) = chain(MemoryRecording::managed(&manager), &[100]);
    manager.populate(Arc::new(Heap), 1).unwrap();
    let held = group.acquire().unwrap();
    assert!(matches!(group.try_acquire(), Err(MemoryError::Exhausted { pools: 1 })));
    let waited = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            let _second = group.acquire().unwrap();
            assert_eq!(waited.load(SeqCst), 1, "the pool was handed out twice");
        });
        thread::sleep(Duration::from_millis(20));
        waited.store(1, SeqCst);
        drop(held);
    });
}

#[test]
fn a_group_recorded_after_the_pools_may_be_too_large_for_them() {
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    chain(MemoryRecording::managed(&manager), &[100]);
    manager.populate(Arc::new(Heap), 1).unwrap();
    let (fits, _) = chain(MemoryRecording::managed(&manager), &[80]);
    assert!(fits.try_acquire().is_ok());
    let (large, _) = chain(MemoryRecording::managed(&manager), &[101]);
    let refused = large.try_acquire().err();
    assert_eq!(refused, Some(MemoryError::PoolTooSmall { needed: 101, blocks: 1 }));
    manager.populate(Arc::new(Heap), 1).unwrap();
    assert!(large.try_acquire().is_ok());
}

#[test]
fn without_a_manager_every_allocation_is_immediate() {
    let (counted, allocator) = counted();
    let mut recording = MemoryRecording::immediate(allocator);
    let first = recording.begin_lifetime(bytes(1000));
    let second = recording.begin_lifetime(bytes(500));
    assert_eq!(counted.counters().resident, 0);
    recording.end_lifetime(first).unwrap();
    assert_eq!(counted.counters().resident, 1000);
    recording.end_lifetime(second).unwrap();
    assert_eq!(counted.counters().resident, 1500);
    let group = recording.finish().unwrap();
    assert_eq!(group.counters(), MemoryCounters { resident: 1500, live: 0, peak: 1500 });
    {
        let mut acquired = group.acquire().unwrap();
        assert!(acquired.tensors([first, second]).is_ok());
        assert!(matches!(group.try_acquire(), Err(MemoryError::Exhausted { pools: 1 })));
    }
    drop(group);
    assert_eq!((counted.counters().resident, counted.allocations()), (0, 2));
}

#[test]
fn a_group_without_tensors_needs_no_pool() {
    let manager = Arc::new(MemoryManager::new(Planner::Pooled));
    let group = MemoryRecording::managed(&manager).finish().unwrap();
    assert!(group.try_acquire().is_ok());
}

#[test]
fn mistakes_are_named() {
    let manager = Arc::new(MemoryManager::new(Planner::Arena));
    let (_, strangers) = chain(MemoryRecording::managed(&manager), &[10]);
    let mut recording = MemoryRecording::managed(&manager);
    assert_eq!(recording.end_lifetime(strangers[0]), Err(MemoryError::ForeignTensor));
    let tensor = recording.begin_lifetime(bytes(10));
    recording.end_lifetime(tensor).unwrap();
    assert_eq!(recording.end_lifetime(tensor), Err(MemoryError::EndedTwice { index: 0 }));
    recording.begin_lifetime(bytes(10));
    assert_eq!(recording.finish().err(), Some(MemoryError::NeverEnded { index: 1 }));

    let (group, tensors) = chain(MemoryRecording::managed(&manager), &[70, 30, 70]);
    manager.populate(Arc::new(Heap), 1).unwrap();
    let mut acquired = group.try_acquire().unwrap();
    let shared = Some(MemoryError::Shared { first: 0, second: 2 });
    assert_eq!(acquired.tensors([tensors[0], tensors[2]]).err(), shared);
    assert_eq!(acquired.tensors([tensors[0]; 2]).err(), Some(MemoryError::Shared { first: 0, second: 0 }));
    assert_eq!(acquired.tensors([strangers[0]]).err(), Some(MemoryError::ForeignTensor));
}

/// A host's allocator: it keeps every layout asked for, and can run dry or lose the alignment.
#[derive(Default)]
struct Host {
    layouts: Mutex<Vec<Layout>>,
    limit: Option<usize>,
    shift: usize,
}

// SAFETY: the memory is the heap's; a shifted block is asked for with `shift` bytes more.
unsafe impl Allocator for Host {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        let mut layouts = self.layouts.lock().unwrap();
        if self.limit.is_some_and(|limit| layouts.len() >= limit) {
            return None;
        }
        layouts.push(layout);
        let larger = Layout::from_size_align(layout.size() + self.shift, layout.align()).unwrap();
        // SAFETY: the block has `shift` bytes more.
        Heap.allocate(larger).map(|memory| unsafe { memory.add(self.shift) })
    }

    unsafe fn deallocate(&self, memory: NonNull<u8>, layout: Layout) {
        let mut layouts = self.layouts.lock().unwrap();
        let at = layouts.iter().position(|held| *held == layout).expect("a layout that was never asked for comes back");
        layouts.swap_remove(at);
        let larger = Layout::from_size_align(layout.size() + self.shift, layout.align()).unwrap();
        // SAFETY: as it was allocated.
        unsafe { Heap.deallocate(memory.sub(self.shift), larger) }
    }
}

#[test]
fn a_hosts_allocator_is_asked_for_size_and_alignment() {
    for planner in PLANNERS {
        let host = Arc::new(Host::default());
        let manager = Arc::new(MemoryManager::new(planner));
        let (group, tensors) = chain(MemoryRecording::managed(&manager), &[100, 7, 50, 9000]);
        manager.populate(host.clone(), 2).unwrap();
        {
            let layouts = host.layouts.lock().unwrap();
            assert_eq!(layouts.iter().map(Layout::size).sum::<usize>(), manager.counters().resident);
            assert!(layouts.iter().all(|layout| layout.align() == 64));
        }
        let mut acquired = group.try_acquire().unwrap();
        for tensor in tensors {
            let [view] = acquired.tensors([tensor]).unwrap();
            assert!(view.as_ptr().addr().is_multiple_of(64));
        }
        drop(acquired);
        manager.clear().unwrap();
        assert!(host.layouts.lock().unwrap().is_empty());
    }
}

#[test]
fn an_allocator_that_runs_dry_or_loses_the_alignment_is_found_out() {
    for host in [Host { limit: Some(3), ..Host::default() }, Host { shift: 4, ..Host::default() }] {
        let (shift, host) = (host.shift, Arc::new(host));
        let manager = Arc::new(MemoryManager::new(Planner::Pooled));
        let (group, _) = chain(MemoryRecording::managed(&manager), &[100, 200]);
        let error = match shift {
            0 => MemoryError::OutOfMemory { bytes: 100, alignment: 64 },
            _ => MemoryError::Misaligned { alignment: 64 },
        };
        assert_eq!(manager.populate(host.clone(), 2), Err(error));
        assert!(host.layouts.lock().unwrap().is_empty(), "what was allocated before the failure is lost");
        assert_eq!(manager.counters().resident, 0);
        assert!(matches!(group.acquire(), Err(MemoryError::NotPopulated)));
    }
}

#[test]
fn an_allocation_is_a_tensor_of_zeros_that_goes_back() {
    let (counted, allocator) = counted();
    let mut tensor = Allocation::new(&allocator, TensorInfo::of::<i16>(&[3, 5]).unwrap()).unwrap();
    assert_eq!(tensor.view().typed::<i16>().unwrap().get([2, 4]), Some(0));
    assert!(tensor.view_mut().typed::<i16>().unwrap().set([2, 4], -7));
    assert_eq!(tensor.view().typed::<i16>().unwrap().get([2, 4]), Some(-7));
    assert_eq!(counted.counters().resident, 30);
    drop(tensor);
    assert_eq!(counted.counters(), MemoryCounters { resident: 0, live: 0, peak: 30 });
}

/// The bytes of an acquired group's tensors.
fn ranges(acquired: &mut Acquired<'_>, tensors: &[TensorId]) -> Vec<(usize, usize)> {
    let mut range = |&tensor: &TensorId| {
        let [view] = acquired.tensors([tensor]).unwrap();
        (view.as_ptr().addr(), view.as_ptr().addr() + view.info().size_in_bytes())
    };
    tensors.iter().map(&mut range).collect()
}

#[derive(Clone, Debug)]
enum Act {
    Acquire(usize),
    Release(usize),
    Populate(usize),
    Clear,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0usize..3).prop_map(Act::Acquire),
        5 => (0usize..8).prop_map(Act::Release),
        1 => (0usize..5).prop_map(Act::Populate),
        1 => Just(Act::Clear),
    ];
    proptest::collection::vec(act, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 150 }))]

    /// Against a model that counts pools: no byte of a live group is handed out again, every counter is right.
    #[test]
    fn no_live_block_is_handed_out_twice(acts in acts(), planner in 0usize..2, sizes in proptest::collection::vec(1usize..3000, 3..9)) {
        let (counted, allocator) = counted();
        let manager = Arc::new(MemoryManager::new(PLANNERS[planner]));
        let groups: Vec<_> = sizes.chunks(3).map(|sizes| chain(MemoryRecording::managed(&manager), sizes)).collect();
        let (mut live, mut pools, mut peak) = (Vec::<(Acquired<'_>, Vec<(usize, usize)>)>::new(), 0, 0);
        for act in acts {
            match act {
                Act::Acquire(group) => {
                    let (group, tensors) = &groups[group % groups.len()];
                    match group.try_acquire() {
                        Ok(mut acquired) => {
                            prop_assert!(live.len() < pools);
                            let ranges = ranges(&mut acquired, tensors);
                            for (a, b) in ranges.iter().flat_map(|a| live.iter().flat_map(move |(_, live)| live.iter().map(move |b| (a, b)))) {
                                prop_assert!(a.1 <= b.0 || b.1 <= a.0, "{a:?} and {b:?}");
                            }
                            live.push((acquired, ranges));
                        }
                        Err(MemoryError::NotPopulated) => prop_assert_eq!(pools, 0),
                        Err(error) => {
                            prop_assert_eq!(error, MemoryError::Exhausted { pools });
                            prop_assert_eq!(live.len(), pools);
                        }
                    }
                }
                Act::Release(at) if !live.is_empty() => drop(live.swap_remove(at % live.len())),
                Act::Release(_) => {}
                Act::Populate(count) => match manager.populate(allocator.clone(), count) {
                    Ok(()) => {
                        prop_assert!(live.is_empty());
                        pools = count;
                    }
                    Err(error) => prop_assert_eq!(error, MemoryError::InUse { pools: live.len() }),
                },
                Act::Clear => match manager.clear() {
                    Ok(()) => {
                        prop_assert!(live.is_empty());
                        pools = 0;
                    }
                    Err(error) => prop_assert_eq!(error, MemoryError::InUse { pools: live.len() }),
                },
            }
            let (found, real) = (manager.counters(), counted.counters());
            peak = real.peak.max(peak);
            prop_assert_eq!((found.resident, found.peak), (real.resident, peak));
            prop_assert_eq!(found.live, found.resident.checked_div(pools).unwrap_or(0) * live.len());
        }
    }
}

#[test]
fn many_threads_share_few_pools() {
    for planner in PLANNERS {
        let manager = Arc::new(MemoryManager::new(planner));
        let (group, tensors) = chain(MemoryRecording::managed(&manager), &[500, 300, 700]);
        manager.populate(Arc::new(Heap), 2).unwrap();
        let running = AtomicUsize::new(0);
        thread::scope(|scope| {
            for mark in 1..=6u8 {
                let (group, tensors, running) = (&group, &tensors, &running);
                scope.spawn(move || {
                    for _ in 0..if cfg!(miri) { 3 } else { 200 } {
                        let mut acquired = group.acquire().unwrap();
                        assert!(running.fetch_add(1, SeqCst) < 2);
                        let [a, b] = acquired.tensors([tensors[0], tensors[1]]).unwrap();
                        let (mut a, mut b) = (a.typed::<u8>().unwrap(), b.typed::<u8>().unwrap());
                        a.row_mut(0).unwrap().fill(mark);
                        b.row_mut(0).unwrap().fill(mark + 100);
                        thread::yield_now();
                        assert!(a.row_mut(0).unwrap().iter().all(|byte| *byte == mark));
                        assert!(b.row_mut(0).unwrap().iter().all(|byte| *byte == mark + 100));
                        running.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
        assert_eq!(manager.counters().live, 0);
    }
}
