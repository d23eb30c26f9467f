//! Which cases a test runs.

use super::{
    case::{CASE_VARIABLE, Case, is_wanted},
    cases,
    own::{Additions, OwnData},
    target::Target,
};
use windrow_reference::testing::Mode;
use windrow_runtime::spec::KernelSpec;

/// Which cases a test runs.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// Those of the generated tests.
    Generated,
    /// Those that an author adds.
    Added(&'a Additions<'a>),
    /// The one of this id, with the author's own contents.
    Only(&'a str, &'a [OwnData]),
}

/// The cases to run: those of a list, and how many are drawn at random.
pub(super) struct Chosen {
    pub(super) listed: Vec<Case>,
    pub(super) drawn: Option<u32>,
}

impl Selection<'_> {
    /// The cases on a target, for which `generated` are those of a mode. `WINDROW_CASE` chooses among them, or names another.
    pub(super) fn choose(
        &self,
        spec: &'static KernelSpec,
        target: Target,
        mode: Mode,
        generated: &dyn Fn(Mode) -> Vec<Case>,
    ) -> Chosen {
        let (list, drawn, own): (&dyn Fn(Mode) -> Vec<Case>, u32, &[OwnData]) = match self {
            Selection::Generated => (generated, if mode == Mode::Full { 64 } else { 16 }, &[]),
            Selection::Added(additions) => (&|_| additions.listed(spec), additions.cases, additions.data),
            Selection::Only(id, own) => match Case::parse(spec, target, id, own) {
                Some(case) => return Chosen { listed: vec![case], drawn: None },
                None => panic!("`{id}` is not the id of a case of {}", spec.name),
            },
        };
        match std::env::var(CASE_VARIABLE) {
            Ok(wanted) if !wanted.is_empty() => {
                let mut listed = list(Mode::Quick);
                listed.extend(list(Mode::Full));
                listed.retain(|case| is_wanted(&case.id(spec, target), &wanted));
                if listed.is_empty() {
                    listed.extend(Case::parse(spec, target, &wanted, own));
                }
                Chosen { listed, drawn: None }
            }
            Ok(_) | Err(_) if cfg!(miri) => Chosen { listed: cases::for_interpreter(spec), drawn: None },
            Ok(_) | Err(_) => Chosen { listed: list(mode), drawn: Some(drawn) },
        }
    }
}
