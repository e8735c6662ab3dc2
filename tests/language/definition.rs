//! Definitions: keys, boards, names, positions, and the reports on what is wrong.

use crate::definition_kit::{BASE, VALUES, base, body, define, good, loaded, only, reports, with, wrong};
use farrier::board::{DirectionTable, Shape};
use farrier::definition::{Choices, TemplatePart, TraitValue, schema};

#[test]
fn a_plain_file_is_read() {
    let found = base("", &Choices::default());
    assert_eq!(found.title, "Base");
    assert_eq!(found.board.shape, Shape::Square { columns: 4, rows: 4 });
    assert_eq!(found.board.players, 2);
    let rook = &found.pieces[0];
    assert_eq!((rook.name.text.as_str(), rook.stack), ("rook", 1));
    assert!(matches!(rook.traits[0].1, TraitValue::Pattern(_)));
    assert!(matches!(rook.traits[1].1, TraitValue::Group(true, _)));
    assert!(matches!(rook.traits[2].1, TraitValue::Int(5, _)));
    assert!(matches!(&found.pieces[1].traits[1].1, TraitValue::Kind(k) if k.text == "rook"));
    assert_eq!(define(&found, "targets").params[0].name.text, "x");
    assert_eq!(body(&found, "starts"), "row(1) / row(4)");
    assert_eq!(found.state[0].lasts, Some(0));
    assert!(!found.state[0].identity);
    let text = found.decisions[0].text.as_ref().expect("text");
    assert!(matches!(&text.parts[1], TemplatePart::Field { width: 2, .. }));
    assert!(found.ends[0].perft && !found.ends[0].at_turn);
    assert!(found.lost.is_empty());
}

#[test]
fn players_default_and_are_checked() {
    let text = BASE.replace("players = [\"white\", \"black\"]", "");
    let found = good(&[("base", &text)], "base", &Choices::default());
    let names: Vec<&str> = found.players.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(names, ["white", "black"]);
    let text = BASE.replace("[\"white\", \"black\"]", "[\"white\", \"black\", \"white\"]");
    let found = reports(&[("base", &text)], "base", &Choices::default());
    assert_eq!(found, ["double-name @ white: two players are called `white`"]);
}

#[test]
fn all_mistakes_at_once_each_at_its_place() {
    let text = r#"
naem = "X"
[board]
square = [4, 4, 4]
[pieces]
rook = { letter = "rr", stack = 0 }
[decisions.move]
were = "some own"
where = 3
text = "{x"
[decisions.other]
choose = "x in"
by = "chanec"
[options.a]
defien.x = "own"
sumary = "x"
[turn]
opening = "move"
[[tests]]
prft = 3
"#;
    let found = reports(&[("t", text)], "t", &Choices::default());
    let expected = [
        // What a misspelt key says is read, so that it is not missing.
        "unknown-key @ naem: there is no key `naem`",
        "wrong-type @ [4, 4, 4]: expected a list of two sizes",
        "wrong-value @ \"rr\": `rr` is not one letter",
        "wrong-value @ 0: expected a number from 1 to 255, found 0",
        "unknown-key @ were: there is no key `were` in `decisions.move`",
        "wrong-type @ 3: expected a string with a condition, found an integer",
        "bad-template @ {: this `{` is not closed",
        "syntax @ ",
        "wrong-value @ chanec: expected `\"chance\"`, found `\"chanec\"`",
        "unknown-key @ defien: there is no key `defien` in `options.a`",
        "unknown-key @ sumary: there is no key `sumary` in `options.a`",
        "missing-key @ [turn]: the key `turn.main` is missing",
        "wrong-type @ \"move\": expected a list of strings with turn flows, found a string",
        "unknown-key @ prft: there is no key `prft` in `tests`",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} is not {expected}");
    }
    let (_, found, _) = loaded(&[("t", text)], "t", &Choices::default());
    let help: Vec<&str> = found.0.iter().filter_map(|d| d.help.as_deref()).collect();
    assert!(help.contains(&"did you mean `name`?"));
    assert!(help.contains(&"did you mean `where`?"));
    assert!(help.contains(&"did you mean `define`?"));
    assert!(help.contains(&"did you mean `summary`?"));
    assert!(help.contains(&"did you mean `perft`?"));
}

