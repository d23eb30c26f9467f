//! Each recipe of `docs/recipes.md`, called on small images whose results are worked out here.

mod host;

use windrow::Tensor;

/// The code of a recipe, in a module of its own.
macro_rules! recipe {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rust"));
    };
}

/// An image of one value.
fn flat(value: u8) -> Tensor<u8> {
    Tensor::from_fn([12, 40], |_| value).unwrap()
}

/// One element of a value in an image of another.
fn dot(value: u8, around: u8) -> Tensor<u8> {
    Tensor::from_fn([12, 40], |place| if place == [6, 20] { value } else { around }).unwrap()
}

fn at<T: windrow::Element>(image: &Tensor<T>, y: usize, x: usize) -> T {
    image.view().get([y, x]).unwrap()
}

mod write_into_an_image_that_exists {
    recipe!("write_into_an_image_that_exists");

    #[test]
    fn a_lone_element_is_cleaned() {
        let mut cleaned = super::flat(9);
        clean(&super::dot(200, 7), &mut cleaned).unwrap();
        assert_eq!(cleaned.to_vec(), super::flat(7).to_vec());
    }
}

mod configure_once_run_often {
    recipe!("configure_once_run_often");

    #[test]
    fn the_last_frame_remains() {
        let (frames, mut cleaned) = ([super::dot(0, 1), super::dot(200, 7)], super::flat(9));
        clean(&frames, frames[0].info(), &mut cleaned).unwrap();
        assert_eq!(cleaned.to_vec(), super::flat(7).to_vec());
    }
}

mod several_inputs {
    recipe!("several_inputs");

    #[test]
    fn differences_and_sums_are_of_their_types() {
        let (now, before) = (super::flat(200), super::flat(100));
        let (difference, sum) = motion(&now, &before).unwrap();
        assert_eq!((super::at(&difference, 3, 5), super::at(&sum, 3, 5)), (100, 300));
        // Configured, as the text says.
        let mut moved = super::flat(0);
        let kernel = abs_diff::configure(now.info(), before.info(), moved.info()).unwrap();
        kernel.run(&windrow::Rayon::new(), (&now, &before), &mut moved).unwrap();
        assert_eq!(moved.to_vec(), difference.to_vec());
    }
}

mod uniforms_and_variants {
    recipe!("uniforms_and_variants");

    #[test]
    fn a_lone_element_is_sharpened() {
        let sharp = sharpen(&super::dot(20, 10)).unwrap();
        assert_eq!([(6, 20), (6, 21), (0, 0)].map(|(y, x)| super::at(&sharp, y, x)), [60 + 20, 10, 20]);
    }
}

mod lookup_tables {
    recipe!("lookup_tables");

    #[test]
    fn values_follow_the_curve() {
        let photo = super::dot(64, 0);
        let bright = brighten(&photo).unwrap();
        assert_eq!([super::at(&bright, 6, 20), super::at(&bright, 0, 0)], [128, 0]);
        // Configured, as the text says.
        let (mut out, curve) = (super::flat(1), [3u8; 256]);
        let kernel = table_lookup::configure(photo.info(), out.info()).unwrap();
        kernel.run(&windrow::Rayon::new(), (&photo, &curve), &mut out).unwrap();
        assert_eq!(out.to_vec(), super::flat(3).to_vec());
    }
}

mod a_quantised_layer {
    recipe!("a_quantised_layer");

    #[test]
    fn sums_are_scaled_rounded_and_saturated() {
        let src = Tensor::from_fn([1, 3], |[_, c]| [127, -128, 3][c]).unwrap();
        let weights = Tensor::from_fn([3, 2], |[c, k]| [[2, 127], [1, -128], [1, 0]][c][k]).unwrap();
        let bias = Tensor::from_fn([2], |[k]| [1, 0][k]).unwrap();
        // (254 - 128 + 3 + 1) / 4 = 32.5, halves to even, and the zero point; the other column is far beyond a byte.
        assert_eq!(layer(&src, &weights, &bias).unwrap().to_vec(), [33, 127]);
    }
}

mod in_place {
    recipe!("in_place");

    #[test]
    fn the_level_follows_the_frames() {
        let mut level = super::flat(16);
        watch(&[super::flat(80), super::flat(80)], &mut level).unwrap();
        assert_eq!(level.to_vec(), super::flat(16 + 8 + 7).to_vec());
        assert!(follow::configure(level.info(), level.info()).is_ok());
    }
}

mod several_outputs_and_leaving_some_out {
    recipe!("several_outputs_and_leaving_some_out");

    #[test]
    fn edges_are_where_the_slope_is() {
        let photo = super::dot(100, 0);
        let edges = edges(&photo).unwrap();
        assert_eq!([(6, 20), (6, 21), (0, 0)].map(|(y, x)| super::at(&edges, y, x)), [0, 200, 0]);
        let mut dx = Tensor::<i16>::new([12, 40]).unwrap();
        slope(&photo, &mut dx).unwrap();
        assert_eq!([19, 20, 21].map(|x| super::at(&dx, 6, x)), [200, 0, -200]);
    }
}

mod borders {
    recipe!("borders");

