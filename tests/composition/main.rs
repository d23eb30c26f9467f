//! Composition: every kind of stage in one chain gives what its operators give one after another, whole, in bands and on a device, or
//! is refused with the stage and the reason.

mod dishonest;
mod everywhere;
mod generated;
mod hand_written;
mod on_device;
mod pipelines;
mod placed;
mod plain;
mod strided;
mod tiles;
mod traced;

use everywhere::{Place, everywhere, image};
use windrow::{chain::*, prelude::*};

/// The same number in 16 bits.
#[kernel]
pub fn widen(x: u8) -> i16 {
    x as i16
}

/// Adds to a sum in place.
#[kernel]
pub fn add_into(x: u8, #[inout] sum: i16) -> i16 {
    sum.saturating_add(x as i16)
}

/// Looks at three neighbours.
#[kernel(border(replicate, wrap, undefined))]
pub fn spread(src: Neighbourhood<u8>) -> u8 {
    src.at(-1, -1).max(src.at(1, 1)).abs_diff(src.at(0, 1))
}

/// One channel of two.
#[kernel]
pub fn first_of_pair(x: [u8; 2]) -> u8 {
    x[0].max(x[1] / 2)
}

/// Three quarters.
#[kernel]
pub fn darker(x: u8) -> u8 {
    x / 2 + x / 4
}

/// An entry of a table.
#[kernel]
pub fn look_up(x: u8, lut: Table<u8, 256>) -> u8 {
    lut[x]
}

/// Half of a number.
#[kernel]
pub fn half(x: i32) -> i32 {
    x / 2
}

/// In 256ths.
#[kernel]
pub fn scaled(x: u8, #[uniform(0..=255)] by: i32) -> u8 {
    (x as i32 * by / 256).saturating_cast()
}

fn of<T: windrow::Element>(extents: [usize; 2]) -> TensorInfo {
    TensorInfo::of::<T>(&extents).unwrap()
}

#[test]
fn what_is_computed_in_place_lies_in_place_or_is_copied_first() {
    let extents = [21, 40];
    let (src, start) = (image::<u8>(1, extents), image::<i16>(2, extents));
    let (bytes, words) = (of::<u8>(extents), of::<i16>(extents));
    let build = || {
        let mut chain = ChainBuilder::new();
        let (src, start) = (chain.input(bytes), chain.input(words));
        let add = add_into::configure(&bytes, &words).unwrap();
        // The caller's image stays as it is; the sum of it is added to in place, and read by two.
        let [once] = chain.add(&add, &[src, start]).unwrap();
        let [twice] = chain.add(&add, &[src, once]).unwrap();
        let [wide] = chain.add(&widen::configure(&bytes, &words).unwrap(), &[src]).unwrap();
        let [other] = chain.add(&add, &[src, wide]).unwrap();
        let [more] = chain.add(&add, &[src, other]).unwrap();
        for value in [once, twice, more] {
            chain.output(value).unwrap();
        }
        chain
    };
    let times = |times: i16, from: &[i16]| -> Vec<i16> {
        let each = |(&start, x): (&i16, u8)| (0..times).fold(start, |sum, _| sum.saturating_add(i16::from(x)));
        from.iter().zip(src.to_vec()).map(each).collect()
    };
    let nothing = vec![0; start.to_vec().len()];
    let expected = [times(1, &start.to_vec()), times(2, &start.to_vec()), times(3, &nothing)];
    everywhere(&build, &[src.view().any(), start.view().any()], &expected, |_| None);
}

