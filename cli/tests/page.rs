//! The page of `windrow explain --html`, as far as it is read without a browser: what it holds, and what it refuses.

mod common;
#[path = "../../backends/tests/packages/mod.rs"]
#[allow(dead_code)]
mod packages;

use common::windrow;
use flate2::read::ZlibDecoder;
use packages::{OPERATORS, package};
use std::{fs, io::Read};

/// Comments that would end a script, an element, an attribute or a template's place.
const HOSTILE: &str = "//! </script><script>alert(1)</script> <!-- {{data}} & \"a\" 'b'\n\n/// ]]> <img src=x onerror=\"alert(2)\"> \u{2028}\n#[kernel]\npub fn above(a: u8, b: u8) -> u8 {\n    if a < b && b > 3 { b } else { a }\n}\n";

/// What stands between two marks of a text, each of which it has once.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    assert_eq!(text.matches(start).count(), 1, "{start}");
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

/// The data of a page, as its script reads them.
fn data(page: &str) -> String {
    let packed = between(page, "<script type=\"application/zlib\" id=\"data\">", "</script>");
    let mut bits = 0u32;
    let mut bytes = Vec::new();
    for (place, digit) in packed.bytes().filter(|digit| *digit != b'=').enumerate() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            other => panic!("{other} is no digit of base64"),
        };
        bits = bits << 6 | u32::from(value);
        if place % 4 > 0 {
            bytes.push((bits >> (6 - 2 * (place % 4))) as u8);
        }
    }
    let mut text = String::new();
    ZlibDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn what_an_author_wrote_stays_text() {
    let root = package("hostile", &[("a&b 'c'.rs", HOSTILE)]);
    let file = root.join("a&b 'c'.rs");
    let output = windrow(&["explain", "--html", file.to_str().unwrap()]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert!(page.contains("<title>a&amp;b &#39;c&#39;.rs · windrow explain</title>"));
    assert!(page.contains("&lt;img src=x onerror=&quot;alert(2)&quot;&gt;"));
    let data: serde_json::Value = serde_json::from_str(&data(&page)).unwrap();
    assert!(data["file"].as_str().unwrap().ends_with("a&b 'c'.rs"));
    let lines: Vec<&str> = data["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert!(lines.iter().any(|line| line.contains("<img src=x onerror=")), "OpenCL C has the comment");
}

#[test]
fn a_page_holds_all_that_it_shows() {
    let root = package("self_contained", &[("ops.rs", OPERATORS)]);
    let page = root.join("page.html");
    let arguments =
        ["explain", "--html", root.join("ops.rs").to_str().unwrap(), "-o", page.to_str().unwrap()].map(str::to_owned);
    let output = windrow(&arguments.each_ref().map(String::as_str));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("page: {}\n", page.display()));
    let text = fs::read_to_string(&page).unwrap();
    let known = data(&text);
    for reference in ["src=", "href=\"h", "url(", "@import", "fetch(", "import("] {
        assert!(!text.contains(reference) && !known.contains(reference), "{reference}");
    }
    assert!(text.contains("default-src 'none'"));
    for kernel in ["remoteness", "slope"] {
        assert!(known.contains(&format!("\"name\":\"{kernel}\"")), "{kernel}");
    }
    let one = windrow(&["explain", "--html", root.join("ops.rs").to_str().unwrap(), "--kernel", "slope"]);
    let one = data(&String::from_utf8(one.stdout).unwrap());
    assert!(one.contains("\"name\":\"slope\"") && !one.contains("\"name\":\"remoteness\""));
}

/// Nothing is fused where a pipeline calls one kernel, and the file has none of its own.
#[test]
fn pipelines_that_fuse_nothing_have_a_page() {
    let kernels = "#[kernel]\npub fn invert(x: u8) -> u8 {\n    255 - x\n}\n";
    let pipeline = "use windrow::{Error, Tensor, pipeline};\n\n#[pipeline]\npub fn negative(x: &Tensor<u8>) -> Result<Tensor<u8>, Error> {\n    invert::apply(x)\n}\n";
    let root = package("alone", &[("kernels.rs", kernels), ("pipelines.rs", pipeline)]);
    let output = windrow(&["explain", "--html", root.join("pipelines.rs").to_str().unwrap()]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(page.matches("<svg class=\"pipeline\"").count(), 1);
    assert!(data(&page).contains("\"kernels\":[]"));
}

#[test]
fn a_page_is_refused_with_a_reason() {
    let root = package("no_page", &[("ops.rs", OPERATORS)]);
    let file = root.join("ops.rs");
    let (folder, file) = (root.to_str().unwrap(), file.to_str().unwrap());
    let nowhere = root.join("no/such/folder.html");
    let cases: [(&[&str], &str); 4] = [
        (&["--html", folder], "a page shows one file"),
        (&["--html", file, "--kernel", "slop"], "did you mean `slope`?"),
        (&["--html", file, "-o", nowhere.to_str().unwrap()], "cannot write"),
        (&[file, "-o", "page.html"], "--html"),
    ];
    for (arguments, expected) in cases {
        let output = windrow(&[&["explain"], arguments].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected) && output.stdout.is_empty(), "{arguments:?}: {text}");
    }
}
