//! The command line, run as users run it.
#![cfg(feature = "cli")]

mod files;
mod json;
mod meant;
mod records;
mod train;

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// What a run gave: exit code, what it printed, what it complained of.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn typed(args: &[&str], input: &str) -> Ran {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .write_stdin(input)
        .output()
        .expect("the program starts");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).expect("it prints text"),
        err: String::from_utf8(output.stderr).expect("it prints text"),
    }
}

fn run(args: &[&str]) -> Ran {
    typed(args, "")
}

/// What a run prints that must be fine.
fn fine(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!(ran.code, 0, "{args:?}: {}{}", ran.out, ran.err);
    ran.out
}

/// What it prints as JSON, line by line.
fn json(args: &[&str], code: i32) -> Vec<Value> {
    let ran = run(&[args, &["--format", "json"]].concat());
    assert_eq!(ran.code, code, "{args:?}: {}{}", ran.out, ran.err);
    let read = |line| serde_json::from_str(line).expect("a line is JSON");
    let printed: Vec<Value> = ran.out.lines().map(read).collect();
    self::json::documented(args[0], &printed);
    printed
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn traces() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path().to_string_lossy().into_owned())
        .filter(|f| f.ends_with(".jsonl"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_shipped_games_are_listed() {
    let text = fine(&["list"]);
    let list = json(&["list"], 0);
    let games = list[0].as_array().unwrap();
    assert!(games.len() >= 5);
    let mut heading = "";
    let mut listed = Vec::new();
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "a terminal is wide enough: {line}");
        match line.split_once("  ") {
            None if !line.is_empty() => heading = line,
            Some((name, _)) if !name.is_empty() => listed.push((heading, name)),
            _ => {}
        }
    }
    for game in games {
        let under = game["group"].as_str().unwrap_or("Other games");
        assert!(listed.contains(&(under, game["name"].as_str().unwrap())), "{game} is listed");
    }
    assert_eq!(listed.len(), games.len());
    let last = text.lines().rfind(|line| listed.iter().any(|(heading, _)| heading == line));
    assert_eq!(last, Some("Other games"), "what has no group stands last");
}

/// A pattern is told as the walks that it means, whatever notation it was written in.
#[test]
fn patterns_are_described_as_walks() {
    let told = json(&["describe", "tests/definitions/betza.toml"], 0);
    let goes = &told[0]["named"]["pieces"]["cannon goes"];
    assert_eq!(goes, "slide orthogonal onto vacant or slide orthogonal over occupied onto enemy");
}

#[test]
fn every_shipped_game_is_shown_checked_and_described() {
    let list = json(&["list"], 0);
    for game in list[0].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let shown = fine(&["show", name]);
        assert!(shown.starts_with(game["title"].as_str().unwrap()));
        assert!(json(&["show", name], 0)[0]["position"].is_string());
        let described = fine(&["describe", name]);
        assert!(described.contains("DECISIONS") && described.contains("PROGRAM"));
        let data = &json(&["describe", name], 0)[0];
        assert_eq!(data["title"], game["title"]);
        let traits = data["named"]["pieces"].as_object().unwrap();
        assert_eq!(described.contains("\nPIECES\n"), !traits.is_empty(), "{name}");
        let checked = json(&["check", name, "--games", "3"], 0);
        assert_eq!(checked[0]["diagnostics"], Value::Array(Vec::new()), "{name} has no findings");
        // Every game that ended did so by an end, or because somebody was stuck.
        let number = |value: &Value| value.as_u64().unwrap();
        let ends = checked[0]["seen"].as_array().unwrap().iter().filter(|t| t["what"] == "end");
        let ended: u64 = ends.map(|t| number(&t["seen"])).sum();
        assert_eq!(ended + number(&checked[0]["stuck"]), number(&checked[0]["ended"]), "{name}");
    }
}

#[test]
fn a_board_of_squares_is_drawn() {
    let shown = fine(&["show", "chess"]);
    assert!(shown.contains("8  r n b q k b n r  8\n"), "{shown}");
    assert!(shown.contains("   a b c d e f g h\n"));
    let shown = fine(&["show", "knights-and-pawns", "--with", "switch-move"]);
    let row = shown.lines().find(|l| l.contains("switch-move")).unwrap();
    let words: Vec<&str> = row.split_whitespace().take(5).collect();
    assert_eq!(words, ["switch-move", "on,", "off", "off", "on"]);
}

