//! A host without operating system gets the same bits: its own arrays, a `for` loop over sub-windows.

use windrow::{Border, Serial, View, ViewMut};
use windrow_example_embedded::{Frame, HEIGHT, WIDTH, dither, show};
use windrow_operators::gaussian3x3;

/// A frame in which every element differs from its neighbours.
fn camera() -> Frame {
    std::array::from_fn(|index| (index as u32).wrapping_mul(0x9E37_79B1).to_le_bytes()[3])
}

#[test]
fn sub_windows_in_a_loop_equal_a_whole_run() {
    let (frame, mut blurred, mut display) = (camera(), [0; WIDTH * HEIGHT], [0; WIDTH * HEIGHT]);
    let mut slices = 0;
    show(&frame, &mut blurred, &mut display, || slices += 1).unwrap();
    assert!(slices > 8, "the run was not cut: {slices} sub-windows");

    let (mut whole, mut dithered) = ([1; WIDTH * HEIGHT], [1; WIDTH * HEIGHT]);
    let src = View::from_slice(&frame, [HEIGHT, WIDTH]).unwrap();
    let mut out = ViewMut::from_slice(&mut whole, [HEIGHT, WIDTH]).unwrap();
    let blur = gaussian3x3::configure(src.info(), out.info(), Border::Replicate).unwrap();
    blur.run(&Serial, src, out.reborrow()).unwrap();
    let kernel = dither::configure(out.info(), out.info()).unwrap();
    kernel.run_reference(out.view(), ViewMut::from_slice(&mut dithered, [HEIGHT, WIDTH]).unwrap()).unwrap();
    assert_eq!(blurred, whole);
    assert_eq!(display, dithered);
}

#[test]
fn sub_windows_in_any_order_write_their_own_rows_alone() {
    let frame = camera();
    let src = View::from_slice(&frame, [HEIGHT, WIDTH]).unwrap();
    let kernel = gaussian3x3::configure(src.info(), src.info(), Border::Reflect101).unwrap();
    let mut expected = [0; WIDTH * HEIGHT];
    kernel.run_reference(src, ViewMut::from_slice(&mut expected, [HEIGHT, WIDTH]).unwrap()).unwrap();

    let mut display = [0xCD; WIDTH * HEIGHT];
    let parts: Vec<_> = kernel.window().parts(1, 5).collect();
    let mut written = 0;
    for part in parts.iter().rev() {
        let out = ViewMut::from_slice(&mut display, [HEIGHT, WIDTH]).unwrap();
        kernel.run_window(&Serial, src, out, part).unwrap();
        let (start, end) = (part.dimension(1).start(), part.dimension(1).end().min(HEIGHT));
        written += end - start;
        assert_eq!(display[start * WIDTH..end * WIDTH], expected[start * WIDTH..end * WIDTH]);
        assert!(display[..start * WIDTH].iter().all(|byte| *byte == 0xCD), "rows above {start} were written");
    }
    assert_eq!(written, HEIGHT);
    assert_eq!(display, expected);
}
