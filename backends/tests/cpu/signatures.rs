//! Which instructions have the same signature, so that one may stand in another's place and the program still compiles.

use windrow_backends::neon::TARGET as NEON;
use windrow_backends::targets::CpuTarget;

/// The types of a class, and `base_type` for each of its names.
type Typed = (&'static [&'static str], &'static [&'static str]);

/// NEON's, with the suffixes of types that all of them have. Each is swapped for the next.
const TYPED: &[Typed] = &[
    (
        &[
            "vaddq", "vsubq", "vmulq", "vminq", "vmaxq", "vandq", "veorq", "vorrq", "vabdq", "vhaddq", "vrhaddq",
            "vqaddq", "vqsubq", "vhsubq",
        ],
        &["u8", "s8", "u16", "s16", "u32", "s32"],
    ),
    (&["vaddq", "vsubq", "vandq", "vorrq", "veorq"], &["u64", "s64"]),
    (&["vaddq", "vsubq", "vmulq", "vdivq", "vminq", "vmaxq", "vminnmq", "vmaxnmq", "vabdq"], &["f32"]),
    (&["vaddq", "vsubq", "vmulq", "vdivq", "vminq", "vmaxq", "vminnmq", "vmaxnmq"], &["f64"]),
    (
        &["vceqq", "vcgtq", "vcgeq", "vcltq", "vcleq"],
        &["u8", "s8", "u16", "s16", "u32", "s32", "f32", "f64", "u64", "s64"],
    ),
    (&["vabsq", "vnegq", "vqabsq", "vqnegq"], &["s8", "s16", "s32"]),
    (&["vabsq", "vnegq"], &["f32", "f64", "s64"]),
    (&["vrndmq", "vrndpq", "vrndq", "vrndnq", "vsqrtq"], &["f32", "f64"]),
    (&["vclzq", "vclsq"], &["s8", "s16", "s32"]),
    (&["vmovn", "vqmovn"], &["u16", "s16", "u32", "s32", "u64", "s64"]),
    (&["vmull", "vaddl", "vsubl", "vabdl"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vmull_high", "vaddl_high", "vsubl_high"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vpaddq", "vpminq", "vpmaxq"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vpaddq", "vpminnmq", "vpmaxnmq"], &["f32"]),
    (&["vpaddlq", "vmovl_high"], &["u8", "s8", "u16", "s16"]),
    (&["vpadalq", "vaddw_high", "vsubw_high"], &["u8", "s8", "u16", "s16"]),
    (&["vmlaq", "vmlsq"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vfmaq", "vfmsq"], &["f32", "f64"]),
    // Where amounts are negative, a shift that saturates has no other meaning.
    (&["vshlq", "vsqaddq", "vqshlq", "vrshlq"], &["u8", "u16", "u32"]),
    (&["vshlq", "vhsubq", "vqshlq", "vrshlq"], &["s8", "s16", "s32"]),
    (&["vget_low", "vget_high"], &["u8", "s8", "u16", "s16", "u32", "s32", "f32"]),
    (&["vzip1q", "vzip2q"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vuzp1q", "vuzp2q"], &["u8", "s8", "u16", "s16", "u32", "s32"]),
    (&["vcvtnq_s32", "vcvtmq_s32", "vcvtpq_s32", "vcvtq_s32"], &["f32"]),
    (&["vcvtnq_u32", "vcvtmq_u32", "vcvtpq_u32", "vcvtq_u32"], &["f32"]),
];

/// x86's, without the prefix and the bits of `_si`; some with their constant. A name that is last in its class and stands
/// in it before is there as what another is swapped for.
const PLAIN: &[&[&str]] = &[
    &[
        "add_epi8",
        "sub_epi8",
        "min_epu8",
        "max_epu8",
        "avg_epu8",
        "adds_epu8",
        "subs_epu8",
        "min_epi8",
        "max_epi8",
        "adds_epi8",
        "subs_epi8",
        "shuffle_epi8",
    ],
    &[
        "add_epi16",
        "sub_epi16",
        "min_epu16",
        "max_epu16",
        "avg_epu16",
        "adds_epu16",
        "subs_epu16",
        "min_epi16",
        "max_epi16",
        "adds_epi16",
        "subs_epi16",
        "mulhrs_epi16",
        "mulhi_epu16",
        "mullo_epi16",
        "mulhi_epi16",
        "madd_epi16",
        "maddubs_epi16",
    ],
    &["add_epi32", "sub_epi32", "min_epu32", "max_epu32", "min_epi32", "max_epi32", "mullo_epi32"],
    &["mul_epu32", "mul_epi32"],
    &["andnot_si", "xor_si", "and_si", "or_si", "and_si"],
    &["cmpeq_epi8", "cmpgt_epi8"],
    &["cmpeq_epi16", "cmpgt_epi16"],
    &["cmpeq_epi32", "cmpgt_epi32"],
    &["abs_epi8", "abs_epi16", "abs_epi32"],
    &["srai_epi16", "srli_epi16", "slli_epi16", "srli_epi16"],
    &["srai_epi32", "srli_epi32", "slli_epi32", "srli_epi32"],
    &["add_epi64", "sub_epi64"],
    &["min_epi64", "max_epi64", "min_epu64", "max_epu64"],
    &["abs_epi64", "abs_epi32"],
    &["slli_epi64", "srli_epi64"],
    &["sll_epi64", "srl_epi64"],
    &["sllv_epi64", "srlv_epi64"],
    &["sra_epi16", "srl_epi16", "sll_epi16", "srl_epi16"],
    &["sra_epi32", "srl_epi32", "sll_epi32", "srl_epi32"],
    &["srav_epi32", "srlv_epi32", "sllv_epi32", "srlv_epi32"],
    &["unpacklo_epi8", "unpackhi_epi8"],
    &["unpacklo_epi16", "unpackhi_epi16"],
    &["unpacklo_epi32", "unpackhi_epi32"],
    &["unpacklo_epi64", "unpackhi_epi64"],
    &["packs_epi16", "packus_epi16"],
    &["packs_epi32", "packus_epi32"],
    &["blend_epi16::<204>", "blend_epi16::<51>"],
    &["permute2x128_si256::<32>", "permute2x128_si256::<49>"],
    &["permute4x64_epi64::<216>", "permute4x64_epi64::<228>"],
    &["extracti128_si256::<1>", "extracti128_si256::<0>"],
    &["add_ps", "sub_ps", "mul_ps", "div_ps", "min_ps", "max_ps"],
    &["and_ps", "or_ps", "xor_ps", "andnot_ps"],
    &["sqrt_ps", "floor_ps", "ceil_ps"],
    &["round_ps::<8>", "round_ps::<11>"],
    &["fmadd_ps", "fmsub_ps"],
    &["add_pd", "sub_pd", "mul_pd", "div_pd", "min_pd", "max_pd"],
    &["and_pd", "or_pd", "xor_pd", "andnot_pd"],
    &["sqrt_pd", "floor_pd", "ceil_pd"],
    &["round_pd::<11>", "round_pd::<8>"],
    &["cvttps_epi32", "cvtps_epi32"],
    &["cvttpd_epi32", "cvtpd_epi32"],
    &["shuffle_ps::<0>", "shuffle_ps::<1>", "shuffle_ps::<2>", "shuffle_ps::<3>"],
    &["cmplt_ps", "cmple_ps", "cmpeq_ps", "cmpge_ps", "cmpgt_ps", "cmpneq_ps", "cmpord_ps", "cmpunord_ps"],
    &[
        "cmp_ps::<17>",
        "cmp_ps::<18>",
        "cmp_ps::<0>",
        "cmp_ps::<29>",
        "cmp_ps::<30>",
        "cmp_ps::<4>",
        "cmp_ps::<7>",
        "cmp_ps::<3>",
    ],
];

/// AVX-512's, where they are not those of [`PLAIN`].
const WIDE: &[&[&str]] = &[
    &["sqrt_ps", "getexp_ps"],
    &["sqrt_pd", "getexp_pd"],
    &["roundscale_ps::<8>", "roundscale_ps::<9>", "roundscale_ps::<10>", "roundscale_ps::<11>"],
    &["roundscale_pd::<8>", "roundscale_pd::<9>", "roundscale_pd::<10>", "roundscale_pd::<11>"],
    &["cvttps_epu32", "cvtps_epu32"],
    &["cvttpd_epu32", "cvtpd_epu32"],
    &["sra_epi64", "srl_epi64", "sll_epi64", "srl_epi64"],
    &["srai_epi64", "srli_epi64", "slli_epi64", "srli_epi64"],
    &["srav_epi16", "srlv_epi16", "sllv_epi16", "srlv_epi16"],
    &["srav_epi64", "srlv_epi64", "sllv_epi64", "srlv_epi64"],
    &["extracti64x4_epi64::<1>", "extracti64x4_epi64::<0>"],
    &["inserti64x4::<1>", "inserti64x4::<0>"],
    &["shuffle_i64x2::<68>", "shuffle_i64x2::<238>"],
    &["shuffle_i64x2::<136>", "shuffle_i64x2::<221>"],
];

/// AVX-512's comparisons of integers of any lanes: `cmplt_epu8_mask`.
const COMPARISONS: &[&str] = &["cmpeq", "cmpneq", "cmplt", "cmple", "cmpgt", "cmpge"];

/// Its operations on predicates: `_kand_mask64`.
const PREDICATES: &[&str] = &["_kand", "_kor", "_kxor", "_kandn"];

/// Another of AVX-512's where all of a class have the same lanes behind their stems.
fn swapped_stem(called: &str) -> Option<String> {
    if let Some(name) = called.strip_prefix("_mm512_cmp_ps_mask") {
        let other = next(PLAIN[PLAIN.len() - 1], &format!("cmp_ps{name}"))?;
        return Some(format!("_mm512_cmp_ps_mask{}", &other["cmp_ps".len()..]));
    }
    if let Some((stem, lanes)) = called.strip_prefix("_mm512_").filter(|name| name.ends_with("_mask"))?.split_once('_')
    {
        return Some(format!("_mm512_{}_{lanes}", next(COMPARISONS, stem)?));
    }
    None
}

/// Another instruction of the same signature, by the text of its call.
pub fn swapped(target: &CpuTarget, called: &str) -> Option<String> {
    if let Some((stem, lanes)) = called.split_once("_mask").filter(|(stem, _)| stem.starts_with("_k")) {
        return Some(format!("{}_mask{lanes}", next(PREDICATES, stem)?));
    }
    if let Some(other) = swapped_stem(called) {
        return Some(other);
    }
    if target.name != NEON.name {
        let prefix = ["_mm512_", "_mm256_", "_mm_"].into_iter().find(|prefix| called.starts_with(prefix))?;
        let name = &called[prefix.len()..];
        let wide = WIDE.iter().filter(|_| prefix == "_mm512_").find_map(|class| next(class, name));
        return Some(format!("{prefix}{}", wide.map(str::to_owned).or_else(|| swapped_plain(name))?));
    }
    let (base, suffix) = called.rsplit_once('_')?;
    let (class, _) = TYPED.iter().find(|(class, types)| class.contains(&base) && types.contains(&suffix))?;
    Some(format!("{}_{suffix}", next(class, base)?))
}

fn swapped_plain(name: &str) -> Option<String> {
    let of = |name: &str| PLAIN.iter().find_map(|class| next(class, name));
    if let Some(other) = of(name) {
        return Some(other.to_owned());
    }
    // Any constant, or `_si128` and `_si256`.
    let end = name.find("::<").or_else(|| name.find("_si").map(|at| at + 3))?;
    of(&name[..end]).map(|other| format!("{other}{}", &name[end..]))
}

fn next(class: &[&'static str], name: &str) -> Option<&'static str> {
    let at = class.iter().position(|other| *other == name)?;
    Some(class[(at + 1) % class.len()])
}

/// The functions that a text calls, with their constants.
pub fn called(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').map(|(end, _)| {
        let start = text[..end].rfind(|c: char| !c.is_alphanumeric() && !"_:<>".contains(c)).map_or(0, |at| at + 1);
        &text[start..end]
    })
}

/// The text with each call of `from` a call of `to`.
pub fn replaced(text: &str, from: &str, to: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&format!("{from}(")) {
        let is_whole = !rest[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        out += &rest[..at];
        out += if is_whole { to } else { from };
        rest = &rest[at + from.len()..];
    }
    out + rest
}