#[test]
fn a_view_of_a_value_is_read_where_it_lies() {
    let extents = [30, 48];
    let src = image::<u8>(3, extents);
    for border in [Border::Replicate, Border::Wrap] {
        let (region, pairs) = ([17, 32], [17, 16]);
        let all = spread::configure(&of::<u8>(extents), &of::<u8>(extents), border).unwrap();
        let part = spread::configure(&of::<u8>(region), &of::<u8>(region), border).unwrap();
        let pair = first_of_pair::configure(&of::<[u8; 2]>(pairs), &of::<u8>(pairs)).unwrap();
        let build = || {
            let mut chain = ChainBuilder::new();
            let src = chain.input(of::<u8>(extents));
            let [spread] = chain.add(&all, &[src]).unwrap();
            let cropped = chain.crop(spread, &[5, 8], &region).unwrap();
            let [again] = chain.add(&part, &[cropped]).unwrap();
            let grouped = chain.regroup::<[u8; 2]>(again).unwrap();
            let [first] = chain.add(&pair, &[grouped]).unwrap();
            let of_input = chain.crop(src, &[1, 2], &pairs).unwrap();
            let dark = darker::configure(&of::<u8>(pairs), &of::<u8>(pairs)).unwrap();
            let [dark] = chain.add(&dark, &[of_input]).unwrap();
            for value in [first, dark] {
                chain.output(value).unwrap();
            }
            chain
        };
        let mut whole = Tensor::<u8>::new(extents).unwrap();
        all.run_reference(src.view(), whole.view_mut()).unwrap();
        let mut again = Tensor::<u8>::new(region).unwrap();
        part.run_reference(whole.view().region([5, 8], region).unwrap(), again.view_mut()).unwrap();
        let mut first = Tensor::<u8>::new(pairs).unwrap();
        pair.run_reference(again.view().regroup::<[u8; 2]>().unwrap(), first.view_mut()).unwrap();
        let dark = |[y, x]: [usize; 2]| src.view().get([y + 1, x + 2]).map_or(0, |x| x / 2 + x / 4);
        let dark = Tensor::from_fn(pairs, dark).unwrap();
        everywhere(&build, &[src.view().any()], &[first.to_vec(), dark.to_vec()], |_| None);
    }
}

#[test]
fn a_reshaped_value_is_the_same_elements() {
    let src = image::<u8>(4, [6, 32]);
    let (rows, tall) = (of::<u8>([6, 32]), of::<u8>([12, 16]));
    let build = || {
        let mut chain = ChainBuilder::new();
        let src = chain.input(rows);
        let [dark] = chain.add(&darker::configure(&rows, &rows).unwrap(), &[src]).unwrap();
        let dark = chain.reshape(dark, &[12, 16]).unwrap();
        let [out] = chain.add(&spread::configure(&tall, &tall, Border::Replicate).unwrap(), &[dark]).unwrap();
        chain.output(out).unwrap();
        chain
    };
    let dark = Tensor::from_vec(src.to_vec().iter().map(|x| x / 2 + x / 4).collect(), [12, 16]).unwrap();
    let mut expected = Tensor::<u8>::new([12, 16]).unwrap();
    let spread = spread::configure(&tall, &tall, Border::Replicate).unwrap();
    spread.run_reference(dark.view(), expected.view_mut()).unwrap();
    let in_bands = |place| (place == Place::Bands).then_some(("spread", "another shape"));
    everywhere(&build, &[src.view().any()], &[expected.to_vec()], in_bands);
    let mut chain = ChainBuilder::new();
    let src = chain.input(rows);
    let refused = chain.reshape(src, &[7, 27]).unwrap_err();
    assert_eq!(refused.to_string(), "a view of value 0: the shape holds 189 elements, the data 192");
    assert!(matches!(chain.crop(src, &[1, 0], &[6, 32]), Err(FunctionError::View { value: 0, .. })));
    let cropped = chain.crop(src, &[1, 0], &[5, 32]).unwrap();
    assert!(matches!(chain.output(cropped), Err(FunctionError::Output { .. })));
}

#[test]
fn a_table_can_be_a_value() {
    let (extents, entries) = ([19, 33], [1, 256]);
    let (src, ramp) = (image::<u8>(5, extents), Tensor::from_fn(entries, |[_, x]| x as u8).unwrap());
    let (bytes, table) = (of::<u8>(extents), of::<u8>(entries));
    let look_up = look_up::configure(&bytes, &bytes).unwrap();
    let of_values = |is_computed: bool| {
        let mut chain = ChainBuilder::new();
        let (src, ramp) = (chain.input(bytes), chain.input(table));
        let [dark] = chain.add(&darker::configure(&table, &table).unwrap(), &[ramp]).unwrap();
        let table = ChainTables::default().computed(if is_computed { dark } else { ramp });
        let [out] = chain.add_with_tables(&look_up, &[src], table).unwrap();
        chain.output(out).unwrap();
        chain
    };
    let expected: Vec<u8> = src.to_vec().iter().map(|x| x / 2 + x / 4).collect();
    let inputs = [src.view().any(), ramp.view().any()];
    let in_bands = |place| (place == Place::Bands).then_some(("look_up", "computes a table"));
    everywhere(&|| of_values(true), &inputs, &[expected], in_bands);
    everywhere(&|| of_values(false), &inputs, &[src.to_vec()], |_| None);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let refused = chain.add_with_tables::<_, 1>(&look_up, &[src], ChainTables::default().computed(src)).unwrap_err();
    let message = "`lut` of `look_up` is 256 of u8 without gaps, value 0 is 19×33 of u8×1";
    assert_eq!(refused.to_string(), message);
}

