//! Links between the pages: each leads to a file that exists, and to a heading in it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::context::Context;

pub fn links(cx: &Context) -> anyhow::Result<()> {
    let root = cx.shell.current_dir();
    let mut pages = Vec::new();
    find_pages(&root, &mut pages)?;
    let mut broken = Vec::new();
    let mut count = 0;
    for page in pages {
        for link in Page::read(&page)?.links {
            count += 1;
            if let Err(error) = check(&page, &link) {
                broken.push(format!("{}: {link}: {error:#}", page.strip_prefix(&root)?.display()));
            }
        }
    }
    if !broken.is_empty() {
        bail!("broken links:\n{}", broken.join("\n"));
    }
    cx.say(&format!("{count} links"))
}

/// Finds the pages in a folder and below it, but for what is built and what is hidden.
fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !path.is_symlink() && name != "target" && !name.starts_with('.') {
            find_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// The target of a link that starts at `page` exists. Links to other sites are not followed.
fn check(page: &Path, link: &str) -> anyhow::Result<()> {
    if link.contains("://") {
        return Ok(());
    }
    let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
    let target = match path {
        "" => page.to_owned(),
        path => page.parent().context("a page is in a folder")?.join(path),
    };
    if !target.exists() {
        bail!("there is no such file");
    }
    match heading {
        Some(heading) if !Page::read(&target)?.anchors.contains(heading) => bail!("there is no such heading"),
        _ => Ok(()),
    }
}

/// What a page links to, and what can be linked to in it.
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(path: &PathBuf) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok(Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let mut page = Self { links: Vec::new(), anchors: BTreeSet::new() };
        let mut heading = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string())
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    let again =
                        (1..).map(|number| format!("{anchor}-{number}")).find(|next| !page.anchors.contains(next));
                    let new = if page.anchors.contains(&anchor) { again.unwrap_or_default() } else { anchor };
                    page.anchors.insert(new);
                }
                _ => {}
            }
        }
        page
    }
}

/// What a heading is called in a link, as GitHub has it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_called_as_github_calls_them() {
        let page = Page::parse("# What `x` costs: 5 %\n\n## Again\n\n## Again\n\n[a](b.md#c) ![d](e.png)\n");
        assert!(page.anchors.contains("what-x-costs-5-"), "{:?}", page.anchors);
        assert!(page.anchors.contains("again") && page.anchors.contains("again-1"));
        assert_eq!(page.links, ["b.md#c", "e.png"]);
    }

    #[test]
    fn broken_links_are_found() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
        check(&page, "ARCHITECTURE.md#seams").unwrap();
        check(&page, "https://example.org/nowhere").unwrap();
        assert!(check(&page, "NO-SUCH-PAGE.md").is_err());
        assert!(check(&page, "ARCHITECTURE.md#no-such-heading").is_err());
        assert!(check(&page, "#no-such-heading").is_err());
    }
}
