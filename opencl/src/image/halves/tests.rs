use super::*;
use proptest::prelude::*;

/// The value of a half by the definition of binary16.
fn value(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if sign == 1 { -magnitude } else { magnitude }
}

fn whole(count: usize) -> [Piece; 1] {
    [Piece { device: 0, host: 0, size: [4 * count, 1], apart: 4 * count }]
}

fn narrow(floats: &[f32]) -> Vec<u16> {
    // SAFETY: the piece is the slice.
    let halves = unsafe { Halves::narrowed(&whole(floats.len()), floats.as_ptr().cast()) };
    halves.values.iter().map(|half| half.to_bits()).collect()
}

fn widen(halves: &[u16]) -> Vec<f32> {
    let mut floats = vec![0.0f32; halves.len()];
    let mut packed = Halves::new(&whole(floats.len()));
    packed.values = halves.iter().map(|&bits| f16::from_bits(bits)).collect();
    // SAFETY: the piece is the vector.
    unsafe { packed.widen(&whole(floats.len()), floats.as_mut_ptr().cast()) };
    floats
}

/// The nearest half of a number that is not NaN, found among all of one sign; of two as near, the even one.
fn nearest(float: f32) -> u16 {
    let magnitude = f64::from(float.abs());
    // What would be the next after the greatest counts as infinity's value.
    let of = |bits: u16| if bits == 0x7c00 { 65_536.0 } else { value(bits) };
    let above = (0..=0x7c00u16).collect::<Vec<_>>().partition_point(|&bits| of(bits) < magnitude).min(0x7c00) as u16;
    let below = above.saturating_sub(1);
    let (up, down) = (of(above) - magnitude, magnitude - of(below));
    let bits = match up.total_cmp(&down) {
        std::cmp::Ordering::Less => above,
        std::cmp::Ordering::Greater => below,
        std::cmp::Ordering::Equal if above.is_multiple_of(2) => above,
        std::cmp::Ordering::Equal => below,
    };
    let bits = if magnitude >= 65_536.0 { 0x7c00 } else { bits };
    bits | if float.is_sign_negative() { 0x8000 } else { 0 }
}

#[test]
fn every_half_is_widened_exactly_and_comes_back() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let floats = widen(&all);
    for (&bits, &float) in all.iter().zip(&floats) {
        let exact = value(bits);
        assert!(f64::from(float) == exact || float.is_nan() && exact.is_nan(), "{bits:#06x} is {exact}, not {float}");
        assert_eq!(float.is_sign_negative(), bits >> 15 == 1);
    }
    for (bits, back) in all.into_iter().zip(narrow(&floats)) {
        let is_nan = bits & 0x7fff > 0x7c00;
        assert!(back == bits || is_nan && back & 0x7fff > 0x7c00, "{bits:#06x} comes back as {back:#06x}");
    }
}

#[test]
fn halfway_values_go_to_even_and_their_neighbours_to_the_nearest() {
    for bits in 0..0x7c00u16 {
        let next = if bits == 0x7bff { 65_536.0 } else { value(bits + 1) };
        // Exact in 24 bits: one bit more than a half has.
        let middle = ((value(bits) + next) / 2.0) as f32;
        let floats = [middle.next_down(), middle, middle.next_up()];
        let even = if bits.is_multiple_of(2) { bits } else { bits + 1 };
        assert_eq!(narrow(&floats), [bits, even, bits + 1], "around {middle:e}");
    }
}

proptest! {
    #[test]
    fn floats_are_rounded_to_the_nearest(bits: u32) {
        let float = f32::from_bits(bits);
        let half = narrow(&[float])[0];
        if float.is_nan() {
            prop_assert!(half & 0x7fff > 0x7c00);
        } else {
            prop_assert_eq!(half, nearest(float), "{:e}", float);
        }
    }

    #[test]
    fn floats_of_the_size_of_halves_are_rounded_to_the_nearest(float in -70_000.0f32..70_000.0, scale in -24i32..=0) {
        let float = float * 2f32.powi(scale);
        prop_assert_eq!(narrow(&[float])[0], nearest(float), "{:e}", float);
    }
}

#[test]
fn rows_with_gaps_are_packed_and_spread_again() {
    let floats: Vec<f32> = (0..20).map(|k| k as f32).collect();
    let pieces = [
        Piece { device: 0, host: 4, size: [12, 2], apart: 20 },
        Piece { device: 99, host: 40, size: [8, 1], apart: 20 },
    ];
    // SAFETY: the pieces lie in the vectors.
    let halves = unsafe { Halves::narrowed(&pieces, floats.as_ptr().cast()) };
    let packed: Vec<f32> = halves.values.iter().map(|half| half.to_f32()).collect();
    assert_eq!(packed, [1.0, 2.0, 3.0, 6.0, 7.0, 8.0, 10.0, 11.0]);
    let place = |piece: &Piece| (piece.device, piece.host, piece.size, piece.apart);
    assert_eq!(halves.pieces().iter().map(place).collect::<Vec<_>>(), [(0, 0, [6, 2], 6), (99, 12, [4, 1], 4)]);
    let mut back = vec![0.0f32; 20];
    // SAFETY: as above.
    unsafe { halves.widen(&pieces, back.as_mut_ptr().cast()) };
    for (k, (&found, &float)) in back.iter().zip(&floats).enumerate() {
        let inside = [1, 2, 3, 6, 7, 8, 10, 11].contains(&k);
        assert_eq!(found, if inside { float } else { 0.0 });
    }
}
