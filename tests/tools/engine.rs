//! `farrier engine`, spoken to line by line, and `farrier match`.
#![cfg(feature = "cli")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A running engine.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn start(args: &[&str]) -> Talk {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("engine")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Talk { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    /// All lines up to one that begins so.
    fn hear(&self, begin: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("no `{begin}` after {heard:?}"));
            let last = line.starts_with(begin);
            heard.push(line);
            if last {
                return heard;
            }
        }
    }

    fn answer(&mut self, text: &str, begin: &str) -> String {
        self.say(text);
        self.hear(begin).pop().unwrap()
    }

    /// Whether it ends by itself.
    fn ends(mut self) -> bool {
        self.input = None;
        for _ in 0..2000 {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        false
    }
}

/// What is printed for an input, times left out.
fn said(args: &[&str], input: &str) -> String {
    let mut talk = Talk::start(args);
    talk.say(input);
    talk.input = None;
    let mut out = String::new();
    while let Ok(line) = talk.lines.recv_timeout(Duration::from_secs(60)) {
        let mut words = line.split(' ');
        let mut shown = Vec::new();
        while let Some(word) = words.next() {
            shown.push(word);
            if matches!(word, "time" | "nps") && words.next().is_some() {
                shown.push("_");
            }
        }
        out += &(shown.join(" ") + "\n");
    }
    assert!(talk.ends());
    out
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn a_dialogue_of_uci() {
    let input = "\
uci
isready
setoption name MultiPV value 2
setoption name Hash value 16
setoption name Threads value 2
setoption name Threads value many
setoption name size value 5
setoption name size value 99
setoption name sice value 5
setoption name Level value 2
setoption name Level value 11
setoption name Level value 0
setoption name Agent value best
setoption name Agent value random
ucinewgame
isready
query fen
position startpos moves a2a3 b4b3
query p1turn
go nodes 10 searchmoves x
position startpos moves a2a3 a2a3
go
position fen nonsense
position
go wtime 10
position startpos
go movetime 1
";
    let out = said(&["breakthrough", "--agent", "flat:4", "--seed", "7"], input);
    // Which moves are played is not the matter here.
    let shown = |line: &str| match line.starts_with("bestmove ") && line != "bestmove (none)" {
        true => "bestmove MOVE\n".to_owned(),
        false => format!("{line}\n"),
    };
    snapshot("engine-uci", &out.lines().map(shown).collect::<String>());
}

#[test]
fn a_dialogue_of_ugi() {
    let input = "\
ugi
isready
uginewgame
position startpos moves a1 b1 a2 b2
query gameover
query result
query p1turn
go nodes 900
position startpos moves a1 b1 a2 b2 a3
query gameover
query result
query p1turn
query nothing
go nodes 10
query fen
nonsense
";
    snapshot("engine-ugi", &said(&["tic-tac-toe", "--agent", "flat:4"], input));
}

/// What may be claimed is not claimed for the client: it may go on after the third repetition, and after fifty moves.
#[test]
fn a_client_may_go_on_where_a_draw_could_be_claimed() {
    let knights = "g1f3 g8f6 f3g1 f6g8 ".repeat(2);
    let fifty = "fen 6k1/8/8/8/8/8/8/R5K1 w - - 100 80";
    for agent in ["alphabeta", "mcts", "ubfm"] {
        let mut talk = Talk::start(&["chess", "--agent", agent, "--seed", "3"]);
        for (place, turn) in [
            (format!("startpos moves {knights}"), "w"),
            (format!("startpos moves {knights} g1f3"), "b"),
            (format!("startpos moves {knights} g1f3 e7e5"), "w"),
            (fifty.to_owned(), "w"),
            (format!("{fifty} moves a1b1"), "b"),
        ] {
            talk.say(&format!("position {place}"));
            let best = talk.answer("go nodes 50", "bestmove");
            let fen = talk.answer("query fen", "response");
            assert!(fen.contains(&format!(" {turn} ")), "{agent}, {place}: {fen}");
            talk.say(&format!(
                "position {place}{} {}",
                if place.contains("moves") { "" } else { " moves" },
                best[9..].trim()
            ));
            let next = talk.answer("query fen", "response");
            assert!(
                next.starts_with("response ") && next != fen && next != "response none",
                "{agent}, {place}: {best}"
            );
        }
        // Where perft does not pass over the end, all is over.
        talk.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(talk.answer("go nodes 50", "bestmove"), "bestmove (none)");
        assert!(talk.ends());
    }
    // Neither is there anything to claim where the repetition loses.
    let text = "name = \"Strict\"\nextends = \"chess\"\n[end.repetition]\nresult = \"mover loses\"\n";
    let mut talk = Talk::start(&[&crate::cli::tempfile("strict.toml", text), "--agent", "random"]);
    talk.say(&format!("position startpos moves {knights}"));
    assert_eq!(talk.answer("go", "bestmove"), "bestmove (none)");
    assert!(talk.answer("query result", "response").ends_with("win"));
    assert!(talk.ends());
}

#[test]
fn it_answers_while_it_thinks() {
    let mut talk = Talk::start(&["chess", "--agent", "flat:1s"]);
    talk.answer("uci", "uciok");
    talk.answer("isready", "readyok");
    talk.say("position startpos moves e2e4");
    talk.say("go infinite");
    assert_eq!(talk.answer("isready", "readyok"), "readyok");
    let refused = talk.answer("go nodes 3", "info string");
    assert!(refused.contains("say `stop` first"), "{refused}");
    assert!(talk.answer("stop", "bestmove").len() >= "bestmove e7e5".len());
    // A random agent has chosen at once; with `infinite` its move is held back.
    talk.say("setoption name Agent value random");
    talk.say("go infinite");
    talk.answer("isready", "readyok");
    std::thread::sleep(Duration::from_millis(100));
    assert!(talk.lines.try_recv().is_err());
    talk.answer("stop", "bestmove");
    // It does not ponder: an answer that was thought of ahead is given when it is wanted.
    talk.say("go ponder wtime 1000 btime 1000");
    talk.answer("isready", "readyok");
    std::thread::sleep(Duration::from_millis(50));
    assert!(talk.lines.try_recv().is_err());
    talk.answer("ponderhit", "bestmove");
    talk.say("setoption name Agent value flat:1s");
    talk.say("go infinite");
    talk.say("quit");
    assert!(talk.ends());
}

/// A level is held back whatever time there is, and whichever option is set first.
#[test]
fn a_level_is_an_option() {
    let mut talk = Talk::start(&["breakthrough", "--agent", "alphabeta:5s"]);
    let mut nodes = |options: &[&str]| -> u64 {
        options.iter().for_each(|option| talk.say(&format!("setoption name {option}")));
        talk.say("ucinewgame\nisready\nposition startpos\ngo nodes 5000");
        let heard = talk.hear("bestmove");
        let info = heard.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
        let mut words = info.split(' ').skip_while(|word| *word != "nodes");
        words.nth(1).unwrap().parse().unwrap()
    };
    let two = nodes(&["Level value 2", "Agent value auto:1s"]);
    let four = nodes(&["Level value 4"]);
    let none = nodes(&["Level value 0"]);
    assert!(two <= 128 && 128 < four && four <= 2048 && 2048 < none, "{two}, {four}, {none}");
    // However much time there is.
    talk.say("setoption name Level value 1\nposition startpos\ngo movetime 60000");
    talk.hear("bestmove");
    assert!(talk.ends());
}

#[test]
fn it_keeps_to_its_time() {
    let mut talk = Talk::start(&["tic-tac-toe", "--agent", "flat:1s"]);
    talk.answer("isready", "readyok");
    for (go, most) in
        [("go movetime 300", 300), ("go wtime 6000 btime 1 winc 0", 200), ("go btime 9 wtime 0", 0)]
    {
        talk.answer("position startpos\nisready", "readyok");
        let begun = Instant::now();
        talk.answer(go, "bestmove");
        // The machine may be busy with other tests: half a second is theirs.
        assert!(begun.elapsed() < Duration::from_millis(most + 500), "{go}: {:?}", begun.elapsed());
    }
    assert!(talk.ends());
}

/// An agent that does not come back in time is answered for with what it has told.
#[cfg(unix)]
#[test]
fn it_answers_for_an_agent_that_is_late() {
    let mut talk = Talk::start(&["tic-tac-toe", "--agent", "engine:9:sh tests/tools/engines/fake.sh stall"]);
    talk.answer("isready", "readyok");
    let begun = Instant::now();
    assert_eq!(talk.answer("go movetime 1000", "bestmove"), "bestmove b2");
    assert!(begun.elapsed() < Duration::from_millis(2500), "{:?}", begun.elapsed());
    assert!(talk.ends());
}

/// An agent takes as much memory as there is, and a command that cannot do with less says so.
#[cfg(target_os = "linux")]
#[test]
fn less_memory_than_is_asked_for_is_enough() {
    let with_little = |args: &str, input: &str| {
        let limited = format!("ulimit -v 4000000; exec \"$0\" {args}");
        let mut command = assert_cmd::Command::new("sh");
        command.arg("-c").arg(limited).arg(assert_cmd::cargo::cargo_bin!("farrier")).write_stdin(input);
        let output = command.timeout(Duration::from_secs(60)).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr))
    };
    for agent in ["alphabeta", "mcts", "rave", "ubfm"] {
        let input = "setoption name Hash value 65536\nisready\ngo movetime 50\n";
        let (out, err) = with_little(&format!("engine breakthrough --agent {agent}"), input);
        let last = out.lines().last().unwrap_or_default();
        assert!(last.starts_with("bestmove ") && last != "bestmove (none)", "{agent}: {out}{err}");
        assert_eq!(err, "", "{agent}");
    }
    let (_, err) = with_little("solve tic-tac-toe --memory 100000", "");
    assert_eq!(err, "error: there is no memory of 100000 MB\nhelp: give less with `--memory`\n");
}

