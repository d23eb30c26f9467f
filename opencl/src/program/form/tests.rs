use super::*;
use crate::testing::recorded::{mali, nvidia};

const FLOATS: &str = "#ifdef WINDROW_F16_STORAGE";

#[test]
fn device_may_be_asked_for_what_it_has() {
    let of = |reads, text, constants, caps: DeviceCaps| {
        ProgramForm::of_text(reads, text, constants, &caps).into_iter().map(ProgramForm::name).collect::<Vec<_>>()
    };
    let precisions = ["buffers, f32", "buffers, f16 storage", "buffers, f16"];
    assert_eq!(of(MemForm::Buffer, "", true, mali()), ["buffers"]);
    assert_eq!(of(MemForm::Buffer, FLOATS, true, mali()), precisions);
    // Its driver has no halves to compute in.
    assert_eq!(of(MemForm::Buffer, FLOATS, true, nvidia()), precisions[..2]);
    assert_eq!(of(MemForm::Image, FLOATS, true, mali()), ["images", "images, constant border"]);
    assert_eq!(of(MemForm::Image, FLOATS, false, mali()), ["images"]);
    assert!(of(MemForm::Image, FLOATS, true, DeviceCaps { images: None, ..mali() }).is_empty());
}

#[test]
fn precision_is_read_back_from_what_a_program_was_built_with() {
    for precision in Precision::ALL {
        let options = ProgramForm::Buffers(Some(precision)).options().unwrap();
        assert_eq!(ProgramForm::precision(FLOATS, &options), Some(precision));
        assert_eq!(ProgramForm::precision("", &options), None);
    }
}