#[test]
fn a_uniform_can_be_a_value() {
    let (extents, one) = ([19, 33], [1, 1]);
    let src = image::<u8>(6, extents);
    let bytes = of::<u8>(extents);
    let build = |is_computed: bool| {
        let mut chain = ChainBuilder::new();
        let (src, by) = (chain.input(bytes), chain.input(of::<i32>(one)));
        let [halved] = chain.add(&half::configure(&of::<i32>(one), &of::<i32>(one)).unwrap(), &[by]).unwrap();
        let scaled = scaled::configure(&bytes, 0, &bytes).unwrap();
        let by = if is_computed { halved } else { by };
        let [out] = chain.add_with_uniforms(&scaled, &[src], &[("by", by)]).unwrap();
        chain.output(out).unwrap();
        assert!(matches!(
            chain.add_with_uniforms::<_, 1>(&scaled, &[src], &[("amount", by)]),
            Err(FunctionError::NoUniform { .. })
        ));
        chain
    };
    let expected = |by: i32| -> Vec<u8> { src.to_vec().iter().map(|&x| (i32::from(x) * by / 256) as u8).collect() };
    let by = |value: i32| Tensor::from_vec(vec![value], one).unwrap();
    let in_bands = |place| (place == Place::Bands).then_some(("scaled", "computes a uniform"));
    let (given, twice) = (by(90), by(180));
    everywhere(&|| build(true), &[src.view().any(), twice.view().any()], &[expected(90)], in_bands);
    everywhere(&|| build(false), &[src.view().any(), given.view().any()], &[expected(90)], |_| None);

    // What an earlier stage computes keeps the kernel's bounds, or is refused.
    let mut out = Tensor::<u8>::new(extents).unwrap();
    let chain = build(true).compose(&everywhere::whole()).unwrap();
    let far = by(600);
    let refused = chain.run(&Serial, &[src.view().any(), far.view().any()], &mut [out.view_mut().any()]).unwrap_err();
    assert_eq!(refused.to_string(), "`by` is 300, expected 0 to 255");
}

#[test]
fn a_composite_infers_validates_and_lists_as_a_kernel_does() {
    let extents = [8, 24];
    let bytes = of::<u8>(extents);
    let mut chain = ChainBuilder::new();
    let src = chain.input(bytes);
    let [a] = chain.add(&spread::configure(&bytes, &bytes, Border::Undefined).unwrap(), &[src]).unwrap();
    let [b] = chain.add(&widen::configure(&bytes, &of::<i16>(extents)).unwrap(), &[a]).unwrap();
    chain.output(b).unwrap();
    let inferred = chain.infer();
    let chain = chain.compose(&InBands { cache: CACHE }).unwrap();
    assert_eq!(chain.infer(&[&bytes]), Ok(inferred.clone()));
    assert_eq!(inferred[0].valid_region().plane().to_string(), "1..7×1..23");
    assert_eq!(chain.validate(&[&bytes], &[&of::<i16>(extents)]), Ok(()));
    let refused = chain.validate(&[&bytes], &[&bytes]).unwrap_err();
    assert!(matches!(refused, FunctionError::Image { output: true, index: 0, .. }), "{refused}");
    assert!(matches!(chain.infer(&[]), Err(FunctionError::ImageCount { outputs: false, found: 0, expected: 1 })));
    let listing = chain.listing().to_string();
    assert_eq!(
        listing,
        "run spread on the processor, in bands of 8 rows\nrun widen on the processor, in bands of 8 rows\n"
    );
}
