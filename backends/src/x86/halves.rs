//! Conversions of binary16, whose bits are in lanes of 32: by the instructions of F16C and AVX-512, and by arithmetic without them.

use super::{X86, avx512};
use crate::vector::program::{Arg, Call, Lane, VectorId};
use crate::vector::select::Select;
use windrow_dsl::ir::{Op, Type, UnaryOp, ValueId};

/// The greatest magnitude of a number.
const GREATEST: i128 = 0x7bff;
/// The magnitude of infinity.
const INFINITY: i128 = 0x7c00;
/// The bits of the fraction, and the one that makes a quiet NaN of infinity.
const FRACTION: i128 = 0x3ff;
const QUIET: i128 = 0x200;
/// As binary32: infinity; 2^16, at which numbers of binary16 end; 2^−14, at which its normal numbers begin; and a half, to which a
/// sum with a denormal one aligns its bits.
const INFINITY_OF_F32: i128 = 0xff << 23;
const BEYOND: i128 = (127 + 16) << 23;
const NORMAL: i128 = (127 - 14) << 23;
const HALF: i128 = (127 - 1) << 23;
/// The bits of a binary32's fraction below those of a binary16's, and how much less the exponents of the latter are biased.
const BELOW: u32 = 13;
const REBIAS: i128 = (127 - 15) << 23;

impl Select<'_, X86> {
    /// Floats of the halves whose bits are a value, where these come from lanes of 16 bits: an instruction takes them as they are.
    pub fn floats_of_narrow_halves(&mut self, bits: ValueId) -> Option<Vec<VectorId>> {
        let Op::Cast(_, halves) = self.body.node(bits).op else { return None };
        if self.target == X86::Sse41 || self.body.node(halves).ty != Type::U16 || self.is_scalar(halves) {
            return None;
        }
        let vectors = self.vectors(halves);
        Some(vectors.into_iter().flat_map(|a| self.floats_of_two_halves(a)).collect())
    }

    /// The lower halves of the blocks, and the upper ones, as floats.
    fn floats_of_two_halves(&mut self, a: VectorId) -> [VectorId; 2] {
        let (whole, low, high) = match self.target {
            X86::Avx512 => (self.whole_halves(Lane::U16, a), "_mm512_castsi512_si256", "_mm512_extracti64x4_epi64"),
            _ => {
                let whole = self.op_n("permute4x64_epi64", 0b11_01_10_00, Lane::U16, &[a]);
                (whole, "_mm256_castsi256_si128", "_mm256_extracti128_si256")
            }
        };
        let whole = || vec![Arg::Whole(whole, Lane::U32)];
        [Call::new(low, whole()), Call::new(high, whole()).with(1)].map(|half| self.floats_of(half))
    }

    fn floats_of(&mut self, halves: Call) -> VectorId {
        let floats = Call::new(self.target.name("cvtph_ps"), vec![Arg::Call(Box::new(halves))]);
        self.call(Lane::F32, floats)
    }

    /// The nearest halves of floats in lanes of 16 bits, where `bits` are those of such halves: instructions give them there.
    pub fn narrow_halves_of_floats(&mut self, bits: ValueId) -> Option<Vec<VectorId>> {
        let Op::Unary(UnaryOp::ToHalf, floats) = self.body.node(bits).op else { return None };
        if self.target == X86::Sse41 || self.is_scalar(floats) {
            return None;
        }
        let vectors = self.vectors(floats);
        let narrow = vectors.chunks(2).map(|pair| {
            let [low, high] = [pair[0], pair[pair.len() - 1]].map(|a| self.halves_of(a));
            let joined = match self.target {
                X86::Avx512 => avx512::joined_halves([low, high]),
                _ => Call::new("_mm256_set_m128i", [high, low].map(|id| Arg::Whole(id, Lane::U32)).to_vec()),
            };
            let joined = self.call(Lane::U16, joined);
            match self.target {
                X86::Avx512 => self.blocks_of_halves(Lane::U16, joined),
                _ => self.op_n("permute4x64_epi64", 0b11_01_10_00, Lane::U16, &[joined]),
            }
        });
        Some(narrow.collect())
    }

    /// Half a vector of halves.
    fn halves_of(&mut self, floats: VectorId) -> VectorId {
        // To nearest even.
        let halves = Call::on(self.target.name("cvtps_ph"), Lane::F32, &[floats]).with(0);
        self.call(Lane::U16, halves)
    }

    /// Floats of halves in lanes of 32 bits.
    pub fn floats_of_halves(&mut self, a: VectorId) -> VectorId {
        let whole = |id| vec![Arg::Whole(id, Lane::U32)];
        match self.target {
            X86::Sse41 => self.floats_by_arithmetic(a),
            X86::Avx2 | X86::Vnni => {
                let low = self.splat_int(0xffff, Lane::U32);
                let bits = self.op("and_si", Lane::U32, &[a, low]);
                let packed = self.op("packus_epi32", Lane::U16, &[bits, bits]);
                let packed = self.op_n("permute4x64_epi64", 0b10_00_10_00, Lane::U16, &[packed]);
                self.floats_of(Call::new("_mm256_castsi256_si128", whole(packed)))
            }
            X86::Avx512 => self.floats_of(Call::new("_mm512_cvtepi32_epi16", whole(a))),
        }
    }

    /// The nearest halves of floats, in lanes of 32 bits.
    pub fn halves_of_floats(&mut self, a: VectorId) -> VectorId {
        if self.target == X86::Sse41 {
            return self.halves_by_arithmetic(a);
        }
        let halves = self.halves_of(a);
        let wide = self.target.name("cvtepu16_epi32");
        self.call(Lane::U32, Call::new(wide, vec![Arg::Whole(halves, Lane::U32)]))
    }

    /// As `windrow_reference::scalar::from_half`.
    fn floats_by_arithmetic(&mut self, a: VectorId) -> VectorId {
        let lane = Lane::U32;
        let [magnitudes, greatest] = [0x7fff, GREATEST].map(|bits| self.splat_int(bits, lane));
        let magnitude = self.op("and_si", lane, &[a, magnitudes]);
        let moved = self.sized_n("slli", BELOW, lane, &[magnitude]);
        let rebias = self.splat_text("5192296858534827628530496329220096.0f32", Lane::F32, "n_2p112");
        let scaled = self.op("mul_ps", Lane::F32, &[moved, rebias]);
        let is_special = self.is_greater(lane, magnitude, greatest);
        let [exponent, sign] = [INFINITY_OF_F32, 1 << 31].map(|bits| self.splat_int(bits, lane));
        let special = self.op("and_si", lane, &[is_special, exponent]);
        let upper = self.sized_n("slli", 16, lane, &[a]);
        let sign = self.op("and_si", lane, &[upper, sign]);
        let float = self.op("or_si", lane, &[scaled, special]);
        self.op("or_si", lane, &[float, sign])
    }

    /// As `windrow_reference::scalar::to_half`.
    fn halves_by_arithmetic(&mut self, a: VectorId) -> VectorId {
        let lane = Lane::U32;
        let constant = |select: &mut Self, bits: i128| select.splat_int(bits, lane);
        let magnitudes = constant(self, 0x7fff_ffff);
        let magnitude = self.op("and_si", lane, &[a, magnitudes]);
        let (one, rounding) = (constant(self, 1), constant(self, (1 << 32) + 0xfff - REBIAS));
        let lowest = self.sized_n("srli", BELOW, lane, &[magnitude]);
        let odd = self.op("and_si", lane, &[lowest, one]);
        let rounded = self.op("add_epi32", lane, &[magnitude, rounding]);
        let rounded = self.op("add_epi32", lane, &[rounded, odd]);
        let normal = self.sized_n("srli", BELOW, lane, &[rounded]);
        let (half, bits) = (self.splat_text("0.5f32", Lane::F32, "n_0p5"), constant(self, HALF));
        let aligned = self.op("add_ps", Lane::F32, &[magnitude, half]);
        let denormal = self.op("sub_epi32", lane, &[aligned, bits]);
        let above = |select: &mut Self, bits: i128| {
            let bits = constant(select, bits);
            select.is_greater(lane, magnitude, bits)
        };
        let is_normal = above(self, NORMAL - 1);
        let finite = self.blend(lane, is_normal, normal, denormal);
        let is_nan = above(self, INFINITY_OF_F32);
        let [fraction, quiet, infinity] = [FRACTION, QUIET, INFINITY].map(|bits| constant(self, bits));
        let payload = self.op("and_si", lane, &[lowest, fraction]);
        let payload = self.op("or_si", lane, &[payload, quiet]);
        let payload = self.op("and_si", lane, &[is_nan, payload]);
        let special = self.op("or_si", lane, &[payload, infinity]);
        let is_beyond = above(self, BEYOND - 1);
        let half = self.blend(lane, is_beyond, special, finite);
        let (upper, sign) = (self.sized_n("srli", 16, lane, &[a]), constant(self, 0x8000));
        let sign = self.op("and_si", lane, &[upper, sign]);
        self.op("or_si", lane, &[half, sign])
    }
}

