//! Layouts against lists: every operation moves the offsets of all elements as a naive model does.

use std::{vec, vec::Vec};

use proptest::prelude::*;

use super::*;

/// Every element of a layout: its coordinates, and its offset from where the first layout's first element is.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    extents: Vec<usize>,
    offsets: Vec<isize>,
}

/// All coordinates of a shape, the last dimension fastest.
fn coordinates(extents: &[usize]) -> Vec<Vec<usize>> {
    extents.iter().fold(vec![Vec::new()], |all, &extent| {
        all.into_iter().flat_map(|at| (0..extent).map(move |next| [&at[..], &[next]].concat())).collect()
    })
}

impl Model {
    /// The list of a layout whose first element is `origin` bytes further on.
    fn of(layout: &Layout, origin: isize) -> Model {
        let extents = layout.shape().extents().to_vec();
        let offsets = coordinates(&extents).iter().map(|at| origin + layout.offset(at).unwrap()).collect();
        Model { extents, offsets }
    }

    /// The model of `extents` whose element at some coordinates is this one's at `from` those.
    fn moved(&self, extents: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Model {
        let place = |at: Vec<usize>| at.iter().zip(&self.extents).fold(0, |place, (at, extent)| place * extent + at);
        let offsets = coordinates(&extents).iter().map(|at| self.offsets[place(from(at))]).collect();
        Model { extents, offsets }
    }
}

fn layout() -> impl Strategy<Value = Layout> {
    let dimensions = prop::collection::vec((0usize..5, -9isize..10), 0..=4);
    (prop::sample::select(&DType::ALL[..]), 1u32..=4, dimensions).prop_map(|(dtype, lanes, dimensions)| {
        let (extents, strides): (Vec<usize>, Vec<isize>) = dimensions.into_iter().unzip();
        let strides: Vec<isize> = strides.iter().map(|stride| stride * dtype.size() as isize).collect();
        Layout::with_strides(dtype, lanes, &extents, &strides).unwrap()
    })
}

proptest! {
    #[test]
    fn a_span_holds_every_byte_and_no_more(layout in layout()) {
        let offsets = Model::of(&layout, 0).offsets;
        let size = layout.element_size() as isize;
        let least = offsets.iter().copied().min().unwrap_or(0);
        let behind = offsets.iter().map(|offset| offset + size).max().unwrap_or(0);
        prop_assert_eq!(layout.span(), least..behind);
        prop_assert_eq!(layout.size_in_bytes(), (behind - least) as usize);
        let expected: Vec<isize> = (0..offsets.len() as isize).map(|place| place * size).collect();
        prop_assert_eq!(layout.is_contiguous(), offsets == expected);
        let outside: Vec<usize> = layout.shape().extents().to_vec();
        prop_assert_eq!(layout.offset(&outside), if outside.is_empty() { Some(0) } else { None });
    }

    #[test]
    fn layouts_that_are_written_have_each_byte_once(layout in layout()) {
        let mut bytes: Vec<isize> = Model::of(&layout, 0)
            .offsets
            .iter()
            .flat_map(|offset| *offset..offset + layout.element_size() as isize)
            .collect();
        let count = bytes.len();
        bytes.sort_unstable();
        bytes.dedup();
        prop_assert!(layout.may_overlap_itself() || bytes.len() == count);
    }

    #[test]
    fn regions_are_elements_in_their_place(layout in layout(), cuts in any::<[(u8, u8); 4]>()) {
        let model = Model::of(&layout, 0);
        let cut = |(&extent, (from, length)): (&usize, &(u8, u8))| {
            let start = usize::from(*from) % (extent + 1);
            (start, usize::from(*length) % (extent - start + 1))
        };
        let (start, extents): (Vec<usize>, Vec<usize>) = model.extents.iter().zip(&cuts).map(cut).unzip();
        let (offset, region) = layout.region(&start, &extents).unwrap();
        let expected = model.moved(extents.clone(), |at| at.iter().zip(&start).map(|(at, start)| at + start).collect());
        prop_assert_eq!(Model::of(&region, offset), expected);
        for dimension in 0..start.len() {
            let mut beyond = extents.clone();
            beyond[dimension] = model.extents[dimension] - start[dimension] + 1;
            prop_assert!(layout.region(&start, &beyond).is_err());
        }
    }

    #[test]
    fn dimensions_change_places(layout in layout(), keys in any::<[u8; 4]>()) {
        let (model, rank) = (Model::of(&layout, 0), layout.shape().rank());
        let mut order: Vec<usize> = (0..rank).collect();
        order.sort_by_key(|d| keys[*d]);
        let back = |at: &[usize]| {
            let mut from = vec![0; rank];
            order.iter().zip(at).for_each(|(d, at)| from[*d] = *at);
            from
        };
        let expected = model.moved(order.iter().map(|d| model.extents[*d]).collect(), back);
        prop_assert_eq!(Model::of(&layout.permute(&order).unwrap(), 0), expected);
        let twice = vec![0; rank];
        prop_assert_eq!(layout.permute(&twice).is_ok(), rank < 2);
    }

    #[test]
    fn flips_and_steps_pick_elements(layout in layout(), dimension in 0usize..4, step in 0usize..7) {
        let (model, rank) = (Model::of(&layout, 0), layout.shape().rank());
        if dimension >= rank {
            prop_assert_eq!(layout.flip(dimension), Err(InvalidTensor::Dimension { found: dimension, rank }));
            return Ok(());
        }
        let moved = |extent: usize, along: &dyn Fn(usize) -> usize| {
            let mut extents = model.extents.clone();
            extents[dimension] = extent;
            model.moved(extents, |at| {
                let mut from = at.to_vec();
                from[dimension] = along(at[dimension]);
                from
            })
        };
        let extent = model.extents[dimension];
        let (offset, flipped) = layout.flip(dimension).unwrap();
        prop_assert_eq!(Model::of(&flipped, offset), moved(extent, &|at| extent - 1 - at));
        match layout.step(dimension, step) {
            Ok(stepped) => prop_assert_eq!(Model::of(&stepped, 0), moved(extent.div_ceil(step), &|at| at * step)),
            Err(error) => prop_assert_eq!((error, step), (InvalidTensor::Step { dimension }, 0)),
        }
    }

    #[test]
    fn what_is_broadcast_repeats(layout in layout(), more in prop::collection::vec(0usize..4, 0..2), repeat in 0usize..4) {
        let model = Model::of(&layout, 0);
        let repeated = model.extents.iter().map(|&extent| if extent == 1 { repeat } else { extent });
        let to: Vec<usize> = more.iter().copied().chain(repeated).collect();
        let expected = model.moved(to.clone(), |at| {
            at[more.len()..].iter().zip(&model.extents).map(|(at, extent)| if *extent == 1 { 0 } else { *at }).collect()
        });
        prop_assert_eq!(Model::of(&layout.broadcast_to(&to).unwrap(), 0), expected);
        let mut wrong = to.clone();
        if let Some((last, _)) = wrong.last_mut().zip(model.extents.last()).filter(|(_, extent)| **extent != 1) {
            *last += 1;
            let is_refused = matches!(layout.broadcast_to(&wrong), Err(InvalidTensor::Broadcast { .. }));
            prop_assert!(is_refused);
        }
    }

    #[test]
    fn a_lane_is_one_number_of_each_element(layout in layout(), lane in 0u32..4) {
        let size = layout.dtype().size() as isize;
        match layout.lane(lane) {
            Ok((offset, one)) => {
                let shifted = Model::of(&layout, lane as isize * size);
                prop_assert_eq!((one.lanes(), Model::of(&one, offset)), (1, shifted));
            }
            Err(error) => prop_assert_eq!(error, InvalidTensor::Lane { found: lane, lanes: layout.lanes() }),
        }
    }

    /// Whatever the numbers, a layout is made or refused; what is made has no offset out of range.
    #[test]
    fn no_number_overflows(extents in prop::collection::vec(far(), 0..=6), strides in prop::collection::vec(any::<isize>(), 6)) {
        for shift in [0, 8, 24, 40] {
            let strides: Vec<isize> = strides[..extents.len()].iter().map(|stride| stride >> shift).collect();
            let Ok(layout) = Layout::with_strides(DType::U8, 3, &extents, &strides) else { continue };
            let last: Vec<usize> = extents.iter().map(|extent| extent.saturating_sub(1)).collect();
            let exact = last.iter().zip(&strides).map(|(at, stride)| *at as i128 * *stride as i128).sum::<i128>();
            let expected = (!layout.is_empty()).then_some(exact);
            prop_assert_eq!(layout.offset(&last).map(|offset| offset as i128), expected);
            let _ = (layout.may_overlap_itself(), layout.is_contiguous(), layout.span());
            for dimension in 0..extents.len() {
                let _ = (layout.flip(dimension), layout.step(dimension, usize::MAX), layout.step(dimension, 2));
            }
            let _ = layout.broadcast_to(&[1 << 30; 6]);
        }
    }
}

fn far() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0usize..5, 1 => prop::sample::select(&[1 << 20, 1 << 30][..])]
}

#[test]
fn layouts_are_written_as_they_are() {
    let rgb = Layout::new(DType::U8, 3, &[480, 640]).unwrap();
    assert_eq!(std::format!("{rgb}"), "u8×3 480×640");
    assert_eq!(std::format!("{}", rgb.permute(&[1, 0]).unwrap()), "u8×3 640×480, strides 3 1920");
    assert_eq!(std::format!("{}", Layout::new(DType::BF16, 1, &[]).unwrap()), "bf16 ()");
}

#[test]
fn orders_strides_and_lanes_that_make_no_layout_are_refused() {
    let columns = Layout::new(DType::F32, 1, &[4, 6]).unwrap();
    assert_eq!(columns.permute(&[0]), Err(InvalidTensor::Order { found: 1, rank: 2 }));
    assert!(matches!(Layout::new(DType::U8, 0, &[1]), Err(InvalidTensor::Channels { found: 0 })));
    let odd = Layout::with_strides(DType::F32, 1, &[2], &[6]);
    assert_eq!(odd, Err(InvalidTensor::StrideMisaligned { dimension: 0, found: 6, alignment: 4 }));
}
