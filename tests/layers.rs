//! The floors that the documentation of `src/lib.rs` states hold: a module uses only modules of lower
//! floors, and every module has its floor.

#![allow(clippy::expect_used, reason = "a test that fails panics")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file under a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("a file").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// What the table says: the floor of each module; and the uses within a floor that the text allows.
struct Floors {
    of: BTreeMap<String, u32>,
    allowed: BTreeSet<(String, String)>,
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Reads the documentation: rows `| 0 | `a` `b` | ... |`, and sentences in which a module "may use"
/// another, such as "`siteset` may use `ids`".
fn floors(docs: &str) -> Floors {
    let mut of = BTreeMap::new();
    for line in docs.lines() {
        let cells: Vec<&str> = line.trim_start_matches("//!").trim().trim_matches('|').split('|').collect();
        let [floor, modules, ..] = cells[..] else { continue };
        let Ok(floor) = floor.trim().parse::<u32>() else { continue };
        for name in quoted(modules) {
            assert!(of.insert(name.clone(), floor).is_none(), "`{name}` is in the table twice");
        }
    }
    let mut allowed = BTreeSet::new();
    let text: Vec<&str> = docs.lines().filter_map(|l| l.strip_prefix("//!")).map(str::trim).collect();
    for clause in text.join(" ").split([',', '.', ';']) {
        let Some((who, whom)) = clause.split_once(" may use ") else { continue };
        if let (Some(who), Some(whom)) = (quoted(who).pop(), quoted(whom).into_iter().next()) {
            allowed.insert((who, whom));
        }
    }
    Floors { of, allowed }
}

/// The code of a file: comments and strings blanked out, tests with it.
fn code(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut before = ' ';
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            if !quoted && c == '/' && rest.peek() == Some(&'/') {
                break;
            }
            // A character such as '"' opens no string.
            if c == '"' && before != '\\' && !(before == '\'' && rest.peek() == Some(&'\'')) {
                quoted = !quoted;
            }
            out.push(if quoted { ' ' } else { c });
            before = if before == '\\' { ' ' } else { c };
        }
        out.push('\n');
    }
    out
}

/// The modules that a file names by `crate::`, groups such as `use crate::{a::b, c}` too.
fn uses(code: &str, crate_name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let start = format!("{crate_name}::");
    for (at, _) in code.match_indices(&start) {
        let whole = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if !whole {
            continue;
        }
        let rest = code[at + start.len()..].trim_start();
        let word = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for c in group.chars() {
            match c {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    found.insert(word(&item));
                    item.clear();
                    continue;
                }
                _ => {}
            }
            item.push(c);
        }
        found.insert(word(&item));
    }
    found.remove("");
    found
}

/// What is wrong with a file of a module.
fn faults(module: &str, text: &str, floors: &Floors) -> Vec<String> {
    let mut faults = Vec::new();
    let Some(floor) = floors.of.get(module) else {
        return vec![format!("the module `{module}` is not in the table of `src/lib.rs`")];
    };
    for other in uses(&code(text), "crate").into_iter().filter(|o| o != module) {
        match floors.of.get(&other) {
            None => faults.push(format!("`{module}` uses `{other}`, which is not in the table")),
            Some(below) if below < floor => {}
            Some(_) if floors.allowed.contains(&(module.to_owned(), other.clone())) => {}
            Some(at) => {
                faults.push(format!("`{module}` of floor {floor} uses `{other}` of floor {at}"));
            }
        }
    }
    faults
}

#[test]
fn modules_use_only_lower_floors() {
    let docs = std::fs::read_to_string(source().join("lib.rs")).expect("src/lib.rs");
    let floors = floors(&docs);
    assert!(floors.of.len() > 10, "the table is there: {:?}", floors.of);
    let mut all = Vec::new();
    files(&source(), &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let inside = path.strip_prefix(source()).expect("a file of src").to_owned();
        let module = inside.iter().next().expect("a name").to_string_lossy().replace(".rs", "");
        if module == "lib" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        if module == "main" {
            // The program uses the front end only.
            let seen = uses(&code(&text), "farrier");
            let others: Vec<&String> = seen.iter().filter(|m| *m != "cli").collect();
            if !others.is_empty() {
                wrong.push(format!("{}: uses {others:?}, not only `cli`", inside.display()));
            }
            continue;
        }
        wrong.extend(
            faults(&module, &text, &floors).into_iter().map(|f| format!("{}: {f}", inside.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_of_the_table_exists() {
    let docs = std::fs::read_to_string(source().join("lib.rs")).expect("src/lib.rs");
    for name in floors(&docs).of.keys() {
        let exists = source().join(format!("{name}.rs")).exists() || source().join(name).is_dir();
        // The table may speak of a front end that is not built in yet.
        assert!(exists || name == "cli", "`{name}` is in the table, but there is no such module");
    }
}

#[test]
fn a_broken_layer_is_seen() {
    let docs = "//! | 0 | `low` `ids` | x |\n//! | 1 | `mid` `side` | y |\n//! | 2 | `high` | z |\n//!\n\
                //! The module `low` may use `ids` (so).\n";
    let floors = floors(docs);
    assert_eq!(floors.of.len(), 5);
    assert!(faults("high", "use crate::mid::X;\nuse crate::{low::Y, ids};", &floors).is_empty());
    assert!(faults("low", "use crate::ids::X; // crate::high", &floors).is_empty());
    assert!(faults("low", "let a = \"crate::high\";", &floors).is_empty());
    assert!(faults("mid", "use crate::mid::deeper::X;", &floors).is_empty());
    for (module, text) in [
        ("low", "use crate::mid::X;"),
        ("ids", "use crate::low::X;"),
        ("mid", "use crate::side::X;"),
        ("mid", "let x = crate::high::x();"),
        ("mid", "use crate::{\n    low::{A, B},\n    high::C,\n};"),
        ("mid", "pub(in crate::high) fn f() {}"),
        ("high", "use crate::unheard::X;"),
        ("unheard", ""),
        ("mid", "let c = '\"'; crate::high::x();"),
    ] {
        assert_eq!(faults(module, text, &floors).len(), 1, "{module}: {text}");
    }
}
