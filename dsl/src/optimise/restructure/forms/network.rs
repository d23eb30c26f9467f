//! Networks of compare and exchange that bring the value of one rank to a place, as short as is known here.
//!
//! Candidates: published selection networks for the medians of 5, 7 and 9, sorting networks by odd-even merge for any
//! count, and putting extremes aside one after the other. What the wanted place does not need is removed, and the
//! one with the fewest operations is taken.

/// Two wires: afterwards the lesser is on `low` and the greater on `high`, where they are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    pub low: usize,
    pub high: usize,
    pub keeps_low: bool,
    pub keeps_high: bool,
}

#[rustfmt::skip]
const MEDIAN_5: &[(usize, usize)] = &[(0, 1), (3, 4), (0, 3), (1, 4), (1, 2), (2, 3), (1, 2)];
#[rustfmt::skip]
const MEDIAN_7: &[(usize, usize)] = &[
    (0, 5), (0, 3), (1, 6), (2, 4), (0, 1), (3, 5), (2, 6), (2, 3), (3, 6), (4, 5), (1, 4), (1, 3), (3, 4),
];
#[rustfmt::skip]
const MEDIAN_9: &[(usize, usize)] = &[
    (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3),
    (5, 8), (4, 7), (3, 6), (1, 4), (2, 5), (4, 7), (4, 2), (6, 4), (4, 2),
];

/// The network for the value of `rank` (from 0) among `count`, and the wire that it ends on.
pub fn select(count: usize, rank: usize) -> (Vec<Exchange>, usize) {
    let mut candidates: Vec<Vec<(usize, usize)>> = vec![odd_even_merge(count), set_extremes_aside(count, rank)];
    match (count, rank) {
        (5, 2) => candidates.push(MEDIAN_5.to_vec()),
        (7, 3) => candidates.push(MEDIAN_7.to_vec()),
        (9, 4) => candidates.push(MEDIAN_9.to_vec()),
        _ => {}
    }
    let pruned = candidates.iter().map(|pairs| prune(pairs, count, rank));
    let best = pruned.min_by_key(|network| operations(network));
    (best.unwrap_or_default(), rank)
}

/// Minima and maxima of a network.
pub fn operations(network: &[Exchange]) -> usize {
    network.iter().map(|exchange| usize::from(exchange.keeps_low) + usize::from(exchange.keeps_high)).sum()
}

/// The exchanges that the wire `place` needs in the end.
fn prune(pairs: &[(usize, usize)], count: usize, place: usize) -> Vec<Exchange> {
    let mut needed = vec![false; count];
    needed[place] = true;
    let mut kept = Vec::with_capacity(pairs.len());
    for &(low, high) in pairs.iter().rev() {
        let (keeps_low, keeps_high) = (needed[low], needed[high]);
        if keeps_low || keeps_high {
            kept.push(Exchange { low, high, keeps_low, keeps_high });
            (needed[low], needed[high]) = (true, true);
        }
    }
    kept.reverse();
    kept
}

/// Batcher's sorting network for any count: that for the next power of two without the wires that are not there.
fn odd_even_merge(count: usize) -> Vec<(usize, usize)> {
    let whole = count.next_power_of_two();
    let mut pairs = Vec::new();
    let mut p = 1;
    while p < whole {
        let mut k = p;
        while k >= 1 {
            for j in ((k % p)..(whole - k)).step_by(2 * k) {
                for i in 0..k.min(whole - j - k) {
                    let (low, high) = (i + j, i + j + k);
                    if low / (2 * p) == high / (2 * p) && high < count {
                        pairs.push((low, high));
                    }
                }
            }
            k /= 2;
        }
        p *= 2;
    }
    pairs
}

/// Among rank + 2 values (or, from the other end, as many), neither the least nor the greatest can be the one sought:
/// both leave, and the next value joins.
fn set_extremes_aside(count: usize, rank: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    // The wires that take part, in order; the least goes to the first of them, the greatest to the last.
    let (mut first, mut last) = (0, count);
    // From below, as many leave as rank; from above, as many as are greater.
    let (mut below, mut above) = (rank, count - 1 - rank);
    while below > 0 || above > 0 {
        if below >= above {
            (first + 1..last).for_each(|wire| pairs.push((first, wire)));
            (first, below) = (first + 1, below - 1);
        } else {
            (first..last - 1).for_each(|wire| pairs.push((wire, last - 1)));
            (last, above) = (last - 1, above - 1);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the 0-1 principle: right on zeros and ones is right on everything.
    #[test]
    fn every_network_selects() {
        for count in 2..=16 {
            for rank in 0..count {
                let (network, place) = select(count, rank);
                for values in 0u32..1 << count {
                    let mut wires = values;
                    for exchange in &network {
                        let (a, b) = (wires >> exchange.low & 1, wires >> exchange.high & 1);
                        // A side that is not kept holds what is never read.
                        let low = if exchange.keeps_low { a & b } else { a };
                        let high = if exchange.keeps_high { a | b } else { b };
                        wires = wires & !(1 << exchange.low) & !(1 << exchange.high);
                        wires |= low << exchange.low | high << exchange.high;
                    }
                    let expected = values.count_ones() as usize >= count - rank;
                    assert_eq!(wires >> place & 1 == 1, expected, "{rank} of {count}: {values:b}");
                }
            }
        }
    }

    #[test]
    fn medians_take_as_few_operations_as_are_known() {
        let counts = [(3, 4), (5, 10), (7, 20), (9, 30)];
        for (count, most) in counts {
            assert!(operations(&select(count, count / 2).0) <= most, "{count}");
        }
    }
}
