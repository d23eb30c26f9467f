//! One run: the inputs of one size, one border, and who computes.

use std::error::Error;

use windrow::{
    Border, Configured, InvalidConfiguration, InvalidTensor, Kernel, Primitive, Serial, TensorInfo, Tier, View,
    ViewMut, code::Body, tensor::KernelElement,
};

use crate::archive::{Archive, Golden};

/// What every output byte holds before the C model runs.
pub const POISON: u8 = 0xCD;

/// The bytes computed, or why there are none.
pub type Outcome = Result<Vec<u8>, Box<dyn Error>>;

/// Who computes.
#[derive(Clone, Debug)]
pub enum By {
    /// The author's function, element by element.
    Author,
    /// The bodies of a tier.
    Tier(Tier),
    /// An OpenCL device.
    #[cfg(feature = "opencl")]
    Device(std::rc::Rc<crate::device::Device>),
}

impl std::fmt::Display for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            By::Author => f.write_str("the author's function"),
            By::Tier(tier) => tier.fmt(f),
            #[cfg(feature = "opencl")]
            By::Device(device) => write!(f, "{device}"),
        }
    }
}

/// One run.
pub struct Sample<'a> {
    pub archive: &'a Archive,
    /// `17x16`, the size of the inputs.
    pub size: &'a str,
    pub border: Border,
    pub by: By,
}

/// An image in memory; its channels are plain scalars, so that bytes can be read back.
pub struct Image<T: KernelElement> {
    channels: Vec<T::Channel>,
    extents: [usize; 2],
}

impl<T: KernelElement> Image<T> {
    /// The image of these little-endian bytes.
    pub fn from_bytes(bytes: &[u8], extents: [usize; 2]) -> Self {
        let word = |channel: &[u8]| channel.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        let channels = bytes.chunks_exact(T::TYPE.size()).map(|channel| T::Channel::from_word(word(channel))).collect();
        Image { channels, extents }
    }

    /// The elements as little-endian bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let size = T::TYPE.size();
        self.channels.iter().flat_map(|channel| channel.to_word().to_le_bytes().into_iter().take(size)).collect()
    }

    pub fn extents(&self) -> [usize; 2] {
        self.extents
    }

    fn strides(&self) -> [isize; 2] {
        let pixel = (T::TYPE.size() * T::CHANNELS as usize) as isize;
        [pixel * self.extents[1] as isize, pixel]
    }

    pub fn view(&self) -> Result<View<'_, T>, InvalidTensor> {
        View::with_strides(&self.channels, &self.extents, &self.strides())
    }

    pub fn view_mut(&mut self) -> Result<ViewMut<'_, T>, InvalidTensor> {
        let strides = self.strides();
        ViewMut::with_strides(&mut self.channels, &self.extents, &strides)
    }

    pub fn info(&self) -> Result<TensorInfo, InvalidTensor> {
        Ok(*self.view()?.info())
    }
}

type Configuration<K> = Result<Configured<K>, InvalidConfiguration>;

