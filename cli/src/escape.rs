//! Text as a page holds it: nothing that an author wrote ends an element, an attribute or a script.

use flate2::{Compression, write::ZlibEncoder};
use std::io::Write;

/// A text in an element or in an attribute with quotes.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // A page can't hold them at all.
            '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A long text in a `<script>`, where it has no marks: deflated, in base64.
pub fn packed(text: &str) -> String {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    // A vector takes all that is written to it.
    let _ = packer.write_all(text.as_bytes());
    base64(&packer.finish().unwrap_or_default())
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let number = (0..3).fold(0, |number, place| number << 8 | u32::from(group.get(place).copied().unwrap_or(0)));
        for place in 0..4 {
            let digit = char::from(DIGITS[(number >> (18 - 6 * place)) as usize % 64]);
            out.push(if place > group.len() { '=' } else { digit });
        }
    }
    out
}

/// A template with each `{{name}}` replaced by its text, which is not looked at again.
pub fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + texts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut parts = template.split("{{");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once("}}") {
            Some((name, behind)) => {
                out.push_str(texts.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text));
                out.push_str(behind);
            }
            None => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_has_no_marks_of_the_authors() {
        assert_eq!(html(r#"</script> & "x" 'y'"#), "&lt;/script&gt; &amp; &quot;x&quot; &#39;y&#39;");
        assert_eq!(html("a\u{0}b\tc\n"), "a\u{fffd}b\tc\n");
    }

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }

    #[test]
    fn a_packed_text_has_no_marks_and_is_short() {
        let packed = packed(&"</script><!-- & \u{2028}\"".repeat(99));
        assert!(
            packed.len() < 120 && packed.chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c)),
            "{packed}"
        );
    }

    #[test]
    fn a_text_is_not_a_template() {
        assert_eq!(fill("<{{a}}|{{b}}|{{c}}>{", &[("a", "{{b}}"), ("b", "2")]), "<{{b}}|2|>{");
        assert_eq!(fill("x {{open", &[]), "x open");
    }
}
