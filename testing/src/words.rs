//! Words: the bits of one channel, as a case's contents name them, and their bytes in an image.

use windrow_reference::testing::{Numbers, Random};
use windrow_runtime::element::ElementType;

/// The numbers of an element type.
pub(super) fn numbers(element: ElementType) -> Numbers {
    match element {
        ElementType::U8 => Numbers::Unsigned(8),
        ElementType::I8 => Numbers::Signed(8),
        ElementType::U16 => Numbers::Unsigned(16),
        ElementType::I16 => Numbers::Signed(16),
        ElementType::U32 => Numbers::Unsigned(32),
        ElementType::I32 => Numbers::Signed(32),
        ElementType::F32 => Numbers::Float,
        ElementType::F16 => Numbers::Half,
        ElementType::BF16 => Numbers::Brain,
        // Of each of its words.
        ElementType::U64 | ElementType::I64 | ElementType::F64 => Numbers::Unsigned(32),
    }
}

/// Writes a word as an element, or as the half of one of 64 bits.
pub(super) fn put_word(bytes: &mut [u8], index: usize, element: ElementType, word: u32) {
    match element.size() {
        1 => bytes[index] = word as u8,
        2 => bytes[index..index + 2].copy_from_slice(&(word as u16).to_ne_bytes()),
        _ => bytes[index..index + 4].copy_from_slice(&word.to_ne_bytes()),
    }
}

/// The word of an element, or of the lower half of one of 64 bits.
pub(super) fn word_at(bytes: &[u8], index: usize, element: ElementType) -> u32 {
    let two = || [bytes[index], bytes[index + 1]];
    let four = || [bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3]];
    match element {
        ElementType::U8 => u32::from(bytes[index]),
        ElementType::I8 => bytes[index] as i8 as u32,
        ElementType::U16 | ElementType::F16 | ElementType::BF16 => u32::from(u16::from_ne_bytes(two())),
        ElementType::I16 => i16::from_ne_bytes(two()) as u32,
        ElementType::U32 | ElementType::I32 | ElementType::F32 => u32::from_ne_bytes(four()),
        ElementType::U64 | ElementType::I64 | ElementType::F64 => u32::from_ne_bytes(four()),
    }
}

/// The words of an `f64` like an `f32`: what is neither zero nor beyond numbers has digits of its own behind it.
pub(super) fn words_of_double(single: u32) -> [u32; 2] {
    let value = f64::from(f32::from_bits(single));
    let below = single.wrapping_mul(0x9e37_79b9) >> 3;
    let bits = if value.is_normal() { value.to_bits() | u64::from(below) } else { value.to_bits() };
    halves(bits)
}

/// The words of a double, all NaNs as one.
pub(super) fn halves(bits: u64) -> [u32; 2] {
    let bits = if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits };
    let [low, high] = [bits as u32, (bits >> 32) as u32];
    if cfg!(target_endian = "big") { [high, low] } else { [low, high] }
}

/// Fills memory with bytes that depend on their places.
pub(super) fn poison(memory: &mut [u8], seed: u64) {
    let mut random = Random::new(seed);
    for bytes in memory.chunks_mut(8) {
        bytes.copy_from_slice(&random.next_u64().to_le_bytes()[..bytes.len()]);
    }
}
