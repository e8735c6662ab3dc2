//! `compare` and `matrix` as users run them.
#![cfg(feature = "cli")]

use std::path::PathBuf;

use assert_cmd::Command;
use farrier::compare::model::{Comparison, MatrixOption};

/// Exit code, what was printed, what was complained of.
pub(crate) fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

pub(crate) fn fine(args: &[&str]) -> String {
    let (code, out, err) = run(args);
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}: {out}");
    out
}

fn json(args: &[&str]) -> Comparison {
    let out = fine(&[args, &["--format", "json"]].concat());
    serde_json::from_str(&out).expect("a comparison")
}

/// A file of this test run that is not there yet.
fn file(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    let text = path.to_str().expect("a path of letters").to_owned();
    (path, text)
}

const FILL: &str = "tests/compare/twice.toml";

/// What is played of a game where nothing is said of it: agents at levels and on the ladder, and how many games of each
/// pair of these and at each level. The last of a million shards has no game, so nothing is played.
fn planned(game: &str, more: &[&str]) -> ([usize; 2], [u64; 2]) {
    let (path, out) = file(&format!("planned-{}-{}", game.replace(['/', '.'], "-"), more.len()));
    fine(&[&["compare", game, "--games", "1", "--shard", "1000000/1000000", "--out", &out], more].concat());
    let part = std::fs::read_to_string(path).expect("a part");
    let part: serde_json::Value = serde_json::from_str(&part).expect("JSON");
    let agents = |key: &str| part["rules"][key].as_array().expect("agents").len();
    let games = |of: usize| part["games"][of].as_u64().expect("a number");
    ([agents("levels"), agents("strength")], [games(1), games(2)])
}

#[test]
fn slow_games_are_thought_about_less() {
    let (agents, quick) = planned("tic-tac-toe", &[]);
    assert_eq!(agents, [2, 5]);
    let (agents, slower) = planned("chess", &[]);
    assert_eq!(agents, [2, 5]);
    assert!(
        slower.iter().zip(quick).all(|(slower, quick)| (20..quick).contains(slower)),
        "{slower:?} {quick:?}"
    );
    // Half of the levels would take minutes, for twenty games each.
    let (agents, [_, games]) = planned("quoridor", &["quoridor:supply=9"]);
    assert_eq!(agents, [2, 0]);
    assert!(games >= 20, "{games}");
    // Nothing was learned of a file of this name, and playouts of this game are long.
    let (copy, untrained) = file("untrained.toml");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/games/twixt.toml"), copy).expect("a copy");
    assert_eq!(planned(&untrained, &[]).0, [1, 0]);
    // What is asked for is played.
    let asked = ["--levels", "level:1,level:3", "--strength", "auto:64,auto:32"];
    assert_eq!(planned(&untrained, &asked), ([2, 2], [200, 20]));
}

#[test]
fn slow_games_are_watched_less() {
    let watched = |args: &[&str]| {
        let none = ["compare", "--games", "2", "--levels", "none"];
        json(&[&none, args].concat()).settings.watch
    };
    assert_eq!(watched(&["tic-tac-toe"]), 1000);
    let few = watched(&["xiangqi"]);
    assert!((20..600).contains(&few), "{few}");
    assert_eq!(watched(&["xiangqi"]), few, "no clock is asked");
    assert_eq!(watched(&["xiangqi", "--watch", "1000"]), 1000);
}

#[test]
fn one_game_is_judged_by_its_strongest_play() {
    let args = ["compare", "tic-tac-toe", "--games", "50", "--strength", "none", "--level-games", "60"];
    let first = |levels: &str| json(&[&args[..], &["--levels", levels]].concat()).verdict.swap_remove(0);
    let said = first("flat:5,flat:50");
    assert!(
        said.starts_with("In play by flat:50 who begins gets ") && said.ends_with("an advantage."),
        "{said}"
    );
    let said = first("none");
    assert!(said.starts_with("In `tic-tac-toe` x wins ") && said.contains("of the decided games"), "{said}");
}

