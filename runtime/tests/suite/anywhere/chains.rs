//! Images that are read anywhere in chains, whole and in bands, and in calls by type or by `apply`.

use std::sync::Arc;

use super::*;
use crate::common::{AbsDiff, Narrow, noise, noise_at, request, threads::Threads};
use windrow_runtime::{
    AnyView, Border, Error, InvalidConfiguration, Serial, Split, Tensor, TensorInfo,
    apply::{Call, Host, Readable},
    band::InBands,
    configure,
    family::{Family, code_of},
    function::{ChainBuilder, Executor, Function, FunctionError, Value, Whole},
    memory::Heap,
};

fn info<T: Element>(extents: &[usize]) -> TensorInfo {
    TensorInfo::of::<T>(extents).unwrap()
}

/// |a − b|, as a stage.
fn difference(chain: &mut ChainBuilder, a: Value, b: Value) -> Value {
    let [x, y] = [a, b].map(|value| chain.info(value).unwrap());
    let kernel = configure::<AbsDiff<8, 2>>(&request(&[&x, &y], &[Some(&x)], Border::Undefined)).unwrap();
    let [out] = chain.add(&kernel, &[a, b]).unwrap();
    out
}

/// `src` turned, of these extents, as a stage.
fn turned_stage(chain: &mut ChainBuilder, src: Value, to: &[usize]) -> Value {
    let kernel =
        configure::<Turned<4, 2>>(&request(&[&chain.info(src).unwrap()], &[Some(&info::<u8>(to))], Border::Undefined));
    let [out] = chain.add(&kernel.unwrap(), &[src]).unwrap();
    out
}

fn whole_executor() -> Whole {
    Whole::immediate(Arc::new(Heap))
}

fn run(chain: ChainBuilder, executor: &dyn Executor, inputs: &[AnyView<'_>], to: [usize; 3]) -> Vec<u8> {
    let mut out = Tensor::<u8>::new(to).unwrap();
    let function = chain.compose(executor).unwrap();
    function.run(&Threads(3, Split::Dynamic { parts: 20 }), inputs, &mut [out.view_mut().any()]).unwrap();
    out.to_vec()
}

/// |turned(|a − b|) − c|: the stage that reads anywhere reads what the chain computes.
fn of_an_intermediate(from: [usize; 3], to: [usize; 3]) -> ChainBuilder {
    let mut chain = ChainBuilder::new();
    let [a, b] = [(); 2].map(|()| chain.input(info::<u8>(&from)));
    let c = chain.input(info::<u8>(&to));
    let ab = difference(&mut chain, a, b);
    let turned = turned_stage(&mut chain, ab, &to);
    let out = difference(&mut chain, turned, c);
    chain.output(out).unwrap();
    chain
}

/// |turned(a) − c|: it reads the caller's image.
fn of_an_input(from: &[usize], to: [usize; 3]) -> ChainBuilder {
    let mut chain = ChainBuilder::new();
    let (a, c) = (chain.input(info::<u8>(from)), chain.input(info::<u8>(&to)));
    let turned = turned_stage(&mut chain, a, &to);
    let out = difference(&mut chain, turned, c);
    chain.output(out).unwrap();
    chain
}

fn image(seed: usize, extents: [usize; 3]) -> Tensor<u8> {
    Tensor::from_fn(extents, |at| noise_at(seed, at)).unwrap()
}

/// What the chains give where stage by stage `read` is what the one stage reads anywhere.
fn expected(read: impl Fn([i32; 3]) -> Option<u8>, c: &Tensor<u8>) -> Vec<u8> {
    let ([height, width], planes) = (c.view().extents(), c.info().shape().planes() as i32);
    let places = (0..planes).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [z, y, x])));
    let each = |at @ [z, y, x]: [i32; 3]| {
        let [v, u] = turned_place([y, x]);
        read([z, v, u]).unwrap_or(7).abs_diff(c.view().get(at).unwrap())
    };
    places.map(each).collect()
}

#[test]
fn a_chain_computes_all_of_what_a_later_stage_reads_anywhere() {
    let (from, to) = ([2, 21, 13], [2, 17, 40]);
    let ([a, b], c) = ([1, 2].map(|seed| image(seed, from)), image(3, to));
    let inputs = [a.view().any(), b.view().any(), c.view().any()];
    let found = run(of_an_intermediate(from, to), &whole_executor(), &inputs, to);
    let ab = |at: [i32; 3]| Some(a.view().get(at)?.abs_diff(b.view().get(at)?));
    assert_eq!(found, expected(ab, &c));
}

#[test]
fn bands_never_have_all_of_what_the_chain_computes() {
    let error = of_an_intermediate([2, 21, 13], [2, 17, 40]).compose(&InBands { cache: 0 }).unwrap_err();
    let FunctionError::Refused { stage, place, reason } = &error else { panic!("{error}") };
    assert_eq!((stage.as_str(), place.as_str()), ("turned", "in bands"));
    assert!(reason.contains("`src`"), "{reason}");
    // Nor of a view of it.
    let mut chain = ChainBuilder::new();
    let a = chain.input(info::<u8>(&[21, 13]));
    let aa = difference(&mut chain, a, a);
    let part = chain.crop(aa, &[0, 0], &[9, 9]).unwrap();
    let out = turned_stage(&mut chain, part, &[8, 8]);
    chain.output(out).unwrap();
    assert!(matches!(chain.finish_in_bands(0), Err(FunctionError::Refused { .. })));
}