#[test]
fn other_boards_are_drawn() {
    let shown = fine(&["show", "knightshade"]);
    assert!(shown.contains(" a6  . . . . . . . . . . .  k6\n"), "{shown}");
    assert!(shown.contains("     f11  . . . . . .  k11\n"), "{shown}");
    snapshot("graph", &fine(&["show", "tests/cli/rare.toml"]));
}

#[test]
fn stacks_are_drawn_and_told() {
    let setup = "4/1(ssO)1/(sSsSo)3/1(Ss)1/4/3/4 white";
    snapshot("stacks", &fine(&["show", "lasca", "--setup", setup]));
    let game = farrier::game::Game::open("lasca", &farrier::shipped::Shipped, &Default::default()).unwrap();
    let start = game.start(&mut game.machine().unwrap(), Some(setup), 1).unwrap();
    let drawn = farrier::drawing::svg::board(&game, &start, &[]);
    assert!(drawn.contains("<title>d6: white officer on 2 times black soldier</title>"), "{drawn}");
    // The top piece and the height stand for a site; lower pieces show their colours.
    let site = drawn.split("data-site=").find(|site| site.starts_with("\"a5\"")).unwrap();
    assert!(site.contains("data-owner=\"1\"") && site.contains(">5</text>"), "{site}");
    assert_eq!(site.matches("<g fill=").count(), 2, "{site}");
    // However high, a stack stays on its site; its height is read on any colour.
    let game =
        farrier::game::Game::open("backgammon", &farrier::shipped::Shipped, &Default::default()).unwrap();
    let start = game.start(&mut game.machine().unwrap(), None, 1).unwrap();
    let drawn = farrier::drawing::svg::board(&game, &start, &[]);
    let numbers = |text: &str, name: &str| -> Vec<f64> {
        let name = format!(" {name}=\"");
        text.split(&name).skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
    };
    for site in drawn.split("data-site=").skip(1).map(|site| site.split("class=\"labels\"").next().unwrap()) {
        for (at, middle) in [("x", "cx"), ("y", "cy")] {
            let low = numbers(site, at)[0];
            let discs = numbers(site, middle).into_iter().zip(numbers(site, "r"));
            let inside = |(middle, r): (f64, f64)| middle - r > low && middle + r < low + 40.0;
            assert!(discs.clone().all(inside), "{site}");
        }
        assert_eq!(site.contains("class=\"height\""), site.contains("paint-order=\"stroke\""), "{site}");
    }
}

#[test]
fn a_definition_that_is_fine_is_fine() {
    let out = fine(&["check", "chess", "knightcap"]);
    assert!(out.starts_with("chess: ok (1 combination of options, 20 random games"), "{out}");
    assert!(out.contains("\nknightcap: ok (4 combinations of options"), "{out}");
}

