//! What keeps to the language is a game: no definition is refused as a mistake of Farrier itself.

use std::fmt::Write as _;

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::semantics::builtins::{TABLE, YOUNGER};
use farrier::source::{MemoryFiles, Sources};

/// A game on a board, with more keys and one decision's choices and condition.
fn game(board: &str, more: &str, choose: &str, condition: &str) -> String {
    format!(
        r#"
name    = "Accepted"
players = ["white", "black"]

[board]
{board}

[pieces]
man = {{ letter = "m" }}

{more}

[setup]
do = "put white man at corners; put black man at edge - corners"

[decisions.go]
choose = "{choose}"
where  = "{condition}"
do     = "put own man at a"
text   = "{{a}}"

[turn]
main  = "go"
stuck = "draw"
"#
    )
}

/// Loads a definition, which is to be sound.
fn accept(text: &str) -> Game {
    let files = MemoryFiles([("./it.toml".to_owned(), text.to_owned())].into());
    let (game, found) = Game::load("./it.toml", &files, &Choices::default(), &mut Sources::default());
    let game = game.unwrap_or_else(|| panic!("{found:?}\n{text}"));
    game.interpreter().unwrap_or_else(|error| panic!("{error}\n{text}"));
    game
}

/// Nothing is said of what is meant as it stands.
#[test]
fn what_can_be_meant_is_no_mistake() {
    let square = "square = [4, 4]";
    // The text leaves `n` out, which `a` or `where` leaves one choice of.
    let fixed = [("n in 1..4, a in row(n)", "true"), ("a in all, n in 1..4", "row(a) = n")];
    let mut texts: Vec<String> = fixed.iter().map(|(choose, c)| game(square, "", choose, c)).collect();
    // Joins are made on trees: what narrows comes after what widens.
    let joined = "[define]\nplaces = \"corners\"\n\n[options.wide]\nsummary = \"-\"\ndefault = true\n\
                  define.places.or = \"edge\"\ndefine.places.without = \"a1\"";
    texts.push(game(square, joined, "a in places", "true"));
    for mixed in ["(corners | edge) - own", "corners | (edge - own)", "corners - own | edge"] {
        texts.push(game(square, "", &format!("a in {mixed}"), "some row(4) & column(1)"));
    }
    for text in texts {
        let files = MemoryFiles::default().with("./it.toml", text.clone());
        let (game, found) = Game::load("./it.toml", &files, &Choices::default(), &mut Sources::default());
        assert!(game.is_some() && found.is_empty(), "{found:?}\n{text}");
    }
}

/// Sets that do not depend on what was chosen before, where some bits are no sites.
#[test]
fn boards_with_holes_are_accepted() {
    let definitions = "[define]\n\"core(x)\" = \"centre\"\n\"rest(x)\" = \"not own\"\n\"around(x)\" = \"near(x) | corners\"";
    let choices = [
        "a in own & own, b in not own, c in own otherwise own",
        "a in own, b in core(a)",
        "a in own, b in rest(a)",
        "a in own, b in around(a), c in core(b) | rest(b)",
        "a in all, b in corners - near(a)",
    ];
    let conditions = [
        "ply >= 0",
        "some near(a) & not own",
        "a in centre or no corners & near(a)",
        "every s in near(a) : s in not own",
    ];
    for board in
        ["triangle = 2", "triangle = 3", "triangle = 5", "hexhex = 2", "hexhex = 3", "square = [3, 4]"]
    {
        for choose in choices {
            for condition in conditions {
                accept(&game(board, definitions, choose, condition));
            }
        }
    }
}

/// Chains within what one rule may have, one behind the other, become no tower.
#[test]
fn long_chains_are_accepted() {
    let sites: Vec<String> = (1..=16).flat_map(|row| ('a'..='p').map(move |c| format!("{c}{row}"))).collect();
    for (term, join, last, condition) in [
        ("(own & {s})", " | ", "vacant - part-3", "ply >= 0"),
        ("(own | {s})", " & ", "vacant - part-3", "ply >= 0"),
        ("{s} in own", " or ", "vacant", "not part-3"),
        ("{s} in own", " and ", "vacant", "not part-3"),
    ] {
        let mut definitions = "[define]\n".to_owned();
        let chain: Vec<String> = sites.iter().map(|site| term.replace("{s}", site)).collect();
        for part in 1..=3 {
            // Each has 150 terms of its own and all those before.
            let from = 35 * (part - 1);
            let before = if part == 1 { String::new() } else { format!("part-{}{join}", part - 1) };
            writeln!(definitions, "part-{part} = \"{before}{}\"", chain[from..from + 150].join(join))
                .unwrap();
        }
        accept(&game("square = [16, 16]", &definitions, &format!("a in {last}"), condition));
    }
}

/// The built-ins of the first definitions. No definition gives their names another meaning.
const FIRST: [&str; 42] = [
    "true",
    "false",
    "none",
    "all",
    "mover",
    "opponent",
    "next",
    "players",
    "own",
    "enemy",
    "neutral",
    "vacant",
    "occupied",
    "single",
    "double",
    "edge",
    "start-sites",
    "corners",
    "centre",
    "side",
    "row",
    "column",
    "near",
    "distance",
    "between",
    "line",
    "flood",
    "first",
    "only",
    "drawn",
    "count",
    "height",
    "kind",
    "owner",
    "min",
    "max",
    "abs",
    "passes",
    "seen",
    "ply",
    "round",
    "can",
];

/// A definition that is older than a built-in may have its name for something else, and still loads.
#[test]
fn a_name_that_became_built_in_stays_a_definitions_own() {
    let added = TABLE.iter().map(|row| row.name).filter(|name| !FIRST.contains(name));
    for name in added.chain(YOUNGER) {
        let own = format!("[define]\n{name} = \"all\"");
        accept(&game("square = [4, 4]", &own, &format!("a in {name}"), "true"));
    }
}
