//! The caller's images may lie in any way: from the bottom up, flipped, transposed, elements apart, repeated.

use super::{darker, everywhere::image, everywhere::whole, spread};
use windrow::{chain::*, prelude::*};

const HEIGHT: usize = 37;
const WIDTH: usize = 70;

/// Two filters, one after the other; the output's rows are kept in bands' buffers where it is read again.
fn filters() -> ChainBuilder {
    let info = TensorInfo::of::<u8>(&[HEIGHT, WIDTH]).unwrap();
    let mut chain = ChainBuilder::new();
    let src = chain.input(info);
    let [first] = chain.add(&spread::configure(&info, &info, Border::Replicate).unwrap(), &[src]).unwrap();
    let [second] = chain.add(&spread::configure(&info, &info, Border::Wrap).unwrap(), &[first]).unwrap();
    let [last] = chain.add(&darker::configure(&info, &info).unwrap(), &[second]).unwrap();
    chain.output(first).unwrap();
    chain.output(last).unwrap();
    chain
}

/// The views of one kind: of an image that is read, and of one that is written, in memory that holds more.
type Views = (fn(View<'_, u8>) -> View<'_, u8>, fn(ViewMut<'_, u8>) -> ViewMut<'_, u8>);

#[test]
fn chains_run_on_images_of_any_strides() {
    let kinds: [([usize; 2], Views); 4] = [
        ([HEIGHT, WIDTH], (|v| v.flip(0).unwrap(), |v| v.flip(0).unwrap())),
        ([HEIGHT, WIDTH], (|v| v.flip(1).unwrap(), |v| v.flip(1).unwrap())),
        ([WIDTH, HEIGHT], (|v| v.permute([1, 0]).unwrap(), |v| v.permute([1, 0]).unwrap())),
        (
            [2 * HEIGHT, 3 * WIDTH],
            (|v| v.step(0, 2).unwrap().step(1, 3).unwrap(), |v| v.step(0, 2).unwrap().step(1, 3).unwrap()),
        ),
    ];
    for (kind, (extents, (read, written))) in kinds.into_iter().enumerate() {
        let source = image::<u8>(kind, extents);
        let view = read(source.view());
        let dense = Tensor::from_fn([HEIGHT, WIDTH], |[y, x]| view.get([y, x]).unwrap()).unwrap();
        let mut expected = [Tensor::<u8>::new([HEIGHT, WIDTH]).unwrap(), Tensor::<u8>::new([HEIGHT, WIDTH]).unwrap()];
        {
            let [a, b] = &mut expected;
            let composite = filters().compose(&whole()).unwrap();
            composite.run(&Serial, &[dense.view().any()], &mut [a.view_mut().any(), b.view_mut().any()]).unwrap();
        }
        let executors: [&dyn Executor; 3] = [&whole(), &InBands { cache: 0 }, &InBands { cache: CACHE }];
        for executor in executors {
            let composite = filters().compose(executor).unwrap();
            let filled = || Tensor::from_fn(extents, |_| 0xA5u8).unwrap();
            let (mut a, mut b) = (filled(), filled());
            let mut outputs = [written(a.view_mut()).any(), written(b.view_mut()).any()];
            composite.run(&Rayon::new(), &[view.any()], &mut outputs).unwrap();
            for (found, expected) in [&a, &b].into_iter().zip(&expected) {
                let seen = read(found.view());
                for y in 0..HEIGHT {
                    for x in 0..WIDTH {
                        assert_eq!(
                            seen.get([y, x]),
                            expected.view().get([y, x]),
                            "{kind}, {}: {y}, {x}",
                            composite.listing()
                        );
                    }
                }
                // What lies between the elements is not theirs.
                let touched = found.to_vec().into_iter().filter(|&byte| byte != 0xA5).count();
                assert!(touched <= HEIGHT * WIDTH, "{kind}: {touched}");
            }
        }
    }
}
