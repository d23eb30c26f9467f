//! Tensors of DLPack.

use super::*;

fn tensor(shape: &mut [i64], strides: Option<&mut [i64]>) -> WindrowDlTensor {
    WindrowDlTensor {
        data: std::ptr::without_provenance_mut(4096),
        device: WindrowDlDevice { device_type: 1, device_id: 0 },
        ndim: shape.len() as i32,
        dtype: WindrowDlDataType { code: 1, bits: 16, lanes: 1 },
        shape: shape.as_mut_ptr(),
        strides: strides.map_or(null_mut(), <[i64]>::as_mut_ptr),
        byte_offset: 64,
    }
}

fn described(tensor: &WindrowDlTensor, channels: u32) -> Result<WindrowTensor, (WindrowStatus, String)> {
    let mut result = WindrowTensor::NONE;
    // SAFETY: the extents and strides are the caller's.
    match unsafe { windrow_tensor_from_dlpack(tensor, channels, &mut result) } {
        WindrowStatus::Ok => Ok(result),
        status => Err((status, said(windrow_last_error()))),
    }
}

#[test]
fn strides_become_bytes() {
    let found = described(&tensor(&mut [3, 4], None), 0).unwrap();
    assert_eq!((found.element, found.channels, found.rank), (WindrowType::U16 as u32, 1, 2));
    assert_eq!((&found.shape[..2], &found.strides[..2], found.data.addr()), (&[3, 4][..], &[8, 2][..], 4096 + 64));
    let found = described(&tensor(&mut [3, 4], Some(&mut [-10, 2])), 1).unwrap();
    assert_eq!(found.strides[..2], [-20, 4]);
}

#[test]
fn the_last_dimension_may_be_channels() {
    let found = described(&tensor(&mut [5, 6, 3], Some(&mut [30, 4, 1])), 3).unwrap();
    assert_eq!((found.channels, found.rank), (3, 2));
    assert_eq!((&found.shape[..2], &found.strides[..2]), (&[5, 6][..], &[60, 8][..]));
    let (_, text) = described(&tensor(&mut [5, 6, 4], None), 3).unwrap_err();
    assert!(text.contains("its last extent is 4, and there are to be 3 channels"), "{text}");
    let (_, text) = described(&tensor(&mut [5, 6, 3], Some(&mut [1, 5, 30])), 3).unwrap_err();
    assert!(text.contains("its channels are 30 numbers apart"), "{text}");
}

#[test]
fn lanes_are_channels() {
    let mut lanes = tensor(&mut [5, 6], Some(&mut [6, 1]));
    lanes.dtype.lanes = 4;
    let found = described(&lanes, 0).unwrap();
    assert_eq!((found.channels, &found.strides[..2]), (4, &[48, 8][..]));
}

#[test]
fn what_cannot_be_is_refused() {
    let good = tensor(&mut [3, 4], None);
    let gpu = WindrowDlTensor { device: WindrowDlDevice { device_type: 2, device_id: 0 }, ..good };
    assert_eq!(described(&gpu, 0).unwrap_err().0, WindrowStatus::NotOnTheHost);
    for (wrong, text) in [
        (
            WindrowDlTensor { dtype: WindrowDlDataType { code: 5, bits: 64, lanes: 1 }, ..good },
            "type of code 5 and 64 bits",
        ),
        (WindrowDlTensor { ndim: -1, ..good }, "rank is -1"),
        (WindrowDlTensor { ndim: 7, ..good }, "rank is 7"),
        (tensor(&mut [3, -4], None), "an extent is -4"),
        (tensor(&mut [3, 4], Some(&mut [i64::MAX, 1])), "a stride is more bytes"),
        (WindrowDlTensor { shape: null_mut(), ..good }, "`shape` is null"),
    ] {
        let (_, said) = described(&wrong, 0).unwrap_err();
        assert!(said.contains(text), "{said}");
    }
}
