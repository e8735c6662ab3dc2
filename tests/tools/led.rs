//! Games that are led by people: sides that are swapped, and clocks.
#![cfg(feature = "cli")]

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use farrier::analysis::replay;
use farrier::notation::record::{Lost, Record};
use farrier::play::Outcome;
use farrier::session::{Reason, Session, TimeControl};
use farrier::shipped::Shipped;
use farrier::variant::Variant;

fn session(variant: &str, clock: &str) -> Session {
    let game = variant.parse::<Variant>().unwrap().open(&Shipped).unwrap();
    let mut session = Session::new(game, None, 1).unwrap();
    session.set_clock(TimeControl::parse(clock).unwrap());
    session
}

fn left(session: &Session) -> Vec<u128> {
    (0..2).map(|person| session.time_left(person).unwrap().as_millis()).collect()
}

/// A record that was written and read, resumed.
fn again(session: &mut Session) -> Session {
    let record = Record::read(&session.record().write()).unwrap();
    assert_eq!(replay::verify(session.game(), &record), Ok(record.plies.len() as u32));
    let mut resumed = Session::resume(session.game().clone(), &record).unwrap();
    assert_eq!(resumed.record(), record);
    resumed
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn time_passes_for_who_is_to_decide() {
    let mut session = session("tic-tac-toe", "1m+2s");
    assert!(!session.pass_time(seconds(4)) && !session.pass_time(seconds(6)));
    assert_eq!(left(&session), [50_000, 60_000]);
    session.play_text("a1").unwrap();
    assert_eq!(left(&session), [52_000, 60_000]);
    session.pass_time(seconds(30));
    session.play_text("b1").unwrap();
    session.pass_time(seconds(1));
    assert_eq!(left(&session), [51_000, 32_000]);
    // What the ply at hand has taken stands in no record.
    assert_eq!(left(&again(&mut session)), [52_000, 32_000]);
    // No ply leaves more than there was.
    for (time, fits) in [("62000", true), ("62001", false)] {
        let text = session.record().write().replace(":52000", &format!(":{time}"));
        let resumed = Session::resume(session.game().clone(), &Record::read(&text).unwrap());
        let said = resumed.err().map(|error| error.to_string());
        let wrong = "move 1 leaves more time on the clock than there was".to_owned();
        assert_eq!(said, (!fits).then_some(wrong), "{text}");
    }
    // Time goes back with the moves, and on with them.
    session.undo();
    assert_eq!(left(&session), [52_000, 60_000]);
    session.undo();
    assert_eq!(left(&session), [60_000, 60_000]);
    session.redo();
    session.redo();
    assert_eq!(left(&session), [52_000, 32_000]);
    // Who has no time left has lost; taken back, it is the same ply again.
    assert!(!session.pass_time(seconds(51)) && session.pass_time(seconds(1)));
    let game = session.game().clone();
    assert_eq!(session.outcome(), Some(Outcome::Win(farrier::ids::Player(1))));
    assert_eq!(session.reason(), Some(Reason::Lost(farrier::ids::Player(0), Lost::Late)));
    assert!(session.is_over() && !session.pass_time(seconds(100)));
    let mut resumed = again(&mut session);
    assert_eq!(game.outcome_name(resumed.outcome()), "o");
    session.undo();
    assert_eq!(left(&session), [52_000, 32_000]);
    session.play_text("a2").unwrap();
    assert_eq!(left(&again(&mut session)), [54_000, 32_000]);
}

/// Each turn adds to the clock, not each of its plies; and clocks are the persons', not the players'.
#[test]
fn turns_are_paid_for_by_persons() {
    let mut session = session("amazons", "1m+5s");
    session.pass_time(seconds(10));
    session.play_text("d1d7").unwrap();
    assert_eq!(left(&session), [50_000, 60_000]);
    session.pass_time(seconds(10));
    session.play_text("d6").unwrap();
    assert_eq!(left(&session), [45_000, 60_000]);
    let mut swapped = self::session("hex:size=3+pie-rule", "1m");
    swapped.play_text("a3").unwrap();
    swapped.pass_time(seconds(7));
    swapped.play_text("swap").unwrap();
    // The second person has the first player's stones now, and the first person is to decide for the second player.
    swapped.pass_time(seconds(9));
    assert_eq!((swapped.person(), swapped.moves().mover().index()), (0, 1));
    assert_eq!(left(&swapped), [51_000, 53_000]);
    swapped.play_text("b2").unwrap();
    assert_eq!(left(&again(&mut swapped)), [51_000, 53_000]);
    assert!(swapped.pass_time(seconds(53)));
    assert_eq!(swapped.reason(), Some(Reason::Lost(farrier::ids::Player(0), Lost::Late)));
}

/// Without a word from the one at the terminal the game ends when the time does.
#[test]
fn silence_loses_on_time() {
    let file = std::env::temp_dir().join(format!("farrier-silence-{}.jsonl", std::process::id()));
    let name = file.to_str().unwrap();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .args(["play", "tic-tac-toe", "--as", "x=human,o=human", "--clock", "200ms", "--record", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Its input stays open and says nothing.
    let input = child.stdin.take();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(child.wait().unwrap().success());
    drop(input);
    assert!(out.contains("x 0:00.2> \n"), "{out}");
    assert!(out.ends_with("x had no time left\no wins\n"), "{out}");
    let record = std::fs::read_to_string(&file).unwrap();
    assert!(record.contains(r#""clock":"200ms""#), "{record}");
    assert!(record.ends_with("{\"result\":\"o\",\"reason\":\"time\",\"late\":\"x\"}\n"), "{record}");
    for (command, said) in [("replay", "all as recorded\n"), ("export", "x had no time left\no wins\n")] {
        let output =
            Command::new(assert_cmd::cargo::cargo_bin!("farrier")).args([command, name]).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && out.ends_with(said), "{out}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// Other programs read the clock in PGN.
#[test]
fn clocks_are_exported() {
    let file = std::env::temp_dir().join(format!("farrier-clocks-{}.jsonl", std::process::id()));
    let mut session = session("chess", "1h+1s");
    session.pass_time(seconds(61));
    session.play_text("e2e4").unwrap();
    session.pass_time(seconds(3600));
    std::fs::write(&file, session.record().write()).unwrap();
    let out = typed(&["export", file.to_str().unwrap()], "");
    std::fs::remove_file(&file).unwrap();
    assert!(out.contains("[TimeControl \"3600+1\"]\n[Termination \"time forfeit\"]\n"), "{out}");
    assert!(out.ends_with("1. e2e4 {[%clk 0:59:00]} 1-0\n"), "{out}");
}

fn typed(args: &[&str], input: &str) -> String {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("farrier"));
    let output = command.args(args).write_stdin(input).timeout(seconds(60)).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// After `swap sides` the person goes on with the other pieces, and an agent in the other seat with these.
#[test]
fn who_swaps_sides_plays_on() {
    let hex = [
        "play",
        "hex",
        "--set",
        "size=3",
        "--with",
        "pie-rule",
        "--as",
        "red=random,blue=human",
        "--seed",
        "3",
    ];
    let out = typed(&hex, "swap\nb2\nquit\n");
    assert!(out.contains("\nred is you, blue is random now\n"), "{out}");
    assert_eq!(out.matches("\nblue plays ").count(), 2, "{out}");
    assert!(out.contains("\nred> b2\n"), "{out}");
}

/// An agent keeps to the clock, too, whatever its own budget is.
#[test]
fn agents_play_by_the_clock() {
    let seats = ["--as", "x=mcts:60s,o=human", "--clock", "3s"];
    let out = typed(&[&["play", "tic-tac-toe"][..], &seats].concat(), "quit\n");
    assert!(out.contains("x plays ") && !out.contains("no time left"), "{out}");
}

/// A resignation is taken back and made again like a move.
#[test]
fn a_game_is_lost_again_as_it_was() {
    let mut session = session("tic-tac-toe", "1m");
    session.play_text("a1").unwrap();
    assert!(session.resign(farrier::ids::Player(1)));
    assert!(session.undo() && !session.is_over() && session.undo() && !session.undo());
    assert!(session.redo() && !session.is_over() && session.redo() && !session.redo());
    assert_eq!(session.reason(), Some(Reason::Lost(farrier::ids::Player(1), Lost::Resigned)));
    // Another move makes another game.
    session.undo();
    session.play_text("b2").unwrap();
    assert!(!session.redo() && !session.is_over());
}

/// The time of a turn is for all of its plies.
#[test]
fn a_turn_of_several_plies_shares_its_time() {
    let time = |session: &Session| session.question().unwrap().time().unwrap();
    let mut chess = session("chess", "1m+4s");
    assert_eq!(time(&chess), seconds(5));
    chess.play_text("e2e4").unwrap();
    chess.play_text("e7e5").unwrap();
    assert_eq!(time(&chess), seconds(3) + seconds(64) / 30);
    let mut amazons = session("amazons", "1m+4s");
    for text in ["d1d7", "d6"] {
        amazons.play_text(text).unwrap();
    }
    assert_eq!(time(&amazons), seconds(5) / 2);
}

/// The last move is marked by the sites that it chooses, wherever they stand in its text.
#[test]
fn the_sites_of_a_capture_are_chosen() {
    let mut session = session("nine-mens-morris", "1m");
    for text in ["a7", "b6", "d7", "b4", "g7", "xb6"] {
        session.play_text(text).unwrap();
    }
    let taken = *session.played().last().unwrap();
    let board = &session.game().rules.board;
    assert_eq!(farrier::drawing::chosen(session.game(), taken), [board.site("b6").unwrap()]);
}