#[cfg(test)]
mod tests {
    use crate::{scalar, x86};
    use windrow_dsl::{compile_file, optimise::prepare};

    const KERNELS: &str = "
        #[kernel(step(16, 1))]
        fn scale(a: f16) -> f16 { (a.cast::<f32>() * 3.0).cast() }
        #[kernel(output(low, high), step(16, 1))]
        fn sort(p: [f16; 2], limit: bf16, #[uniform] is_down: u8) -> (f16, [bf16; 2]) {
            let [a, b] = p;
            let is_less = a.cast::<f32>() < b.cast::<f32>();
            let low = if is_less == (is_down == 0) { a } else { b };
            (low, if is_less { [limit, bf16::MAX] } else { [bf16::NEG_INFINITY, limit] })
        }";

    /// How often a text is found in what a target makes of `scale`.
    fn count(target: &crate::target::CpuTarget, text: &str) -> usize {
        let compiled = compile_file(KERNELS);
        assert!(compiled.errors.is_empty(), "{:?}", compiled.errors);
        let kernel = &compiled.kernels[0].kernel;
        let body = (target.emit)(kernel, &prepare(kernel), 0, "f", Some(windrow_dsl::ir::Block { x: 1, y: 1 }));
        body.unwrap().text.matches(text).count()
    }

    #[test]
    fn halves_are_converted_where_they_lie() {
        assert_eq!([count(&x86::AVX2_TARGET, "cvtph_ps("), count(&x86::AVX2_TARGET, "cvtps_ph::<0>(")], [2, 2]);
        assert_eq!([count(&x86::AVX2_TARGET, "unpack"), count(&x86::AVX2_TARGET, "pack")], [0, 0]);
        assert_eq!(count(&x86::SSE41_TARGET, "cvtph"), 0);
    }

    #[test]
    fn every_target_writes_them() {
        let compiled = compile_file(KERNELS);
        for kernel in compiled.kernels.iter().map(|kernel| &kernel.kernel) {
            let prepared = prepare(kernel);
            for target in crate::targets::CPU {
                (target.emit)(kernel, &prepared, 0, "f", None).unwrap();
            }
            assert!(crate::opencl::emit(kernel, &prepared).accepted().is_ok());
            let _ = scalar::derive(kernel, &prepared.derive);
        }
    }
}
