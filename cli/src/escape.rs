//! Text as a page holds it: nothing that an author wrote ends an element, an attribute or a script.

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

/// A JSON text in a `<script>`: the same text for a reader of JSON, and none for one of HTML.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
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
    fn json_says_the_same_in_a_script() {
        let text = serde_json::to_string("</script><!-- & \u{2028}\"").unwrap();
        let escaped = json(&text);
        assert!(!escaped.contains(['<', '>', '&', '\u{2028}']), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), "</script><!-- & \u{2028}\"");
    }

    #[test]
    fn a_text_is_not_a_template() {
        assert_eq!(fill("<{{a}}|{{b}}|{{c}}>{", &[("a", "{{b}}"), ("b", "2")]), "<{{b}}|2|>{");
        assert_eq!(fill("x {{open", &[]), "x open");
    }
}
