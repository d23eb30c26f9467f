//! Whether the arms of a `match` cover every value, as rustc asks.

use super::types::Ty;
use super::{Enum, Infer};
use crate::ir::Type;

/// Which values a pattern matches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cover {
    /// Every value.
    All,
    /// These integers (truth values and enums count as numbers).
    Ranges(Vec<(i128, i128)>),
    /// A tuple or an array whose parts are matched so; an option is the number of its values, and the value.
    Parts(Vec<Cover>),
    /// What any of these matches.
    Any(Vec<Cover>),
    /// Not said: a guard stands behind it, or a named constant.
    Nothing,
}

/// The values of a type.
#[derive(Clone, Debug)]
enum Domain {
    /// Integers from the first to the last.
    Integers(i128, i128),
    /// Parts, each with its own.
    Parts(Vec<Domain>),
    /// Values that patterns can't list.
    Other,
}

/// How many questions one `match` may need; more count as not covered.
const MAX_QUESTIONS: usize = 10_000;

impl Infer<'_> {
    /// Whether the patterns cover every value of a type.
    pub(super) fn covered(&self, ty: &Ty, covers: &[Cover]) -> bool {
        if self.unifier.shallow(ty) == Ty::Error {
            return true;
        }
        let rows: Vec<Vec<Cover>> = covers.iter().map(|cover| vec![cover.clone()]).collect();
        let domain = domain(&self.unifier.resolve(ty), &self.types.enums);
        exhaustive(&rows, &[domain], &mut 0)
    }
}

fn domain(ty: &Ty, enums: &[Enum]) -> Domain {
    match ty {
        Ty::Scalar(Type::F32 | Type::F64) => Domain::Other,
        Ty::Scalar(ty) => {
            let (lo, hi) = (*ty).limits();
            Domain::Integers(lo, hi)
        }
        Ty::Enum(which) => Domain::Integers(0, enums[*which].values.len() as i128 - 1),
        Ty::Tuple(parts) => Domain::Parts(parts.iter().map(|part| domain(part, enums)).collect()),
        Ty::Option(value) => Domain::Parts(vec![Domain::Integers(0, 1), domain(value, enums)]),
        Ty::Array(element, n) if *n <= 16 => Domain::Parts(vec![domain(element, enums); *n as usize]),
        Ty::Array(..)
        | Ty::Usize
        | Ty::Closure(_)
        | Ty::Function(_)
        | Ty::Neighbourhood(_)
        | Ty::View(..)
        | Ty::Table(..)
        | Ty::Iterator(_)
        | Ty::Var(_)
        | Ty::Error => Domain::Other,
    }
}

/// Whether every combination of values is matched by some row, one pattern a column.
fn exhaustive(rows: &[Vec<Cover>], domains: &[Domain], questions: &mut usize) -> bool {
    *questions += 1;
    if *questions > MAX_QUESTIONS || rows.is_empty() {
        return false;
    }
    let [first, rest @ ..] = domains else { return true };
    let rows = &alternatives(rows);
    match first {
        Domain::Other => {
            let rows = rows.iter().filter(|row| row[0] == Cover::All).map(|row| row[1..].to_vec());
            exhaustive(&rows.collect::<Vec<_>>(), rest, questions)
        }
        Domain::Parts(parts) => {
            let split = |row: &Vec<Cover>| match &row[0] {
                Cover::All => Some([&vec![Cover::All; parts.len()][..], &row[1..]].concat()),
                Cover::Parts(covers) if covers.len() == parts.len() => Some([&covers[..], &row[1..]].concat()),
                // A pattern of another type, which is an error of its own.
                Cover::Parts(_) | Cover::Ranges(_) | Cover::Any(_) | Cover::Nothing => None,
            };
            exhaustive(&rows.iter().filter_map(split).collect::<Vec<_>>(), &[&parts[..], rest].concat(), questions)
        }
        Domain::Integers(lo, hi) => pieces(rows, *lo, *hi).into_iter().all(|at| {
            let matching = rows.iter().filter(|row| matches(&row[0], at)).map(|row| row[1..].to_vec());
            exhaustive(&matching.collect::<Vec<_>>(), rest, questions)
        }),
    }
}

/// Rows with `a | b` in front become a row for each.
fn alternatives(rows: &[Vec<Cover>]) -> Vec<Vec<Cover>> {
    let mut flat = Vec::new();
    for row in rows {
        match &row[0] {
            Cover::Any(cases) => {
                let each: Vec<Vec<Cover>> =
                    cases.iter().map(|case| [std::slice::from_ref(case), &row[1..]].concat()).collect();
                flat.extend(alternatives(&each));
            }
            Cover::All | Cover::Ranges(_) | Cover::Parts(_) | Cover::Nothing => flat.push(row.clone()),
        }
    }
    flat
}

/// One value of each stretch on which the rows' first patterns do not change.
fn pieces(rows: &[Vec<Cover>], lo: i128, hi: i128) -> Vec<i128> {
    let mut starts = vec![lo];
    for row in rows {
        if let Cover::Ranges(ranges) = &row[0] {
            starts.extend(ranges.iter().flat_map(|(from, to)| [*from, to.saturating_add(1)]));
        }
    }
    starts.retain(|start| (lo..=hi).contains(start));
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn matches(cover: &Cover, value: i128) -> bool {
    match cover {
        Cover::All => true,
        Cover::Ranges(ranges) => ranges.iter().any(|(from, to)| (*from..=*to).contains(&value)),
        Cover::Parts(_) | Cover::Any(_) | Cover::Nothing => false,
    }
}
