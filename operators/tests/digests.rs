//! Digests of what every kernel computes: hosts in other languages hold their own calls to them.
//!
//! `digests.json` names for each kernel the shapes of its inputs, its values, its border, and the CRC-32 of each output. What the inputs
//! hold follows from the place of an element (`number`).

use std::{fmt::Write as _, fs, path::Path};

use windrow::{
    Border, ElementType, KernelCode, Scalar, Serial, TensorInfo,
    family::{AnyInputs, AnyOutputs, AnyTensor, Value, Values},
    spec::{InputSpec, KernelPlan, KernelSpec, Request, UniformSpec, infer_with_uniforms},
};

/// Rows and columns of the outputs.
const EXTENTS: [usize; 2] = [13, 37];

/// The extents that have names, in the order of the names.
const NAMED: [usize; 8] = [2, 9, 11, 5, 3, 4, 6, 7];

/// The digit of the image or table `image` at `place`, from which an element is made.
fn number(image: usize, place: usize) -> u32 {
    (place as u32).wrapping_mul(2_654_435_761).wrapping_add(image as u32 * 97_531 + 12_345)
}

/// The bytes of an element of a type.
fn element(element: ElementType, number: u32) -> Vec<u8> {
    match element {
        ElementType::U8 | ElementType::I8 => vec![(number >> 13) as u8],
        ElementType::U16 | ElementType::I16 | ElementType::F16 | ElementType::BF16 => {
            ((number >> 7) as u16).to_le_bytes().to_vec()
        }
        ElementType::U32 | ElementType::I32 => number.to_le_bytes().to_vec(),
        ElementType::U64 => (u64::from(number) << 16).to_le_bytes().to_vec(),
        ElementType::I64 => (i64::from(number) - (1 << 31)).to_le_bytes().to_vec(),
        ElementType::F64 => ((f64::from(number) - 1e9) / 3.0).to_le_bytes().to_vec(),
        ElementType::F32 => ((((number >> 8) % 20_001) as f32 - 10_000.0) / 64.0).to_le_bytes().to_vec(),
    }
}

fn filled(image: usize, info: &TensorInfo, of: ElementType) -> AnyTensor {
    let mut tensor = AnyTensor::new(info).unwrap();
    let count = info.size_in_bytes() / of.size();
    let bytes: Vec<u8> = (0..count).flat_map(|place| element(of, number(image, place))).collect();
    let mut view = tensor.view_mut();
    // SAFETY: a new tensor has no gaps, and is borrowed exclusively.
    unsafe { std::slice::from_raw_parts_mut(view.as_mut_ptr(), bytes.len()) }.copy_from_slice(&bytes);
    tensor
}

/// The extents of an input from which outputs of `EXTENTS` follow; those that the kernel names are of `NAMED`.
fn extents(spec: &KernelSpec, image: usize, input: &InputSpec) -> Vec<usize> {
    if let Some(rank) = input.tensor_rank() {
        let mut names: Vec<&str> = Vec::new();
        spec.extents.iter().for_each(|extent| {
            if !names.contains(&extent.name) {
                names.push(extent.name)
            }
        });
        let along = |dimension: usize| {
            let named =
                spec.extents.iter().find(|own| (own.image as usize, own.dimension as usize) == (image, dimension));
            named.and_then(|own| names.iter().position(|name| *name == own.name)).map_or(8, |place| NAMED[place])
        };
        return (0..rank).rev().map(along).collect();
    }
    if input.is_whole() || input.accesses().is_empty() {
        return vec![21, 18];
    }
    let along = |access: &windrow::spec::AccessSpec| match access.equation() {
        Some((axis, by)) => EXTENTS[axis as usize] * by as usize,
        None => 8,
    };
    input.accesses().iter().map(along).collect()
}

