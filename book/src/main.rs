//! Builds the book of `docs/` into `target/book`, and fails where a page is missing in its contents or a link is broken.

mod links;
mod pages;

use std::path::Path;

use anyhow::{Context as _, bail};
use mdbook_driver::MDBook;

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the book is a folder of the workspace")?;
    let built = build(root)?;
    println!("{} pages and {} links: {}", built.pages, built.links, built.folder.join("index.html").display());
    Ok(())
}

/// A book that was built, and has no broken link.
#[derive(Debug)]
struct Built {
    folder: std::path::PathBuf,
    pages: usize,
    links: usize,
}

/// Builds the book whose `book.toml` is in a folder, and checks it.
fn build(root: &Path) -> anyhow::Result<Built> {
    let book = MDBook::load(root).context("the book can't be loaded")?;
    let left_out = pages::left_out(&book)?;
    if !left_out.is_empty() {
        bail!("SUMMARY.md leaves out:\n{}", left_out.join("\n"));
    }
    book.build().context("the book can't be built")?;
    let folder = book.build_dir_for("html");
    let links = links::check(&folder)?;
    if !links.broken.is_empty() {
        bail!("broken links:\n{}", links.broken.join("\n"));
    }
    Ok(Built { folder, pages: pages::chapters(&book).len(), links: links.checked })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A book of these files, built.
    fn built(files: &[(&str, &str)]) -> anyhow::Result<Built> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("src")).unwrap();
        std::fs::write(
            folder.path().join("book.toml"),
            "[book]\ntitle = \"A book\"\n[build]\ncreate-missing = false\n",
        )
        .unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join("src").join(name), text).unwrap();
        }
        build(folder.path())
    }

    const SUMMARY: (&str, &str) = ("SUMMARY.md", "# Summary\n\n- [One](one.md)\n- [Two](two.md)\n");

    #[test]
    fn a_book_without_a_mistake_is_built() {
        let two = ("two.md", "# Two\n\n[one](one.md#a-part) [here](#two) [there](https://example.org/a?b=c#d)\n");
        let built = built(&[SUMMARY, ("one.md", "# One\n\n## A part\n"), two]).unwrap();
        assert_eq!(built.pages, 2);
        assert!(built.links > 3);
    }

    /// What is said of a book whose second page is this.
    fn complaint(two: &str) -> String {
        format!("{:#}", built(&[SUMMARY, ("one.md", "# One\n"), ("two.md", two)]).unwrap_err())
    }

    #[test]
    fn broken_links_are_named_with_their_pages() {
        for (page, link, said) in [
            ("[a](three.md)", "three.html", "there is no such file"),
            ("[a](one.md#no-such-part)", "one.html#no-such-part", "there is no such place in the page"),
            ("[a](#no-such-part)", "#no-such-part", "there is no such place in the page"),
            ("![a](no-such.png)", "no-such.png", "there is no such file"),
            ("[a](../outside.txt)", "../outside.txt", "this leaves the book: name the file without a link"),
            ("[a](https:///nowhere)", "https:///nowhere", "this is not an address of a site"),
            ("[a](http//example.org)", "http//example.org", "there is no such file"),
        ] {
            let complaint = complaint(page);
            assert!(complaint.contains(&format!("two.html: {link}: {said}")), "{page}\n{complaint}");
        }
    }

    #[test]
    fn a_page_that_the_contents_leave_out_is_named() {
        let files = [SUMMARY, ("one.md", ""), ("two.md", ""), ("three.md", "")];
        assert!(format!("{:#}", built(&files).unwrap_err()).contains("three.md"));
    }

    #[test]
    fn a_page_that_the_contents_name_has_to_be_there() {
        assert!(built(&[SUMMARY, ("one.md", "")]).is_err());
    }
}