#[test]
fn mistakes_are_found_and_shown_where_they_stand() {
    let ran = run(&["check", "tests/cli/doubtful.toml"]);
    assert_eq!(ran.code, 1);
    snapshot("doubtful", &ran.out);
    let ran = run(&["check", "tests/cli/wrong.toml"]);
    assert_eq!(ran.code, 1);
    snapshot("wrong", &ran.out);
    let ran = run(&["show", "tests/cli/wrong.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("tests/cli/wrong.toml:11:17"), "{}", ran.err);
    // A decision that never comes up is worth a note, no more; a test that fails is an error.
    let ran = run(&["check", "tests/cli/rare.toml"]);
    assert_eq!(ran.code, 1);
    snapshot("rare", &ran.out);
}

#[test]
fn mistakes_are_data_too() {
    let found = json(&["check", "tests/cli/wrong.toml", "chess"], 1);
    assert_eq!(found.len(), 2);
    let first = &found[0]["diagnostics"][0];
    assert_eq!(first["file"], "tests/cli/wrong.toml");
    assert_eq!((&first["line"], &first["column"]), (&Value::from(11), &Value::from(17)));
    assert_eq!(first["end"]["column"], 23);
    assert_eq!(first["code"], "unknown-name");
    assert_eq!(first["severity"], "error");
    assert_eq!(found[1]["ok"], true);
    let found = json(&["show", "tests/cli/wrong.toml"], 1);
    assert_eq!(found[0]["diagnostics"].as_array().unwrap().len(), 2);
    let found = json(&["check", "tests/cli/doubtful.toml"], 1);
    let of_option = found[0]["diagnostics"].as_array().unwrap().iter().find(|d| !d["context"].is_null());
    assert_eq!(of_option.unwrap()["context"], "with bad");
}

#[test]
fn what_play_shows_is_told() {
    // Nothing is wrong with the file, yet no game ends.
    snapshot("endless", &fine(&["check", "tests/cli/endless.toml"]));
    // A rule that is asked for many choices: what it costs is measured, where is read off.
    snapshot("slow", &fine(&["check", "tests/cli/slow.toml"]));
    snapshot("slow-end", &fine(&["check", "tests/cli/slow-end.toml"]));
    // What never came up, what options do and do not.
    snapshot("seen", &fine(&["check", "tests/cli/seen.toml"]));
    snapshot("seen-verbose", &fine(&["check", "tests/cli/seen.toml", "--verbose"]));
    // An extension that changes what the game's own tests say is no mistake.
    snapshot("seen-with", &fine(&["check", "tests/cli/seen.toml", "--with", "tests/cli/narrow.toml"]));
}

#[test]
fn what_play_shows_is_data_too() {
    let found = &json(&["check", "tests/cli/seen.toml"], 0)[0];
    let codes = |list: &str| -> Vec<&str> {
        found[list].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect()
    };
    assert_eq!(codes("diagnostics"), ["idle-option"]);
    for code in ["replaces", "no-difference", "never-ends", "never-reached", "never-on-board", "never-used"] {
        assert!(codes("notes").contains(&code), "{code}: {:?}", codes("notes"));
    }
    let replaced = found["notes"].as_array().unwrap().iter().find(|d| d["code"] == "replaces").unwrap();
    assert_eq!((&replaced["line"], &replaced["severity"]), (&43.into(), &"note".into()));
    assert!(replaced["message"].as_str().unwrap().contains("`do.then`"), "{replaced}");
    let thing = |what: &str, name: &str| {
        let list = found["seen"].as_array().unwrap();
        let found = list.iter().find(|t| t["what"] == what && t["name"] == name).expect("it is there");
        [&found["seen"], &found["games"]].map(|n| n.as_u64().unwrap())
    };
    let games = found["games"].as_u64().unwrap();
    assert_eq!(thing("end", "across"), [0, games]);
    assert_eq!(thing("decision taken", "move"), [games, games]);
    assert_eq!(thing("site used", "d3"), [0, games]);
    let [ended, cut, stuck] = ["ended", "cut", "stuck"].map(|key| found[key].as_u64().unwrap());
    assert_eq!((ended + cut, stuck), (games, ended));
    let tests = found["tests"].as_array().unwrap();
    let with: Vec<&Value> = tests.iter().map(|t| &t["options"]["with"]).collect();
    assert_eq!(with, [&serde_json::json!([]), &serde_json::json!([]), &serde_json::json!(["clumsy"])]);
}

#[test]
fn what_a_rule_loses_is_told() {
    let rule = "[decisions.place]\ndo = \"put neutral stone at to\"\n";
    let notes = |args: &[&str]| -> Vec<(String, String)> {
        let found = &json(args, 0)[0];
        let list = found["notes"].as_array().unwrap().iter();
        list.map(|d| (d["code"].as_str().unwrap().to_owned(), d["message"].as_str().unwrap().to_owned()))
            .collect()
    };
    let lost = |who: &str| {
        format!("{who} replaces `decisions.place.do`: `put own stone at to` is lost, which `do.then` keeps")
    };
    let path = tempfile("neutral.toml", format!("for = \"tic-tac-toe\"\n{rule}"));
    let found = notes(&["check", "tic-tac-toe", "--with", &path]);
    assert!(found.contains(&("replaces".to_owned(), lost(&path))), "{found:?}");
    assert!(fine(&["check", "tic-tac-toe", "--with", &path]).contains("`do.then`"));
    // A child is there to be another game.
    let path = tempfile("child.toml", format!("name = \"Child\"\nextends = \"tic-tac-toe\"\n{rule}"));
    let found = notes(&["check", &path]);
    assert!(found.contains(&("replaced-by-child".to_owned(), lost(&path))), "{found:?}");
    assert!(!fine(&["check", &path]).contains("`do.then`"));
    // What says the old rule too loses nothing.
    let more = "[decisions.place]\ndo = \"if to in corners then (remove to); put own stone at to\"\n";
    let path = tempfile("more.toml", format!("for = \"tic-tac-toe\"\n{more}"));
    let found = notes(&["check", "tic-tac-toe", "--with", &path]);
    assert!(!found.iter().any(|(code, _)| code == "replaces"), "{found:?}");
}

#[test]
fn tests_run_with_the_options_given() {
    let game = "tests/cli/seen.toml";
    let ran = run(&["test", game, "--with", "tests/cli/narrow.toml"]);
    assert_eq!(ran.code, 1);
    snapshot("tested-with", &ran.out);
    // What a test says of an option counts.
    let lines = json(&["test", game, "--with", "clumsy,unseen"], 0);
    let with: Vec<&Value> = lines.iter().map(|t| &t["options"]["with"]).collect();
    let list = |words: &[&str]| serde_json::json!(words);
    assert_eq!(with, [&list(&["clumsy", "unseen"]), &list(&["unseen"]), &list(&["unseen", "clumsy"])]);
    let lines = json(&["test", game, "--with", "tests/cli/narrow.toml"], 1);
    assert_eq!(lines[2]["skipped"], "option `narrow` conflicts with `clumsy`");
    assert!(fine(&["test", "knightcap", "--set", "scoring=simple"]).ends_with(" passed, 0 failed\n"));
    // `check` counts no more than it has time for, and says so; `test` counts all.
    let great = "for = \"tic-tac-toe\"\n[[tests]]\nname = \"great\"\nperft = [9, 72, 99999999]\n";
    let path = tempfile("great.toml", great);
    assert!(fine(&["check", "tic-tac-toe", "--with", &path]).contains("1 perft count left out"));
    assert_eq!(run(&["test", "tic-tac-toe", "--with", &path]).code, 1);
}

#[test]
fn a_file_that_fails_does_not_keep_others_from_being_looked_at() {
    let files = ["./none.toml", "tests/cli/wrong.toml", "tic-tac-toe"];
    let checked = json(&[&["check"], &files[..]].concat(), 1);
    let ok: Vec<bool> = checked.iter().map(|c| c["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [false, false, true]);
    assert_eq!((checked[1]["tests"].as_array().unwrap().len(), &checked[1]["untested"]), (0, &1.into()));
    let ran = run(&[&["test"], &files[..]].concat());
    assert!(
        ran.out.contains("FAILED  ./none.toml") && ran.out.contains("ok      tic-tac-toe"),
        "{}",
        ran.out
    );
}

/// The blocks of the README that show a session, and the files that they speak of.
#[test]
fn the_readme_says_what_check_and_test_print() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&folder).unwrap();
    let mut tried = 0;
    for block in readme.split("\n```").skip(1).step_by(2) {
        let (words, text) = block.split_once('\n').unwrap();
        let file = match words.split(' ').collect::<Vec<_>>()[..] {
            ["toml", "game", name] | ["toml", "extension", name] => Some(format!("{name}.toml")),
            _ => None,
        };
        if let Some(file) = file {
            std::fs::write(folder.join(file), text).unwrap();
        }
        for session in text.split("$ farrier ").skip(1).filter(|_| words == "console") {
            let (line, shown) = session.split_once('\n').unwrap_or((session, ""));
            if !line.starts_with("check ") && !line.starts_with("test ") {
                continue;
            }
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
            let output = command.current_dir(&folder).args(line.split(' ')).output().expect("it starts");
            let printed = String::from_utf8(output.stdout).expect("it prints text");
            assert_eq!(printed.trim_end(), shown.trim_end(), "farrier {line}");
            tried += 1;
        }
    }
    assert!(tried >= 3, "{tried}");
}

#[test]
fn extensions_take_part() {
    let extension = "tests/cli/wider.toml";
    let checked = json(&["check", "knights-and-pawns", "--with", extension], 0);
    assert_eq!(checked[0]["options"], 5);
    assert!(checked[0]["combinations"].as_u64().unwrap() > 12);
    let shown = fine(&["show", "knights-and-pawns", "--with", extension]);
    assert!(shown.contains("wider"), "{shown}");
    let record = fine(&["playout", "knights-and-pawns", "--record", "--with", extension]);
    let path = tempfile("extension.jsonl", &record);
    fine(&["replay", &path, "--with", extension]);
    let ran = run(&["replay", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("give its file with --with"), "{}", ran.out);
    assert_eq!(run(&["check", "chess", "--with", "no-path"]).code, 2);
    // An extension alone is tested with its game.
    let alone = tempfile("alone.toml", "for = \"tic-tac-toe\"\n[[tests]]\nname = \"own\"\ncount = 9\n");
    let told = fine(&["test", &alone]);
    assert!(told.contains(": own (with "), "{told}");
    assert!(told.lines().count() > 3, "the game's own tests run too: {told}");
}

/// A file for one test.
pub(crate) fn tempfile(name: &str, text: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn definitions_are_tested() {
    let out = fine(&["test", "chess"]);
    assert!(out.starts_with("ok      chess: perft\n"), "{out}");
    assert!(out.ends_with(" passed, 0 failed\n"), "{out}");
    let ran = run(&["test", "tests/cli/rare.toml", "tests/cli/wrong.toml"]);
    assert_eq!(ran.code, 1);
    snapshot("failed", &ran.out);
    let lines = json(&["test", "tests/cli/rare.toml"], 1);
    assert_eq!((&lines[0]["ok"], &lines[1]["ok"]), (&Value::from(true), &Value::from(false)));
}

#[test]
fn a_game_is_played() {
    let seats = ["--as", "black=human", "--as", "white=human"];
    let args = [&["play", "chess"][..], &seats].concat();
    let ran = typed(&args, "moves\nf2f3\ne7e5\ng2g5\ng2g4\nd8h4\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("`g2g5` is not legal; did you mean `g2g"), "{}", ran.out);
    assert!(ran.out.ends_with("black wins\n"), "{}", ran.out);
    let ran = typed(&args, "e2e4\nundo\nposition\nnonsense\nboard\nhelp\nquit\ne2e4\n");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("RNBQKBNR w KQkq - 0 1"), "{}", ran.out);
    assert!(ran.out.ends_with("white> quit\n"), "{}", ran.out);
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let ran = typed(&["play", "chess", "--as", "black=random", "--seed", "5"], "e2e4\nundo\nundo\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("black plays "), "{}", ran.out);
    assert!(ran.out.contains("there is no move of yours to take back"), "{}", ran.out);
    assert_eq!(run(&["play", "chess"]).code, 0);
}

#[test]
fn random_players_finish_a_game() {
    let random = ["play", "knightcap", "--as", "white=random,black=random", "--seed", "2"];
    let ran = run(&random);
    assert_eq!(ran.code, 0);
    let last = ran.out.lines().last().unwrap();
    assert!(last.contains("(white ") && last.contains("black "), "the scores are told: {last}");
    // No human: the game ends by itself, and a seed gives the same one again.
    assert_eq!(ran.out, run(&random).out);
    assert_eq!(run(&["play", "knightcap", "--as", "green=random"]).code, 2);
    assert_eq!(run(&["play", "knightcap", "--as", "white=robot"]).code, 2);
}

#[test]
fn moves_are_counted() {
    let out = fine(&["perft", "chess", "3"]);
    let nodes: Vec<&str> = out.lines().skip(1).map(|l| l.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(nodes, ["20", "400", "8,902"]);
    let counts = |args: &[&str]| -> Vec<u64> {
        let list = json(&[&["perft"][..], args].concat(), 0);
        list[0]["counts"].as_array().unwrap().iter().map(|c| c["nodes"].as_u64().unwrap()).collect()
    };
    assert_eq!(counts(&["chess", "3", "--made"]), [20, 400, 8902]);
    assert_eq!(counts(&["chess", "2", "--turns"]), [20, 400]);
    assert_eq!(counts(&["chess", "1", "--after", "e2e4,e7e5"]), [29]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(counts(&["chess", "2", "--position", kiwipete]), [48, 2039]);
    assert_eq!(counts(&["chess", "2", "--setup", kiwipete]), [48, 2039]);
    let divided = json(&["perft", "chess", "3", "--divide"], 0);
    assert_eq!(divided[0]["nodes"], 8902);
    assert_eq!(divided[0]["moves"].as_array().unwrap().len(), 20);
    assert!(fine(&["perft", "chess", "2", "--divide"]).ends_with("total  400  (20 moves)\n"));
    let ran = run(&["perft", "chess", "1", "--after", "e2e5"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("did you mean `e2e"), "{}", ran.err);
    assert_eq!(run(&["perft", "chess", "1", "--position", "nonsense"]).code, 1);
}

#[test]
fn playouts_are_the_same_again() {
    for name in ["chess", "knight-fight", "knights-and-pawns"] {
        let args = ["playout", name, "--record", "--count", "3", "--seed", "7"];
        let records = fine(&args);
        assert_eq!(records, fine(&args), "{name}");
        let second = fine(&["playout", name, "--record", "--seed", "8"]);
        assert!(records.contains(&second), "a game of many can be played alone");
        let path = tempfile(&format!("{name}.jsonl"), &records);
        let out = fine(&["replay", &path]);
        assert!(out.starts_with("3 records, "), "{out}");
    }
    let args = ["playout", "knightcap", "--count", "40"];
    let out = fine(&args);
    assert_eq!(out, fine(&args));
    assert!(out.starts_with("Knightcap: 40 random games\n"), "{out}");
    let sums = json(&args, 0);
    let results = sums[0]["results"].as_object().unwrap();
    assert_eq!(results.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 40);
}

#[test]
fn a_record_from_a_position_replays() {
    let position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let record = fine(&["playout", "chess", "--record", "--setup", position, "--most", "30"]);
    fine(&["replay", &tempfile("position.jsonl", &record)]);
}

#[test]
fn benches_tell_what_they_measured() {
    let found = json(&["bench", "tic-tac-toe", "knightshade", "--set", "base=7", "--seconds", "0.05"], 1);
    assert!(found[0]["diagnostics"][0]["message"].is_string(), "one option is not both games': {found:?}");
    let found = json(&["bench", "tic-tac-toe", "breakthrough", "--seconds", "0.05"], 0);
    assert_eq!(found.len(), 2);
    for (shown, name) in found.iter().zip(["tic-tac-toe", "breakthrough"]) {
        assert_eq!(shown["game"], name);
        let speeds = [
            &shown["perft_made"]["nodes_per_second"],
            &shown["perft_counted"]["nodes_per_second"],
            &shown["playouts"]["playouts_per_second"],
            &shown["playouts"]["plies_per_second"],
            &shown["yardstick"]["steps_per_second"],
        ];
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {shown}"));
        for speed in speeds {
            assert!(number(&speed["ratio"]) > 0.0 && number(&speed["processor_ratio"]) > 0.0);
        }
        for spread in speeds.iter().flat_map(|s| [&s["one"], &s["all"]]).chain([&shown["load_ms"]]) {
            let [low, middle, high] = ["lowest", "median", "highest"].map(|key| number(&spread[key]));
            assert!(0.0 < low && low <= middle && middle <= high, "{spread}");
        }
        assert!(number(&shown["position_bytes"]) >= 16.0);
        assert!(number(&shown["threads"]) >= 1.0);
        for share in ["one", "all"].map(|key| number(&shown["processor_share"][key])) {
            assert!(0.0 < share && share <= 1.0, "{shown}");
        }
        assert!(number(&shown["playouts"]["mean_length"]) > 5.0);
    }
    // The numbers of nodes are the game's, whatever the clock says.
    let found = &json(&["bench", "tic-tac-toe", "--seconds", "0.05", "--depth", "3"], 0)[0];
    for part in ["perft_made", "perft_counted"] {
        assert_eq!((&found[part]["depth"], &found[part]["nodes"]), (&3.into(), &504.into()));
    }
    assert_eq!(run(&["bench", "tic-tac-toe", "--seconds", "0"]).code, 2);
    assert_eq!(run(&["bench"]).code, 2);
}

#[test]
fn records_of_others_replay() {
    let files = traces();
    let args: Vec<&str> = ["replay"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let out = fine(&args);
    assert!(out.ends_with("all as recorded\n"), "{out}");
    assert_eq!(json(&args, 0).len(), files.len());
}

#[test]
fn the_first_difference_is_told() {
    let trace = std::fs::read_to_string("tests/traces/knightcap-101.jsonl").unwrap();
    let mut lines: Vec<&str> = trace.lines().collect();
    let wrong = lines[3].replace("\"legal\":", "\"legal\":1");
    lines[3] = &wrong;
    let path = tempfile("wrong.jsonl", lines.join("\n"));
    let ran = run(&["replay", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with(&format!("{path}:4: ply 3: the position has ")), "{}", ran.out);
    assert!(ran.out.ends_with("1 not as recorded\n"), "{}", ran.out);
    let missing: String =
        trace.lines().enumerate().filter(|(i, _)| *i != 5).map(|(_, l)| format!("{l}\n")).collect();
    let path = tempfile("missing.jsonl", missing);
    let ran = run(&["replay", &path]);
    assert!(
        ran.out.starts_with(&format!("{path}:6: ply 5: this is ply 5, the record says 6")),
        "{}",
        ran.out
    );
    let path = tempfile("broken.jsonl", format!("{trace}\n{{\"game\":\"knightcap\"}}\n{{\"ply\":"));
    let ran = run(&["replay", &path]);
    let line = trace.lines().count() + 3;
    assert!(ran.out.starts_with(&format!("{path}:{line}: ")), "{}", ran.out);
    assert_eq!(run(&["replay", "tests/traces/none.jsonl"]).code, 1);
}

#[test]
fn help_is_there() {
    for args in [&["help"][..], &["--help"], &["help", "play"], &["play", "--help"], &["--version"]] {
        assert!(!fine(args).is_empty());
    }
    assert!(fine(&["help", "language"]).starts_with("# "));
    // A part of the page, to the next heading as high.
    let betza = fine(&["help", "betza"]);
    assert!(betza.starts_with("### Betza's notation") && betza.contains("fmWfcFifmnD"));
    assert!(!betza.contains("## Pieces and traits") && !betza.contains("**Following.**"), "{betza}");
    assert!(fine(&["help", "effects"]).starts_with("## Effects"));
    let ran = run(&["help", "langage"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `language`?"), "{}", ran.err);
}

#[test]
fn exit_codes_tell_usage_from_input() {
    for args in [
        &["nonsense"][..],
        &["show"],
        &["perft", "chess"],
        &["perft", "chess", "0"],
        &["show", "chess", "--set", "nothing"],
        &["play", "chess", "--format", "json"],
    ] {
        assert_eq!(run(args).code, 2, "{args:?}");
    }
    for args in [
        &["show", "ches"][..],
        &["show", "./none.toml"],
        &["show", "./src/"],
        &["show", "chess", "--with", "none"],
        &["show", "chess", "--setup", "nonsense"],
        &["check", "none"],
        &["test", "none"],
    ] {
        let ran = run(args);
        assert_eq!(ran.code, 1, "{args:?}");
        assert!(!format!("{}{}", ran.out, ran.err).is_empty());
    }
    let ran = run(&["show", "ches"]);
    assert_eq!(ran.err, "error[file]: there is no game or file `ches`\nhelp: did you mean `chess`?\n\n");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let path = tempfile("bytes.toml", b"name = \"x\"\n\xff\xfe");
    let ran = run(&["show", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("it is no UTF-8 text (line 2)"), "{}", ran.err);
    let path = tempfile("large.toml", "#".repeat((1 << 20) + 1));
    let ran = run(&["show", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("larger than 1 MiB"), "{}", ran.err);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let text = std::fs::read_to_string("tests/cli/rare.toml").unwrap();
    let text =
        text.replace("\"Rare\"", "\"Ra\\u001b[31mre\"").replace("\"four sites\"", "\"four\\u001b[2J\"");
    let path = tempfile("control.toml", text);
    for command in ["show", "describe", "test", "check", "playout"] {
        let ran = run(&[command, &path]);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{command}: {}", ran.out);
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_mistake() {
    use std::process::{Command, Stdio};
    let program = assert_cmd::cargo::cargo_bin!("farrier");
    let mut child = Command::new(program)
        .args(["playout", "chess", "--record", "--count", "200"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
