//! The histogram written by hand for the example `host`, against the C model's numbers, on every split.

#[path = "../../../examples/host/histogram.rs"]
mod kernel;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kernel::{BINS, Histogram};
use windrow::{Rayon, Scheduler, Serial, Split, View, schedule::schedule};

use crate::archive::Archive;

/// The C model counts 16 bins over 200 values from 20 on.
const NAME: &str = "histogram_b16_o20_r200_";

#[test]
fn a_histogram_by_hand_counts_what_the_c_model_counts() {
    let archive = Archive::open().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let rayon = |split| Rayon::on(&pool).with_grain(1).with_split(split);
    let mut held = 0;
    for (name, numbers) in archive.numbers.iter().filter(|(name, _)| name.starts_with(NAME)) {
        let image = &archive.arrays[&format!("in0_{}", &name[NAME.len()..])];
        let view = View::from_slice(&image.bytes, [image.width, image.height]).unwrap();
        for scheduler in [&Serial as &dyn Scheduler, &rayon(Split::Static), &rayon(Split::Dynamic { parts: 7 })] {
            let bins = [const { AtomicU32::new(0) }; BINS];
            schedule(scheduler, &mut Histogram::new(view, &bins)).unwrap();
            let mut found = [0u32; 16];
            for value in 20..220 {
                found[(value - 20) * 16 / 200] += bins[value].load(Relaxed);
            }
            let expect: Vec<u32> = numbers.iter().map(|number| number.parse().unwrap()).collect();
            assert_eq!(found[..], expect, "{name}");
            let all: u32 = bins.iter().map(|bin| bin.load(Relaxed)).sum();
            assert_eq!(all as usize, image.bytes.len());
        }
        held += 1;
    }
    assert_eq!(held, 8);
}