/// A value for every scalar of a uniform: the middle of its bounds, or an end of them.
fn scalars(uniform: &UniformSpec, attempt: usize) -> Vec<Scalar> {
    let count: u32 = uniform.dims.iter().product();
    let one = |place: u32| match (uniform.element, uniform.bounds) {
        (ElementType::F32, Some((least, greatest))) => {
            let (least, greatest) = (least.to_f64(), greatest.to_f64());
            Scalar::F32([(least + greatest) / 2.0, least, greatest][attempt % 3] as f32)
        }
        (ElementType::F32, None) => Scalar::F32([0.75, 1.0, 0.5][attempt % 3] + place as f32 / 8.0),
        (_, Some((least, greatest))) if uniform.sum_of_magnitudes.is_none() => {
            let (least, greatest) = (least.to_f64() as i64, greatest.to_f64() as i64);
            Scalar::I64([(least + greatest) / 2, least, greatest][attempt % 3])
        }
        _ => Scalar::I64([3, 1, 0][attempt % 3] + i64::from(place % 2)),
    };
    (0..count).map(one).collect()
}

struct Case {
    code: &'static KernelCode,
    infos: Vec<TensorInfo>,
    uniforms: Vec<(&'static str, Vec<u32>, Vec<Scalar>)>,
    tables: Vec<(&'static str, ElementType, Vec<u8>)>,
    variants: Vec<(&'static str, &'static str)>,
    border: Border,
}

impl Case {
    fn new(code: &'static KernelCode, attempt: usize) -> Case {
        let spec = code.spec();
        let info = |(image, (_, input)): (usize, (&str, &InputSpec))| {
            TensorInfo::new(input.element, input.channels, &extents(spec, image, input)).unwrap()
        };
        let tables = spec.tables().enumerate().map(|(index, (name, of, length))| {
            let bytes = (0..length as usize).flat_map(|place| element(of, number(20 + index, place))).collect();
            (name, of, bytes)
        });
        let uniforms = spec.uniforms().map(|(name, uniform)| (name, uniform.dims.to_vec(), scalars(uniform, attempt)));
        let modes = spec.borders.iter().map(|mode| mode.name());
        Case {
            code,
            infos: spec.read_images().enumerate().map(info).collect(),
            uniforms: uniforms.collect(),
            tables: tables.collect(),
            variants: spec.variants().map(|(name, values)| (name, values[values.len() - 1])).collect(),
            border: if modes.into_iter().any(|name| name == "reflect") { Border::Reflect } else { Border::Undefined },
        }
    }

    fn values<'a>(&'a self, entries: &'a [Entries]) -> Values<'a> {
        let mut values: Vec<(&str, Value<'_>)> = Vec::new();
        for (name, dims, scalars) in &self.uniforms {
            values.push((name, Value::array(dims, scalars.iter().copied())));
        }
        values.extend(self.variants.iter().map(|(name, value)| (*name, Value::from(*value))));
        values.extend(self.tables.iter().zip(entries).map(|((name, ..), entries)| (*name, entries.value())));
        Values::of(self.code.spec(), &values).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The line of the file; `None` where the values break a relation between them.
    fn line(&self) -> Option<String> {
        let spec = self.code.spec();
        let entries: Vec<Entries> = self.tables.iter().map(|(_, of, bytes)| Entries::of(*of, bytes)).collect();
        let values = self.values(&entries);
        let elements: Vec<ElementType> = spec.read_images().map(|(_, input)| input.element).collect();
        let inputs: Vec<AnyTensor> =
            self.infos.iter().zip(elements).enumerate().map(|(image, (info, of))| filled(image, info, of)).collect();
        let read: Vec<&TensorInfo> = self.infos.iter().collect();
        let shape = infer_with_uniforms(spec, &read, &values.words, self.border.mode())
            .map_or(EXTENTS.to_vec(), |inferred| inferred.shape().extents().to_vec());
        let mut outputs: Vec<AnyTensor> = spec
            .outputs
            .iter()
            .enumerate()
            .map(|(index, output)| {
                let info = TensorInfo::new(output.element, output.channels, &shape).unwrap();
                let is_read = spec.images().any(|(_, input)| input.inout == Some(index as u32));
                if is_read { filled(10 + index, &info, output.element) } else { AnyTensor::new(&info).unwrap() }
            })
            .collect();
        let written: Vec<TensorInfo> = outputs.iter().map(|output| *output.info()).collect();
        let written: Vec<Option<&TensorInfo>> = written.iter().map(Some).collect();
        let request = Request {
            inputs: &read,
            outputs: &written,
            words: &values.words,
            choice: &values.choice,
            border: self.border.into(),
        };
        let plan = KernelPlan::new(self.code, &request).ok()?;
        let views: Vec<_> = inputs.iter().map(AnyTensor::view).collect();
        let mut targets: Vec<_> = outputs.iter_mut().map(|output| Some(output.view_mut())).collect();
        plan.run(&Serial, AnyInputs { views: &views, tables: &values.tables }, AnyOutputs(&mut targets)).unwrap();
        drop(targets);
        Some(self.text(&shape, &outputs))
    }

    fn text(&self, shape: &[usize], outputs: &[AnyTensor]) -> String {
        let mut values: Vec<String> =
            self.variants.iter().map(|(name, value)| format!("\"{name}\": \"{}\"", value.to_lowercase())).collect();
        values.extend(self.uniforms.iter().map(|(name, dims, scalars)| {
            let scalars: Vec<String> = scalars.iter().map(|scalar| format!("{scalar:#}")).collect();
            match dims.as_slice() {
                [] => format!("\"{name}\": {}", scalars[0]),
                _ => format!("\"{name}\": {{\"shape\": {dims:?}, \"values\": [{}]}}", scalars.join(", ")),
            }
        }));
        let shapes: Vec<Vec<usize>> = self.infos.iter().map(|info| info.shape().extents().to_vec()).collect();
        let sums: Vec<u32> = outputs
            .iter()
            .map(|output| {
                let view = output.view();
                let mut sum = flate2::Crc::new();
                // SAFETY: the elements of a tensor without gaps, which is borrowed.
                let bytes = unsafe { std::slice::from_raw_parts(view.as_ptr(), output.info().size_in_bytes()) };
                sum.update(&with_one_nan(output.info().dtype().element(), bytes));
                sum.sum()
            })
            .collect();
        let mut line = String::new();
        write!(
            line,
            "  \"{}\": {{\"inputs\": {shapes:?}, \"outputs\": {shape:?}, \"border\": \"{}\", ",
            self.code.spec().name,
            self.border
        )
        .unwrap();
        write!(line, "\"values\": {{{}}}, \"crc\": {sums:?}}}", values.join(", ")).unwrap();
        line
    }
}

/// Elements whose NaNs have one payload: that of a NaN is the processor's.
fn with_one_nan(element: Option<ElementType>, bytes: &[u8]) -> Vec<u8> {
    if element != Some(ElementType::F32) {
        return bytes.to_vec();
    }
    let one = |word: &[u8]| {
        let value = f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        if value.is_nan() { f32::from_bits(0x7fc0_0000).to_le_bytes() } else { value.to_le_bytes() }
    };
    bytes.chunks(4).flat_map(one).collect()
}

/// The entries of a table, of its type.
enum Entries {
    U8(Vec<u8>),
    I16(Vec<i16>),
}

impl Entries {
    fn of(element: ElementType, bytes: &[u8]) -> Entries {
        match element {
            ElementType::U8 => Entries::U8(bytes.to_vec()),
            ElementType::I16 => {
                Entries::I16(bytes.chunks(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
            }
            other => panic!("no operator has a table of {other}"),
        }
    }

    fn value(&self) -> Value<'_> {
        match self {
            Entries::U8(entries) => Value::table(entries),
            Entries::I16(entries) => Value::table(entries),
        }
    }
}

#[test]
fn what_kernels_compute_is_what_the_file_says() {
    let lines = windrow_operators::all().iter().map(|code| {
        let lines = (0..3).find_map(|attempt| Case::new(code, attempt).line());
        lines.unwrap_or_else(|| panic!("no values that {} takes", code.spec().name))
    });
    let text = format!("{{\n{}\n}}\n", lines.collect::<Vec<String>>().join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/digests.json");
    if std::env::var_os("WINDROW_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    let changed: Vec<&str> = text.lines().filter(|line| !expected.lines().any(|known| known == *line)).collect();
    assert!(changed.is_empty(), "not in {}:\n{}", path.display(), changed.join("\n"));
    assert_eq!(text.lines().count(), expected.lines().count(), "{} has kernels that there are not", path.display());
}
