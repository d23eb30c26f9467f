//! Regions, planes and types of views.

use super::*;

#[test]
fn a_region_of_a_region_reads_the_same_elements() {
    let pixels: Vec<u16> = (0..70).collect();
    let image = View::from_slice(&pixels, [7, 10]).unwrap();
    let inner = image.region([1, 2], [5, 6]).unwrap().region([2, 1], [2, 3]).unwrap();
    assert_eq!(inner.get([0, 0]), Some(33));
    assert_eq!(inner.row(1), Some(&pixels[43..46]));
    assert_eq!(inner.get([0, 3]), None);
    assert!(inner.region([0, 2], [1, 2]).is_err());
}

#[test]
fn planes_of_a_volume_are_images() {
    let mut voxels: Vec<i32> = (0..24).collect();
    let mut volume = ViewMut::from_slice(&mut voxels, [2, 3, 4]).unwrap();
    assert_eq!(volume.view().plane(1).unwrap().get([2, 1]), Some(12 + 8 + 1));
    assert!(volume.reborrow().plane(2).is_err());
    let mut plane = volume.reborrow().plane(1).unwrap();
    assert!(plane.set([0, 0], -1));
    assert!(!plane.set([0, 4], -1));
    plane.row_mut(1).unwrap().fill(7);
    assert_eq!(voxels[12..20], [-1, 13, 14, 15, 7, 7, 7, 7]);
}

#[test]
fn data_shorter_than_the_shape_are_refused() {
    let bytes = [0u8; 29];
    assert_eq!(
        View::<u8>::with_strides(&bytes, &[2, 10], &[20, 1]).unwrap_err(),
        InvalidTensor::TooShort { found: 29, expected: 30 }
    );
    assert_eq!(View::from_slice(&bytes, [5, 6]).unwrap_err(), InvalidTensor::Length { found: 29, expected: 30 });
}

#[test]
fn erased_views_know_their_element_type() {
    let pixels = [[1u8, 2, 3]; 4];
    let any = View::from_slice(&pixels, [2, 2]).unwrap().any();
    assert!(any.typed::<[u8; 3]>().is_ok());
    assert!(matches!(any.typed::<u8>(), Err(InvalidTensor::Element { found_channels: 3, .. })));
}

/// Whatever the order of the dimensions is in the memory that is read and in that which is written.
#[test]
fn copies_find_each_element_where_it_lies() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for extents in [[2, 3, 4], [1, 3, 4], [4, 1, 3], [3, 2, 1]] {
        let numbers: Vec<u32> = (0..extents.iter().product::<usize>() as u32).collect();
        for (of_read, of_written) in ORDERS.iter().flat_map(|read| ORDERS.map(|written| (*read, written))) {
            let read = View::from_slice(&numbers, extents).unwrap().permute(of_read).unwrap().flip(1).unwrap();
            // Memory whose dimensions in this order have the extents of what is read.
            let mut memory = [0; 3];
            of_written.into_iter().enumerate().for_each(|(d, place)| memory[place] = read.info().shape().extents()[d]);
            let mut elements = vec![u32::MAX; numbers.len()];
            let written = ViewMut::from_slice(&mut elements, memory).unwrap().permute(of_written).unwrap();
            let mut written = written.flip(2).unwrap();
            written.reborrow().any().copy_from(&read.any()).unwrap();
            assert_eq!(written.view().to_vec(), read.to_vec(), "{extents:?}, {of_read:?} to {of_written:?}");
        }
    }
}
