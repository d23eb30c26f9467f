//! Copies of tensors, whose elements lie in any order: the loops follow the target's memory, whatever the order of the dimensions.
//!
//! Dimensions that lie in both as one are one loop. Of the innermost loop, and of the one along which the source's elements lie closest
//! together, tiles are copied: of a transposed matrix, each line of memory is then used while a cache holds it.

use core::{cmp::Reverse, ptr::NonNull};

use crate::{info::TensorInfo, limits::MAX_DIMENSIONS, stage::copy_elements};

/// The elements of a tile along either loop, where both are as long.
const TILE: usize = 32;

/// A loop: how often, and the bytes from one turn's element to the next one's.
#[derive(Clone, Copy)]
struct Loop {
    count: usize,
    from: isize,
    to: isize,
}

impl Loop {
    const ONCE: Loop = Loop { count: 1, from: 0, to: 0 };

    /// This loop around another one as a single loop.
    fn joined(self, inner: Loop) -> Option<Loop> {
        let ends = |stride: isize| stride.checked_mul(inner.count as isize);
        let is_one = ends(inner.from) == Some(self.from) && ends(inner.to) == Some(self.to);
        is_one.then(|| Loop { count: self.count * inner.count, ..inner })
    }

    /// The addresses of a turn's elements.
    fn at(self, turn: usize, (from, to): (*const u8, *mut u8)) -> (*const u8, *mut u8) {
        let turn = turn as isize;
        (from.wrapping_offset(turn * self.from), to.wrapping_offset(turn * self.to))
    }
}

/// Copies a tensor, of whose places each is its first element's.
///
/// # Safety
/// Both places hold tensors of one type and shape, which share no memory; the second may be written.
pub(crate) unsafe fn copy_tensor(
    (from, from_info): (NonNull<u8>, &TensorInfo),
    (to, to_info): (NonNull<u8>, &TensorInfo),
) {
    if to_info.shape().is_empty() {
        return;
    }
    let (loops, count) = loops(from_info, to_info);
    let [outer @ .., row] = &loops[..count] else { return };
    // The last of the loops whose elements lie closest together in the source.
    let nearest = outer.iter().enumerate().rev().min_by_key(|(_, along)| along.from.unsigned_abs());
    let (place, rows) = nearest.map_or((0, Loop::ONCE), |(place, rows)| (place, *rows));
    let others = outer.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, along)| along);
    for number in 0..others.clone().map(|along| along.count).product() {
        let (mut left, mut places) = (number, (from.as_ptr().cast_const(), to.as_ptr()));
        for along in others.clone() {
            places = along.at(left % along.count, places);
            left /= along.count;
        }
        // SAFETY: the caller's: each turn's element lies in both tensors.
        unsafe { copy_plane(places, [rows, *row], to_info.pixel_size()) };
    }
}

/// The loops over all elements, in the order of the target's memory, the outermost first, and how many there are.
fn loops(from: &TensorInfo, to: &TensorInfo) -> ([Loop; MAX_DIMENSIONS], usize) {
    let extents = to.shape().inner_extents();
    let mut dimensions = [Loop::ONCE; MAX_DIMENSIONS];
    for (d, along) in dimensions.iter_mut().enumerate() {
        *along = Loop { count: extents[d], from: from.inner_stride(d), to: to.inner_stride(d) };
    }
    dimensions.sort_unstable_by_key(|along| Reverse((along.to.unsigned_abs(), along.from.unsigned_abs())));
    let (mut loops, mut count) = ([Loop::ONCE; MAX_DIMENSIONS], 0);
    for along in dimensions.into_iter().filter(|along| along.count > 1) {
        match loops[..count].last_mut().and_then(|outer| Some((outer.joined(along)?, outer))) {
            Some((joined, outer)) => *outer = joined,
            None => {
                loops[count] = along;
                count += 1;
            }
        }
    }
    (loops, count.max(1))
}

/// Copies the elements of two loops, by tiles where those of a row don't lie side by side.
///
/// # Safety
/// Elements of `pixel` bytes lie where the loops say: readable ones and writable ones, which share no memory.
unsafe fn copy_plane(first: (*const u8, *mut u8), [rows, row]: [Loop; 2], pixel: usize) {
    let pieces = |along: Loop, tile: usize| {
        (0..along.count).step_by(tile).map(move |start| (start, tile.min(along.count - start)))
    };
    let is_whole = [row.from, row.to] == [pixel as isize; 2];
    let across = if is_whole { row.count } else { row.count.min(TILE.max(TILE * TILE / rows.count)) };
    let down = (TILE * TILE / across).max(1);
    for (top, height) in pieces(rows, down) {
        for (left, width) in pieces(row, across) {
            let corner = row.at(left, rows.at(top, first));
            let (turns, along, count) =
                if is_whole || width > height { (rows, row, width) } else { (row, rows, height) };
            for turn in 0..width * height / count {
                let (from, to) = turns.at(turn, corner);
                // SAFETY: the caller's.
                unsafe { copy_elements((from, along.from), (to, along.to), count, pixel) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{tensor::Tensor, view::View};
    use std::vec::Vec;

    /// Every order of four dimensions, forwards and backwards, of extents with and without tiles that are cut off: each element is where
    /// its coordinates say.
    #[test]
    fn elements_are_copied_from_any_order_to_any_other() {
        let orders: Vec<[usize; 4]> = (0..256)
            .map(|n| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3])
            .filter(|o| (0..4).all(|d| o.contains(&d)))
            .collect();
        assert_eq!(orders.len(), 24);
        for extents in [[2, 3, 4, 5], [1, 1, 1, 1], [3, 1, 2, 67], [2, 40, 1, 35], [1, 3, 3, 0]] {
            let src = Tensor::from_fn(extents, |[a, b, c, d]| (a * 1000 + b * 331 + c * 71 + d) as u16).unwrap();
            for order in &orders {
                check(src.view().permute(*order).unwrap(), *order);
                check(src.view().flip(order[0]).unwrap().permute(*order).unwrap(), *order);
            }
        }
        // One element for all of a dimension.
        let row = Tensor::from_fn([1, 9], |[_, x]| x as u16).unwrap();
        check(row.view().broadcast_to([2, 3, 40, 9]).unwrap(), [3, 1, 0, 2]);
    }

    /// Copies a view to a tensor whose memory has the dimensions in an order, and backwards along the first one.
    fn check(src: View<'_, u16>, order: [usize; 4]) {
        let extents = src.info().shape().extents().to_vec();
        let [a, b, c, d] = order.map(|d| extents[d]);
        let mut memory = Tensor::<u16>::new([a, b, c, d]).unwrap();
        let back = [0, 1, 2, 3].map(|d| order.iter().position(|own| *own == d).unwrap());
        memory.view_mut().flip(0).unwrap().permute(back).unwrap().any().copy_from(&src.any()).unwrap();
        let to = memory.view().flip(0).unwrap().permute(back).unwrap();
        let all = (0..extents.iter().product()).map(|n: usize| {
            let (n, w) = (n / extents[3], n % extents[3]);
            let (n, y) = (n / extents[2], n % extents[2]);
            [n / extents[1], n % extents[1], y, w]
        });
        for at in all {
            assert_eq!(to.get(at), src.get(at), "{extents:?} {order:?} {at:?}");
        }
    }
}