    #[test]
    fn lone_elements_vanish_and_blocks_stay() {
        assert_eq!(open(&super::dot(255, 0)).unwrap().to_vec(), super::flat(0).to_vec());
        let block = |[y, x]: [usize; 2]| if y < 3 && x < 4 { 255 } else { 0 };
        let mask = Tensor::from_fn([12, 40], block).unwrap();
        assert_eq!(open(&mask).unwrap().to_vec(), mask.to_vec());
    }
}

mod a_region_of_an_image {
    recipe!("a_region_of_an_image");

    #[test]
    fn the_face_is_an_image_of_its_own() {
        let inside = |[y, x]: [usize; 2]| (80..176).contains(&y) && (120..184).contains(&x);
        let photo = Tensor::from_fn([240, 320], |place| if inside(place) { 9 } else { 200 }).unwrap();
        let face = blur_face(&photo).unwrap();
        assert_eq!(face.shape(), [96, 64]);
        assert!(face.to_vec().iter().all(|value| *value == 9));
    }
}

mod memory_of_your_own {
    recipe!("memory_of_your_own");

    #[test]
    fn gaps_between_rows_are_left_out() {
        let (pitch, mut mask) = (704, vec![7; 480 * 640]);
        let camera: Vec<u8> = (0..480 * pitch).map(|place| if place % pitch < 640 { 100 } else { 200 }).collect();
        binarise(&camera, pitch, &mut mask).unwrap();
        assert_eq!(mask, vec![0; 480 * 640]);
    }
}

mod outputs_of_another_size {
    recipe!("outputs_of_another_size");

    #[test]
    fn a_thumbnail_has_a_quarter_of_the_width() {
        let photo = Tensor::from_fn([12, 40], |[y, x]| (y / 4 + x / 4) as u8).unwrap();
        let expected = Tensor::from_fn([3, 10], |[y, x]| (y + x) as u8).unwrap();
        let small = thumbnail(&photo).unwrap();
        assert_eq!((small.shape(), small.to_vec()), (expected.shape(), expected.to_vec()));
    }
}

mod inputs_of_two_sizes {
    recipe!("inputs_of_two_sizes");

    #[test]
    fn each_difference_serves_four_pixels() {
        let blue = Tensor::from_fn([2, 3], |[_, x]| [128, 132, 255][x]).unwrap();
        let expected = [[10, 10, 17, 17, 232, 232]; 4].concat();
        let luma = Tensor::from_fn([4, 6], |_| 10).unwrap();
        assert_eq!(blue_plane(&luma, &blue).unwrap().to_vec(), expected);
        let mut out = [0; 4 * 6];
        blue_plane_in_pairs(&luma.to_vec(), &blue, &mut out).unwrap();
        assert_eq!(out, expected[..]);
    }

    #[test]
    fn the_large_image_has_the_windows_extents() {
        let (luma, blue) = (Tensor::<u8>::new([4, 5]).unwrap(), Tensor::<u8>::new([2, 3]).unwrap());
        let refused = blue_plane(&luma, &blue).err().unwrap().to_string();
        assert_eq!(refused, "`luma` has the shape 4×5, expected 4×6");
    }
}

mod scaled_and_turned_images {
    recipe!("scaled_and_turned_images");

    #[test]
    fn sizes_and_angles_are_the_callers() {
        let photo = Tensor::from_fn([5, 5], |[y, x]| (50 * y + 5 * x) as u8).unwrap();
        let turned = turn(&photo, 90.0).unwrap();
        assert_eq!(turned.to_vec(), Tensor::from_fn([5, 5], |[y, x]| super::at(&photo, x, 4 - y)).unwrap().to_vec());
        // The corner lies 0.83 above the first row's middle, of which a sixth of its 10 is left.
        let corners = turn(&photo, 45.0).unwrap();
        assert_eq!([(0, 0), (2, 2)].map(|(y, x)| super::at(&corners, y, x)), [2, 110]);
        let wide = resize(&photo, [5, 10]).unwrap();
        // Centres: column 3 of ten lies at 1.25 of five.
        assert_eq!([0, 3, 9].map(|x| super::at(&wide, 1, x)), [50, 56, 70]);
    }
}

mod camera_frames {
    recipe!("camera_frames");

    #[test]
    fn planes_are_taken_apart() {
        let frame = [vec![50; 4 * 8], [3, 4].repeat(2 * 4)].concat();
        let [luma, u, v] = split(&frame, 8, 4).unwrap();
        assert_eq!((luma.shape().to_string(), luma.to_vec()), ("4×8".to_owned(), vec![50; 32]));
        assert_eq!((u.to_vec(), v.to_vec()), (vec![3; 8], vec![4; 8]));
        assert!(split(&frame[1..], 8, 4).is_err());
    }
}

mod constants_and_functions_that_kernels_share {
    recipe!("constants_and_functions_that_kernels_share");

    #[test]
    fn both_kernels_use_the_same_black() {
        let [black, white] = [16, 235].map(super::flat);
        assert_eq!(super::at(&expand::apply(&white).unwrap(), 1, 1), 254);
        assert_eq!(super::at(&expand_mean::apply(&black, &white).unwrap(), 1, 1), 109);
    }
}

