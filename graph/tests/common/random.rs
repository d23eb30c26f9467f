//! Files and JSON with a few changes, the same in every run.

use serde_json::Value;
use windrow::TensorInfo;
use windrow_graph::{Plan, Step};

/// Mutations of each file: 400, unless `WINDROW_MUTATIONS` says another number.
pub fn mutations() -> usize {
    std::env::var("WINDROW_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(400)
}

/// What a plan may take for tensors.
pub const MEMORY: usize = 4 << 20;

/// Whether a plan is small enough to be run by a test.
pub fn is_small(plan: &Plan) -> bool {
    let elements = |info: &TensorInfo| {
        info.shape().extents().iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
    };
    let work = |step: &Step| {
        let read = step.reads().map(|read| read.extents.iter().product::<usize>()).max().unwrap_or(1);
        read.saturating_mul(step.extents().iter().product()) < 1 << 26
    };
    let is_known = |info: &TensorInfo| elements(info).is_some_and(|count| count < 1 << 14);
    plan.inputs().chain(plan.outputs()).all(|(_, info)| is_known(info)) && plan.steps().iter().all(work)
}

/// A sequence of numbers by a seed.
pub struct Random(pub u64);

/// Of files below this many bytes, most are unreadable after three changes.
const SMALL: usize = 512;

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    /// The same JSON with one or two changes that leave it JSON: another number, a number or a name of elsewhere in it, elements that are
    /// removed, doubled or exchanged.
    pub fn mutated_json(&mut self, original: &Value) -> Value {
        let mut json = original.clone();
        for _ in 0..=self.below(2) {
            let mut places = Vec::new();
            find_places(&json, String::new(), &mut places);
            let place = self.below(places.len());
            // Mostly one of its own kind: others are refused before any rule is asked.
            let kind_of = |place: usize| json.pointer(&places[place]).map(std::mem::discriminant);
            let mut others = (0..8).map(|_| self.below(places.len())).collect::<Vec<_>>().into_iter();
            let other = others.find(|other| kind_of(*other) == kind_of(place)).unwrap_or(0);
            let other = json.pointer(&places[other]).cloned().unwrap_or_default();
            let kind = self.below(8);
            let extreme = [0, 1, 2, -1, 127, 255, 1 << 30, i64::MAX, i64::MIN, 1 << 40][self.below(10)];
            let (by, chosen) = (1 + self.below(8) as i64, self.below(1 << 16));
            match json.pointer_mut(&places[place]) {
                Some(Value::Array(elements)) if !elements.is_empty() => {
                    let (at, to) = (chosen % elements.len(), (chosen >> 8) % elements.len());
                    match kind {
                        0..=2 => drop(elements.remove(at)),
                        3 | 4 => elements.insert(to, elements[at].clone()),
                        _ => elements.swap(at, to),
                    }
                }
                Some(Value::Number(number)) if kind < 6 => {
                    let own = number.as_i64().unwrap_or(0);
                    let found =
                        [extreme, own.wrapping_add(by), own.wrapping_sub(by), own.wrapping_mul(by)][kind.min(3)];
                    *number = found.into();
                }
                Some(found) => *found = other,
                None => {}
            }
        }
        json
    }

    /// A file with one to three changes, a small one with one or two: a bit, a byte, an extreme; bytes removed, doubled, moved or made a long number, most of
    /// which make the lengths around them wrong.
    pub fn mutated(&mut self, original: &[u8]) -> Vec<u8> {
        let mut bytes = original.to_vec();
        let most = if original.len() < SMALL { 2 } else { 3 };
        for _ in 0..=self.below(most) {
            let at = self.below(bytes.len());
            let length = 1 + self.below(16.min(bytes.len() - at));
            match self.below(12) {
                0..=3 => bytes[at] ^= 1 << self.below(8),
                4..=6 => bytes[at] = self.below(256) as u8,
                7 => bytes[at] = [0, 0x7f, 0x80, 0xff][self.below(4)],
                8 => drop(bytes.drain(at..at + length)),
                9 => {
                    let doubled = bytes[at..at + length].to_vec();
                    bytes.splice(at..at, doubled);
                }
                10 => {
                    let to = self.below(bytes.len() - length + 1);
                    let moved: Vec<u8> = bytes.drain(at..at + length).collect();
                    bytes.splice(to..to, moved);
                }
                // The longest number that there is, in the place of a byte.
                _ => drop(bytes.splice(at..=at, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
            }
            if bytes.is_empty() {
                return original.to_vec();
            }
        }
        bytes
    }
}

/// The places of all values in some JSON, as `Value::pointer` takes them; digests aside, which tell all that is done to them.
fn find_places(json: &Value, place: String, places: &mut Vec<String>) {
    match json {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(at, json)| find_places(json, format!("{place}/{at}"), places));
        }
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| *name != "sha256")
            .for_each(|(name, json)| find_places(json, format!("{place}/{name}"), places)),
        _ => {}
    }
    places.push(place);
}
