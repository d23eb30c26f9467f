//! Outputs that the caller may leave out: one body for each subset that can be asked for.

use crate::ir::{Body, Kernel};

/// The non-empty subsets of outputs that hold all required ones, as masks: all outputs first, then by decreasing mask.
pub fn subsets(kernel: &Kernel) -> Vec<u32> {
    let all = (1u64 << kernel.outputs.len()) - 1;
    let required = kernel.outputs.iter().enumerate().filter(|(_, output)| !output.optional);
    let required = required.fold(0u64, |mask, (index, _)| mask | 1 << index);
    (1..=all).rev().filter(|mask| mask & required == required).map(|mask| mask as u32).collect()
}

/// The body that writes only the outputs of a subset.
pub fn keep(body: &Body, subset: u32) -> Body {
    let mut kept = body.clone();
    kept.stores.retain(|store| subset >> store.to.tensor.0 & 1 == 1);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Output, Type};
    use crate::optimise::testing::{kernel, u8_body};

    fn with_outputs(optional: &[bool]) -> Kernel {
        let mut kernel = kernel(Type::U8, u8_body(|_, a, _| a));
        let output =
            |&optional: &bool| Output { name: "o".to_owned(), element: Type::U8, ty: Type::U8, channels: 1, optional };
        kernel.outputs = optional.iter().map(output).collect();
        kernel
    }

    #[test]
    fn subsets_hold_every_required_output() {
        assert_eq!(subsets(&with_outputs(&[false])), [1]);
        assert_eq!(subsets(&with_outputs(&[true, true])), [3, 2, 1]);
        assert_eq!(subsets(&with_outputs(&[false, true])), [3, 1]);
        assert_eq!(subsets(&with_outputs(&[true, false, true])), [7, 6, 3, 2]);
    }

    #[test]
    fn an_output_left_out_is_not_stored() {
        let body = u8_body(|_, a, _| a);
        assert_eq!(keep(&body, 1).stores.len(), 1);
        assert_eq!(keep(&body, 2).stores.len(), 0);
    }
}
