//! Operators of safe code that say what isn't so: a chain refuses them before anything runs.

use crate::{everywhere::whole, of, spread};
use std::sync::Arc;
use windrow::{BorderMode, RunError, chain::*, prelude::*};

/// An operator whose every word is a field.
#[derive(Debug)]
struct Said {
    writes: Vec<TensorInfo>,
    aliases: Vec<Alias>,
    /// Where it takes its footprints and its code from; without one it has no code.
    other: Option<(Generated, TensorInfo)>,
    workspace: Workspace,
}

impl Said {
    fn of(writes: &[TensorInfo]) -> Said {
        Said { writes: writes.to_vec(), aliases: Vec::new(), other: None, workspace: Workspace::default() }
    }

    /// In a chain of its own, behind a stage that computes bytes.
    fn chain(self, extents: [usize; 2], inputs: usize) -> Result<ChainBuilder, FunctionError> {
        let bytes = of::<u8>(extents);
        let mut chain = ChainBuilder::new();
        let src = chain.input(bytes);
        let [computed] = chain.add(&spread::configure(&bytes, &bytes, Border::Replicate).unwrap(), &[src])?;
        let (count, read, said) = (self.writes.len(), vec![computed; inputs], Arc::new(self));
        let written = match count {
            1 => chain.add_operator::<1>(said, &read)?.to_vec(),
            _ => chain.add_operator::<2>(said, &read)?.to_vec(),
        };
        written.into_iter().try_for_each(|value| chain.output(value))?;
        Ok(chain)
    }
}

impl Operator for Said {
    fn name(&self) -> &str {
        "said"
    }

    fn infer(&self, _: &[TensorInfo]) -> Result<Vec<Option<TensorInfo>>, OperatorError> {
        Ok(self.writes.iter().copied().map(Some).collect())
    }

    fn footprint(&self, input: usize) -> Footprint {
        match &self.other {
            Some((other, _)) => other.footprint(input),
            // SAFETY: it has no code that reads rows.
            None => unsafe { Footprint::rows::<Said>(0, 0, 1, BorderMode::Undefined) },
        }
    }

    fn aliases(&self) -> Vec<Alias> {
        self.aliases.clone()
    }

    fn lower(&self, target: &dyn Target, _: &[TensorInfo]) -> Result<Box<dyn Compiled>, OperatorError> {
        match &self.other {
            Some((other, read)) => other.lower(target, &[*read]),
            None => Ok(Box::new(NoCode { workspace: self.workspace })),
        }
    }
}

#[derive(Debug)]
struct NoCode {
    workspace: Workspace,
}

impl Compiled for NoCode {
    fn workspace(&self) -> Workspace {
        self.workspace
    }

    unsafe fn bind(&self, _: Arguments<'_>, _: &mut RunBound<'_>) -> Result<(), RunError> {
        Err(RunError::Kernel { reason: "it has no code" })
    }
}

#[test]
fn what_is_computed_in_place_is_one_image() {
    let extents = [8, 10];
    let (bytes, floats) = (of::<u8>(extents), of::<f32>(extents));
    let alias = |output, input| Alias { output, input };
    let cases = [
        (vec![floats], vec![alias(0, 0)], 1, "their types or shapes differ"),
        (vec![of::<u8>([8, 11])], vec![alias(0, 0)], 1, "their types or shapes differ"),
        (vec![bytes, bytes], vec![alias(0, 0), alias(1, 0)], 1, "one of them is another's already"),
        (vec![bytes], vec![alias(0, 0), alias(0, 1)], 2, "one of them is another's already"),
        (vec![bytes], vec![alias(1, 0)], 1, "the operator has no such image"),
        (vec![bytes], vec![alias(0, 1)], 1, "the operator has no such image"),
    ];
    for (writes, aliases, inputs, rule) in cases {
        let said = Said { aliases: aliases.clone(), ..Said::of(&writes) };
        let error = said.chain(extents, inputs).unwrap_err().to_string();
        assert!(error.contains(rule) && error.contains("in the place of input"), "{aliases:?}: {error}");
    }
    assert!(Said { aliases: vec![alias(0, 0)], ..Said::of(&[bytes]) }.chain(extents, 1).is_ok());
}

/// Code for images of `extents`.
fn code_for(extents: [usize; 2], border: Border) -> (Generated, TensorInfo) {
    let info = of::<u8>(extents);
    (Generated::new(&spread::configure(&info, &info, border).unwrap()), info)
}

#[test]
fn code_of_other_images_is_refused() {
    let extents = [8, 10];
    let bytes = of::<u8>(extents);
    let executors: [&dyn Executor; 2] = [&whole(), &InBands { cache: CACHE }];
    for executor in executors {
        let refused = |writes: &[TensorInfo], other, words: &str| {
            let said = Said { other: Some(other), ..Said::of(writes) };
            let error = said.chain(extents, 1).unwrap().compose(executor).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(&[bytes], code_for([80, 100], Border::Replicate), "80×100");
        refused(&[of::<i16>(extents)], code_for(extents, Border::Replicate), "i16");
        refused(&[bytes, bytes], code_for(extents, Border::Replicate), "writes is 1, found 2");
        // Its own region is smaller than what is asked of it.
        refused(&[bytes], code_for(extents, Border::Undefined), "computed in");
    }
    let honest = Said { other: Some(code_for(extents, Border::Replicate)), ..Said::of(&[bytes]) };
    assert!(honest.chain(extents, 1).unwrap().compose(&whole()).is_ok());
}

#[test]
fn a_footprint_counts_for_operators_of_its_own_type_alone() {
    let extents = [8, 10];
    let said = Said { other: Some(code_for(extents, Border::Replicate)), ..Said::of(&[of::<u8>(extents)]) };
    let error = said.chain(extents, 1).unwrap().compose(&InBands { cache: CACHE }).unwrap_err().to_string();
    assert!(error.contains("it needs all rows of an image that the chain computes"), "{error}");
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let extents = [8, 10];
    let executors: [&dyn Executor; 2] = [&whole(), &InBands { cache: CACHE }];
    for executor in executors {
        for bytes in [usize::MAX, usize::MAX - 20, usize::MAX - 63, isize::MAX as usize] {
            for workspace in [Workspace { per_run: bytes, per_thread: 0 }, Workspace { per_run: 0, per_thread: bytes }]
            {
                let said = Said { workspace, ..Said::of(&[of::<u8>(extents)]) };
                let refused = said.chain(extents, 1).unwrap().compose(executor);
                assert!(refused.is_err(), "{workspace:?}");
            }
        }
    }
}
