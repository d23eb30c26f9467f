//! What a kernel and a request must keep to, and how large tiles are.

use super::*;

#[test]
fn kernels_that_break_the_rules_are_refused() {
    let info = TensorInfo::of::<u8>(&[6, 14]).unwrap();
    let images = [&info];
    let request = TilingRequest::new(&images, &images);
    let refused = |kernel: TilingKernel, request: &TilingRequest<'_>| {
        leak(kernel).validate(request).map_err(|error| error.to_string()).unwrap_err()
    };
    let flexible = kernel().flexible(mark_flexible);
    assert_eq!(refused(kernel(), &request), "`marks` has neither a fast nor a flexible function");
    // Even where the flexible function would never be called.
    let self_bordered = kernel().fast(mark_fast).border(TileBorder::SelfBordered);
    assert_eq!(refused(self_bordered, &request), "`marks` finds its own border, which needs a flexible function");
    let overriding = TilingRequest { border: Some(TileBorder::Undefined), ..request };
    let own = flexible.border(TileBorder::SelfBordered);
    assert_eq!(refused(own, &overriding), "the border of `marks` is self and can't be overridden by undefined");
    assert_eq!(leak(own).validate(&TilingRequest { border: Some(TileBorder::SelfBordered), ..request }), Ok(()));
    assert_eq!(
        refused(flexible.block(0, 4), &request),
        "the block of `marks` is 0×4 elements, expected 1 to 65536 in all"
    );
    let crossed = flexible.neighbourhood(1, 0, 0, 0);
    assert!(refused(crossed, &request).starts_with("the neighbourhood of `marks` is x = 1..=0, y = 0..=0"));
    let words = TilingRequest { words: &[1], ..request };
    assert_eq!(refused(flexible, &words), "the uniforms of `marks` take 0 words, found 1");
    let (wide, planes) = (TensorInfo::of::<u8>(&[6, 15]).unwrap(), TensorInfo::of::<u8>(&[2, 6, 14]).unwrap());
    let pixels = TensorInfo::of::<[u8; 3]>(&[6, 14]).unwrap();
    let with = |info| refused(flexible, &TilingRequest::new(&images, &[info]));
    assert_eq!(with(&wide), "`out` has the shape 6×15, expected 6×14");
    assert_eq!(with(&planes), "`out` has the shape 2×6×14, tiles lie in images of one plane");
    assert_eq!(with(&pixels), "`out` has 3 channels, expected 1");
    assert_eq!(
        refused(flexible, &TilingRequest::new(&[], &images)),
        "the number of images that `marks` reads is 1, found 0"
    );
    let keeps = leak(flexible.kept_memory(8, |_, _| (), None));
    let short = keeps.configure(&request, &mut [0; 7]).map(drop);
    assert_eq!(short, Err(InvalidTiling::KeptMemory { kernel: "marks", found: 7, expected: 8 }));
    let greedy = leak(flexible.tile_memory(usize::MAX / 2));
    assert!(matches!(greedy.configure(&request, &mut []), Err(InvalidTiling::TileMemory { .. })));
}

#[test]
fn what_is_greatest_is_accepted_and_no_more() {
    static IMAGES: [TileImage; 9] = [TileImage::of::<u8>("src"); 9];
    let info = TensorInfo::of::<u8>(&[6, 14]).unwrap();
    let images = [&info; 9];
    let words = [0; 257];
    let accepts = |kernel: TilingKernel, inputs: usize, words: &[u32]| {
        let request = TilingRequest { words, ..TilingRequest::new(&images[..inputs], &images[..1]) };
        leak(kernel.flexible(mark_flexible)).validate(&request).is_ok()
    };
    for (block, expect) in
        [((65_536, 1), true), ((256, 256), true), ((65_537, 1), false), ((1, 1), true), ((1, 0), false)]
    {
        assert_eq!(accepts(kernel().block(block.0, block.1), 1, &[]), expect, "{block:?}");
    }
    for far in [65_536, 65_537] {
        for around in [(-far, 0, 0, 0), (0, far, 0, 0), (0, 0, -far, 0), (0, 0, 0, far)] {
            let kernel = kernel().neighbourhood(around.0, around.1, around.2, around.3);
            assert_eq!(accepts(kernel, 1, &[]), far == 65_536, "{around:?}");
        }
    }
    assert!(accepts(kernel().uniforms(256), 1, &words[..256]) && !accepts(kernel().uniforms(257), 1, &words));
    let reads = |count: usize| accepts(TilingKernel::new("many", &IMAGES[..count], &OUT), count, &[]);
    assert!(reads(8) && !reads(9));
}

/// As wide as 1,024 columns, as tall as 16,384 elements, and no memory beyond 2^52 bytes in all.
#[test]
fn tiles_are_as_large_as_pays() {
    let request = |size: (usize, usize)| TensorInfo::of::<u8>(&[size.1, size.0]).unwrap();
    let blocks = |size: (usize, usize), block: (u32, u32)| {
        let info = request(size);
        let kernel = leak(kernel().block(block.0, block.1).tile_memory(1).flexible(mark_flexible));
        let configured = kernel.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
        configured.greatest_tile_memory()
    };
    assert_eq!(blocks((128, 4_000), (1, 1)), 128 * 128);
    assert_eq!(blocks((1_000, 1_000), (16, 4)), 63 * 4);
    assert_eq!(blocks((5_000, 5_000), (1, 1)), 1_024 * 16);
    assert_eq!(blocks((4, 4_000), (4, 1)), 1_024);
    assert_eq!(blocks((5_000, 5_000), (256, 256)), 4);
    let info = request((1, 1));
    let accepts = |memory: usize, tile: (u32, u32)| {
        let kernel = leak(kernel().tile_memory(memory).flexible(mark_flexible));
        let configured = kernel.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
        configured.with_tile(tile).is_ok()
    };
    let most = (1usize << 52) - 1;
    assert!(most.is_multiple_of(1_613 * 2_731) && accepts(most / (1_613 * 2_731), (1_613, 2_731)));
    assert!(!accepts(1 << 31, (1 << 21, 1)));
}

#[test]
fn an_output_that_is_read_is_refused() {
    let mut image = Tensor::<u8>::new([8, 8]).unwrap();
    let info = *image.info();
    let kernel = leak(kernel().flexible(mark_flexible));
    let mut configured = kernel.configure(&TilingRequest::new(&[&info], &[&info]), &mut []).unwrap();
    let base = core::ptr::NonNull::new(image.storage_mut().as_mut_ptr()).unwrap();
    // SAFETY: the run that would write what it reads is refused.
    let (src, out) = unsafe {
        let src = windrow_runtime::View::<u8>::from_raw(base, info).unwrap();
        (src.any(), windrow_runtime::ViewMut::<u8>::from_raw(base, info).unwrap().any())
    };
    let error = configured.bind(&[src], &mut [out]).map(drop).unwrap_err();
    assert_eq!(error, RunError::Overlap { output: "out", other: "src" });
}