impl Sample<'_> {
    /// The array `name` of this size, as elements `T`, in rows as long as its format says.
    pub fn input<T: KernelElement>(&self, name: &str) -> Result<Image<T>, Box<dyn Error>> {
        let golden = self.golden(name)?;
        let row = golden.bytes.len() / golden.height / T::TYPE.size() / T::CHANNELS as usize;
        Ok(Image::from_bytes(&golden.bytes, [golden.height, row]))
    }

    /// The chroma plane of a 4:2:0 image with two planes, as two-channel pixels.
    pub fn chroma(&self, name: &str) -> Result<Image<[u8; 2]>, Box<dyn Error>> {
        let golden = self.golden(name)?;
        let luma = golden.width * golden.height;
        Ok(Image::from_bytes(&golden.bytes[luma..], [golden.height / 2, golden.width / 2]))
    }

    /// The luma plane of a planar image.
    pub fn luma(&self, name: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let golden = self.golden(name)?;
        Ok(golden.bytes[..golden.width * golden.height].to_vec())
    }

    /// The two chroma planes of a 4:2:0 image with three planes.
    pub fn planes(&self, name: &str) -> Result<[Vec<u8>; 2], Box<dyn Error>> {
        let golden = self.golden(name)?;
        let luma = golden.width * golden.height;
        let (u, v) = golden.bytes[luma..].split_at(luma / 4);
        Ok([u.to_vec(), v.to_vec()])
    }

    fn golden(&self, name: &str) -> Result<&Golden, Box<dyn Error>> {
        let name = format!("{name}_{}", self.size);
        Ok(self.archive.arrays.get(&name).ok_or_else(|| format!("there is no input {name}"))?)
    }

    /// An output of the shape that `like` has, with nothing written yet.
    pub fn output<O: KernelElement>(&self, extents: [usize; 2]) -> Image<O> {
        let bytes = extents[0] * extents[1] * O::TYPE.size() * O::CHANNELS as usize;
        Image::from_bytes(&vec![POISON; bytes], extents)
    }

    /// Runs `configured`, by whoever it is that computes.
    pub fn run<K: Kernel>(
        &self,
        configured: Configured<K>,
        inputs: K::Inputs<'_>,
        outputs: K::Outputs<'_>,
    ) -> Result<(), Box<dyn Error>> {
        match &self.by {
            By::Author => configured.run_reference(inputs, outputs)?,
            By::Tier(tier) => {
                // A kernel without a body of its own for a tier runs the best of those below it.
                let own = K::CODE.bodies().iter().map(Body::tier).find(|own| own <= tier).ok_or("no body")?;
                configured.with_tier(own)?.run(&Serial, inputs, outputs)?;
            }
            #[cfg(feature = "opencl")]
            By::Device(device) => device.run(configured, inputs, outputs)?,
        }
        Ok(())
    }

    /// One image to another of its shape.
    pub fn map<K, A: KernelElement, O: KernelElement>(
        &self,
        input: &Image<A>,
        configure: impl Fn(&TensorInfo, &TensorInfo, Border) -> Configuration<K>,
    ) -> Outcome
    where
        K: for<'v> Kernel<Inputs<'v> = View<'v, A>, Outputs<'v> = ViewMut<'v, O>>,
    {
        let mut output = self.output::<O>(input.extents);
        let configured = configure(&input.info()?, &output.info()?, self.border)?;
        self.run(configured, input.view()?, output.view_mut()?)?;
        Ok(output.bytes())
    }

    /// The u8 image `in0` to another of its shape.
    pub fn filter<K, O: KernelElement>(
        &self,
        configure: impl Fn(&TensorInfo, &TensorInfo, Border) -> Configuration<K>,
    ) -> Outcome
    where
        K: for<'v> Kernel<Inputs<'v> = View<'v, u8>, Outputs<'v> = ViewMut<'v, O>>,
    {
        self.map(&self.input("in0")?, configure)
    }

    /// Two images to one, element by element.
    pub fn zip<K, A: KernelElement, B: KernelElement, O: KernelElement>(
        &self,
        [a, b]: [&str; 2],
        configure: impl Fn(&TensorInfo, &TensorInfo, &TensorInfo) -> Configuration<K>,
    ) -> Outcome
    where
        K: for<'v> Kernel<Inputs<'v> = (View<'v, A>, View<'v, B>), Outputs<'v> = ViewMut<'v, O>>,
    {
        let (a, b) = (self.input::<A>(a)?, self.input::<B>(b)?);
        let mut output = self.output::<O>(a.extents);
        let configured = configure(&a.info()?, &b.info()?, &output.info()?)?;
        self.run(configured, (a.view()?, b.view()?), output.view_mut()?)?;
        Ok(output.bytes())
    }

    /// `in0` into the image `onto`, in place.
    pub fn accumulate<K, O: KernelElement>(
        &self,
        onto: &str,
        configure: impl Fn(&TensorInfo, &TensorInfo) -> Configuration<K>,
    ) -> Outcome
    where
        K: for<'v> Kernel<Inputs<'v> = View<'v, u8>, Outputs<'v> = ViewMut<'v, O>>,
    {
        let (input, mut accumulator) = (self.input::<u8>("in0")?, self.input::<O>(onto)?);
        let configured = configure(&input.info()?, &accumulator.info()?)?;
        self.run(configured, input.view()?, accumulator.view_mut()?)?;
        Ok(accumulator.bytes())
    }
}