#[test]
fn a_comparison_says_what_differs_first() {
    let words = [FILL.to_owned(), format!("{FILL}+twice")];
    let out = fine(&["compare", "--levels", "none", &words[0], &words[1], "--games", "60"]);
    let first = out.lines().nth(2).unwrap();
    assert_eq!(first.trim(), format!("`{}` differs from `{}` in 3 of 12 metrics.", words[1], words[0]));
    let found = json(&["compare", "--levels", "none", &words[0], &words[1], "--games", "60"]);
    assert!(found.verdict.iter().any(|s| s == "Games are 8 plies longer (in all games): 16 instead of 8."));
    assert!(out.contains("In brackets: 95 % intervals, each by itself. Differences of shares"), "{out}");
    // Fewer metrics are fewer tests.
    let few = json(&[
        "compare",
        "--levels",
        "none",
        &words[0],
        &words[1],
        "--games",
        "60",
        "--metrics",
        "draws,length",
    ]);
    assert_eq!(few.differences.len(), 2);
    assert_eq!(few.metrics.iter().map(|m| m.key.as_str()).collect::<Vec<_>>(), ["length", "draws"]);
}

/// The figures of a row, as they stand between two blanks or more.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn differences_are_those_of_what_is_printed() {
    let asked = [
        "compare",
        "--levels",
        "none",
        "knights-and-pawns",
        "knights-and-pawns+switch-move",
        "--games",
        "300",
    ];
    let out = fine(&asked);
    let number = |text: &str| -> f64 {
        let bare = text.split([' ', '(']).next().unwrap().replace(',', "");
        bare.parse().unwrap_or_else(|_| panic!("{text}"))
    };
    let decimals = |text: &str| text.split('.').nth(1).map_or(0, str::len);
    let mut rows = 0;
    let table = out.lines().skip_while(|l| !l.trim().starts_with("metric ")).skip(1);
    for line in table.take_while(|l| !l.trim().is_empty()) {
        let row = cells(line);
        let [_, a, b, change, ..] = row[..] else { continue };
        if !change.contains('(') || a.contains("at least") || b.contains("at least") {
            continue;
        }
        rows += 1;
        let off = number(b) - number(a) - number(change);
        assert!(off.abs() < 1e-9, "{line}");
        // A figure and its interval have the same digits.
        for cell in [a, b, change].iter().filter(|cell| cell.contains(" to ")) {
            let bare = cell.replace([' ', '%', '(', ')'], " ").replace(" to ", " ");
            let all: Vec<usize> = bare.split_whitespace().map(decimals).collect();
            assert!(all.len() == 3 && all.windows(2).all(|w| w[0] == w[1]), "{line}");
        }
    }
    assert!(rows > 8, "{out}");
    // And so do the sentences: `Games have 6.4 more turns (4.9 to 7.9): 45.4 instead of 39.0.`
    let said = json(&[&asked[..], &["--metrics", "turns,length"]].concat()).verdict;
    let said: Vec<&String> = said.iter().filter(|s| s.contains(" instead of ")).collect();
    assert!(!said.is_empty(), "{out}");
    for sentence in said {
        let words = sentence.trim_end_matches('.').split([' ', ':']);
        let [change, b, a] = words.filter_map(|w| w.parse::<f64>().ok()).collect::<Vec<_>>()[..] else {
            panic!("{sentence}");
        };
        assert!(((b - a).abs() - change).abs() < 1e-9, "{sentence}");
    }
}

#[test]
fn what_is_told_is_not_denied() {
    let asked = [
        "compare",
        "--levels",
        "none",
        "knightshade",
        "--games",
        "8",
        "--metrics",
        "length,lead-changes,margin",
    ];
    let found = json(&asked);
    assert!(found.variants[0].estimates.contains_key("lead-changes"));
    assert!(found.notes.iter().all(|n| !n.contains("no lead changes")), "{:?}", found.notes);
    // Where nothing says it, that is said to whoever asks.
    let asked = ["compare", "--levels", "none", "tic-tac-toe", "--games", "8"];
    assert!(json(&asked).notes.iter().any(|n| n.contains("no lead changes")));
    let found = json(&[&asked[..], &["--leads", "100"]].concat());
    assert!(found.variants[0].estimates.contains_key("drama"));
    assert!(
        found.notes.iter().any(|n| n.contains("100 random games from each position")),
        "{:?}",
        found.notes
    );
    assert!(json(&[&asked[..], &["--metrics", "length"]].concat()).notes.len() == 1);
    let (code, _, err) = run(&[&asked[..], &["--leads", "20"]].concat());
    assert!(code == 2 && err.contains("from 100 to"), "{err}");
}

