//! Every shipped game loads without a warning in every combination of its options, says who made it and
//! where its rules are, and passes the tests that it carries.

use std::path::Path;

use farrier::analysis::own_tests::{self, Run};
use farrier::definition::{Choices, combinations};
use farrier::diagnostic::Diagnostics;
use farrier::game::Game;
use farrier::shipped::Shipped;
use farrier::source::{MemoryFiles, Sources, Span};

/// `file:line:column: message` of each.
fn list(found: &Diagnostics, sources: &Sources) -> Vec<String> {
    found.0.iter().map(|d| format!("{}: {}", place(d.span(), sources), d.message)).collect()
}

fn place(span: Span, sources: &Sources) -> String {
    let name = sources.get(span.file).map_or("", |s| s.name.as_str());
    let at = sources.line_column(span);
    format!("{name}:{}:{}", at.line, at.column)
}

#[test]
fn every_definition_is_shipped() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| p.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, Shipped::list());
}

#[test]
fn each_game_loads_in_every_combination_of_options() {
    let mut wrong = Vec::new();
    for name in Shipped::list() {
        let mut sources = Sources::default();
        let (game, found) = Game::load(&name, &Shipped, &Choices::default(), &mut sources);
        wrong.extend(list(&found, &sources));
        let Some(game) = game else { continue };
        for choices in combinations(&game.definition.options, usize::MAX).0 {
            let mut sources = Sources::default();
            let (game, found) = Game::load(&name, &Shipped, &choices, &mut sources);
            let on = format!("{name} {:?} {:?} {:?}", choices.set, choices.with, choices.without);
            wrong.extend(list(&found, &sources).into_iter().map(|d| format!("{on}: {d}")));
            match game.map(|g| g.machine()) {
                Some(Ok(_)) => {}
                Some(Err(e)) => wrong.push(format!("{on}: {e}")),
                None => wrong.push(format!("{on}: does not load")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_game_passes_its_own_tests() {
    let mut wrong = Vec::new();
    let plain = Run::with(Choices::default());
    for name in Shipped::list() {
        let mut sources = Sources::default();
        let (game, _) = Game::load(&name, &Shipped, &Choices::default(), &mut sources);
        let Some(game) = game else {
            wrong.push(format!("{name} does not load"));
            continue;
        };
        let verdicts = own_tests::run(&name, &game.definition, &plain, &Shipped, &mut sources);
        assert!(verdicts.len() >= 4, "{name} has tests of its own");
        for verdict in verdicts {
            for failure in &verdict.failures {
                let at = place(failure.span(), &sources);
                wrong.push(format!("{at}: {}: {}", verdict.name, failure.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_test_gets_wrong_is_shown_where_it_is_said() {
    let text = "name = \"Mine\"\nextends = \"knightcap\"\n[[tests]]\nname = \"wrong\"\ncount = 3\n\
                score = [7, 0]\nperft = [4]\n";
    let files = (MemoryFiles::default().with("./mine.toml", text), Shipped);
    let mut sources = Sources::default();
    let game = Game::load("./mine.toml", &files, &Choices::default(), &mut sources).0.unwrap();
    let plain = Run::with(Choices::default());
    let verdicts = own_tests::run("./mine.toml", &game.definition, &plain, &files, &mut sources);
    let wrong = verdicts.iter().find(|verdict| verdict.name == "wrong").unwrap();
    let shown: Vec<&str> =
        wrong.failures.iter().map(|d| &text[d.span().start as usize..d.span().end as usize]).collect();
    assert_eq!(shown, ["3", "[7, 0]", "[4]"]);
}

#[test]
fn each_game_says_where_its_rules_are() {
    for name in Shipped::list() {
        let (game, _) = Game::load(&name, &Shipped, &Choices::default(), &mut Sources::default());
        let definition = game.unwrap().definition;
        assert!(definition.source.is_some(), "{name} has no source");
        assert!(definition.summary.is_some(), "{name} has no summary");
        for option in &definition.options {
            assert!(!option.summary.is_empty(), "{name}: option {} has no summary", option.name.text);
        }
    }
}