#[test]
fn mistakes_of_options_that_are_off_are_found() {
    only(
        "[options.a]\nturn.main.or = \"either\"\n",
        &Choices::default(),
        &wrong("[options.a]\nturn.main.or = \"either\"\n", &with(&["a"]))[0],
    );
    only(
        "[options.a]\nsummary = \"A\"\nname = \"x\"\n",
        &Choices::default(),
        "unknown-key @ name: there is no key `name` in `options.a`",
    );
}

#[test]
fn toml_errors_have_places() {
    let text = "name = \"X\"\nplayers = [\"a\" \"b\"]\n[board\nfoo = 1\n";
    let (definition, found, sources) = loaded(&[("t", text)], "t", &Choices::default());
    assert!(definition.is_none());
    let lines: Vec<usize> =
        found.0.iter().filter(|d| d.code == "toml").map(|d| sources.line_column(d.span()).line).collect();
    assert!(lines.contains(&2) && lines.contains(&3), "{lines:?}");
    // Other mistakes of such a file are shown too, what is missing is not.
    let text = "wrong = 1\nname = = 3\n";
    let found = reports(&[("t", text)], "t", &Choices::default());
    assert!(found.iter().any(|f| f.starts_with("unknown-key @ wrong")), "{found:?}");
    assert!(!found.iter().any(|f| f.contains("missing")), "{found:?}");
}

#[test]
fn names_are_checked() {
    let cases = [
        ("[regions]\nx_y = \"own\"\n", "bad-name @ x_y: `x_y` cannot name a definition"),
        (
            "[options.a]\nrelations.then = \"step any\"\n",
            "reserved-name @ then: `then` is a word of the language and cannot name a relation",
        ),
        ("[state.a--b]\ntype = \"int\"\n", "bad-name @ a--b: `a--b` cannot name a state variable"),
        ("[options.or]\n", "reserved-name @ or: `or` is a word of the language and cannot name an option"),
    ];
    for (more, expected) in cases {
        only(more, &Choices::default(), expected);
    }
}

#[test]
fn boards_and_directions() {
    let board = |text: &str| {
        let text = BASE.replace("square = [4, 4]", text);
        good(&[("t", &text)], "t", &Choices::default()).board
    };
    let found = board("hexhex = 3\nremove = \"a1 b2\"");
    assert_eq!(found.shape, Shape::HexHex { base: 3 });
    assert_eq!(found.remove, ["a1", "b2"]);
    let found = board("square = [8, 4]\nwrap = \"columns\"\nremove = [\"a1\", \"b2 c3\"]");
    assert!(found.wrap_columns && !found.wrap_rows);
    assert_eq!(found.remove.len(), 3);
    let found = board(
        "[board.graph]\nedges.\"e w\" = \"a1-b1-c1 a2-b2\"\nedges.up = \"a1-a2\"\n\
         [directions]\nsideways = \"e w\"\nahead = { white = \"e\", black = \"w\" }\n\
         round = \"pairs a1-b1-b2-a2-a1\"\n",
    );
    let Shape::Graph { edges } = &found.shape else {
        panic!("a graph");
    };
    assert_eq!(edges[0].1.as_deref(), Some("w"));
    assert_eq!(edges[0].2.len(), 2);
    assert_eq!(edges[1].1, None);
    assert!(matches!(&found.directions[0].table, DirectionTable::Group(g) if g.len() == 2));
    assert!(matches!(&found.directions[1].table, DirectionTable::PerPlayer(p) if p[1] == ["w"]));
    assert!(matches!(&found.directions[2].table, DirectionTable::Pairs(p) if p[0].len() == 5));
    // A shape takes the place of another, but not in one overlay.
    let more = "[options.a]\nboard.hexhex = 3\n";
    let found = base(more, &with(&["a"]));
    assert_eq!(found.board.shape, Shape::HexHex { base: 3 });
    let text = BASE.replace("square = [4, 4]", "square = [4, 4]\nhex = [3, 3]");
    let found = reports(&[("t", &text)], "t", &Choices::default());
    assert_eq!(found, ["conflict @ [4, 4]: a board has one shape, not both `square` and `hex`"]);
}