#[test]
fn another_board_is_no_finding_of_play() {
    let found = json(&["compare", "--levels", "none", "hex:size=5", "hex:size=4", "--games", "8"]);
    for v in &found.variants {
        let [size] = &v.option_uses[..] else { panic!("one option") };
        assert!(size.beside.is_none(), "{size:?}");
        assert_eq!(size.apart.as_deref(), Some("the board is another one"));
    }
    assert!(found.verdict.iter().all(|s| !s.contains("makes a difference")), "{:?}", found.verdict);
    assert!(
        found.notes.iter().any(|n| n.contains("without it the board is another one")),
        "{:?}",
        found.notes
    );
    // An option that leaves the board as it is is seen.
    let found = json(&["compare", "--levels", "none", "hex:size=4", "hex:size=4~pie-rule", "--games", "8"]);
    let pie = found.variants[1].option_uses.iter().find(|o| o.option == "pie-rule").unwrap();
    assert!(pie.beside.is_some() && pie.apart.is_none(), "{pie:?}");
}

#[test]
fn what_was_alike_in_all_games_says_so() {
    let out =
        fine(&["compare", "--levels", "none", FILL, "--games", "60", "--metrics", "length,turns,forced"]);
    assert!(out.contains("8 (in all games)"), "{out}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("up to 6.0 % of games may be otherwise"), "{out}");
}

#[test]
fn a_run_that_was_cut_off_goes_on() {
    let (path, name) = file("resumed.jsonl");
    let args = ["compare", "--levels", "none", "tic-tac-toe", "breakthrough:size=5", "--games", "20"];
    let whole = json(&args);
    let with = [&args[..], &["--resume", &name]].concat();
    assert_eq!(json(&with), whole);
    // Stopped in the middle of a line.
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().count();
    assert_eq!(lines, 1 + 2 + 40);
    std::fs::write(&path, &text[..text.len() * 2 / 3]).unwrap();
    let (code, out, err) = run(&[&with[..], &["--format", "json"]].concat());
    assert_eq!(code, 0, "{err}");
    assert_eq!(serde_json::from_str::<Comparison>(&out).expect("a comparison"), whole);
    assert!(err.contains("is not whole, as when a run is stopped: its game is played again"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the same file");
    // A line that only has no end is whole.
    std::fs::write(&path, text.lines().take(30).collect::<Vec<_>>().join("\n")).unwrap();
    let (code, _, err) = run(&with);
    assert!(code == 0 && !err.contains("played again"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the same file");
    // More games are only added.
    let more = json(&[&with[..6], &["25", "--resume", &name]].concat());
    assert_eq!(more.variants[0].games, 25);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), lines + 10);
    // Other settings are refused.
    let (code, _, err) = run(&[&with[..], &["--seed", "2"]].concat());
    assert_eq!(code, 1);
    assert!(err.contains("line 1: its games were played with other settings: --seed was 1, is 2"), "{err}");
    let (_, _, err) = run(&[&with[..], &["--strength", "random,flat:2"]].concat());
    assert!(err.contains("--strength was none, is random,flat:2"), "{err}");
}

#[test]
fn a_file_of_something_else_is_not_lost() {
    // One line without an end could be of a run that was stopped at once; this one is not.
    let (path, name) = file("notes.txt");
    std::fs::write(&path, "what I want to remember").unwrap();
    let args = ["compare", "--levels", "none", "tic-tac-toe", "--games", "3", "--resume", &name];
    let (code, _, err) = run(&args);
    assert_eq!(code, 1);
    assert!(err.contains("line 1: it is no file of games"), "{err}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "what I want to remember");
    std::fs::write(&path, "{\"farrier\":\"compar").unwrap();
    assert_eq!(run(&args).0, 0);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 1 + 1 + 3);
    // A line in the middle that is none of a game is not passed over.
    std::fs::write(&path, text.replacen("\"game\":1,", "\"game\":x,", 1)).unwrap();
    let (code, _, err) = run(&args);
    assert_eq!(code, 1);
    assert!(err.contains("line 4: it is damaged"), "{err}");
}

#[test]
fn a_changed_definition_is_refused() {
    let (definition, name) = file("changing.toml");
    let (_, games) = file("changing.jsonl");
    let text = std::fs::read_to_string(FILL).unwrap();
    std::fs::write(&definition, &text).unwrap();
    let args = ["compare", "--levels", "none", &name, "--games", "5", "--resume", &games];
    fine(&args);
    std::fs::write(&definition, format!("# a comment changes nothing\n{text}")).unwrap();
    fine(&args);
    std::fs::write(&definition, text.replace("[8, 1]", "[9, 1]")).unwrap();
    let (code, _, err) = run(&args);
    assert_eq!(code, 1);
    assert!(err.contains("has changed since its games were played"), "{err}");
    // What a listing hardly shows is a change too.
    for (game, from, to) in
        [("tic-tac-toe", "line(own, 3)", "line(own, 3, orthogonal)"), ("breakthrough", "row(2)", "row(3)")]
    {
        let (_, games) = file(&format!("changing-{game}.jsonl"));
        let text = std::fs::read_to_string(format!("games/{game}.toml")).unwrap();
        let text = text.split("[[tests]]").next().unwrap();
        let args = ["compare", "--levels", "none", &name, "--games", "5", "--resume", &games];
        std::fs::write(&definition, text).unwrap();
        fine(&args);
        std::fs::write(&definition, text.replace(from, to)).unwrap();
        let (code, _, err) = run(&args);
        assert!(code == 1 && err.contains("has changed since its games were played"), "{game}: {err}");
    }
}

#[test]
fn all_figures_come_as_a_table_and_all_games_as_lines() {
    let (table, table_name) = file("table.csv");
    let (games, games_name) = file("games.jsonl");
    let args = ["matrix", "--levels", "none", FILL, "--options", "twice,idle", "--games", "10"];
    let found = json(&[&args[..], &["--csv", &table_name, "--jsonl", &games_name]].concat());
    let matrix = found.matrix.expect("a matrix");
    assert_eq!((matrix.combinations.len(), matrix.left_out.len()), (4, 0));
    let rows = std::fs::read_to_string(table).unwrap();
    let count = |kind: &str| rows.lines().filter(|l| l.starts_with(kind)).count();
    let estimates: usize = found.variants.iter().map(|v| v.estimates.len()).sum();
    assert_eq!((count("estimate,"), count("effect,")), (estimates, matrix.effects.len()));
    // What is only a bound has no upper end.
    let opening = rows.lines().find(|l| l.starts_with("estimate,opening")).unwrap();
    let cells: Vec<&str> = opening.split(',').collect();
    assert!(cells[5] == cells[6] && cells[7].is_empty(), "{opening}");
    let width = rows.lines().next().unwrap().split(',').count();
    assert!(rows.lines().all(|l| l.split(',').count() == width));
    assert_eq!(std::fs::read_to_string(games).unwrap().lines().count(), 40);
}

#[test]
fn what_a_game_does_not_allow_is_left_out() {
    // What is tried of an option that is on is to switch it off, and of one with values is a value.
    let found = json(&["matrix", "--levels", "none", "hex", "--options", "pie-rule,size=3", "--games", "4"]);
    let matrix = found.matrix.expect("a matrix");
    let tried = |o: &MatrixOption| (o.name.clone(), o.off.clone(), o.on.clone(), o.summary.is_empty());
    let words = |name: &str, off: &str, on: &str| (name.to_owned(), off.to_owned(), on.to_owned(), false);
    let tried: Vec<_> = matrix.options.iter().map(tried).collect();
    assert_eq!(tried, [words("~pie-rule", "on", "off"), words("size=3", "11", "3")]);
    assert!(matrix.effects.iter().any(|e| e.options == ["~pie-rule"]), "{:?}", matrix.effects);
    let found = json(&["matrix", "--levels", "none", FILL, "--options", "twice,shift", "--games", "10"]);
    let matrix = found.matrix.expect("a matrix");
    assert_eq!(matrix.combinations.len(), 3);
    assert_eq!(matrix.left_out, [(format!("{FILL}+shift"), "option `shift` requires `twice`".to_owned())]);
}

#[test]
fn mistakes_are_said() {
    for (args, code, wanted) in [
        (&["compare"][..], 2, "VARIANT"),
        (&["compare", "--levels", "none", "tic-tac-to"], 1, "did you mean `tic-tac-toe`?"),
        (&["compare", "--levels", "none", "tic-tac-toe+"], 2, "nothing follows `+`"),
        (&["compare", "--levels", "none", "tic-tac-toe", "--agents", "flot:3"], 2, "did you mean `flat`?"),
        (
            &["compare", "--levels", "none", "tic-tac-toe", "--agents", "random,random,random"],
            2,
            "one agent for all seats",
        ),
        (
            &["compare", "--levels", "none", "tic-tac-toe", "--strength", "random"],
            2,
            "two agents or more, the strongest first",
        ),
        (
            &["compare", "tic-tac-toe", "--levels", "random", "--restrict", "stoen"],
            1,
            "did you mean `stone`?",
        ),
        (&["compare", "hex", "--levels", "random", "--restrict", "place"], 1, "players can swap sides"),
        (
            &["compare", "gomoku:size=19", "--levels", "random", "--restrict", "size"],
            1,
            "`size` cannot be kept from black: the board is another one without it",
        ),
        (&["compare", "hex", "--levels", "none", "--restrict", "place"], 2, "name one with `--levels`"),
        (&["compare", "--levels", "none", "tic-tac-toe", "--metrics", "lenght"], 2, "did you mean `length`?"),
        (&["compare", "--levels", "none", "tic-tac-toe", "--games", "0"], 2, "--games"),
        (
            &["compare", "--levels", "none", "tic-tac-toe", "--resume", "src"],
            1,
            "cannot be read and added to",
        ),
        (&["compare", "--levels", "none", "tic-tac-toe", "--resume", "README.md"], 1, "no file of games"),
        (
            &["compare", "--levels", "none", "tic-tac-toe", "--csv", "no/such/folder.csv", "--games", "1"],
            1,
            "cannot be written",
        ),
        (
            &["compare", "--levels", "none", "tic-tac-toe", "--games", "-3"],
            2,
            "a whole number from 1 to 10000000000 is expected",
        ),
        (&["compare", "--levels", "none", "tic-tac-toe", "--seed", "-1"], 2, "a whole number from 0 to"),
        (&["matrix", "tic-tac-toe"], 1, "this game has no options"),
        (&["matrix", "--levels", "none", "hex", "--options", ""], 2, "a name is missing"),
        (&["matrix", "--levels", "none", "hex", "--options", "pie-rule,"], 2, "a name is missing"),
        (&["matrix", "--levels", "none", "tic-tac-toe", "--options", "x"], 1, "this game has no options"),
        (&["matrix", "--levels", "none", "hex", "--options", "pie-rul"], 1, "did you mean `pie-rule`?"),
        (&["matrix", "--levels", "none", "hex", "--options", "pie-rule,pie-rule"], 2, "given twice"),
        (&["matrix", "--levels", "none", "hex", "--options", "size=99"], 1, "no value of option `size`"),
    ] {
        let (found, out, err) = run(args);
        assert_eq!(found, code, "{args:?}: {out}{err}");
        assert!(err.contains(wanted), "{args:?}: {err}");
        assert!(!err.contains("panicked"), "{args:?}: {err}");
    }
}
