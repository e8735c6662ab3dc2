//! The floors that the documentation of `src/lib.rs` states hold: a module uses only modules of lower
//! floors, and every module has its floor. Within a module no more than three files import each other
//! in a circle. The lower floors lie in `src/core`, a crate by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The crate of the lower floors, a folder of the source.
const CORE: &str = "core";

/// The place of a file of the source in its crate.
fn inside(path: &Path) -> &Path {
    let inside = path.strip_prefix(source()).expect("a file of src");
    inside.strip_prefix(CORE).unwrap_or(inside)
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
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
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
        let inside = inside(&path);
        let module = inside.iter().next().expect("a name").to_string_lossy().replace(".rs", "");
        if module == "lib" || module == "build" {
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
fn every_module_of_the_table_exists_and_the_lower_ones_are_the_core() {
    let docs = std::fs::read_to_string(source().join("lib.rs")).expect("src/lib.rs");
    let there =
        |folder: &Path, name: &str| folder.join(format!("{name}.rs")).exists() || folder.join(name).is_dir();
    let of = floors(&docs).of;
    let (core, above): (Vec<_>, Vec<_>) = of.iter().partition(|(name, _)| there(&source().join(CORE), name));
    for (name, _) in &above {
        assert!(there(&source(), name), "`{name}` is in the table, but there is no such module");
    }
    let (top, bottom) = (core.iter().map(|m| m.1).max(), above.iter().map(|m| m.1).min());
    assert!(top < bottom, "the core reaches up to floor {top:?}, what is above it down to {bottom:?}");
    let told = format!("Floors 0 to {} ", top.expect("a core"));
    assert!(docs.contains(&told), "`src/lib.rs` does not say: {told}");
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

/// The largest number of files that may import each other in a circle.
const CIRCLE: usize = 3;

/// A file's place in `src` as its module has it: `jit::code::faults`.
type Name = Vec<String>;

/// The paths of a use tree behind a path: `a::{b, c::D}` has `a::b` and `a::c::D`.
fn tree(before: &[String], text: &str, found: &mut Vec<Name>) {
    let (head, group) = match text.split_once('{') {
        Some((head, group)) => (head, group.trim_end().strip_suffix('}')),
        None => (text, None),
    };
    let words = head.split("::").filter_map(|w| w.split_whitespace().next()).map(str::to_owned);
    let path: Name = before.iter().cloned().chain(words).collect();
    let Some(group) = group else {
        return found.push(path);
    };
    let mut depth = 0;
    let items = group.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    items.filter(|item| !item.trim().is_empty()).for_each(|item| tree(&path, item, found));
}

/// The paths that a file names: those it uses, and those it gives on under its own name (`pub use`).
fn paths(text: &str) -> (Vec<Name>, Vec<Name>) {
    let code = code(text);
    let (mut used, mut given) = (Vec::new(), Vec::new());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let statement = line.trim_start();
        let Some((visible, import)) = statement
            .split_once("use ")
            .filter(|(before, _)| before.is_empty() || (before.starts_with("pub") && before.ends_with(' ')))
        else {
            for start in ["crate::", "super::"] {
                for (at, _) in line.match_indices(start) {
                    // `pub(in crate::a)` uses nothing.
                    if line[..at].ends_with("in ") || line[..at].ends_with("super::") {
                        continue;
                    }
                    let end = line[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
                    tree(&[], end.map_or(&line[at..], |end| &line[at..at + end]), &mut used);
                }
            }
            continue;
        };
        let mut import = import.to_owned();
        while !import.contains(';') {
            import.push_str(lines.next().unwrap_or(";"));
        }
        let paths = if visible.is_empty() { &mut used } else { &mut given };
        tree(&[], import.trim_end().trim_end_matches(';'), paths);
    }
    (used, given)
}

/// The file that a path in a file leads to, and what it names there; none outside of `src`.
fn target(files: &BTreeMap<Name, String>, from: &Name, path: &[String]) -> Option<(Name, String)> {
    let mut at = from.clone();
    let mut path = path.iter().peekable();
    match path.peek()?.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => {}
        child => {
            at.push(child.to_owned());
            files.get(&at)?;
            at.pop();
        }
    }
    while let Some(word) = path.next_if(|w| ["crate", "self", "super"].contains(&w.as_str())) {
        if word == "super" {
            at.pop()?;
        }
    }
    for word in path {
        at.push(word.clone());
        if !files.contains_key(&at) {
            return at.pop().map(|word| (at, word));
        }
    }
    Some((at, String::new()))
}

/// The circles of more than [`CIRCLE`] files, each told by the names of its files.
fn circles(files: &BTreeMap<Name, String>) -> Vec<String> {
    let named: BTreeMap<&Name, _> = files.iter().map(|(name, text)| (name, paths(text))).collect();
    // Who uses what another file gives on uses the file that it comes from.
    let given: BTreeMap<(Name, String), Name> = named
        .iter()
        .flat_map(|(name, (_, given))| given.iter().map(move |path| (*name, path)))
        .filter_map(|(name, path)| {
            let (from, item) = target(files, name, path)?;
            (from != *name).then_some(((name.clone(), item), from))
        })
        .collect();
    let mut graph = DiGraph::<&Name, ()>::new();
    let nodes: BTreeMap<&Name, NodeIndex> = files.keys().map(|name| (name, graph.add_node(name))).collect();
    for (name, (used, _)) in &named {
        for path in used {
            let Some((mut to, item)) = target(files, name, path) else { continue };
            while let Some(from) = given.get(&(to.clone(), item.clone())) {
                to.clone_from(from);
            }
            // Its own module only: the floors are tested above.
            if let Some(node) = nodes.get(&to).filter(|_| to[..1] == name[..1]) {
                graph.update_edge(nodes[*name], *node, ());
            }
        }
    }
    let large = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > CIRCLE);
    large
        .map(|circle| {
            let mut names: Vec<String> = circle.into_iter().map(|node| graph[node].join("::")).collect();
            names.sort();
            names.join(" ")
        })
        .collect()
}

#[test]
fn files_import_each_other_in_small_circles_only() {
    let mut all = Vec::new();
    files(&source(), &mut all);
    let named = |path: &PathBuf| {
        let inside = inside(path).with_extension("");
        let words = inside.iter().map(|word| word.to_string_lossy().into_owned());
        let name: Name = words.filter(|word| word != "mod").collect();
        (name, std::fs::read_to_string(path).expect("a text"))
    };
    let found = circles(&all.iter().map(named).collect());
    assert!(found.is_empty(), "more than {CIRCLE} files in a circle:\n{}", found.join("\n"));
}

#[test]
fn a_circle_is_seen() {
    let file = |name: &str, text: &str| (name.split("::").map(str::to_owned).collect(), text.to_owned());
    let ring = |last: &str| {
        let files = [
            file("m", "mod a;\npub use a::A;\n"),
            file("m::a", "use super::b::{\n    B,\n    X,\n};\n"),
            file("m::b", "fn f() -> crate::m::c::C {}\n"),
            file("m::c", "use crate::m::{d::D};\n"),
            file("m::d", last),
            file("other", "use crate::m::a::A;\n"),
        ];
        circles(&files.into_iter().collect()).join(" ")
    };
    for closed in
        ["use super::a::A;", "use super::A;", "use crate::{m::A, other::O};", "fn f(a: super::A) {}"]
    {
        assert_eq!(ring(closed), "m::a m::b m::c m::d", "{closed}");
    }
    for open in
        ["", "use super::c::C;", "pub(in crate::m::a) fn f() {}", "// use super::a::A;", "use super::B;"]
    {
        assert_eq!(ring(open), "", "{open}");
    }
}