#[test]
fn positions_and_tests() {
    let more = r#"
[state.rights]
type = "sites"
[setup]
text = "{{a}} {rights}"
[setup.named]
"in order" = "1 2 3"
[position]
text = "{board} {turn} {rights}"
turn = { black = "b", white = "w" }
rights = { d1 = "Q", a1 = "K" }
[options.a]
[[tests]]
name = "one"
options = { a = true }
perft = 7
score = { black = 2, white = 1 }
mover = "black"
result = "draw"
[[tests]]
perft = [1, 2]
score = [3, 4]
legal = []
"#;
    let found = base(more, &Choices::default());
    let position = found.position.expect("a position");
    assert_eq!(position.turn, ["w", "b"]);
    assert_eq!(position.empty.text, "-");
    let letters: Vec<&str> = position.spellings[0].1.iter().map(|(_, l)| l.as_str()).collect();
    assert_eq!(letters, ["Q", "K"]);
    assert_eq!(found.setup.named[0].0.text, "in order");
    let text = found.setup.text.expect("a text");
    assert_eq!(text.parts[0], TemplatePart::Literal("{a} ".to_string()));
    assert_eq!(found.tests[0].perft.as_ref().map(|(counts, _)| &counts[..]), Some(&[7][..]));
    let score = |test: usize| found.tests[test].score.as_ref().map(|(score, _)| &score[..]);
    assert_eq!([0, 1].map(score), [Some(&[1, 2][..]), Some(&[3, 4][..])]);
    assert_eq!(found.tests[1].legal.as_ref().map(Vec::len), Some(0));
    only(
        "[position]\ntext = \"{board}\"\nemtpy = \"-\"\n",
        &Choices::default(),
        "unknown-key @ emtpy: there is no key `emtpy` in `position`",
    );
    only(
        "[[tests]]\noptions = { b = true }\n",
        &Choices::default(),
        "unknown-option @ b: there is no option `b`",
    );
    only(
        "[[tests]]\nresult = \"whiet\"\n",
        &Choices::default(),
        "wrong-value @ \"whiet\": `whiet` is no result",
    );
}

#[test]
fn what_cannot_be_read_is_lost() {
    let text = BASE.replace("open = \"vacant\"", "open = \"vacant &\"");
    let (definition, found, _) = loaded(&[("t", &text)], "t", &Choices::default());
    assert!(found.has_errors());
    assert_eq!(definition.expect("a definition").lost, ["open"]);
}

#[test]
fn nothing_panics() {
    for end in 0..BASE.len() {
        let text = format!("{}{VALUES}", &BASE[..end]);
        loaded(&[("t", &text)], "t", &with(&["flag"]));
        loaded(&[("t", &BASE[..end])], "t", &Choices::default());
    }
    let deep = format!("a = {}", "[".repeat(200_000));
    let dotted = format!("a{} = 1", ".a".repeat(200_000));
    let large = "x".repeat(2 << 20);
    let number = "[pieces.x]\nstack = 99999999999999999999999999\nvalue = 0x7fffffffffffffff\n";
    let binary = "\u{0}\u{1}\u{fffd}= \u{7f}";
    for text in [deep.as_str(), &dotted, &large, number, binary, "", "\u{feff}"] {
        let found = reports(&[("t", text)], "t", &Choices::default());
        assert!(!found.is_empty());
    }
}

#[test]
fn the_table_of_keys_is_whole() {
    let rows = schema();
    for (i, row) in rows.iter().enumerate() {
        assert!(!row.doc.is_empty() && row.doc.ends_with('.'), "{}", row.path);
        assert!(!rows[..i].iter().any(|other| other.path == row.path), "{}", row.path);
        assert!(!row.holds.describe().is_empty());
    }
}
