//! Games are recorded while they are played, gone on with, stepped through and exported.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{fine, run, typed};

/// A path at which there is no file.
fn fresh(name: &str) -> (PathBuf, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    (path.clone(), path.to_string_lossy().into_owned())
}

const BOTH: &str = "white=human,black=human";

#[test]
fn a_game_is_recorded_and_gone_on_with() {
    let (path, file) = fresh("recorded.jsonl");
    let ran = typed(&["play", "chess", "--as", BOTH, "--record", &file], "e2e4\nE7E5\ng1f3\nundo\nb1c3\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = std::fs::read_to_string(&path).unwrap();
    let moves: Vec<&str> = text.lines().filter_map(|l| l.split("\"move\":\"").nth(1)).collect();
    assert_eq!(moves, ["e2e4\"}", "e7e5\"}", "b1c3\"}"]);
    assert!(fine(&["replay", &file]).contains("3 plies verified"));
    // A file with a game in it is not written over.
    assert_eq!(run(&["play", "chess", "--record", &file]).code, 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let ran = typed(&["play", "--resume", &file], "g8f6\nredo\nresign\n");
    assert!(ran.out.contains("white resigned") && ran.out.ends_with("black wins\n"), "{}", ran.out);
    assert!(ran.out.contains("there is no move to make again"), "{}", ran.out);
    let text = std::fs::read_to_string(&path).unwrap();
    let last = "{\"result\":\"black\",\"reason\":\"resigned\",\"resigned\":\"white\"}";
    assert_eq!(text.lines().last(), Some(last));
    fine(&["replay", &file]);
    let wrong = text.replace("\"result\":\"black\"", "\"result\":\"white\"");
    std::fs::write(&path, wrong).unwrap();
    let ran = run(&["replay", &file]);
    assert!(ran.code == 1 && ran.out.ends_with("verified: 1 not as recorded\n"), "{}", ran.out);
    // A file that is not there is no record, and is not made.
    let (path, file) = fresh("nowhere.jsonl");
    let ran = run(&["replay", &file]);
    assert!(
        ran.code == 1 && ran.out.ends_with("0 records, 0 plies verified: 1 file not read\n"),
        "{}",
        ran.out
    );
    assert_eq!(run(&["play", "--resume", &file]).code, 1);
    assert!(!path.exists());
}

#[test]
fn a_torn_line_is_left_out() {
    let (path, file) = fresh("torn.jsonl");
    typed(&["play", "chess", "--as", BOTH, "--record", &file], "e2e4\ne7e5\n");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{{\"ply\":3,\"by\":\"whi")).unwrap();
    let ran = typed(&["play", "--resume", &file], "g1f3\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(fine(&["replay", &file]).contains("3 plies verified"));
    // A line that only has no end is whole.
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, whole.trim_end()).unwrap();
    let ran = typed(&["play", "--resume", &file], "undo\ng1h3\nb8c6\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(fine(&["replay", &file]).contains("4 plies verified"));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 5);
}

/// A process that is killed after the last ply has not said yet how the game ended.
#[test]
fn a_result_that_was_lost_is_found_again() {
    let (path, file) = fresh("resultless.jsonl");
    typed(&["play", "tic-tac-toe", "--as", "x=human,o=human", "--record", &file], "a1\nb1\na2\nb2\na3\n");
    let whole = std::fs::read_to_string(&path).unwrap();
    let (plies, result) = whole.trim_end().rsplit_once('\n').unwrap();
    assert!(result.starts_with("{\"result\":\"x\""), "{whole}");
    std::fs::write(&path, format!("{plies}\n")).unwrap();
    assert!(fine(&["replay", &file]).contains("5 plies verified"));
    let ran = typed(&["play", "--resume", &file], "");
    assert!(ran.code == 0 && ran.out.contains("x wins"), "{}{}", ran.out, ran.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    // What is said of the result must be right.
    std::fs::write(&path, format!("{plies}\n{{\"result\":\"unfinished\"}}\n")).unwrap();
    assert_eq!(run(&["replay", &file]).code, 1);
}

/// All commands that read records refuse the same, and say in which line it stands.
#[test]
fn what_no_record_has_is_refused() {
    let (path, file) = fresh("refused.jsonl");
    let seats = ["--as", "x=human,o=human", "--clock", "5m"];
    typed(&[&["play", "tic-tac-toe"], &seats[..], &["--record", &file]].concat(), "a1\nb1\na2\nb2\na3\n");
    let whole = std::fs::read_to_string(&path).unwrap();
    let (before, first) = whole.split_once("\"clock\":2").unwrap();
    let (_, after) = first.split_once('}').unwrap();
    let behind = "the record has ended: its result stands above this line";
    for (text, line, message) in [
        (format!("{whole}{{\"result\":\"o\"}}\n"), Some(8), behind),
        (format!("{whole}\n{{}}\n"), None, behind),
        (format!("{whole}{whole}{{\"ply\":6}}\n"), Some(15), behind),
        (whole.replace("5m", "0s"), None, "`0s` is no clock"),
        (
            format!("{before}\"clock\":300001}}{after}"),
            None,
            "move 1 leaves more time on the clock than there was",
        ),
    ] {
        std::fs::write(&path, &text).unwrap();
        for args in [&["replay", &file][..], &["export", &file], &["play", "--resume", &file]] {
            let ran = run(args);
            let said = ran.out + &ran.err;
            assert!(ran.code == 1 && said.contains(message), "{args:?}: {said}");
            let place = line.is_none_or(|line| {
                said.contains(&format!(":{line}: ")) || said.contains(&format!("line {line}: "))
            });
            assert!(place, "{args:?}: {said}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // Several games in a file, and the mark that some editors begin a text with, are fine.
    std::fs::write(&path, format!("\u{feff}{whole}\n{whole}")).unwrap();
    assert!(fine(&["replay", &file]).contains("2 records, 10 plies verified"));
    fine(&["export", &file]);
    fine(&["play", "--resume", &file]);
}

#[test]
fn blank_lines_are_no_part_of_a_record() {
    let (path, file) = fresh("blank.jsonl");
    typed(&["play", "chess", "--as", BOTH, "--record", &file], "e2e4\nresign\n");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{}\n\n", whole.replace("\"result\":", "\"result\": "))).unwrap();
    assert!(fine(&["replay", &file]).contains("1 ply verified"));
    let ran = typed(&["play", "--resume", &file], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(fine(&["replay", &file]).contains("1 ply verified: all as recorded"));
}

#[test]
fn who_goes_on_with_a_game_stands_in_its_record() {
    let (path, file) = fresh("others.jsonl");
    typed(&["play", "chess", "--as", BOTH, "--record", &file], "e2e4\n");
    let before = std::fs::read_to_string(&path).unwrap();
    let ran = typed(&["play", "--resume", &file, "--as", "white=human,black=random"], "\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The game as it was stays, for nothing is lost.
    let text = std::fs::read_to_string(&path).unwrap();
    let more = text.strip_prefix(&before).unwrap();
    assert!(more.contains("\"black\":\"random\"") && more.lines().count() == 3, "{text}");
    assert!(fine(&["replay", &file]).contains("2 records, 3 plies verified"));
    // Gone on with by the same, it is the same record.
    typed(&["play", "--resume", &file], "a2a3\n");
    assert!(fine(&["replay", &file]).starts_with("2 records, "));
}

#[test]
fn time_that_is_over_stands_in_the_record() {
    let (path, file) = fresh("late.jsonl");
    let (mine, name) = fresh("untrained.toml");
    std::fs::copy("games/amazons.toml", mine).unwrap();
    // A hint takes more time than there is.
    let ran = typed(&["play", &name, "--as", BOTH, "--clock", "40ms", "--record", &file], "hint\n");
    assert!(ran.out.contains("white had no time left"), "{}", ran.out);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("{\"result\":\"black\",\"reason\":\"time\",\"late\":\"white\"}\n"), "{text}");
}

#[test]
fn moves_are_exported_as_what_they_do() {
    let pgn = |name: &str, args: &[&str], moves: &str| {
        let (_, file) = fresh(name);
        typed(&[&["play"], args, &["--as", BOTH, "--record", &file]].concat(), moves);
        let text = fine(&["export", &file]);
        text.split("\n\n").nth(1).unwrap_or_default().trim_end().replace('\n', " ")
    };
    let setup = "r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1";
    let castled = pgn("rooks.jsonl", &["chess960", "--setup", setup], "e1h1\ne8a8\n");
    assert_eq!(castled, "1. O-O O-O-O *");
    let sideways = pgn("sideways.jsonl", &["knight-relay-chess"], "a2a3\na7a6\nd2f3\n");
    assert_eq!(sideways, "1. a2a3 a7a6 2. d2f3 *");
    let passing = pgn("passing.jsonl", &["chess"], "e2e4\na7a6\ne4e5\nd7d5\ne5d6\n");
    assert_eq!(passing, "1. e2e4 a7a6 2. e4e5 d7d5 3. e5xd6 *");
    let dropped = pgn("dropped.jsonl", &["pocket-knight"], "e2e4\nd6\n");
    assert_eq!(dropped, "1. e2e4 N@d6 *");
    // The rules know the result of a game that was cut off before it was written.
    let (path, file) = fresh("mate.jsonl");
    typed(
        &["play", "chess", "--as", BOTH, "--clock", "1m+500ms", "--record", &file],
        "f2f3\ne7e5\ng2g4\nd8h4\n",
    );
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.split("{\"result\"").next().unwrap()).unwrap();
    let pgn = fine(&["export", &file]);
    assert!(pgn.contains("[Result \"0-1\"]") && pgn.contains("[TimeControl \"60+0.5\"]"), "{pgn}");
    // After a swap others play for the two colours.
    let (_, swapped) = fresh("swapped.jsonl");
    let seats = ["--as", "red=random,blue=human", "--record", &swapped];
    typed(&[&["play", "hex", "--set", "size=3"], &seats[..]].concat(), "swap\nresign\n");
    let list = fine(&["export", &swapped]);
    assert!(list.contains("\nred is human now\nblue is random now\nred resigned\n"), "{list}");
    // A turn is of who makes it, a throw of nobody.
    let record = fine(&["playout", "backgammon", "--record"]);
    std::fs::write(&path, record).unwrap();
    let list = fine(&["export", &file]);
    assert!(!list.contains(". chance "), "{list}");
}

#[test]
fn games_of_a_match_follow_each_other() {
    let (_, file) = fresh("match.jsonl");
    let setup = ["--setup", "8/8/8/8/2*n1*n3/1*n6/8/8 white"];
    let args = [&["play", "knightcap", "--as", BOTH, "--record", &file][..], &setup].concat();
    let ran = typed(&args, "b3d4\nd4f5\nnext\nd4\n");
    assert!(ran.out.contains("match, 1 game: white "), "{}", ran.out);
    assert!(ran.out.contains("the next game begins: first = black"), "{}", ran.out);
    assert!(fine(&["replay", &file]).contains("2 records"), "{}", ran.out);
    let ran = typed(&["play", "--resume", &file], "");
    assert!(ran.out.contains("black> "), "{}", ran.out);
}

#[test]
fn a_record_is_stepped_through_and_exported() {
    let (_, file) = fresh("stepped.jsonl");
    typed(&["play", "chess", "--as", BOTH, "--record", &file], "f2f3\ne7e5\ng2g4\nd8h4\n");
    let steps = fine(&["replay", &file, "--step"]);
    assert_eq!(steps.matches("   a b c d e f g h\n").count(), 10, "{steps}");
    assert!(steps.contains("4. black plays d8h4\n") && steps.ends_with("black wins\n"), "{steps}");
    let pgn = fine(&["export", &file]);
    assert!(pgn.ends_with("\n1. f2f3 e7e5 2. g2g4 Qd8h4 0-1\n"), "{pgn}");
    assert!(pgn.contains("[White \"human\"]"), "{pgn}");
    let list = fine(&["export", &file, "--as", "text"]);
    assert!(list.contains("   4. black      d8h4\n"), "{list}");
    let (_, file) = fresh("castled.jsonl");
    let setup = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    typed(&["play", "chess", "--as", BOTH, "--setup", setup, "--record", &file], "e1g1\nh8h1\nA8A1\n");
    let pgn = fine(&["export", &file]);
    assert!(pgn.contains(&format!("[FEN \"{setup}\"]")) && pgn.contains("1. O-O"), "{pgn}");
    // What a seed dealt is told by both forms.
    let (_, file) = fresh("dealt.jsonl");
    typed(&["play", "chess960", "--as", BOTH, "--seed", "7", "--record", &file], "e2e4\n");
    let pgn = fine(&["export", &file]);
    assert!(pgn.contains("[FEN \"rbbqnnkr/pppppppp/8/8/8/8/PPPPPPPP/RBBQNNKR w AHah - 0 1\"]"), "{pgn}");
    assert!(fine(&["export", &file, "--as", "text"]).contains("dealt by seed 7\n"));
    let record = fine(&["playout", "hex", "--record", "--set", "size=5"]);
    let (path, file) = fresh("hex.jsonl");
    std::fs::write(path, record).unwrap();
    assert!(fine(&["export", &file]).starts_with("Hex\noption size = 5\n"));
    assert_eq!(run(&["export", &file, "--as", "pgn"]).code, 1);
}

/// Plays are killed at any moment; what was recorded can always be read, and the game goes on from there.
#[cfg(unix)]
fn killed(times: u64) {
    let (path, file) = fresh("killed.jsonl");
    let program = assert_cmd::cargo::cargo_bin!("farrier");
    let seats = "white=random,black=random";
    let plies = |text: &str| text.lines().filter(|l| l.contains("\"ply\"")).count();
    let (mut most, mut ended) = (0, 0);
    for round in 0..times {
        let there = std::fs::metadata(&path).is_ok_and(|m| m.len() > 0);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let args: &[&str] = match there {
            true => &["play", "--resume", &file],
            false => &["play", "chess", "--as", seats, "--record", &file],
        };
        let mut child =
            Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Some are killed while they begin, most after some plies.
        let length = || std::fs::metadata(&path).map_or(0, |m| m.len() as usize);
        let until =
            std::time::Instant::now() + std::time::Duration::from_secs(if round % 8 == 7 { 0 } else { 10 });
        while length() <= before.len() + 300 && std::time::Instant::now() < until {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        std::thread::sleep(std::time::Duration::from_millis(round * 37 % 20));
        // SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        // The ply that was being written may be torn: the next round leaves it out.
        let whole = |text: &str| text.rfind('\n').map_or(0, |end| end + 1);
        assert!(text.starts_with(&before[..whole(&before)]), "nothing that was written is lost");
        most = most.max(plies(&text));
        if whole(&text) == text.len() && !text.is_empty() {
            assert!(fine(&["replay", &file]).contains("all as recorded"));
        }
        if text.contains("\"result\"") {
            ended += 1;
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(most > 0, "some plies were played");
    println!("{times} kills, at most {most} plies, {ended} games ended");
}

#[cfg(unix)]
#[test]
fn a_game_that_is_killed_is_not_lost() {
    killed(8);
}

#[cfg(unix)]
#[test]
#[ignore = "a minute"]
fn a_game_that_is_killed_often_is_not_lost() {
    killed(150);
}