#[test]
fn nothing_breaks_it() {
    let mut talk = Talk::start(&["connect-four", "--agent", "flat:1"]);
    talk.say(&"x".repeat(3 << 20));
    talk.hear("info string a line of more than a megabyte");
    for line in [
        "position",
        "position fen",
        "position fen  moves",
        "position startpos moves moves",
        "go depth -4 nodes x",
        "setoption",
        "setoption name",
        "setoption name  value",
        "setoption name MultiPV value x",
        "query",
        "go p0time 3",
        "\u{1b}[2J\u{0}",
        "position startpos moves \u{fffd}",
        "go movetime 99999999999999999999",
    ] {
        talk.say(line);
    }
    talk.input.as_mut().unwrap().write_all(b"\xff\xfe go\n\n\r\n").unwrap();
    talk.say("stop");
    for _ in 0..2000 {
        talk.say("isready");
    }
    for _ in 0..2000 {
        talk.hear("readyok");
    }
    talk.say("position startpos\ngo nodes 5");
    assert_ne!(talk.hear("bestmove").pop().unwrap(), "bestmove (none)");
    assert!(talk.ends());
}

/// Castling, promotion and capture in passing are written as UCI has them.
#[test]
fn chess_is_written_as_others_do() {
    let mut talk = Talk::start(&["chess", "--agent", "flat:1"]);
    let mut reads = |position: &str| {
        let said = talk.answer(&format!("position {position}\nquery fen"), "response");
        said.trim_start_matches("response ").to_owned()
    };
    assert_eq!(
        reads("startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1"),
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"
    );
    assert_eq!(reads("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8q"), "Q7/7k/8/8/8/8/8/K7 b - - 0 1");
    // As python-chess writes it: a square to capture in passing although no pawn can.
    assert!(
        reads("fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").contains(" b KQkq - 0 1")
    );
    assert!(reads("startpos moves e2e4 a7a6 e4e5 d7d5 e5d6").starts_with("rnbqkbnr/1pp1pppp/p2P4/"));
}

