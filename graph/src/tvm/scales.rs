//! What the integers of each tensor stand for, of which kernels say a part.
//!
//! A kernel of integers says it of what it reads and writes. One that moves or compares integers says nothing: what it reads stands for
//! what that stands for which it writes. Tensors that belong together so are one set, and what is said of one is said of all.

use crate::model::Quantization;

/// Sets of tensors.
pub(super) struct Scales {
    /// Another tensor of the set, which leads to the one that stands for it.
    towards: Vec<usize>,
    /// Of the tensor that stands for a set.
    found: Vec<Option<Quantization>>,
}

/// Something else was said of a tensor before: what that was.
pub(super) struct Conflict(pub Quantization);

impl Scales {
    /// Each tensor by itself.
    pub fn new(tensors: usize) -> Scales {
        Scales { towards: (0..tensors).collect(), found: vec![None; tensors] }
    }

    /// The tensor that stands for another one's set.
    fn of(&mut self, mut tensor: usize) -> usize {
        while self.towards[tensor] != tensor {
            self.towards[tensor] = self.towards[self.towards[tensor]];
            tensor = self.towards[tensor];
        }
        tensor
    }

    /// Says that two tensors belong together.
    pub fn join(&mut self, one: usize, other: usize) -> Result<(), Conflict> {
        let (one, other) = (self.of(one), self.of(other));
        if one == other {
            return Ok(());
        }
        self.towards[other] = one;
        match self.found[other].take() {
            Some(said) => self.say(one, said),
            None => Ok(()),
        }
    }

    /// Says what a tensor's integers stand for.
    pub fn say(&mut self, tensor: usize, said: Quantization) -> Result<(), Conflict> {
        let tensor = self.of(tensor);
        match &self.found[tensor] {
            Some(found) if *found != said => Err(Conflict(found.clone())),
            _ => {
                self.found[tensor] = Some(said);
                Ok(())
            }
        }
    }

    /// What a tensor's integers stand for: themselves, where nothing is said.
    pub fn get(&mut self, tensor: usize) -> Quantization {
        let tensor = self.of(tensor);
        self.found[tensor].clone().unwrap_or_else(|| Quantization { scales: [1.0].into(), zero: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scale: f32) -> Quantization {
        Quantization { scales: [scale].into(), zero: 1 }
    }

    #[test]
    fn what_is_said_of_one_is_said_of_all() {
        let mut scales = Scales::new(5);
        assert!(scales.join(0, 1).is_ok() && scales.join(2, 3).is_ok());
        assert!(scales.say(3, of(0.5)).is_ok() && scales.join(1, 2).is_ok());
        assert_eq!((0..4).map(|tensor| scales.get(tensor)).collect::<Vec<_>>(), vec![of(0.5); 4]);
        assert_eq!(scales.get(4), Quantization { scales: [1.0].into(), zero: 0 });
        assert!(scales.say(0, of(0.5)).is_ok());
        assert!(matches!(scales.say(1, of(0.25)), Err(Conflict(found)) if found == of(0.5)));
        assert!(scales.say(4, of(0.25)).is_ok() && scales.join(4, 0).is_err());
    }
}
