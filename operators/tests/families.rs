//! Families by the types that a program finds: the member that fits, and what is said where none does.

use windrow::{Border, ElementType, Error, Tensor, View, family::FamilyError, family::Value, prelude::Overflow};
use windrow_operators::{
    add, add_i16, add_mixed, add_widening, convolve5x5, convolve7x3,
    families::{ADD, ALL, CHANNEL_EXTRACT, CONVOLVE, GAUSSIAN, SUBTRACT, TABLE_LOOKUP},
    gaussian5x5, table_lookup,
};

fn bytes() -> Tensor<u8> {
    Tensor::from_fn([7, 19], |[y, x]| (x * 53 + y * 29) as u8).unwrap()
}

fn words() -> Tensor<i16> {
    Tensor::from_fn([7, 19], |[y, x]| ((x * 3001) as i32 - (y * 4003) as i32) as i16).unwrap()
}

#[test]
fn a_family_takes_every_pair_that_a_member_takes() {
    let (a, b) = (bytes(), words());
    let policy = Overflow::Saturate;
    let call = || ADD.call().set("policy", "saturate");
    let sum = call().image(a.view()).image(a.view()).output(ElementType::U8).apply().unwrap();
    assert_eq!(sum[0].to_tensor::<u8>().unwrap().to_vec(), add::apply(&a, &a, policy).unwrap().to_vec());
    let sum = call().image(a.view()).image(a.view()).output(ElementType::I16).apply().unwrap();
    assert_eq!(sum[0].to_tensor::<i16>().unwrap().to_vec(), add_widening::apply(&a, &a).unwrap().to_vec());
    let sum = call().image(a.view()).image(b.view()).apply().unwrap();
    assert_eq!(sum[0].to_tensor::<i16>().unwrap().to_vec(), add_mixed::apply(&a, &b, policy).unwrap().to_vec());
    let sum = call().image(b.view()).image(b.view()).apply().unwrap();
    assert_eq!(sum[0].to_tensor::<i16>().unwrap().to_vec(), add_i16::apply(&b, &b, policy).unwrap().to_vec());
}

#[test]
fn a_family_of_sizes_is_asked_for_one() {
    assert_eq!(CONVOLVE.sizes(), vec![(3, 3), (5, 5), (7, 3), (7, 7), (9, 9)]);
    assert_eq!(GAUSSIAN.sizes(), vec![(3, 3), (5, 5)]);
    let source = bytes();
    let blurred = GAUSSIAN.call().image(source.view()).size(5, 5).border(Border::Wrap).apply().unwrap();
    let expected = gaussian5x5::apply(&source, Border::Wrap).unwrap();
    assert_eq!(blurred[0].to_tensor::<u8>().unwrap().to_vec(), expected.to_vec());
    let k: [[i16; 7]; 3] = std::array::from_fn(|row| std::array::from_fn(|column| (row * 7 + column) as i16 - 9));
    let found = CONVOLVE
        .call()
        .image(source.view())
        .size(7, 3)
        .output(ElementType::I16)
        .set("k", Value::array(&[3, 7], k.into_iter().flatten()))
        .set("scale", 3u8)
        .border(Border::Replicate)
        .apply()
        .unwrap();
    let expected = convolve7x3::<i16>::apply(&source, k, 3, Border::Replicate).unwrap();
    assert_eq!(found[0].to_tensor::<i16>().unwrap().to_vec(), expected.to_vec());
    let _ = convolve5x5::<u8>::SPEC;
}

#[test]
fn tables_and_channels_are_set_by_name() {
    let source = bytes();
    let lut: [u8; 256] = std::array::from_fn(|x| 255 - x as u8);
    let found = TABLE_LOOKUP.call().image(source.view()).set("lut", Value::table(&lut)).apply().unwrap();
    assert_eq!(found[0].to_tensor::<u8>().unwrap().to_vec(), table_lookup::apply(&source, &lut).unwrap().to_vec());
    let pixels = [[1u8, 2, 3, 4], [5, 6, 7, 8]];
    let image = View::from_slice(&pixels, [1, 2]).unwrap();
    let found = CHANNEL_EXTRACT.call().image(image).set("channel", 2u32).apply().unwrap();
    assert_eq!(found[0].to_tensor::<u8>().unwrap().to_vec(), [3, 7]);
}

