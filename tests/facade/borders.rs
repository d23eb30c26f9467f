//! Borders of their own for each image, and images that are broadcast, on every target: equal to the author's function.

use windrow::{Border, Borders, Serial, Tensor, opencl, prelude::*};

/// The difference of two images, each smoothed along a direction of its own.
#[kernel]
pub fn crossed(a: Neighbourhood<u8>, level: u8, b: Neighbourhood<u8>) -> i16 {
    let row = a.at(-1, 0) as i16 + 2 * a.at(0, 0) as i16 + a.at(2, 0) as i16;
    row - b.at(0, -2) as i16 - b.at(0, 1) as i16 + level as i16
}

const BORDERS: [Border; 6] = [
    Border::Undefined,
    Border::Constant(windrow::Scalar::U8(201)),
    Border::Replicate,
    Border::Reflect,
    Border::Reflect101,
    Border::Wrap,
];

fn image(seed: usize, extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |[y, x]| (x * 31 + y * 57 + seed * 101 + (x * y) % 7) as u8).unwrap()
}

fn devices() -> Vec<opencl::Context> {
    let Ok(devices) = opencl::Devices::find() else { return Vec::new() };
    devices.iter().filter_map(|device| opencl::Context::new(device).ok()).collect()
}

#[test]
fn each_image_has_a_border_of_its_own() {
    let devices = devices();
    for size in [[5, 37], [9, 70]] {
        let [a, b] = [image(1, size), image(2, size)];
        // A row of levels for the whole image: broadcast.
        let level = image(3, [1, size[1]]);
        for (first, second) in BORDERS.iter().flat_map(|first| BORDERS.map(|second| (*first, second))) {
            let out = *Tensor::<i16>::new(size).unwrap().info();
            let borders = Borders::each(&[first, Border::Undefined, second]);
            let configured = crossed::configure(a.info(), level.info(), b.info(), &out, borders).unwrap();
            let inputs = (a.view(), level.view(), b.view());
            let [mut found, mut expect] = [(); 2].map(|()| Tensor::<i16>::new(size).unwrap());
            configured.run_reference(inputs, expect.view_mut()).unwrap();
            for tier in configured.tiers() {
                found.storage_mut().fill(0);
                configured.clone().with_tier(tier).unwrap().run(&Serial, inputs, found.view_mut()).unwrap();
                assert_eq!(found.to_vec(), expect.to_vec(), "{first} and {second} at {size:?} on {tier}");
            }
            for context in &devices {
                found.storage_mut().fill(0);
                let kernel = opencl::OpenClKernel::new(context, configured.clone()).unwrap();
                kernel.run(inputs, found.view_mut()).unwrap();
                assert_eq!(found.to_vec(), expect.to_vec(), "{first} and {second} at {size:?} on {}", context.device());
            }
        }
    }
}

#[test]
fn one_border_is_that_of_every_image() {
    let [a, b] = [image(4, [6, 20]), image(5, [6, 20])];
    let level = image(6, [6, 1]);
    let out = *Tensor::<i16>::new([6, 20]).unwrap().info();
    let one = crossed::configure(a.info(), level.info(), b.info(), &out, Border::Wrap).unwrap();
    let each = crossed::configure(a.info(), level.info(), b.info(), &out, Borders::each(&[Border::Wrap; 3])).unwrap();
    let run = |configured: &windrow::Configured<crossed>| {
        let mut out = Tensor::<i16>::new([6, 20]).unwrap();
        configured.run(&Serial, (a.view(), level.view(), b.view()), out.view_mut()).unwrap();
        out.to_vec()
    };
    assert_eq!(run(&one), run(&each));
    assert!(crossed::configure(a.info(), level.info(), b.info(), &out, Borders::each(&[Border::Wrap; 2])).is_err());
}
