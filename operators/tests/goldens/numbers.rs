//! What the C model gives in numbers: counts, means, deviations.

use windrow::View;
use windrow_operators::{histogram, mean_std_dev};

use crate::archive::{Archive, Golden};

/// The image of each size, and the C model's numbers of an operation.
fn each(operation: &str, mut hold: impl FnMut(&Golden, &[String])) {
    let archive = Archive::open().unwrap();
    let mut held = 0;
    for (name, numbers) in &archive.numbers {
        if let Some(size) = name.strip_prefix(operation) {
            hold(&archive.arrays[&format!("in0{size}")], numbers);
            held += 1;
        }
    }
    assert_eq!(held, 8);
}

fn view(image: &Golden) -> View<'_, u8> {
    View::from_slice(&image.bytes, [image.height, image.width]).unwrap()
}

#[test]
fn histograms_count_what_the_c_model_counts() {
    each("histogram_b16_o20_r200", |image, numbers| {
        let expected: Vec<u32> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        assert_eq!(histogram::apply(view(image), 16, 20, 200).unwrap().to_vec(), expected);
    });
}

#[test]
fn means_and_deviations_are_the_c_models() {
    each("meanstddev", |image, numbers| {
        let (mean, deviation) = mean_std_dev::apply(view(image)).unwrap();
        for (found, expected) in [mean, deviation].iter().zip(numbers) {
            let expected: f32 = expected.parse().unwrap();
            approx::assert_relative_eq!(found.to_vec()[0], expected, max_relative = 1e-6);
        }
    });
}
