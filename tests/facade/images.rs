//! Kernels that read images through samplers: every element type, several inputs with borders of their own, tables, what a
//! second run costs, images that stay on the device. Silent where the machine has no device with images.

use windrow::{
    Border, Borders, Scalar, Tensor, ValidRegion,
    opencl::{
        Call, Context, DeviceImage, DeviceMemory, LocalSize, MemForm, MemMode, OpenClError, OpenClKernel, QueueOptions,
        Recording, SampledImage, Storage, Submission,
    },
    prelude::*,
};

/// The greatest of a row, or the least of a column where that is more.
#[kernel(types(T = u8, i8, u16, i16, u32, i32, f32))]
pub fn saddle(a: Neighbourhood<T>) -> T {
    a.at(-1, 0).max(a.at(2, 0)).max(a.at(0, -1).min(a.at(0, 1)))
}

/// Two images with borders of their own, one without, a table and a uniform.
#[kernel]
pub fn mixed(
    a: Neighbourhood<u8>,
    #[stride(2, 2)] b: Neighbourhood<u8>,
    level: u8,
    curve: Table<u8, 256>,
    #[uniform(0..=7)] by: u32,
) -> u8 {
    let shifted = curve[a.at(1, 1) as usize] >> by;
    shifted.abs_diff(b.at(-1, 2)).max(level).wrapping_add(x().wrapping_cast())
}

/// Work-groups of the generated tests: another size would have every program compiled anew.
const LOCAL: LocalSize = LocalSize::Fixed(4, 2);

