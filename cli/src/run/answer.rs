//! What a network found: the classes with the greatest shares.

use std::fmt::Write as _;

use windrow::{AnyViewMut, InvalidTensor, Tensor, TensorInfo, tensor::DType};

/// The names of the thousand classes of ImageNet's challenge, in the order of all networks that are trained for it: torchvision's.
const IMAGENET: &str = include_str!("imagenet.txt");

/// An output of one of the types that networks write.
#[derive(Debug)]
pub(super) enum Elements {
    Floats(Tensor<f32>),
    Bytes(Tensor<i8>),
}

impl Elements {
    pub fn of(info: &TensorInfo) -> Result<Elements, InvalidTensor> {
        Ok(match info.dtype() {
            DType::I8 => Elements::Bytes(Tensor::with_info(*info)?),
            _ => Elements::Floats(Tensor::with_info(*info)?),
        })
    }

    pub fn view_mut(&mut self) -> AnyViewMut<'_> {
        match self {
            Elements::Floats(tensor) => tensor.view_mut().any(),
            Elements::Bytes(tensor) => tensor.view_mut().any(),
        }
    }

    /// The numbers that the elements stand for.
    fn numbers(&self, info: &TensorInfo) -> Vec<f64> {
        let (scale, zero) = info.quantization().map_or((1.0, 0), |found| (f64::from(found.scale()), found.offset()));
        match self {
            Elements::Floats(tensor) => tensor.to_vec().into_iter().map(f64::from).collect(),
            Elements::Bytes(tensor) => {
                tensor.to_vec().into_iter().map(|element| scale * f64::from(i32::from(element) - zero)).collect()
            }
        }
    }
}

/// A line for each of the best classes; or the range of the numbers, where they are no scores of one picture.
pub(super) fn best(elements: &Elements, info: &TensorInfo, names: &[String], top: usize) -> String {
    let numbers = elements.numbers(info);
    // Some networks have dimensions of an extent of 1 behind the classes.
    let classes = info.shape().extents().iter().copied().max().unwrap_or(1);
    if numbers.len() != classes || classes < 2 {
        let (least, greatest) =
            numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), &number| {
                (least.min(number), greatest.max(number))
            });
        return format!("{}, from {least} to {greatest}\n", info.shape());
    }
    let shares = shares(&numbers);
    let mut order: Vec<usize> = (0..classes).collect();
    // Of equal ones the first comes first.
    order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
    let mut text = String::new();
    for &class in order.iter().take(top) {
        let name = match names.get(class) {
            Some(name) => name.as_str(),
            None if names.is_empty() && classes == 1000 => IMAGENET.lines().nth(class).unwrap_or_default(),
            None => "",
        };
        let _ = writeln!(text, "{:6.1} %  {class:4}  {name}", 100.0 * shares[class]);
    }
    text
}

/// Numbers that add up to one as they are, and others by their powers.
fn shares(numbers: &[f64]) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    if numbers.iter().all(|&number| number >= 0.0) && (sum - 1.0).abs() < 0.05 {
        return numbers.to_vec();
    }
    let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = numbers.iter().map(|number| (number - greatest).exp()).collect();
    let all: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_classes_are_named() {
        let info = TensorInfo::of::<f32>(&[1, 3]).unwrap();
        let scores = Elements::Floats(Tensor::from_vec(vec![0.0, 2.0, 1.0], [1, 3]).unwrap().into_any_rank());
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(best(&scores, &info, &names, 2), "  66.5 %     1  b\n  24.5 %     2  c\n");
        // What adds up to one is a share already.
        let shares = Elements::Floats(Tensor::from_vec(vec![0.5, 0.25, 0.25], [1, 3]).unwrap().into_any_rank());
        assert_eq!(best(&shares, &info, &[], 2), "  50.0 %     0  \n  25.0 %     1  \n");
        let image = TensorInfo::of::<f32>(&[2, 2]).unwrap();
        let elements = Elements::Floats(Tensor::from_vec(vec![0.5, -1.0, 2.0, 0.0], [2, 2]).unwrap().into_any_rank());
        assert_eq!(best(&elements, &image, &[], 2), "2×2, from -1 to 2\n");
    }

    #[test]
    fn the_classes_of_imagenet_are_a_thousand() {
        assert_eq!(IMAGENET.lines().count(), 1000);
        assert_eq!(IMAGENET.lines().next(), Some("tench"));
    }
}