#[test]
fn what_a_family_lacks_is_a_typed_error() {
    let (a, b, floats) = (bytes(), words(), Tensor::<f32>::new([7, 19]).unwrap());
    let error = |call: windrow::family::FamilyCall<'_>| match call.apply() {
        Err(Error::Family(error)) => error,
        other => panic!("{other:?}"),
    };
    let none = error(ADD.call().image(a.view()).image(floats.view()));
    assert!(matches!(none, FamilyError::NoMember { .. }), "{none}");
    assert!(none.to_string().starts_with("`add` has no kernel for u8, f32; it has u8, u8 → u8; "), "{none}");
    let several = error(ADD.call().image(a.view()).image(a.view()));
    assert_eq!(
        several.to_string(),
        "`add` has several kernels for u8, u8: u8, u8 → u8; u8, u8 → i16; the output's type or the size chooses one"
    );
    let missing = error(ADD.call().image(b.view()).image(b.view()));
    assert_eq!(missing.to_string(), "`add_i16` needs a value for `policy`");
    let unknown = error(ADD.call().image(b.view()).image(b.view()).set("polcy", "wrap"));
    assert_eq!(unknown.to_string(), "no kernel of `add` has an argument `polcy`");
    let value = error(SUBTRACT.call().image(b.view()).image(b.view()).set("policy", "round"));
    assert_eq!(value.to_string(), "`policy` of `subtract_i16` is `round`, expected one of `wrap`, `saturate`");
    let size = error(GAUSSIAN.call().image(a.view()).size(9, 9));
    assert_eq!(size.to_string(), "`gaussian` has no kernel for u8 of 9×9; it has u8 → u8 of 3×3; u8 → u8 of 5×5");
}

#[test]
fn members_of_a_family_differ_in_types_or_size() {
    for family in ALL.iter() {
        let types: Vec<String> = family.types().map(|types| types.to_string()).collect();
        assert!(family.members().len() > 1 && types.len() == family.members().len(), "{}", family.name());
        for (index, code) in family.members().iter().enumerate() {
            let twins = family.members()[..index].iter().filter(|other| {
                let place = family.members().iter().position(|member| member.spec().name == other.spec().name).unwrap();
                types[place] == types[index] && family.sizes().len() == 1
            });
            assert_eq!(twins.count(), 0, "{}: {} is called as another member is", family.name(), code.spec().name);
        }
    }
}

/// Programs find types at run time, so they call a kernel of several types by one name.
#[test]
fn kernels_of_several_types_are_a_family() {
    let names: Vec<&str> = windrow_operators::all().iter().map(|code| code.spec().name).collect();
    let members: Vec<&str> = ALL.iter().flat_map(|family| family.members()).map(|code| code.spec().name).collect();
    let types = ["u8", "i8", "u16", "i16", "i32", "f32"];
    for name in &names {
        let Some((base, ty)) = name.rsplit_once('_') else { continue };
        let others = types.iter().filter(|other| names.contains(&format!("{base}_{other}").as_str())).count();
        assert!(!types.contains(&ty) || others < 2 || members.contains(name), "{name} belongs to no family");
    }
}

#[test]
fn every_operator_is_found_by_its_name() {
    let registry = windrow_operators::registry();
    let mut names: Vec<&str> = registry.operators().map(|operator| operator.name()).collect();
    assert!(names.iter().all(|name| registry.find(name).is_some_and(|found| found.name() == *name)));
    let kernels = windrow_operators::all().iter().map(|code| code.spec().name);
    let all: std::collections::BTreeSet<&str> = kernels.chain(ALL.iter().map(|family| family.name())).collect();
    names.sort();
    assert!(names.iter().eq(&all), "{names:?}");
    assert!(registry.find("gaussian3X3").is_none());
}

#[test]
fn members_are_chosen_by_images_values_and_name() {
    use windrow::family::{Asked, Family};
    let (a, b) = (bytes(), words());
    let (bytes, words) = ([a.info(), a.info()], [b.info()]);
    let chosen = |operator: &str, asked: &Asked<'_>| -> Result<&str, String> {
        let found: Family = windrow_operators::registry().find(operator).unwrap();
        found.member(asked).map(|code| code.spec().name).map_err(|error| error.to_string())
    };
    let given = Asked { inputs: &bytes, ..Asked::default() };
    let policy = [("policy", Value::from("wrap"))];
    assert_eq!(chosen("add", &Asked { values: &policy, ..given }).as_deref(), Ok("add"));
    assert_eq!(chosen("add", &Asked { output: Some(ElementType::I16), ..given }).as_deref(), Ok("add_widening"));
    assert_eq!(chosen("add", &Asked { outputs: &[Some(b.info())], ..given }).as_deref(), Ok("add_widening"));
    assert_eq!(
        chosen("add", &Asked { outputs: &[Some(b.info())], inputs: &words, ..given }),
        Err("`add` has no kernel for i16 → i16; it has u8, u8 → u8; u8, u8 → i16; u8, i16 → i16; i16, i16 → i16; \
             i32, i32 → i32; f32, f32 → f32"
            .into())
    );
    let values = [("k", Value::array(&[5, 5], [1i32; 25])), ("scale", Value::from(1i32))];
    let by_size = Asked { inputs: &bytes[..1], output: Some(ElementType::U8), values: &values, ..Asked::default() };
    assert_eq!(chosen("convolve", &by_size).as_deref(), Ok("convolve5x5_u8"));
    let several = chosen("convolve", &Asked { output: None, ..by_size }).unwrap_err();
    assert!(
        several.contains("u8 → u8 of 5×5; u8 → i16 of 5×5; the output's type or the size chooses one"),
        "{several}"
    );
    // A kernel alone is chosen whatever is given: its own checks say what does not fit.
    assert_eq!(chosen("gaussian3x3", &Asked { inputs: &words, ..Asked::default() }).as_deref(), Ok("gaussian3x3"));
}
