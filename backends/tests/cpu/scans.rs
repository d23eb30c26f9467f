//! Kernels with loops of which elements share turns: scans, along rows and down columns, and scatters.

/// Ends that grow with a coordinate, by one or otherwise, and ends that do not; states of every kind; sums of which a turn changes one
/// element, with conditions, weights and loops inside; and both beside what elements do not share.
pub const KERNELS: &str = "
    #[kernel] pub fn running_sum([y, x]: At<2>, src: View<f32>) -> f32 {
        let mut total = 0.25;
        for i in 0..=x { total += src.get([y, i]).unwrap_or(0.5); }
        total }
    #[kernel] pub fn sum_above([y, x]: At<2>, src: View<f32>, own: f32) -> f32 {
        let mut total = 0.0;
        for j in 0..y { total = src.get([j, x]).unwrap_or(1.5).mul_add(1.25, total); }
        total + own }
    #[kernel] pub fn integral([y, x]: At<2>, src: View<u8>) -> (u32, i64) {
        let (mut total, mut squares) = (0u32, 0i64);
        for j in 0..=y {
            let (mut row, mut own) = (0u32, 7i64);
            for i in 0..=x {
                let element = src.get([j, i]).unwrap_or(3);
                (row, own) = (row.wrapping_add(element as u32), own.wrapping_add(element as i64 * element as i64));
            }
            (total, squares) = (total.wrapping_add(row), squares.wrapping_sub(own));
        }
        (total, squares) }
    #[kernel] pub fn ends_that_grow([y, x]: At<2>, src: View<i16>, n: u8, #[uniform(0..=9)] first: i32) -> (i16, u8, i32) {
        let [height, width] = src.extents();
        let (mut halves, mut inside, mut most) = (1i16, 0u8, i32::MIN);
        for i in first..x / 2 + 1 { halves = halves.wrapping_mul(3).wrapping_add(src.get([y, i]).unwrap_or(7)); }
        for i in 0..(x + 2).min(width) { inside ^= (src[[y.min(height - 1), i]] & 0xff) as u8; }
        for i in 0..(2 * y.min(0xffff) + x).max(3) { most = most.max(src.get([i % 5, x % 4]).unwrap_or(1) as i32 * (i & 7)); }
        (halves, inside ^ n, most) }
    #[kernel] pub fn not_shared([y, x]: At<2>, src: View<i16>, n: u8) -> (i32, i32, i32) {
        let (mut down, mut own, mut by_column) = (0i32, 0i32, 0i32);
        for i in 0..9 - x % 8 { down = down.wrapping_add(src.get([y, i]).unwrap_or(1) as i32); }
        for i in 0..n as i32 % 5 + x.min(9) { own = own.wrapping_add(i ^ 3); }
        for i in 0..=x.min(9) { by_column = by_column.wrapping_add(src.get([i, x]).unwrap_or(2) as i32); }
        (down, own, by_column) }
    #[kernel] pub fn rows_above([y, x]: At<2>, src: View<u16>) -> (u16, u32) {
        let [_, width] = src.extents();
        let (mut most, mut all) = (0u16, 0u32);
        for j in 0..=y {
            most = most.max(src.get([j, 2]).unwrap_or(0));
            for i in 0..width { all = all.wrapping_add(src.get([j, i]).unwrap_or(1) as u32 & 0xff); }
        }
        (most.wrapping_add((x & 0xff) as u16), all) }
    #[kernel] pub fn turn_by_turn([y, x]: At<2>, src: View<u8, 3>, weight: u8) -> i32 {
        let [planes, _, _] = src.extents();
        let mut total = 5i32;
        for c in 0..planes {
            let mut row = c;
            for i in 0..x { row = row.wrapping_mul(5) ^ src.get([c, y, i]).unwrap_or(9) as i32; }
            total = total.wrapping_add(row.wrapping_mul(weight as i32 + (x & 3)));
        }
        total }
    #[kernel] pub fn one_sum([y, x]: At<2>, src: View<u8>) -> (u32, i64) {
        let (mut total, mut squares) = (3u32, -5i64);
        for j in 0..=y {
            for i in 0..=x {
                let element = src.get([j, i]).unwrap_or(3);
                total = total.wrapping_add(element as u32);
                squares = squares.wrapping_add(element as i64 * element as i64);
            }
        }
        (total, squares) }
    #[kernel] pub fn most_before([y, x]: At<2>, src: View<i16>, n: u8) -> i16 {
        let [height, _] = src.extents();
        let mut most = (y & 0xff) as i16 - 99;
        for j in 0..height { for i in 0..x { most = most.max(src.get([j, i]).unwrap_or(3)); } }
        most ^ n as i16 }
    #[kernel] pub fn state_of_rows([y, x]: At<2>, src: View<u8>) -> (u32, u32) {
        let [height, _] = src.extents();
        let (mut all, mut last) = (0u32, y as u32);
        for j in 0..height {
            let mut row = 1u32;
            for i in 0..=x { row = row.wrapping_mul(3) ^ src.get([j, i]).unwrap_or(3) as u32 ^ last; }
            (all, last) = (all.wrapping_add(row), row & 7);
        }
        (all, last) }
    #[kernel] pub fn histogram([_, bin]: At<2>, src: View<u8>) -> u32 {
        let [height, width] = src.extents();
        let mut count = 3u32;
        for y in 0..height { for x in 0..width { count = count.wrapping_add((src[[y, x]] as i32 % 37 == bin) as u32); } }
        count }
    #[kernel] pub fn counts_of_rows([y, bin]: At<2>, src: View<i16>, own: i32) -> (i32, u8) {
        let [_, width] = src.extents();
        let mut count = 0u8;
        for x in 0..width { if src.get([y, x]).unwrap_or(5) as i32 == bin - 3 { count = count.wrapping_add(1); } }
        let sum = sum(0..width, |x| sum(0..=2, |i| (src.get([y, x + i]).unwrap_or(1) as i32 & 15 == bin) as i64));
        (sum.wrapping_cast::<i32>().wrapping_add(own), count) }
    #[kernel] pub fn weights_of_bins([y, bin]: At<2>, src: View<u8>, weights: View<i16>, #[uniform(1..=64)] bins: i32) -> (i32, u32) {
        let [height, width] = src.extents();
        let (mut sum, mut last, mut odd) = (y, 0i32, 0u32);
        for row in 0..height {
            for x in 0..width {
                let v = src[[row, x]] as i32;
                let at = if v > 9 { v * bins / 256 } else { last };
                if v % 3 != 0 && at == bin { sum = sum.wrapping_add(weights.get([row, x]).unwrap_or(11) as i32); }
                odd = odd.wrapping_add(if at == bin && v > 20 { v as u32 } else { 0 });
                last = at;
            }
        }
        (sum, odd) }
    #[kernel(window(64, 256))] pub fn bins_that_wrap([_, bin]: At<2>, #[shape(h, w)] src: View<u8, 2>) -> u32 {
        let ([h, w], mut count) = (src.extents(), 0u32);
        for y in 0..h {
            for x in 0..w {
                if (bin as u8).wrapping_add(250) == src[[y, x]] % 16 { count = count.wrapping_add(1); }
            }
        }
        count }
    #[kernel] pub fn places_of_the_greatest([y, x]: At<2>, src: View<f32>, b: View<u8>, n: u8) -> (i32, i32, u32) {
        let [_, width] = src.extents();
        let all = argmax(0..width, |i| src.get([y, i]).unwrap_or(0.5));
        let upto = argmax(3..x, |i| b.get([y, i % 7]).unwrap_or(7) / 16);
        (all, upto, argmax(2..n as u32 % 19, |i| (i as i32 * 5) % 13 - x)) }
    #[kernel] pub fn equalization([_, v]: At<2>, counts: View<u32>) -> u8 {
        let [_, width] = counts.extents();
        let upto = |end: i32| sum(0..end, |i| counts[[0, i]] as i64);
        let all = upto(width).max(1).saturating_cast::<i32>() as f32;
        (upto(v.min(width - 1) + 1).saturating_cast::<i32>() as f32 / all * 255.0 + 0.5).saturating_cast() }";

