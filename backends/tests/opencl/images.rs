//! Images of constants: what a test gives a kernel, and what the interpreter makes of it.

use super::device::Plane;
use windrow_dsl::{
    interpret::Arguments,
    ir::{Access, AxisId, Constant, InputId, TableId, Type, UniformId},
};
use windrow_reference::border::BorderMode;

/// What bytes outside the window hold before and after.
pub const CANARY: u8 = 0xCD;

/// Elements of one type, interleaved channels, rows packed.
#[derive(Clone, Debug)]
pub struct Image {
    pub ty: Type,
    pub width: usize,
    pub height: usize,
    pub channels: usize,
    pub elements: Vec<Constant>,
}

impl Image {
    pub fn from_fn(
        ty: Type,
        width: usize,
        height: usize,
        channels: usize,
        mut at: impl FnMut(usize) -> Constant,
    ) -> Self {
        let elements = (0..width * height * channels).map(&mut at).collect();
        Self { ty, width, height, channels, elements }
    }

    pub fn at(&self, x: usize, y: usize, channel: usize) -> Constant {
        self.elements[(y * self.width + x) * self.channels + channel]
    }

    /// The bytes, at an offset and with padding after each row.
    pub fn plane(&self) -> Plane {
        let size = bytes_of(self.ty);
        let row = self.width * self.channels * size;
        let mut plane =
            Plane { bytes: vec![], offset: 4 * size, stride: row + 3 * size, width: self.width, height: self.height };
        plane.bytes = vec![CANARY; plane.offset + plane.stride * self.height];
        for (index, &element) in self.elements.iter().enumerate() {
            let (y, x) = (index / (self.width * self.channels), index % (self.width * self.channels));
            let at = plane.offset + y * plane.stride + x * size;
            plane.bytes[at..at + size].copy_from_slice(&bits(element).to_le_bytes()[..size]);
        }
        plane
    }
}

/// A plane filled with canaries. Where its size is even, rows are aligned for vectors; elsewhere they are not.
pub fn blank(ty: Type, width: usize, height: usize, channels: usize) -> Plane {
    let size = bytes_of(ty);
    let row = width * channels * size;
    let (offset, stride) = match (width + height) % 2 {
        0 => (64, (row + 1).next_multiple_of(64)),
        _ => (2 * size, row + 5 * size),
    };
    Plane { bytes: vec![CANARY; offset + stride * height], offset, stride, width, height }
}

/// The element of a plane.
pub fn element(plane: &Plane, ty: Type, index: usize, y: usize) -> Constant {
    let size = bytes_of(ty);
    let at = plane.offset + y * plane.stride + index * size;
    let mut bits = [0; 8];
    bits[..size].copy_from_slice(&plane.bytes[at..at + size]);
    let bits = u64::from_le_bytes(bits);
    match ty {
        Type::F32 => Constant::Float(bits as u32),
        Type::F64 => Constant::Double(bits),
        Type::BOOL => Constant::Int(bits.into()),
        _ => Constant::Int(windrow_dsl::arithmetic::wrap(bits.into(), ty)),
    }
}

/// Sets the element of a plane.
pub fn put(plane: &mut Plane, ty: Type, index: usize, y: usize, value: Constant) {
    let size = bytes_of(ty);
    let at = plane.offset + y * plane.stride + index * size;
    plane.bytes[at..at + size].copy_from_slice(&bits(value).to_le_bytes()[..size]);
}

pub fn bytes_of(ty: Type) -> usize {
    ty.bits().div_ceil(8) as usize
}

/// The bits of a constant.
pub fn bits(constant: Constant) -> u64 {
    match constant {
        Constant::Bool(value) => u64::from(value),
        Constant::Int(value) => value as u64,
        Constant::Float(bits) => u64::from(bits),
        Constant::Double(bits) => bits,
    }
}

/// A constant as a word of uniforms.
pub fn word(constant: Constant) -> u32 {
    bits(constant) as u32
}

