//! The planners: no two tensors that live at once share a byte, and little more memory is used than that takes.

#![cfg(not(miri))]

use std::collections::BTreeSet;

use proptest::prelude::*;
use windrow_runtime::memory::{Lifetime, MemoryPlan, Planner, lower_bound};

const NETWORKS: &str = include_str!("data/liveness.txt");

/// The activations of each network, by its name.
fn networks() -> Vec<(&'static str, Vec<Lifetime>)> {
    let mut networks: Vec<(_, Vec<_>)> = Vec::new();
    for line in NETWORKS.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some(name) => networks.push((name, Vec::new())),
            None => {
                let numbers: Vec<usize> = line.split(' ').map(|number| number.parse().unwrap()).collect();
                let [size, first, last] = numbers[..] else { panic!("{line}") };
                networks.last_mut().unwrap().1.push(Lifetime { size, alignment: 64, first, last });
            }
        }
    }
    networks
}

/// Greedy by size, the baseline: the largest first, each in the smallest gap between those that live beside it.
fn greedy_by_size(lifetimes: &[Lifetime]) -> usize {
    let mut order: Vec<_> = (0..lifetimes.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(lifetimes[index].size));
    let mut placed: Vec<(usize, Lifetime)> = Vec::new();
    for index in order {
        let life = lifetimes[index];
        placed.sort_by_key(|(offset, _)| *offset);
        let (mut behind, mut best) = (0usize, None);
        for (offset, other) in placed.iter().filter(|(_, other)| other.overlaps(&life)) {
            let start = behind.next_multiple_of(life.alignment);
            if *offset >= start + life.size && best.is_none_or(|(gap, _)| offset - start < gap) {
                best = Some((offset - start, start));
            }
            behind = behind.max(offset + other.size);
        }
        placed.push((best.map_or(behind.next_multiple_of(life.alignment), |(_, start)| start), life));
    }
    placed.iter().map(|(offset, life)| offset + life.size).max().unwrap_or(0)
}

/// No two tensors that live at once share a byte; every tensor lies aligned inside its block.
fn check(lifetimes: &[Lifetime], plan: &MemoryPlan) {
    assert_eq!(plan.places.len(), lifetimes.len());
    for (index, (life, place)) in lifetimes.iter().zip(&plan.places).enumerate() {
        let block = plan.blocks[place.block];
        assert!(place.offset + life.size <= block.size && place.offset.is_multiple_of(life.alignment));
        assert!(block.alignment >= life.alignment);
        for (other, beside) in lifetimes.iter().zip(&plan.places).take(index) {
            let apart = place.block != beside.block
                || place.offset + life.size <= beside.offset
                || beside.offset + other.size <= place.offset;
            assert!(apart || !life.overlaps(other), "{life:?} at {place:?} and {other:?} at {beside:?}");
        }
    }
    assert!(plan.blocks.is_sorted_by(|a, b| a.size >= b.size));
}

#[test]
fn nine_networks_take_little_more_than_the_lower_bound() {
    let networks = networks();
    assert_eq!(networks.len(), 9);
    let mut close = BTreeSet::new();
    println!("{:14} {:>4} {:>12} {:>12} {:>12} {:>12} {:>7}", "", "", "bound", "offsets", "by size", "blobs", "above");
    for (name, lifetimes) in &networks {
        let (offsets, blobs) = (Planner::Arena.plan(lifetimes), Planner::Pooled.plan(lifetimes));
        let (bound, greedy) = (lower_bound(lifetimes), greedy_by_size(lifetimes));
        check(lifetimes, &offsets);
        check(lifetimes, &blobs);
        let above = 100.0 * (offsets.size() as f64 / bound as f64 - 1.0);
        let (count, packed, blobs) = (lifetimes.len(), offsets.size(), blobs.size());
        println!("{name:14} {count:4} {bound:12} {packed:12} {greedy:12} {blobs:12} {above:6.2}%");
        assert!(packed <= greedy, "{name} takes {packed}, greedy by size {greedy}");
        assert!(packed >= bound);
        if packed * 100 <= bound * 105 {
            close.insert(name);
        }
    }
    assert!(close.len() >= 7, "within 5 % of the lower bound: {close:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn plans_keep_tensors_apart(
        tensors in proptest::collection::vec((0usize..5000, 0u32..9, 0usize..20, 0usize..8), 0..24),
    ) {
        let lifetimes: Vec<Lifetime> = tensors
            .iter()
            .map(|&(size, alignment, first, length)| Lifetime { size, alignment: 1 << alignment, first, last: first + length })
            .collect();
        for planner in [Planner::Arena, Planner::Pooled] {
            let plan = planner.plan(&lifetimes);
            check(&lifetimes, &plan);
            prop_assert_eq!(&plan, &planner.plan(&lifetimes), "the plan is another the second time");
        }
        let plan = Planner::Arena.plan(&lifetimes);
        prop_assert!(plan.size() <= greedy_by_size(&lifetimes));
        prop_assert!(plan.size() >= lower_bound(&lifetimes));
    }
}