/// What `explain` says of each kernel's loops in plain Rust.
const SHARED: [(&str, &[&str]); 16] = [
    ("running_sum", &["`i` goes on from element to element"]),
    ("sum_above", &["`j` goes on from row to row"]),
    ("integral", &["`j` goes on from row to row", "`i` goes on from element to element"]),
    ("ends_that_grow", &["`i` goes on from element to element"; 2]),
    ("not_shared", &[]),
    ("rows_above", &["`j` goes on from row to row"]),
    ("turn_by_turn", &["`c` is computed for a row, iteration by iteration", "`i` goes on from element to element"]),
    ("one_sum", &["`j` goes on from row to row", "`i` goes on from element to element"]),
    ("most_before", &[]),
    ("state_of_rows", &[]),
    ("histogram", &["`y`: each iteration updates one element (scatter)"]),
    ("counts_of_rows", &["`x`: each iteration updates one element (scatter)"; 2]),
    ("weights_of_bins", &["`row`: each iteration updates one element (scatter)"]),
    ("bins_that_wrap", &[]),
    ("places_of_the_greatest", &["`i` goes on from element to element"]),
    ("equalization", &["`i` goes on from element to element"]),
];

#[test]
fn shared_turns_are_found_where_there_are_some_and_nowhere_else() {
    let compiled = windrow_dsl::compile_file(KERNELS);
    let found = compiled.kernels.iter().map(|kernel| {
        let prepared = windrow_dsl::optimise::prepare(&kernel.kernel);
        let emitted = windrow_backends::scalar::emit(&kernel.kernel, &prepared, 0, "body");
        let notes = emitted.notes.iter().map(|note| note.trim_start_matches("the loop over ").to_owned());
        (kernel.kernel.name.clone(), notes.collect::<Vec<String>>())
    });
    let expected =
        SHARED.iter().map(|(name, notes)| ((*name).to_owned(), notes.iter().map(ToString::to_string).collect()));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