mod chains_and_bands {
    recipe!("chains_and_bands");

    #[test]
    fn bands_give_what_kernels_one_by_one_give() {
        let photo = Tensor::from_fn([200, 160], |[y, x]| ((x * 7) ^ (y * 5)) as u8).unwrap();
        let expected = edges(&photo).unwrap().to_vec();
        assert_eq!(edges::apply(&photo).unwrap().to_vec(), expected);
        let mut found = Tensor::new([200, 160]).unwrap();
        edges_in_bands(&photo, &mut found).unwrap();
        assert_eq!(found.to_vec(), expected);
    }
}

mod threads {
    recipe!("threads");

    #[test]
    fn the_caller_computes_it_all() {
        let mut out = super::flat(0);
        difference(&super::flat(9), &super::flat(5), &mut out).unwrap();
        assert_eq!(out.to_vec(), super::flat(4).to_vec());
    }
}

mod the_crate_image {
    recipe!("the_crate_image");

    #[test]
    fn bright_pixels_become_white() {
        let photo = |value| RgbImage::from_pixel(8, 6, image::Rgb([value; 3]));
        assert_eq!(silhouette(&photo(200)).unwrap(), GrayImage::from_pixel(8, 6, image::Luma([255])));
        assert_eq!(silhouette(&photo(20)).unwrap(), GrayImage::from_pixel(8, 6, image::Luma([0])));
    }
}

mod the_crate_ndarray {
    recipe!("the_crate_ndarray");

    #[test]
    fn the_axes_keep_their_order() {
        let mut array = Array2::from_elem((5, 7), 16u8);
        array[(4, 6)] = 32;
        let soft = soften(&array).unwrap();
        // At the corner, a repeated edge gives the element 1 + 2 + 2 + 4 of 16 shares.
        assert_eq!((soft.dim(), soft[(4, 6)], soft[(0, 0)]), ((5, 7), 16 + 9, 16));
    }
}

mod an_opencl_device {
    recipe!("an_opencl_device");

    #[test]
    fn the_device_gives_the_bits_of_the_processor() {
        let photo = super::dot(255, 3);
        match blur(&photo) {
            Ok(blurred) => {
                assert_eq!(blurred.to_vec(), gaussian3x3::apply(&photo, Border::Replicate).unwrap().to_vec())
            }
            Err(error) => super::host::no_device(&error),
        }
    }
}

mod a_cpp_host {
    /// As a build script runs it; `host` does so with other folders.
    #[allow(dead_code)]
    mod build_script {
        recipe!("a_cpp_host");
    }

    #[test]
    fn the_written_program_gives_the_bits_of_the_processor() {
        super::host::blurs(&super::dot(255, 3));
    }
}

mod no_operating_system {
    recipe!("no_operating_system");

    #[test]
    fn arrays_are_images() {
        let (camera, mut display) = ([77; 48 * 64], [0; 48 * 64]);
        soften(&camera, &mut display).unwrap();
        assert_eq!(display, camera);
    }
}

#[test]
fn each_recipe_has_a_test() {
    let names = include!(concat!(env!("OUT_DIR"), "/names"));
    assert!(names.len() >= 12, "{names:?}");
    let source = include_str!("recipes.rs");
    for name in names {
        let module = source.split(&format!("\nmod {name} {{")).nth(1).and_then(|rest| rest.split("\n}").next());
        let module = module.unwrap_or_else(|| panic!("the recipe {name} has no module of tests"));
        assert!(module.contains("#[test]") && module.contains(&format!("recipe!({name:?})")), "{module}");
    }
}

/// A kernel with a parameter a line is the longest.
#[test]
fn recipes_are_short() {
    let page = include_str!("../../../docs/recipes.md");
    let blocks: Vec<&str> =
        page.split("\n```\n").filter_map(|part| part.split_once("\n```")).map(|(_, code)| code).collect();
    assert!(blocks.len() > 25, "{} blocks", blocks.len());
    for block in blocks {
        let lines = block.lines().skip(1).filter(|line| !line.trim().is_empty()).count();
        assert!(lines <= 18, "{lines} lines: {block}");
    }
}

/// Blocks of one language are compiled as one text, so that a block copied by itself may lack what an earlier one brings in.
#[test]
fn a_block_that_continues_another_says_so() {
    let page = include_str!("../../../docs/recipes.md");
    let mut continued = 0;
    for recipe in page.split("\n## ").skip(1) {
        let mut languages = Vec::new();
        // What is outside of blocks and what is inside take turns.
        let parts: Vec<&str> = recipe.split("\n```").collect();
        for pair in parts.chunks_exact(2) {
            let [text, code] = pair else { continue };
            let language = code.lines().next().unwrap_or_default();
            if languages.contains(&language) {
                continued += 1;
                let last = text.trim().rsplit("\n\n").next().unwrap_or_default();
                assert!(last.ends_with("continues the block above:"), "{last:?} before a block that continues: {code}");
            }
            languages.push(language);
        }
    }
    assert!(continued >= 5, "{continued} blocks continue others");
}
