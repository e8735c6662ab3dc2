//! Broken definitions and the reports on them: `tests/diagnostics/NAME.toml` has one kind of mistake,
//! `NAME.txt` beside it what is said. `UPDATE=1` in the environment writes the reports anew.
//!
//! A definition's first line may say which options it is loaded with: `# with: a, b, size=5`.
//! Files that it extends or takes along lie in `tests/diagnostics/parts`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use farrier::definition::Choices;
use farrier::diagnostic::{Diagnostic, Diagnostics, Severity};
use farrier::game::Game;
use farrier::source::{FileError, Files, Sources, Span};

/// The folder of the broken definitions.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// A broken definition and its parts.
struct Broken;

impl Files for Broken {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let stem = path.strip_suffix(".toml").unwrap_or(path).trim_start_matches("./");
        [folder(), folder().join("parts")]
            .iter()
            .find_map(|folder| std::fs::read_to_string(folder.join(format!("{stem}.toml"))).ok())
            .ok_or(FileError::Missing)
    }

    fn names(&self) -> Vec<String> {
        stems(&folder().join("parts"))
    }
}

/// The names of the definitions of a folder, in order.
fn stems(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = files
        .map(|f| f.expect("a file").path())
        .filter(|f| f.extension().is_some_and(|e| e == "toml"))
        .filter_map(|f| f.file_stem().map(|s| s.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

/// The options of the first line.
fn choices(text: &str) -> Choices {
    let mut choices = Choices::default();
    let first = text.lines().next().unwrap_or_default();
    for word in first.strip_prefix("# with:").unwrap_or_default().split(',').map(str::trim) {
        match word.split_once('=') {
            Some((name, value)) => choices.set.push((name.to_owned(), value.to_owned())),
            None if word.is_empty() => {}
            None => choices.with.push(word.to_owned()),
        }
    }
    choices
}

/// A finding as plain text.
fn show(d: &Diagnostic, sources: &Sources) -> String {
    let mut out = String::new();
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    if let Some(label) = d.labels.first() {
        let at = sources.line_column(label.span);
        let file = sources.get(label.span.file).map_or("?", |s| &s.name);
        let _ = write!(out, "{file}:{}:{}: ", at.line, at.column);
    }
    let _ = writeln!(out, "{severity}[{}]: {}", d.code, d.message);
    for (i, label) in d.labels.iter().enumerate() {
        out += &excerpt(label.span, &label.text, if i == 0 { '^' } else { '-' }, sources);
    }
    if let Some(help) = &d.help {
        let _ = writeln!(out, "     = {help}");
    }
    if let Some(context) = &d.context {
        let _ = writeln!(out, "     = {context}");
    }
    out
}

/// The line of a place, and a line that points at it.
fn excerpt(span: Span, text: &str, sign: char, sources: &Sources) -> String {
    let Some(source) = sources.get(span.file) else { return String::new() };
    let at = sources.line_column(span);
    let line = source.text.lines().nth(at.line - 1).unwrap_or_default();
    let left = line.chars().count().saturating_sub(at.column - 1);
    let width = sources.slice(span).lines().next().map_or(0, |l| l.chars().count()).clamp(1, left.max(1));
    let pointer = format!("{}{}", " ".repeat(at.column - 1), sign.to_string().repeat(width));
    format!("{:4} | {line}\n     | {pointer} {text}", at.line).trim_end().to_owned() + "\n"
}

/// The report on a broken definition.
fn report(name: &str) -> (String, Diagnostics) {
    let text =
        std::fs::read_to_string(folder().join(format!("{name}.toml"))).expect("the definition is there");
    let mut sources = Sources::default();
    let (_, mut found) = Game::load(name, &Broken, &choices(&text), &mut sources);
    found.sort();
    let shown: Vec<String> = found.0.iter().map(|d| show(d, &sources)).collect();
    (shown.join("\n"), found)
}

#[test]
fn every_mistake_is_reported_as_expected() {
    let names = stems(&folder());
    assert!(names.len() >= 24, "the broken definitions are there: {}", names.len());
    let update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    for name in names {
        let (found, _) = report(&name);
        let path = folder().join(format!("{name}.txt"));
        if update {
            std::fs::write(&path, &found).expect("the report can be written");
            continue;
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if found != expected {
            wrong.push(format!("--- {name}: expected\n{expected}\n--- found\n{found}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\n`UPDATE=1 cargo test --test language diagnostics` writes them anew",
        wrong.join("\n")
    );
}

#[test]
fn every_mistake_is_found_once_and_has_a_place() {
    for name in stems(&folder()) {
        let (shown, found) = report(&name);
        assert!(!found.is_empty(), "{name} is broken, yet nothing is said");
        // `several` has more on purpose.
        if !name.starts_with("several") {
            assert_eq!(found.0.len(), 1, "{name} has one mistake:\n{shown}");
        }
        for d in &found.0 {
            // What is asked for from outside stands in no file.
            assert!(!d.labels.is_empty() || d.code.contains("option"), "{name}: {}", d.message);
            assert!(!d.message.is_empty() && !d.message.ends_with('.'), "{name}: {}", d.message);
        }
    }
}

#[test]
fn shipped_games_are_without_findings() {
    for name in farrier::shipped::Shipped::list() {
        let mut sources = Sources::default();
        let (game, found) = Game::load(&name, &farrier::shipped::Shipped, &Choices::default(), &mut sources);
        let shown: Vec<String> = found.0.iter().map(|d| show(d, &sources)).collect();
        assert!(game.is_some() && found.is_empty(), "{name}:\n{}", shown.join("\n"));
    }
}

#[test]
fn every_report_belongs_to_a_definition() {
    let names = stems(&folder());
    for file in std::fs::read_dir(folder()).expect("the folder is there") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "txt") {
            let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            assert!(names.contains(&stem), "{stem}.txt is of no definition");
        }
    }
}
