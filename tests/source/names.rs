//! No game lives in the source: the names of games and pieces occur in `games/` and `tests/`, never in
//! `src/` or `grammar/`. And a few more things that hold of every file of the source.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::shipped::Shipped;
use farrier::source::{Files, Sources};

/// Names that the language itself needs: of a shape of boards.
const LANGUAGE: [&str; 1] = ["hex"];

/// Names that are words of everyday English.
const ENGLISH: [&str; 1] = ["go"];

/// Names of keys of a keyboard.
const KEYS: [&str; 1] = ["arrow"];

/// Longer than this a file is more than one thing.
const LINES: usize = 600;

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            // What others wrote, and what is built from sources that are looked at.
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if !["node_modules", "bundle", "package-lock.json"].contains(&name) {
                if path.is_dir() { walk(&path, found) } else { found.push(path) }
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(&root.join(folder), &mut paths);
    paths.sort();
    let read = |p: PathBuf| {
        let text = std::fs::read_to_string(&p).expect("a text");
        (p.strip_prefix(root).expect("a file of the project").to_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

/// Whether it is part of a word.
fn inside(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}

/// Where a word stands in a text by itself, as lines from 1; case does not matter.
fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let word = word.to_lowercase();
    let holds = |line: &str| {
        let line = line.to_lowercase();
        line.match_indices(&word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !before.is_some_and(inside) && !after.is_some_and(inside)
        })
    };
    text.lines().enumerate().filter(|(_, l)| holds(l)).map(|(i, _)| i + 1).collect()
}

/// The names of the shipped games and of their pieces.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for stem in Shipped::list() {
        let (game, _) = Game::load(&stem, &Shipped, &Choices::default(), &mut Sources::default());
        let game = game.expect("a shipped game");
        names.insert(game.definition.title.to_lowercase());
        names.extend(game.definition.pieces.iter().map(|p| p.name.text.to_lowercase()));
        // Pieces of options that are off.
        let text = Shipped.read(&stem).expect("a shipped game");
        for line in text.lines() {
            let path = line.split(['=', ']', '#']).next().unwrap_or_default().trim_start_matches('[').trim();
            if let Some((_, rest)) = path.split_once("pieces.") {
                names.insert(rest.split('.').next().unwrap_or_default().trim().to_lowercase());
            }
        }
        names.insert(stem);
    }
    let free = [&LANGUAGE[..], &ENGLISH, &KEYS].concat();
    names.retain(|n| !n.is_empty() && !free.contains(&n.as_str()));
    names
}

/// Both numbers of a name.
fn forms(name: &str) -> [String; 2] {
    [name.to_owned(), format!("{name}s")]
}

/// A text with the examples in its documentation left blank: those may load a shipped game.
fn without_examples(text: &str) -> String {
    let mut inside = false;
    let line = |line: &str| {
        let docs = line.trim_start();
        let fence = docs.starts_with("/// ```") || docs.starts_with("//! ```");
        inside ^= fence;
        if inside || fence { String::new() } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn examples_are_left_out_and_nothing_else() {
    let text = "/// a tower\n/// ```\n/// tower\n/// ```\nlet tower;";
    assert_eq!(lines_with(&without_examples(text), "tower"), [1, 5]);
}

#[test]
fn no_game_and_no_piece_is_named_in_the_source() {
    let names = names();
    assert!(names.len() > 10, "the names are there: {names:?}");
    let mut wrong = Vec::new();
    for (path, text) in files("src").into_iter().chain(files("grammar")) {
        let text = without_examples(&text).to_lowercase();
        // Most names stand nowhere, which is seen faster than where they stand.
        let words: HashSet<&str> = text.split(|c| !inside(c)).collect();
        let here = |name: &String| words.contains(&**name) || name.contains(' ') && text.contains(name);
        for name in names.iter().flat_map(|n| forms(n)).filter(here) {
            for line in lines_with(&text, &name) {
                wrong.push(format!("{}:{line}: `{name}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "names of games and pieces belong to games/ and tests/:\n{}", wrong.join("\n"));
}

#[test]
fn words_are_found_as_words() {
    assert_eq!(lines_with("a tower\ntowers\nx_tower\nTower!\ntower-like", "tower"), [1, 4]);
}

#[test]
fn files_are_short_and_finished() {
    let mut wrong = Vec::new();
    for (path, text) in files("src") {
        let lines = text.lines().count();
        if lines > LINES {
            wrong.push(format!("{}: {lines} lines, at most {LINES}", path.display()));
        }
        for mark in ["todo!", "unimplemented!", "dbg!", "TODO", "FIXME"] {
            if text.contains(mark) {
                wrong.push(format!("{}: `{mark}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a unit test reaches is compiled a second time, and a game reaches all.
#[test]
fn unit_tests_of_the_source_open_no_game() {
    let tests = |text: &str| text.split_once("#[cfg(test)]").map(|(_, tests)| tests.to_owned());
    let found: Vec<(PathBuf, String)> =
        files("src").into_iter().filter_map(|(path, text)| Some((path, tests(&text)?))).collect();
    assert!(found.len() > 20, "there are unit tests");
    for (path, tests) in found {
        for word in ["Game::", "Machine::", "Shipped", ".open(&"] {
            assert!(!tests.contains(word), "{}: a test with `{word}` belongs to tests/", path.display());
        }
    }
}

/// FNV-1a of 64 bits, as `src/serve/build.mjs` computes it.
fn fnv(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[test]
fn the_page_is_built_from_its_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve");
    let text = std::fs::read_to_string(root.join("bundle/sources.json")).expect("the page was built");
    let built: std::collections::BTreeMap<String, String> =
        serde_json::from_str(&text).expect("names and sums");
    let mut now: std::collections::BTreeMap<String, String> = files("src/serve/page")
        .into_iter()
        .map(|(path, text)| {
            let name =
                path.strip_prefix("src/serve").expect("a file of the page").to_string_lossy().into_owned();
            (name.replace('\\', "/"), fnv(&text.replace("\r\n", "\n")))
        })
        .collect();
    for name in ["build.mjs", "package.json", "package-lock.json", "tsconfig.json"] {
        let text = std::fs::read_to_string(root.join(name)).expect("a file of the page");
        now.insert(name.to_owned(), fnv(&text.replace("\r\n", "\n")));
    }
    assert_eq!(built, now, "the page is older than its sources: `npm ci && npm run build` in src/serve");
}
