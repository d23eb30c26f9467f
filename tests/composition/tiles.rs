//! Tiling kernels as stages of a chain.

use crate::{
    everywhere::{Place, everywhere, image},
    of, spread,
};
use std::sync::Arc;
use windrow::{
    chain::*,
    prelude::*,
    tiling::{Tile, TileBorder, TileError, TileImage, TilingKernel},
};

static SRC: [TileImage; 1] = [TileImage::of::<u8>("src")];
static OUT: [TileImage; 1] = [TileImage::of::<u8>("out")];

/// The greatest of three rows, plus what is kept: 3 more than the uniform.
static TALLEST: TilingKernel = TilingKernel::new("tallest", &SRC, &OUT)
    .neighbourhood(0, 0, -1, 1)
    .border(TileBorder::SelfBordered)
    .kept_memory(1, |kept, words| kept[0] = words[0] as u8, Some(|kept, _| kept[0] += 3))
    .uniforms(1)
    .tile_memory(2)
    .flexible(tallest);

static IN_BLOCKS: TilingKernel =
    TilingKernel::new("in_blocks", &SRC, &OUT).neighbourhood(0, 0, -1, 1).block(4, 2).fast(tallest).flexible(tallest);

fn tallest(tile: &mut Tile<'_>) -> Result<(), TileError> {
    let kept = tile.kept().first().copied().unwrap_or(0);
    tile.memory().fill(0xEE);
    let (src, mut out) = (tile.input::<u8>(0)?, tile.output::<u8>(0)?);
    for y in 0..tile.height() {
        for x in 0..tile.width() {
            let greatest = (-1..=1).filter_map(|dy| src.at(x, y, 0, dy)).max().unwrap_or(0);
            assert!(out.set(x, y, greatest.wrapping_add(kept)));
        }
    }
    Ok(())
}

fn expected(src: &Tensor<u8>, border: Border, more: u8) -> Vec<u8> {
    let info = *src.info();
    let [mut a, mut c] = [(); 2].map(|()| Tensor::<u8>::new([info.height(), info.width()]).unwrap());
    spread::configure(&info, &info, border).unwrap().run_reference(src.view(), a.view_mut()).unwrap();
    let b = Tensor::from_fn([info.height(), info.width()], |[y, x]| {
        let rows = y.saturating_sub(1)..=(y + 1).min(info.height() - 1);
        rows.filter_map(|y| a.view().get([y, x])).max().unwrap_or(0).wrapping_add(more)
    });
    let last = spread::configure(&info, &info, Border::Replicate).unwrap();
    last.run_reference(b.unwrap().view(), c.view_mut()).unwrap();
    c.to_vec()
}

fn chain(extents: [usize; 2], operator: &Arc<dyn Operator>) -> ChainBuilder {
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [a] = chain.add(&spread::configure(&bytes, &bytes, Border::Wrap).unwrap(), &[src]).unwrap();
    let [b] = chain.add_operator(operator.clone(), &[a]).unwrap();
    let [c] = chain.add(&spread::configure(&bytes, &bytes, Border::Replicate).unwrap(), &[b]).unwrap();
    chain.output(c).unwrap();
    chain
}

#[test]
fn a_tiling_kernel_is_a_stage() {
    let extents = [45, 70];
    let src = image::<u8>(8, extents);
    let operator: Arc<dyn Operator> = Arc::new(TALLEST.operator().with_words(&[4]));
    let elsewhere = |place| (place == Place::Device).then_some(("tallest", "for the processor alone"));
    everywhere(&|| chain(extents, &operator), &[src.view().any()], &[expected(&src, Border::Wrap, 7)], elsewhere);
}

#[test]
fn blocks_of_several_rows_do_not_fit_bands() {
    let operator: Arc<dyn Operator> = Arc::new(IN_BLOCKS.operator());
    let refused = chain([44, 72], &operator).compose(&InBands { cache: CACHE }).unwrap_err();
    assert!(matches!(&refused, FunctionError::Refused { stage, .. } if stage == "in_blocks"), "{refused}");
    // An undefined border leaves rows out, whatever follows.
    let inferred = chain([44, 72], &operator).infer();
    assert_eq!(inferred[0].valid_region().plane().to_string(), "2..42×0..72");
}
