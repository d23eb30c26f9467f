//! Runs that a device and the processor share.

use crate::case::{add_to, contexts, image};
use windrow::{Border, Serial, Tensor, opencl::SplitKernel, prelude::*};

/// Reads its neighbours: parts of a split need rows of the other part.
#[kernel(neighbourhood(x = -1..=1, y = -2..=1))]
pub fn cross(src: Neighbourhood<u8>, level: u8) -> u8 {
    src.at(0, -2).max(src.at(0, 1)).max(src.at(-1, 0)).max(src.at(1, 0)).abs_diff(level)
}

#[test]
fn every_share_of_processor_and_device_gives_the_same() {
    let contexts = contexts();
    if contexts.is_empty() {
        return;
    }
    let (src, level) = (image(1, [35, 40]), image(2, [35, 1]));
    for border in [Border::Replicate, Border::Undefined, Border::Reflect101, Border::Wrap] {
        let out = Tensor::<u8>::new([35, 40]).unwrap();
        let configured = cross::configure(src.info(), level.info(), out.info(), border).unwrap();
        let mut expected = out.clone();
        configured.run_reference((src.view(), level.view()), expected.view_mut()).unwrap();
        let split = SplitKernel::new(&contexts[..1], &configured).unwrap();
        for sixteenths in 0..=16 {
            let mut found = out.clone();
            let shares = [f64::from(16 - sixteenths), f64::from(sixteenths)];
            split.run_shared(&Serial, &shares, (src.view(), level.view()), found.view_mut()).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec(), "{sixteenths} sixteenths on the device, {border}");
        }
        assert!(split.rates().iter().all(|rate| rate.is_some_and(|rate| rate > 0.0)));
        for _ in 0..40 {
            let shares = split.shares();
            assert!(shares.len() == 2 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
            let mut found = out.clone();
            split.run(&Serial, (src.view(), level.view()), found.view_mut()).unwrap();
            assert_eq!(found.to_vec(), expected.to_vec(), "shares {shares:?}, {border}");
        }
        let mut found = out.clone();
        assert!(split.run_shared(&Serial, &[1.0], (src.view(), level.view()), found.view_mut()).is_err());
    }
}

#[test]
fn in_place_runs_are_split_too() {
    let contexts = contexts();
    if contexts.is_empty() {
        return;
    }
    let start = image(1, [9, 40]);
    let split = SplitKernel::new(&contexts, &add_to::configure(start.info(), 9).unwrap()).unwrap();
    let mut sum = start.clone();
    let shares: Vec<f64> = (0..=contexts.len()).map(|part| 1.0 + part as f64).collect();
    for _ in 0..2 {
        split.run_shared(&Serial, &shares, (), sum.view_mut()).unwrap();
    }
    assert_eq!(sum.to_vec(), start.to_vec().iter().map(|v| v.wrapping_add(18)).collect::<Vec<u8>>());
}
