//! The pages of a book, and those of its folder.

use std::{collections::BTreeSet, path::PathBuf};

use mdbook_driver::{MDBook, book::BookItem};

/// The files of the chapters, from the folder of the sources on.
pub fn chapters(book: &MDBook) -> BTreeSet<PathBuf> {
    let chapter = |item: &BookItem| match item {
        BookItem::Chapter(chapter) => chapter.source_path.clone(),
        BookItem::Separator | BookItem::PartTitle(_) => None,
    };
    book.iter().filter_map(chapter).collect()
}

/// The pages in the folder of the sources that are not chapters.
pub fn left_out(book: &MDBook) -> anyhow::Result<Vec<String>> {
    let chapters = chapters(book);
    let mut left_out = Vec::new();
    for entry in std::fs::read_dir(book.source_dir())? {
        let name = PathBuf::from(entry?.file_name());
        let is_page = name.extension().is_some_and(|extension| extension == "md");
        if is_page && name.as_os_str() != "SUMMARY.md" && !chapters.contains(&name) {
            left_out.push(name.display().to_string());
        }
    }
    left_out.sort();
    Ok(left_out)
}