fn ran(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("farrier"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn played(args: &[&str]) -> Value {
    let (code, out, err) = ran(&[&["match"], args, &["--format", "json"]].concat());
    assert_eq!(code, 0, "{args:?}: {out}{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn a_match_of_two() {
    let (code, out, err) = ran(&["match", "tic-tac-toe", "--players", "flat:30", "random", "--games", "30"]);
    assert_eq!((code, &err[..]), (0, ""), "{out}");
    snapshot("match-two", &out);
    // On more threads it is the same match.
    let args = ["tic-tac-toe", "--players", "flat:30", "random", "--games", "30"];
    let found = played(&args);
    assert_eq!(found, played(&[&args[..], &["--threads", "3"]].concat()));
    assert_eq!((&found["games"], &found["agents"][0]["games"]), (&30.into(), &30.into()));
    let pairs: u64 = found["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(pairs, 15);
}

#[test]
fn a_match_of_several() {
    let args = ["match", "tic-tac-toe", "--players", "random", "flat:30", "random", "--games", "10"];
    let (code, out, _) = ran(&args);
    assert_eq!(code, 0);
    snapshot("match-three", &out);
    let three = ["./tests/definitions/three.toml", "--players", "random", "flat:2", "random", "--games", "4"];
    let found = played(&[&three[..], &["--plies", "60"]].concat());
    // Made up to two rounds of three games.
    assert_eq!(found["games"], 6);
    let (code, _, err) = ran(&["match", "./tests/definitions/three.toml", "--players", "random", "flat:2"]);
    assert!(code == 1 && err.contains("this game has 3 players"), "{err}");
}

#[test]
fn a_match_stops_when_enough_is_known() {
    let test = ["--games", "2000", "--sprt", "0", "50"];
    let found = played(&[&["tic-tac-toe", "--players", "flat:30", "random"], &test[..]].concat());
    assert!(found["sprt"]["accepted"] == 50.0 && found["games"].as_u64().unwrap() < 400, "{found}");
}

/// The record of a match is verified by `replay`; a match that was stopped goes on.
#[test]
fn a_match_goes_on() {
    let folder = std::env::temp_dir().join(format!("farrier-match-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (log, records, whole) = (file("log"), file("records"), file("whole"));
    let base = ["tic-tac-toe", "--players", "flat:9", "random", "--games", "12"];
    let with = |more: &[&str]| played(&[&base[..], more].concat());
    let expected = with(&["--records", &whole]);
    assert_eq!(with(&["--resume", &log]), expected);
    // Killed in the middle of a line.
    let text = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 13);
    std::fs::write(&log, format!("{}\n{}", lines[..6].join("\n"), &lines[6][..40])).unwrap();
    assert_eq!(with(&["--resume", &log, "--records", &records]), expected);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), text);
    assert_eq!(std::fs::read(&records).unwrap(), std::fs::read(&whole).unwrap());
    // A line that only has no end is whole.
    std::fs::write(&log, lines[..7].join("\n")).unwrap();
    let (code, _, err) = ran(&[&["match"], &base[..], &["--resume", &log]].concat());
    assert!(code == 0 && !err.contains("played again"), "{err}");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), text);
    let (code, out, _) = ran(&["replay", &records]);
    assert!(code == 0 && out.starts_with("12 records"), "{out}");
    // Another match, and a damaged file, are refused; nothing is lost.
    let refused = |args: &[&str], part: &str| {
        let (code, _, err) = ran(&[&["match"], args].concat());
        assert!(code == 1 && err.contains(part), "{err}");
    };
    refused(&[&base[..], &["--resume", &log, "--seed", "2"]].concat(), "seed was 1, is 2");
    std::fs::write(&log, text.replacen("\"draw\"", "\"x\"", 1).replacen("\"x\"", "\"o\"", 1)).unwrap();
    refused(&[&base[..], &["--resume", &log]].concat(), "it is damaged");
    std::fs::write(&log, "my notes\n").unwrap();
    refused(&[&base[..], &["--resume", &log]].concat(), "it is no file of a match");
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "my notes\n");
    std::fs::write(&log, "my notes").unwrap();
    refused(&[&base[..], &["--resume", &log]].concat(), "it is no file of a match");
    // Openings are verified before the games.
    std::fs::write(&log, "# openings\na1 b2\n\nb2\n").unwrap();
    assert_eq!(with(&["--openings", &log])["games"], 12);
    std::fs::write(&log, "a1 b2\na1 a1\n").unwrap();
    refused(&[&base[..], &["--openings", &log]].concat(), "opening 2: `a1`");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Farrier plays against itself by way of UCI: what it says as an engine it understands as a client.
#[cfg(unix)]
#[test]
fn engines_play_matches() {
    let farrier = assert_cmd::cargo::cargo_bin!("farrier").to_str().unwrap().to_owned();
    let engine = format!("engine:5:'{farrier}' engine tic-tac-toe --agent flat:5; MultiPV=1");
    let fake = "engine:5:sh tests/tools/engines/fake.sh";
    let found = played(&["tic-tac-toe", "--players", &engine, fake, "--games", "4"]);
    assert_eq!((&found["games"], &found["given_up"]), (&4.into(), &0.into()), "{found}");
    // A setup that is no usual start is told by its text.
    let found =
        played(&["tic-tac-toe", "--players", &engine, "random", "--games", "2", "--setup", "M2/3/2m x"]);
    assert_eq!(found["given_up"], 0, "{found}");
    let lies = format!("{fake} lie");
    let records = std::env::temp_dir().join(format!("farrier-lies-{}.jsonl", std::process::id()));
    let file = records.to_str().unwrap();
    let found = played(&["tic-tac-toe", "--players", &lies, "random", "--games", "4", "--records", file]);
    // Records tell who lost, and are verified.
    let text = std::fs::read_to_string(&records).unwrap();
    assert_eq!(text.matches(r#""reason":"resigned""#).count(), 4, "{text}");
    assert_eq!(ran(&["replay", file]).0, 0);
    std::fs::remove_file(&records).unwrap();
    assert_eq!((&found["given_up"], &found["agents"][1]["wins"]), (&4.into(), &4.into()));
    let reason = found["reasons"][0]["reason"].as_str().unwrap();
    assert_eq!(reason, "the engine `sh` gave the move `z9`, which is not legal");
    let (code, _, err) = ran(&["match", "tic-tac-toe", "--players", "random", "engine:./no-such-engine"]);
    assert!(code == 1 && err.contains("the engine `./no-such-engine` cannot be started"), "{err}");
    // Both of these engines say that the first move wins: that is agreed, whatever it is worth.
    let agreed = played(&["tic-tac-toe", "--players", fake, fake, "--games", "2", "--adjudicate"]);
    assert_eq!(agreed["proved"], 0, "each claims to win: nothing is agreed");
}

/// Clocks run for agents and engines alike; whose time is over has lost, and records tell what each ply left.
#[cfg(unix)]
#[test]
fn a_match_with_clocks() {
    let folder = std::env::temp_dir().join(format!("farrier-clocks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (records, said, log) = (file("records"), file("said"), file("log"));
    // A budget of fifty minutes says nothing where a clock runs.
    let slow = format!("engine:3000s:sh tests/tools/engines/fake.sh slow '{said}'");
    let args = ["tic-tac-toe", "--players", &slow, "random", "--games", "2", "--clock", "900ms+100ms"];
    let begun = std::time::Instant::now();
    let found = played(&[&args[..], &["--records", &records, "--resume", &log]].concat());
    assert!(begun.elapsed().as_secs() < 60);
    assert_eq!((&found["clock"], &found["agents"][1]["wins"]), (&"900ms+100ms".into(), &2.into()), "{found}");
    assert_eq!((&found["ends"]["time"], &found["given_up"]), (&2.into(), &2.into()), "{found}");
    assert_eq!(found["reasons"][0]["reason"], "had no time left");
    let said = std::fs::read_to_string(said).unwrap();
    assert!(said.contains("go wtime 900 btime 900 winc 100 binc 100\n"), "{said}");
    let text = std::fs::read_to_string(&records).unwrap();
    assert_eq!(text.matches(r#""reason":"time""#).count(), 2, "{text}");
    assert_eq!(ran(&["replay", &records]).0, 0);
    let (code, out, _) = ran(&[&["match"], &args[..], &["--resume", &log]].concat());
    assert!(code == 0 && out.starts_with("Tic-tac-toe: 2 games, 900ms+100ms on each clock\n"), "{out}");
    // The same games with other clocks are another match.
    let args = ["tic-tac-toe", "--players", &slow, "random", "--games", "2", "--resume", &log];
    let (code, _, err) = ran(&[&["match"], &args[..]].concat());
    assert!(code == 1 && err.contains("clock was \"900ms+100ms\", is null"), "{err}");
    // Who shares out its time never loses by it.
    let args = ["tic-tac-toe", "--players", "flat:1s", "alphabeta", "--games", "2", "--clock", "2s"];
    let found = played(&[&args[..], &["--records", &records]].concat());
    assert_eq!(found["given_up"], 0, "{found}");
    let text = std::fs::read_to_string(&records).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.contains(r#""clock":"2s""#), "{first}");
    let left = |line: &str| line.split_once(r#""clock":"#)?.1.trim_end_matches('}').parse::<u64>().ok();
    let left: Vec<u64> = text.lines().filter_map(left).collect();
    assert!(left.len() >= 6 && left.iter().all(|ms| *ms < 2000), "{left:?}");
    assert!(left.iter().any(|ms| *ms < 1980), "nobody thought: {left:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