#[test]
fn bands_have_all_of_the_callers_images() {
    let to = [2, 45, 30];
    let (a, c) = (image(1, [2, 21, 13]), image(3, to));
    let one = Tensor::from_fn([21, 13], |[y, x]| noise(4, x, y, 0)).unwrap();
    for cache in [0, 1 << 20] {
        let inputs = [a.view().any(), c.view().any()];
        let found = run(of_an_input(&[2, 21, 13], to), &InBands { cache }, &inputs, to);
        assert_eq!(found, expected(|at| a.view().get(at), &c), "{cache}");
        let inputs = [one.view().any(), c.view().any()];
        let found = run(of_an_input(&[21, 13], to), &InBands { cache }, &inputs, to);
        assert_eq!(found, expected(|[_, y, x]| one.view().get([y, x]), &c), "{cache}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes two gigabytes of memory, of which others touch two pages")]
fn chains_look_at_the_strides_that_they_are_given() {
    let (bytes, c) = (vec![0u8; 1 << 31], Tensor::<u8>::new([4, 4]).unwrap());
    let far = View::<u8>::with_strides(&bytes, &[2, 1], &[(1 << 31) - 1, 1]).unwrap();
    let executors: [&dyn Executor; 2] = [&whole_executor(), &InBands { cache: 0 }];
    for executor in executors {
        let mut chain = ChainBuilder::new();
        let (a, b) = (chain.input(info::<u8>(&[2, 1])), chain.input(info::<u8>(&[4, 4])));
        let turned = turned_stage(&mut chain, a, &[4, 4]);
        let out = difference(&mut chain, turned, b);
        chain.output(out).unwrap();
        let mut to = Tensor::<u8>::new([4, 4]).unwrap();
        let function = chain.compose(executor).unwrap();
        let found = function.run(&Serial, &[far.any(), c.view().any()], &mut [to.view_mut().any()]);
        let expected = InvalidConfiguration::Span { argument: "src", found: 1 << 31, greatest: (1 << 31) - 1 };
        assert_eq!(found, Err(FunctionError::Run { kernel: "turned".into(), error: Box::new(expected.into()) }));
    }
}

#[test]
fn a_stage_that_leaves_some_elements_out_gives_no_such_image() {
    let mut chain = ChainBuilder::new();
    let (pixel, sum) = (info::<u8>(&[9, 9]), info::<i32>(&[9, 9]));
    let src = chain.input(pixel);
    let blur = configure::<crate::common::Weighted<8, 4, 0>>(&request(&[&pixel], &[Some(&sum)], Border::Undefined));
    let [sum] = chain.add(&blur.unwrap(), &[src]).unwrap();
    let sum_info = chain.info(sum).unwrap();
    let narrow = configure::<Narrow>(&request(&[&sum_info], &[Some(&pixel)], Border::Undefined)).unwrap();
    let [low] = chain.add(&narrow, &[sum]).unwrap();
    let kernel = configure::<Turned<4, 1>>(&request(&[&pixel], &[Some(&pixel)], Border::Undefined)).unwrap();
    let error = chain.add::<_, 1>(&kernel, &[low]).unwrap_err();
    let expected = InvalidConfiguration::PartlyValid { argument: "src", dimension: 1, start: 1, end: 8, extent: 9 };
    let FunctionError::Run { kernel, error } = error else { panic!("{error}") };
    assert_eq!((kernel.as_str(), *error), ("turned", expected.into()));
}

static REMAPS: Family = Family::new("remaps", &[code_of::<Remapped<4, 1>>()]);

#[test]
fn calls_take_their_shape_from_the_other_images_or_from_the_output() {
    let photo = Tensor::from_fn([6, 7], |[y, x]| [1, 2, 3].map(|k| noise(k, x, y, 0))).unwrap();
    let map = Tensor::from_fn([3, 20], |[y, x]| [(x / 3) as i16, (y + x) as i16 % 8]).unwrap();
    let column = Tensor::from_vec(vec![10u16, 20, 30], [3, 1]).unwrap();
    let look = |at: &[i16; 2]| {
        let at = at.map(i32::from);
        remapped_value(photo.view().get(at), column.view().get([at[0], 0]))
    };
    let expect: Vec<i32> = map.to_vec().iter().map(look).collect();
    let images = [photo.view().any(), map.view().any(), column.view().any()];
    let called = images.iter().fold(REMAPS.call(), |call, image| call.image(*image)).apply().unwrap();
    assert_eq!(called[0].to_tensor::<i32>().unwrap().to_vec(), expect);
    let inputs: [&dyn Readable<Space = Host>; 3] = [&&photo, &&map, &&column];
    let call = Call { inputs: &inputs, tables: &[], words: &[], choice: &[], border: Border::Undefined.into() };
    let shape = call.infer::<Remapped<4, 1>>().unwrap().shape();
    let mut out = Tensor::<i32>::new([3, 20]).unwrap();
    call.run::<Remapped<4, 1>>(&mut [&mut out]).unwrap();
    assert_eq!((shape, out.to_vec()), (map.info().shape(), expect));
    // Where there is no other image, the output decides.
    let src = Tensor::from_fn([6, 7], |[y, x]| noise(5, x, y, 0)).unwrap();
    let inputs: [&dyn Readable<Space = Host>; 1] = [&&src];
    let call = Call { inputs: &inputs, ..call };
    let error = call.infer::<Turned<4, 1>>().unwrap_err();
    assert!(matches!(error, Error::Configuration(InvalidConfiguration::NoShape { kernel: "turned" })), "{error}");
    let mut out = Tensor::<u8>::new([5, 5]).unwrap();
    call.run::<Turned<4, 1>>(&mut [&mut out]).unwrap();
    let places = (0..25).map(|at| [at / 5, at % 5]);
    assert_eq!(out.to_vec(), places.map(|at| src.view().get(turned_place(at)).unwrap_or(7)).collect::<Vec<_>>());
}
