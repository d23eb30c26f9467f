//! The core embedded: caller-owned arrays and a loop over sub-windows, as on a machine without an operating system.
//!
//! Nothing here allocates or starts a thread; `cargo check --no-default-features --target aarch64-unknown-none` shows that
//! nothing it stands on does.

use crate::common::{AbsDiff, Weighted, request};
use windrow_runtime::{Border, RunError, Serial, View, ViewMut, configure};

const WIDTH: usize = 37;
const HEIGHT: usize = 11;

#[test]
fn arrays_and_a_loop_are_enough() {
    let a: [u8; WIDTH * HEIGHT] = core::array::from_fn(|i| (i * 7) as u8);
    let b: [u8; WIDTH * HEIGHT] = core::array::from_fn(|i| (i * 13) as u8);
    let mut out = [0u8; WIDTH * HEIGHT];
    let a_view = View::from_slice(&a, [HEIGHT, WIDTH]).unwrap();
    let b_view = View::from_slice(&b, [HEIGHT, WIDTH]).unwrap();
    let info = *a_view.info();
    let configured = configure::<AbsDiff<8, 2>>(&request(&[&info, &info], &[Some(&info)], Border::Undefined)).unwrap();
    for part in configured.window().parts(1, 4) {
        let out = ViewMut::from_slice(&mut out, [HEIGHT, WIDTH]).unwrap();
        configured.run_window(&Serial, (a_view, b_view), out, &part).unwrap();
    }
    assert!(out.iter().zip(a.iter().zip(&b)).all(|(out, (a, b))| *out == a.abs_diff(*b)));
}

#[test]
fn a_border_needs_no_padding_and_no_memory() -> Result<(), RunError> {
    let image: [u8; WIDTH * HEIGHT] = core::array::from_fn(|i| (i * 31 % 251) as u8);
    let (mut out, mut expect) = ([0i32; WIDTH * HEIGHT], [0i32; WIDTH * HEIGHT]);
    let src = View::from_slice(&image, [HEIGHT, WIDTH]).unwrap();
    let out_info = *ViewMut::from_slice(&mut out, [HEIGHT, WIDTH]).unwrap().info();
    let configured = configure::<Weighted<8, 4, 0>>(&request(&[src.info()], &[Some(&out_info)], Border::Reflect101))?;
    for part in configured.window().parts(1, 3) {
        configured.run_window(&Serial, src, ViewMut::from_slice(&mut out, [HEIGHT, WIDTH]).unwrap(), &part)?;
    }
    configured.run_reference(src, ViewMut::from_slice(&mut expect, [HEIGHT, WIDTH]).unwrap())?;
    assert_eq!(out, expect);
    Ok(())
}