fn memory() -> Option<DeviceMemory> {
    match Context::open() {
        Ok(context) if context.device().images.is_some() => Some(DeviceMemory::new(&context)),
        Ok(context) => {
            eprintln!("not run: {} has no images", context.device());
            None
        }
        Err(error) if error.is_absence() => {
            eprintln!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn image(seed: usize, extents: [usize; 2]) -> Tensor<u8> {
    Tensor::from_fn(extents, |[y, x]| (x * 31 + y * 57 + seed * 101 + (x * y) % 7) as u8).unwrap()
}

/// Bits that look random.
fn noise(x: usize, y: usize) -> u32 {
    let mixed = (x as u32).wrapping_mul(0x9e37_79b9) ^ (y as u32).wrapping_mul(0x85eb_ca6b);
    let mixed = mixed.wrapping_mul(0xc2b2_ae35);
    mixed ^ mixed >> 15
}

macro_rules! saddle_of {
    ($memory:ident, $($ty:ident $element:expr, [$($constant:expr),*];)*) => {$(
        for [height, width] in [[1, 1], [1, 6], [21, 3]] {
            let element: fn(u32) -> $ty = $element;
            let src = Tensor::<$ty>::from_fn([height, width], |[y, x]| element(noise(x, y))).unwrap();
            for border in [Border::Undefined, Border::Replicate, $(Border::constant($constant)),*] {
                let configured = || saddle::<$ty>::configure(src.info(), src.info(), border).unwrap();
                let [mut expected, mut found] = [(); 2].map(|()| Tensor::<$ty>::new([height, width]).unwrap());
                configured().run_reference(src.view(), expected.view_mut()).unwrap();
                let kernel = OpenClKernel::new($memory.context(), configured()).unwrap();
                let kernel = kernel.with_memory(&$memory, MemMode::Image).unwrap().with_local_size(LOCAL).unwrap();
                kernel.run(src.view(), found.view_mut()).unwrap();
                let bytes = |out: &Tensor<$ty>| out.to_vec().into_iter().flat_map($ty::to_ne_bytes).collect::<Vec<u8>>();
                assert_eq!(bytes(&found), bytes(&expected), "{} {width}×{height} {border:?}", stringify!($ty));
            }
        }
    )*};
}

#[test]
fn every_type_of_element_is_read_as_it_is() {
    let Some(memory) = memory() else { return };
    // Denormals among them: what travels as bits is not flushed.
    let float = |bits: u32| f32::from_bits(if bits & 8 == 0 { bits & 0x807f_ffff } else { bits & 0xbfff_ffff });
    saddle_of! { memory,
        u8 |bits| bits as u8, [0u8, 200u8];
        i8 |bits| bits as i8, [0i8, -128i8];
        u16 |bits| bits as u16, [0u16, 65_535u16];
        i16 |bits| bits as i16, [0i16, -2i16];
        u32 |bits| bits, [0u32, u32::MAX];
        i32 |bits| bits as i32, [0i32, i32::MIN];
        f32 float, [0.0f32, -0.0f32, 1.0e-42f32, f32::INFINITY];
    }
}

/// The arguments of [`mixed`] and what it gives.
struct Case {
    a: Tensor<u8>,
    b: Tensor<u8>,
    level: Tensor<u8>,
    curve: [u8; 256],
    borders: Borders,
    expected: Vec<u8>,
}

impl Case {
    fn new(extents: [usize; 2], level: [usize; 2]) -> Self {
        let [a, level] = [image(1, extents), image(3, level)];
        let b = image(2, [2 * extents[0], 2 * extents[1]]);
        let curve = std::array::from_fn(|entry| (entry * 7 + 3) as u8);
        let borders = Borders::each(&[Border::Constant(Scalar::U8(9)), Border::Replicate, Border::Replicate]);
        let mut case = Self { a, b, level, curve, borders, expected: Vec::new() };
        let mut out = Tensor::new(extents).unwrap();
        case.configured().run_reference(case.inputs(), out.view_mut()).unwrap();
        case.expected = out.to_vec();
        case
    }

    fn inputs(&self) -> (View<'_, u8>, View<'_, u8>, View<'_, u8>, &[u8; 256]) {
        (self.a.view(), self.b.view(), self.level.view(), &self.curve)
    }

    fn configured(&self) -> windrow::Configured<mixed> {
        mixed::configure(self.a.info(), self.b.info(), self.level.info(), 2, self.a.info(), self.borders).unwrap()
    }

    fn kernel(&self, memory: &DeviceMemory) -> OpenClKernel<mixed> {
        let kernel = OpenClKernel::new(memory.context(), self.configured()).unwrap().with_local_size(LOCAL).unwrap();
        kernel.with_memory(memory, MemMode::Image).unwrap()
    }
}

#[test]
fn windows_and_inputs_of_every_kind_give_the_same() {
    let Some(memory) = memory() else { return };
    for (extents, level) in [([9, 37], [9, 37]), ([9, 37], [1, 37]), ([12, 5], [12, 1]), ([1, 1], [1, 1])] {
        let case = Case::new(extents, level);
        let kernel = case.kernel(&memory);
        let mut out = Tensor::<u8>::new(extents).unwrap();
        kernel.run(case.inputs(), out.view_mut()).unwrap();
        assert_eq!(out.to_vec(), case.expected, "{extents:?}, level {level:?}");
        let mut part = Tensor::<u8>::from_fn(extents, |_| 0xAB).unwrap();
        let window = windrow::Rect::new(extents[1] / 3, extents[0] / 2, extents[1], extents[0]);
        kernel.run_window(case.inputs(), part.view_mut(), window).unwrap();
        for (index, (found, expected)) in part.to_vec().into_iter().zip(&case.expected).enumerate() {
            let (x, y) = (index % extents[1], index / extents[1]);
            let inside = (window.x0..window.x1).contains(&x) && (window.y0..window.y1).contains(&y);
            assert_eq!(found, if inside { *expected } else { 0xAB }, "({x}, {y})");
        }
    }
}

#[test]
fn second_run_only_copies_and_enqueues() {
    let Some(memory) = memory() else { return };
    let (context, case) = (memory.context(), Case::new([6, 40], [6, 40]));
    let kernel = case.kernel(&memory);
    let inputs =
        [&case.a, &case.b, &case.level].map(|image| DeviceImage::upload(context, &image.view().any()).unwrap());
    let curve = windrow::opencl::Buffer::from_bytes(context, &case.curve).unwrap();
    let outputs = [Some(DeviceImage::new(context, case.a.info()).unwrap())];
    let tables = [curve];
    kernel.run_on(&inputs, &tables, &outputs).unwrap();
    context.sync().unwrap();
    let before = context.driver().counters();
    kernel.run_on(&inputs, &tables, &outputs).unwrap();
    let second = context.driver().counters().since(&before);
    assert_eq!((second.builds(), second.allocations(), second.transfers(), second.launches()), (0, 0, 0, 1));
    assert_eq!((second.calls(Call::SetKernelArgument), second.calls(Call::CopyBufferToImage)), (0, 3));
    assert_eq!(read(&outputs), case.expected);
    // Images that are there already are read where they are.
    let sampled = [&case.a, &case.b, &case.level]
        .map(|image| SampledImage::upload(&memory, &image.view().any(), Storage::Dynamic).unwrap());
    kernel.run_on_images(&sampled, &tables, &outputs).unwrap();
    let before = context.driver().counters();
    kernel.run_on_images(&sampled, &tables, &outputs).unwrap();
    let second = context.driver().counters().since(&before);
    let all: u64 = Call::ALL.iter().map(|call| second.calls(*call)).sum();
    assert_eq!(all, 2, "a launch and a flush");
    assert_eq!(read(&outputs), case.expected);
    // On another queue, in any order, the copies come first too.
    let queue = context.new_queue(QueueOptions { out_of_order: true, ..QueueOptions::default() });
    if let Ok(queue) = queue {
        let other = [Some(DeviceImage::new(context, case.a.info()).unwrap())];
        kernel.submit(&Submission::on(&queue), &inputs, &tables, &other).unwrap().wait().unwrap();
        assert_eq!(read(&other), case.expected);
    }
    let refused = kernel.run_on_images(&sampled[..2], &tables, &outputs).unwrap_err();
    assert!(matches!(refused, OpenClError::Count { what: "inputs", found: 2, expected: 3 }), "{refused}");
    let swapped = [sampled[1].clone(), sampled[0].clone(), sampled[2].clone()];
    let refused = kernel.run_on_images(&swapped, &tables, &outputs).unwrap_err();
    assert!(matches!(refused, OpenClError::Image { argument: "a", .. }), "{refused}");
    let vast = OpenClKernel::new(context, case.configured()).unwrap();
    let refused = vast.with_local_size(LocalSize::Fixed(1 << 20, 1 << 10)).unwrap_err();
    assert!(matches!(refused, OpenClError::LocalSize(_)), "{refused}");
    let buffers = kernel.with_memory(&memory, MemMode::Buffer).unwrap();
    assert_eq!(buffers.mem_form().0, MemForm::Buffer);
    let refused = buffers.run_on_images(&sampled, &tables, &outputs).unwrap_err();
    let (found, expected) = (MemForm::Image, MemForm::Buffer);
    assert_eq!(refused, OpenClError::Form { kernel: "mixed", argument: "a", found, expected });
}

#[test]
fn recorded_runs_read_images_where_they_are() {
    let Some(memory) = memory() else { return };
    let (context, case) = (memory.context(), Case::new([6, 40], [6, 40]));
    let kernel = case.kernel(&memory);
    let tables = [windrow::opencl::Buffer::from_bytes(context, &case.curve).unwrap()];
    let images = [&case.a, &case.b, &case.level];
    let sampled = images.map(|image| SampledImage::upload(&memory, &image.view().any(), Storage::Dynamic).unwrap());
    let outputs = [(); 2].map(|()| [Some(DeviceImage::new(context, case.a.info()).unwrap())]);
    let record = |outputs| {
        let mut recording = Recording::new(context);
        recording.add_images(&kernel, &sampled, &tables, outputs).unwrap();
        recording
    };
    let recorded = [record(&outputs[0]).finish().unwrap(), record(&outputs[1]).finish_plain()];
    // PoCL aborts where one command holds a sampler: launch by launch, with the same results.
    assert!(recorded.iter().all(|recorded| !recorded.is_one_command() && recorded.len() == 1));
    // Images that are written later are those that a replay reads; it launches, and nothing else.
    sampled[0].write(&image(9, [6, 40]).view().any()).unwrap();
    recorded.iter().for_each(|recorded| recorded.run().unwrap().wait().unwrap());
    sampled[0].write(&case.a.view().any()).unwrap();
    let before = context.driver().counters();
    recorded.iter().for_each(|recorded| recorded.run().unwrap().wait().unwrap());
    let since = context.driver().counters().since(&before);
    assert_eq!((since.allocations(), since.transfers(), since.calls(Call::CopyBufferToImage)), (0, 0, 0));
    assert_eq!(since.calls(Call::SetKernelArgument), 0);
    outputs.iter().for_each(|outputs| assert_eq!(read(outputs), case.expected));
    // Buffers would have to be copied to images before each replay.
    let buffers = images.map(|image| DeviceImage::upload(context, &image.view().any()).unwrap());
    let refused = Recording::new(context).add(&kernel, &buffers, &tables, &outputs[0]).unwrap_err();
    assert_eq!(refused.to_string(), "`a` is given as buffer, `mixed` reads images here");
    let kernel = kernel.with_memory(&memory, MemMode::Buffer).unwrap();
    let refused = Recording::new(context).add_images(&kernel, &sampled, &tables, &outputs[0]).unwrap_err();
    assert_eq!(refused.to_string(), "`a` is given as image, `mixed` reads buffers here");
}

fn read(images: &[Option<DeviceImage>]) -> Vec<u8> {
    let image = images[0].as_ref().unwrap();
    let shape = image.info().shape();
    let mut out = Tensor::<u8>::new([shape.height(), shape.width()]).unwrap();
    image.download(&ValidRegion::whole(shape), &mut out.view_mut().any()).unwrap();
    out.to_vec()
}

#[test]
fn layouts_with_gaps_are_copied_row_by_row() {
    let Some(memory) = memory() else { return };
    let (context, case) = (memory.context(), Case::new([6, 20], [6, 20]));
    let kernel = case.kernel(&memory);
    let padded = |host: &Tensor<u8>, row: usize, offset: usize| {
        let extents = [host.info().height(), host.info().width()];
        let info = TensorInfo::with_strides(windrow::ElementType::U8, 1, &extents, &[row as isize, 1]).unwrap();
        let buffer = windrow::opencl::Buffer::from_bytes(context, &vec![0xAB; offset + row * extents[0]]).unwrap();
        let image = DeviceImage::with_layout(buffer.into(), offset, info).unwrap();
        image.write(&host.view().any()).unwrap();
        image
    };
    let inputs = [padded(&case.a, 64, 5), padded(&case.b, 41, 0), padded(&case.level, 20, 17)];
    let tables = [windrow::opencl::Buffer::from_bytes(context, &case.curve).unwrap()];
    let outputs = [Some(padded(&case.a, 50, 3))];
    kernel.run_on(&inputs, &tables, &outputs).unwrap();
    assert_eq!(read(&outputs), case.expected);
}