/// Whether two constants are the same: NaNs are, whatever their payload.
pub fn same(a: Constant, b: Constant) -> bool {
    match (a, b) {
        (Constant::Float(a), Constant::Float(b)) if f32::from_bits(a).is_nan() => f32::from_bits(b).is_nan(),
        (Constant::Double(a), Constant::Double(b)) if f64::from_bits(a).is_nan() => f64::from_bits(b).is_nan(),
        _ => a == b,
    }
}

/// The surroundings of one element.
pub struct Here<'a> {
    pub images: &'a [Image],
    pub constants: &'a [Constant],
    pub uniforms: &'a [Vec<Constant>],
    pub tables: &'a [Vec<Constant>],
    pub border: BorderMode,
    pub x: i32,
    pub y: i32,
}

impl Arguments for Here<'_> {
    fn element(&self, access: &Access) -> Constant {
        let index = access.tensor.0 as usize;
        let image = &self.images[index];
        let [y, x] = access.at() else { panic!("an image has two dimensions: {access:?}") };
        let [y, x] = [y, x].map(|place| place.value(|axis| self.coordinate(axis).into()) as isize);
        match (self.border.map(x, image.width), self.border.map(y, image.height)) {
            (Some(x), Some(y)) => image.at(x, y, access.channel as usize),
            _ => self.constants[index],
        }
    }

    fn uniform(&self, uniform: UniformId, index: u32) -> Constant {
        self.uniforms[uniform.0 as usize][index as usize]
    }

    fn derived(&self, _: u32) -> Constant {
        Constant::Int(0)
    }

    fn table(&self, table: TableId, index: i128) -> Option<Constant> {
        self.tables[table.0 as usize].get(usize::try_from(index).ok()?).copied()
    }

    fn coordinate(&self, axis: AxisId) -> i32 {
        if axis == AxisId::X { self.x } else { self.y }
    }

    fn extent(&self, input: InputId, dimension: u32) -> i32 {
        let image = &self.images[input.0 as usize];
        [image.height, image.width][dimension as usize] as i32
    }

    fn gathered(&self, input: InputId, channel: u32, [_, at @ ..]: [i128; 3]) -> Option<Constant> {
        let image = &self.images[input.0 as usize];
        let [y, x] = at.map(|index| usize::try_from(index).ok());
        let (y, x) = (y.filter(|y| *y < image.height)?, x.filter(|x| *x < image.width)?);
        Some(image.at(x, y, channel as usize))
    }
}

/// A generator of numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A value of the type, its extremes often.
    pub fn value(&mut self, ty: Type) -> Constant {
        let bits = self.next();
        if ty == Type::F32 {
            const SPECIAL: [u32; 12] = [
                0,
                0x8000_0000,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x7fa0_0000,
                0xffa0_0001,
                1,
                0x8000_0001,
                0x007f_ffff,
                0x3f80_0000,
                0xbf80_0000,
            ];
            return match bits >> 60 {
                0..=2 => Constant::Float(SPECIAL[(bits % 12) as usize]),
                3..=9 => Constant::Float(((bits as i32 as f32) / 65_536.0).to_bits()),
                _ => Constant::Float(bits as u32),
            };
        }
        if ty == Type::F64 {
            const SPECIAL: [f64; 11] = [
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
                f64::from_bits(0x7ff4_0000_0000_0000),
                f64::from_bits(1),
                f64::from_bits(0x8000_0000_0000_0001),
                f64::MIN_POSITIVE,
                4_294_967_296.0,
                -1.0,
            ];
            return Constant::Double(match bits >> 60 {
                0..=2 => SPECIAL[(bits % 11) as usize].to_bits(),
                3..=9 => ((bits as i64 as f64) / 4_294_967_296.0).to_bits(),
                _ => bits,
            });
        }
        let (lo, hi) = ty.limits();
        Constant::Int(match bits >> 60 {
            0 => lo,
            1 => hi,
            2 => lo + (bits % 3) as i128,
            3 => hi - (bits % 3) as i128,
            4 => windrow_dsl::arithmetic::wrap((bits % 5) as i128 - 2, ty),
            _ => windrow_dsl::arithmetic::wrap((bits as i128) << (ty.bits() / 64 * 4), ty),
        })
    }
}
