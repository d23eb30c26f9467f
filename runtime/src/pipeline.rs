//! Whether the stages of a pipeline may run in their order: one writer for each tensor, and writers before readers.
//!
//! Stages and tensors are names and numbers here; nothing is configured, run or allocated.

/// What one stage reads and writes, as numbers of tensors.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// Its name.
    pub name: &'a str,
    /// The tensors that it reads.
    pub reads: &'a [usize],
    /// The tensors that it writes; one that it reads too is updated in place.
    pub writes: &'a [usize],
}

/// Stages of a pipeline, at most.
pub const MAX_STAGES: usize = 256;

/// Why stages can't run in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPipeline<'a> {
    /// A tensor with two writers.
    #[error("`{tensor}` is written by `{first}` and by `{second}`")]
    SecondWriter {
        /// The tensor.
        tensor: &'a str,
        /// Its first writer.
        first: &'a str,
        /// Another.
        second: &'a str,
    },
    /// A tensor that is read before it is written.
    #[error("`{reader}` reads `{tensor}` before `{writer}` writes it")]
    ReadBeforeWritten {
        /// The tensor.
        tensor: &'a str,
        /// The stage that reads it.
        reader: &'a str,
        /// The later stage that writes it.
        writer: &'a str,
    },
    /// Stages that wait for each other, in whatever order they stand.
    #[error("`{reader}` reads `{tensor}` from `{writer}`, which depends on what `{reader}` writes")]
    Cycle {
        /// The tensor.
        tensor: &'a str,
        /// The stage that reads it.
        reader: &'a str,
        /// The stage that writes it.
        writer: &'a str,
    },
    /// A number that is no tensor's.
    #[error("`{stage}` names tensor {found}, there are {tensors}")]
    NoTensor {
        /// The stage.
        stage: &'a str,
        /// The number.
        found: usize,
        /// How many there are.
        tensors: usize,
    },
    /// Too many stages.
    #[error("a pipeline has at most 256 stages, found {found}")]
    TooManyStages {
        /// Their number.
        found: usize,
    },
}

/// Whether `stages` may run one after the other; `tensors` are the tensors' names. One that no stage writes comes from outside.
///
/// ```
/// use windrow::tiling::pipeline::{InvalidPipeline, Stage, check};
///
/// let tensors = ["photo", "blurred", "edges"];
/// let blur = Stage { name: "blur", reads: &[0], writes: &[1] };
/// let sobel = Stage { name: "sobel", reads: &[1], writes: &[2] };
/// assert_eq!(check(&[blur, sobel], &tensors), Ok(()));
/// let error = check(&[sobel, blur], &tensors).map_err(|error| error.to_string());
/// assert_eq!(error, Err("`sobel` reads `blurred` before `blur` writes it".to_owned()));
/// ```
pub fn check<'a>(stages: &[Stage<'a>], tensors: &[&'a str]) -> Result<(), InvalidPipeline<'a>> {
    if stages.len() > MAX_STAGES {
        return Err(InvalidPipeline::TooManyStages { found: stages.len() });
    }
    for stage in stages {
        if let Some(&found) = stage.reads.iter().chain(stage.writes).find(|&&tensor| tensor >= tensors.len()) {
            return Err(InvalidPipeline::NoTensor { stage: stage.name, found, tensors: tensors.len() });
        }
    }
    for (number, tensor) in tensors.iter().enumerate() {
        let mut writers = stages.iter().filter(|stage| stage.writes.contains(&number));
        if let (Some(first), Some(second)) = (writers.next(), writers.next()) {
            return Err(InvalidPipeline::SecondWriter { tensor, first: first.name, second: second.name });
        }
    }
    for (reader, stage) in stages.iter().enumerate() {
        for &tensor in stage.reads {
            let writer = stages.iter().rposition(|stage| stage.writes.contains(&tensor));
            let Some(writer) = writer.filter(|writer| *writer > reader) else { continue };
            let (tensor, reads, writes) = (tensors[tensor], stage.name, stages[writer].name);
            return Err(match depends(stages, writer, reader) {
                true => InvalidPipeline::Cycle { tensor, reader: reads, writer: writes },
                false => InvalidPipeline::ReadBeforeWritten { tensor, reader: reads, writer: writes },
            });
        }
    }
    Ok(())
}

/// Whether `stage` reads, at first or at last, something that `on` writes.
fn depends(stages: &[Stage<'_>], stage: usize, on: usize) -> bool {
    let mut reached = [false; MAX_STAGES];
    reached[on] = true;
    loop {
        let waits = |next: &Stage<'_>| {
            let mut sources = stages.iter().zip(&reached).filter(|(_, reached)| **reached);
            sources.any(|(source, _)| source.writes.iter().any(|tensor| next.reads.contains(tensor)))
        };
        let Some(next) = (0..stages.len()).find(|&next| !reached[next] && waits(&stages[next])) else {
            return reached[stage];
        };
        reached[next] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 4] = ["a", "b", "c", "d"];

    const fn stage(name: &'static str, reads: &'static [usize], writes: &'static [usize]) -> Stage<'static> {
        Stage { name, reads, writes }
    }

    #[test]
    fn mistakes_name_both_stages() {
        let (first, second, third) =
            (stage("first", &[0], &[1]), stage("second", &[1], &[2]), stage("third", &[2], &[3]));
        assert_eq!(check(&[first, second, third], &NAMES), Ok(()));
        let twice = stage("twice", &[0], &[2]);
        let error = InvalidPipeline::SecondWriter { tensor: "c", first: "second", second: "twice" };
        assert_eq!(check(&[first, second, twice], &NAMES), Err(error));
        let error = InvalidPipeline::ReadBeforeWritten { tensor: "b", reader: "second", writer: "first" };
        assert_eq!(check(&[second, third, first], &NAMES), Err(error));
        let back = stage("back", &[3], &[0]);
        let error = InvalidPipeline::Cycle { tensor: "a", reader: "first", writer: "back" };
        assert_eq!(check(&[first, second, third, back], &NAMES), Err(error));
        assert_eq!(
            check(&[back, first, second, third], &NAMES).unwrap_err().to_string(),
            "`back` reads `d` from `third`, which depends on what `back` writes"
        );
    }

    #[test]
    fn a_stage_may_work_in_place_and_read_from_outside() {
        let accumulate = stage("accumulate", &[0, 1], &[1]);
        assert_eq!(check(&[accumulate], &NAMES), Ok(()));
        assert_eq!(check(&[], &NAMES), Ok(()));
        let error = InvalidPipeline::NoTensor { stage: "far", found: 9, tensors: 4 };
        assert_eq!(check(&[stage("far", &[], &[9])], &NAMES), Err(error));
        assert_eq!(check(&[accumulate; 300], &NAMES), Err(InvalidPipeline::TooManyStages { found: 300 }));
    }
}
