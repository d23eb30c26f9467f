//! The links of a folder of HTML pages: each leads to a file that is there, and to a place in it. Links to other sites are
//! not followed; they have the form of an address.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    states::RawKind::{Rawtext, Rcdata, ScriptData},
};
use percent_encoding::percent_decode_str;

/// What was found.
#[derive(Debug, Default)]
pub struct Links {
    /// How many links there are.
    pub checked: usize,
    /// Those that lead nowhere, each with its page and the reason.
    pub broken: Vec<String>,
}

/// Checks the links of all pages in a folder and below it.
pub fn check(folder: &Path) -> anyhow::Result<Links> {
    let folder = &folder.canonicalize().with_context(|| folder.display().to_string())?;
    let mut files = Vec::new();
    find_pages(folder, &mut files)?;
    let pages: BTreeMap<PathBuf, Page> =
        files.into_iter().map(|file| Page::read(&file).map(|page| (file, page))).collect::<Result<_, _>>()?;
    let mut links = Links::default();
    for (file, page) in &pages {
        for link in &page.links {
            links.checked += 1;
            if let Err(reason) = follow(file, link, &pages) {
                links.broken.push(format!("{}: {link}: {reason}", file.strip_prefix(folder)?.display()));
            }
        }
    }
    Ok(links)
}

/// Finds the pages, but for the one that a server sends for an address that doesn't exist: its links start at the root of
/// the site.
fn find_pages(folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            find_pages(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "html") && !path.ends_with("404.html") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Follows a link of a page, as far as the folder goes.
fn follow(from: &Path, link: &str, pages: &BTreeMap<PathBuf, Page>) -> Result<(), &'static str> {
    if let Some((scheme, rest)) = link.split_once("://") {
        return if is_site(scheme, rest) { Ok(()) } else { Err("this is not an address of a site") };
    }
    let (path, place) = link.split_once('#').map_or((link, None), |(path, place)| (path, Some(place)));
    let decoded =
        |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| "this is not UTF-8");
    let target = match path {
        "" => from.to_owned(),
        path => from.with_file_name(decoded(path)?),
    };
    let leaves = path.starts_with("../");
    let missing = if leaves { "this leaves the book: name the file without a link" } else { "there is no such file" };
    let target = target.canonicalize().map_err(|_| missing)?;
    let target = if target.is_dir() { target.join("index.html") } else { target };
    match (place.filter(|place| !place.is_empty()), pages.get(&target)) {
        (Some(_), None) => Err("this file is not a page, and has no places"),
        (Some(place), Some(page)) if !page.places.contains(&decoded(place)?) => {
            Err("there is no such place in the page")
        }
        _ => Ok(()),
    }
}

/// Whether this is an address with a host.
fn is_site(scheme: &str, rest: &str) -> bool {
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let labels = || host.split('.');
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    matches!(scheme, "https" | "http") && labels().count() > 1 && labels().all(is_label)
}

/// What a page links to, and what can be linked to in it.
#[derive(Default)]
struct Page {
    links: BTreeSet<String>,
    places: BTreeSet<String>,
}

impl Page {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let tokenizer = Tokenizer::new(Tags::default(), TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(text.into());
        // It would stop at the end of a script, if the sink asked for that.
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        Ok(tokenizer.sink.page.into_inner())
    }
}

/// Collects the links and places of a page's tags.
#[derive(Default)]
struct Tags {
    page: RefCell<Page>,
}

impl Tags {
    fn collect(&self, tag: &Tag) {
        let mut page = self.page.borrow_mut();
        for attribute in &tag.attrs {
            let value = attribute.value.to_string();
            match &*attribute.name.local {
                "href" | "src" => drop(page.links.insert(value)),
                "id" | "name" => drop(page.places.insert(value)),
                _ => {}
            }
        }
    }
}

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let Token::TagToken(tag) = token else { return TokenSinkResult::Continue };
        if tag.kind == TagKind::EndTag {
            return TokenSinkResult::Continue;
        }
        self.collect(&tag);
        match &*tag.name {
            "script" => TokenSinkResult::RawData(ScriptData),
            "style" | "noscript" => TokenSinkResult::RawData(Rawtext),
            "title" | "textarea" => TokenSinkResult::RawData(Rcdata),
            _ => TokenSinkResult::Continue,
        }
    }
}
