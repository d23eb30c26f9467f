//! Tiles in local memory: what each type of elements is in them, chunks that are not full, groups that reach past the window, and places
//! that are computed.

use super::anywhere::Case;
use windrow_dsl::ir::{Constant, Type};

/// Outputs of less than a group, of a part of one behind a whole one, and of several; the images that are read have so many iterations.
const SIZES: [[(usize, usize); 2]; 5] =
    [[(1, 1), (1, 1)], [(5, 3), (16, 4)], [(130, 66), (3, 2)], [(133, 5), (37, 21)], [(17, 70), (18, 40)]];

fn tiled(function: &str) -> Case {
    let case = Case::with("", function);
    let groups = case.text.entries.iter().filter(|entry| entry.group.is_some()).count();
    assert_eq!(groups, 2, "{function}");
    // One before tiles are filled and one behind: a driver that runs a group's work-items one by one may not miss the first.
    let count = |part: &str| case.text.source.matches(part).count();
    assert_eq!(count("barrier(CLK_LOCAL_MEM_FENCE);"), 2 * count(" += 16)"), "{function}");
    case
}

#[test]
fn every_type_is_held() {
    for ty in ["u8", "i8", "u16", "i16", "u32", "i32"] {
        tiled(&format!(
            "pub fn product_{ty}([y, x]: At<2>, a: View<{ty}>, b: View<{ty}>) -> i32 {{
                let mut sum = 0i32;
                for k in 0..a.extents()[1] {{
                    let (left, right) = (a.get([y, k]).unwrap_or(3), b.get([k, x]).unwrap_or(5));
                    let product = left.wrapping_cast::<i32>().wrapping_mul(right.wrapping_cast::<i32>());
                    sum = sum.wrapping_add(product);
                }}
                sum
            }}"
        ))
        .run_at(&SIZES);
    }
    for (ty, element) in [("f32", ""), ("f16", ".cast::<f32>()"), ("bf16", ".cast::<f32>()")] {
        let mut case = tiled(&format!(
            "pub fn product_{ty}([y, x]: At<2>, a: View<{ty}>, b: View<{ty}>) -> f32 {{
                let [height, inner] = a.extents();
                let [rows, columns] = b.extents();
                let mut sum = 0.0;
                for k in 0..inner.min(rows) {{
                    let left = a[[y.min(height - 1), k]]{element};
                    sum = left.mul_add(b[[k, x.min(columns - 1)]]{element}, sum);
                }}
                sum
            }}"
        ));
        case.value = |input, random| match input.ty {
            Type::F32 => Constant::Float((random.next() as i16 as f32).to_bits()),
            // Finite halves of either kind.
            _ => Constant::Int(i128::from(random.next() as u16 & 0xbbff)),
        };
        case.run_at(&SIZES);
    }
}

#[test]
fn places_are_computed_for_the_whole_group() {
    let cases = [
        // Columns of one and rows of the other, so that neighbours in memory are places of a group and turns; the turn is a value too.
        "turned([y, x]: At<2>, a: View<i16>, b: View<i16>) -> i32 {
            let mut sum = 0i32;
            for k in 0..a.extents()[0] {
                let product = a.get([k, y]).unwrap_or(3) as i32 * b.get([x, k]).unwrap_or(5) as i32;
                sum = sum.wrapping_add(product.wrapping_mul(k));
            }
            sum
        }",
        // A loop around the one with tiles, one behind it, and what is the same for all of the group.
        "window([y, x]: At<2>, a: View<u8>, b: View<u8>) -> (u32, u32) {
            let [rows, columns] = b.extents();
            let (mut sum, mut last) = (0u32, 0u32);
            for row in 0..rows.min(3) {
                for k in 1..columns {
                    let (element, scale) = (a.get([y + row - 1, k - 1]), b.get([row, k]).unwrap_or(1) as u32);
                    sum = sum.wrapping_add(element.map_or(7, |e| e as u32) * b.get([k, x / 2]).unwrap_or(2) as u32 * scale);
                }
            }
            for k in 0..rows {
                last = last.wrapping_mul(31) ^ (a.get([y, k]).unwrap_or(9) as u32 + b.get([k, x]).unwrap_or(8) as u32);
            }
            (sum, last)
        }",
        // Two elements at one place of each, and an element of another image that is read before the loop.
        "pixels([y, x]: At<2>, a: View<[u8; 2]>, b: View<[u8; 2]>, c: View<u8>) -> i32 {
            let mut sum = c.get([y, x]).map_or(-1, |element| element as i32);
            for k in 0..a.extents()[1] {
                let [p, q] = a.get([y, k]).unwrap_or([1, 2]);
                let [r, s] = b.get([k, x]).unwrap_or([3, 4]);
                sum = sum.wrapping_mul(3).wrapping_add(p as i32 * r as i32 - q as i32 * s as i32);
            }
            sum
        }",
        // What the text itself calls things.
        "named([y, x]: At<2>, item: View<u8>, place: View<u8>, item_tile_0: View<u8>) -> u32 {
            let mut first_y = item_tile_0.get([x, y]).unwrap_or(3) as u32;
            for turn in 0..item.extents()[1] {
                let local_x = item.get([y, turn]).unwrap_or(1) as u32;
                first_y = first_y.wrapping_mul(5).wrapping_add(local_x * place.get([turn, x]).unwrap_or(2) as u32);
            }
            first_y
        }",
    ];
    for function in cases {
        tiled(&format!("pub fn {function}")).run_at(&SIZES);
    }
}
