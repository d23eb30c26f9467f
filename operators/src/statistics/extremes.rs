//! Least and greatest elements, how many there are, and where the first is (OpenVX `vxMinMaxLoc`, ACL `NEMinMaxLocation`).
use windrow::prelude::*;

/// The least and the greatest element of an image, how often they occur, and the places of the first ones, row · width + column.
#[kernel(types(T = u8, i16), window(1), output(min, max, min_count, max_count, min_place, max_place))]
pub fn min_max([_]: At<1>, #[shape(h, w)] src: View<T, 2>) -> (T, T, u32, u32, i32, i32) {
    let [h, w] = src.extents();
    let min = least(0..h, |y| least(0..w, |x| src[[y, x]]));
    let max = greatest(0..h, |y| greatest(0..w, |x| src[[y, x]]));
    let count = |value: T| sum(0..h, |y| sum(0..w, |x| (src[[y, x]] == value) as i64)).wrapping_cast::<u32>();
    let row =
        |value: T| least(0..h, |y| if sum(0..w, |x| (src[[y, x]] == value) as i32) > 0 { y } else { h - 1 }).min(h - 1);
    let place = |value: T| {
        let own = row(value);
        let column = least(0..w, |x| if src[[own, x]] == value { x } else { w - 1 });
        own.wrapping_mul(w).wrapping_add(column)
    };
    (min, max, count(min), count(max), place(min), place(max))
}
