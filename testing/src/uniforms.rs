//! Values for uniforms and tables: inside their bounds, at them, and with every `require` kept.

use super::words::numbers;
use windrow_reference::testing::{Data, Random};
use windrow_runtime::{
    element::{ElementType, Scalar},
    spec::{KernelSpec, Relation, RequireSpec, RequireTerm, UniformSpec},
};

/// How often values are drawn until they keep every relation.
const ATTEMPTS: usize = 64;

/// The words of all uniforms. Extreme data come with extreme values.
pub(super) fn draw(spec: &'static KernelSpec, data: Data, random: &mut Random) -> Vec<u32> {
    let mut words = vec![0; spec.words.uniforms as usize];
    for _ in 0..ATTEMPTS {
        for (_, uniform) in spec.uniforms() {
            draw_one(uniform, data, random, &mut words);
        }
        // A relation that doesn't hold is mended by exchanging or copying its sides, then all are checked again.
        for _ in 0..spec.requires.len() {
            for require in spec.requires {
                let (left, right) = (place(spec, &require.left), place(spec, &require.right));
                if let (false, Some(left), Some(right)) = (holds(spec, require, &words), left, right) {
                    mend(require.relation, left, right, &mut words);
                }
            }
        }
        let bounded = spec.uniforms().all(|(_, uniform)| in_bounds(uniform, &words));
        if bounded && spec.requires.iter().all(|require| holds(spec, require, &words)) {
            break;
        }
    }
    words
}

/// The entries of a table, as words.
pub(super) fn table(element: ElementType, length: u32, random: &mut Random) -> Vec<u32> {
    (0..length).map(|_| numbers(element).everyday(random)).collect()
}

fn draw_one(uniform: &UniformSpec, data: Data, random: &mut Random, words: &mut [u32]) {
    let count = uniform.dims.iter().product::<u32>() as usize;
    let mut left = uniform.sum_of_magnitudes;
    for word in words.iter_mut().skip(uniform.word as usize).take(count) {
        let drawn = scalar(uniform, data, random);
        *word = match &mut left {
            None => drawn.to_word(),
            Some(left) => within(drawn, left, random),
        };
    }
}

/// A value of the uniform's type, inside its bounds: one of the extremes more often than chance would.
fn scalar(uniform: &UniformSpec, data: Data, random: &mut Random) -> Scalar {
    let kind = numbers(uniform.element);
    let extreme = data == Data::Extremes || random.one_in(4);
    let Some((least, greatest)) = uniform.bounds else {
        let word = if extreme { random.pick(&kind.extremes()).copied().unwrap_or(0) } else { kind.everyday(random) };
        return Scalar::from_word(uniform.element, word);
    };
    if extreme && random.one_in(2) {
        return if random.one_in(2) { least } else { greatest };
    }
    let word = match (least, greatest) {
        (Scalar::F32(least), Scalar::F32(greatest)) => {
            let fraction = random.below(1 << 24) as f32 / (1 << 24) as f32;
            (least + (greatest - least) * fraction).clamp(least, greatest).to_bits()
        }
        (least, greatest) => random.between(least.to_f64() as i64, greatest.to_f64() as i64) as u32,
    };
    Scalar::from_word(uniform.element, word)
}

/// A value as near to `drawn` as what is `left` of the sum of magnitudes allows, which it uses up.
fn within(drawn: Scalar, left: &mut u64, random: &mut Random) -> u32 {
    let magnitude = drawn.to_f64().abs();
    if magnitude <= *left as f64 {
        // At least the magnitude of a float's fraction.
        *left -= magnitude.ceil() as u64;
        return drawn.to_word();
    }
    let share = random.below(*left + 1);
    *left -= share;
    let value = if drawn.to_f64() < 0.0 { -(share as i64) } else { share as i64 };
    match drawn {
        Scalar::F32(_) => (value as f32).to_bits(),
        _ => value as u32,
    }
}

fn in_bounds(uniform: &UniformSpec, words: &[u32]) -> bool {
    let Some((least, greatest)) = uniform.bounds else { return true };
    let count = uniform.dims.iter().product::<u32>() as usize;
    words.iter().skip(uniform.word as usize).take(count).all(|word| {
        let value = Scalar::from_word(uniform.element, *word).to_f64();
        least.to_f64() <= value && value <= greatest.to_f64()
    })
}

fn mend(relation: Relation, left: usize, right: usize, words: &mut [u32]) {
    match relation {
        Relation::Equal => words[left] = words[right],
        Relation::Less | Relation::LessEqual | Relation::GreaterEqual | Relation::Greater => words.swap(left, right),
    }
}

fn holds(spec: &'static KernelSpec, require: &RequireSpec, words: &[u32]) -> bool {
    let value = |term: &RequireTerm| match term {
        RequireTerm::Constant(value) => value.to_f64(),
        RequireTerm::Uniform(name) => named(spec, name)
            .map_or(f64::NAN, |uniform| Scalar::from_word(uniform.element, words[uniform.word as usize]).to_f64()),
    };
    let (left, right) = (value(&require.left), value(&require.right));
    match require.relation {
        Relation::Less => left < right,
        Relation::LessEqual => left <= right,
        Relation::Equal => left == right,
        Relation::GreaterEqual => left >= right,
        Relation::Greater => left > right,
    }
}

fn place(spec: &'static KernelSpec, term: &RequireTerm) -> Option<usize> {
    match term {
        RequireTerm::Constant(_) => None,
        RequireTerm::Uniform(name) => named(spec, name).map(|uniform| uniform.word as usize),
    }
}

fn named(spec: &'static KernelSpec, name: &str) -> Option<&'static UniformSpec> {
    spec.uniforms().find(|(argument, _)| *argument == name).map(|(_, uniform)| uniform)
}
