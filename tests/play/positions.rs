//! Every position of every shipped game has a text that reads back to an equal position.

use crate::cases::cases;
use farrier::analysis::{playout, replay};
use farrier::definition::{Choices, combinations};
use farrier::game::Game;
use farrier::play::{History, Moves, Rng};
use farrier::program::slot;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};

fn read_back(name: &str, files: &dyn Files, choices: &Choices, games: u64) {
    let (game, found) = Game::load(name, files, choices, &mut Sources::default());
    let game = game.unwrap_or_else(|| panic!("{name}: {found:?}"));
    let texts = game.texts();
    let mut machine = game.machine().unwrap();
    for seed in 0..games {
        let mut pos = game.start(&mut machine, None, seed).unwrap();
        let mut rng = Rng::new(seed);
        let (mut history, mut moves) = (History::new(), Moves::new());
        machine.moves(&pos, &mut moves);
        for ply in 0..400 {
            let text = texts.write(&mut machine, &pos);
            let again = texts.read(&mut machine, &text, None);
            let again = again.unwrap_or_else(|e| panic!("{name}, seed {seed}, ply {ply}: `{text}`: {e:?}"));
            assert_eq!(pos.dealt(), again.dealt(), "{name}: `{text}`");
            let kept = [&pos, &again].map(|pos| {
                let mut words = pos.words().to_vec();
                game.program.layout.forget(&mut words);
                words
            });
            assert_eq!(kept[0], kept[1], "{name}, seed {seed}, ply {ply}: `{text}`");
            let Some(m) = playout::draw(&mut machine, &pos, &moves, &mut rng) else { break };
            machine.play(&mut pos, m, &mut history, &mut moves);
        }
    }
}

/// A record of a game that begins in the middle of another replays.
fn replays(name: &str, files: &dyn Files, choices: &Choices) {
    let game = Game::load(name, files, choices, &mut Sources::default()).0.unwrap();
    let mut machine = game.machine().unwrap();
    let mut pos = game.start(&mut machine, None, 3).unwrap();
    let mut rng = Rng::new(3);
    for plies in [0, 1, 2, 3, 7] {
        let (mut history, mut moves) = (History::new(), Moves::new());
        machine.moves(&pos, &mut moves);
        playout::play_out(&mut machine, &mut pos, &mut history, &mut moves, &mut rng, plies);
        let text = game.texts().write(&mut machine, &pos);
        let start = game.start(&mut machine, Some(&text), 0).unwrap();
        let mut record = playout::record(&game, &mut machine, &start, 5, 40);
        record.header.setup = Some(text);
        let first = record.plies.first();
        assert!(first.is_none_or(|ply| ply.ply == pos.ply(&game.program.layout) + 1), "{name}");
        let number = record.plies.len() as u32;
        assert_eq!(replay::verify(&game, &record), Ok(number), "{name}: {record:?}");
        if let Some(last) = record.plies.last_mut() {
            last.legal += 1;
            let differs = replay::verify(&game, &record).unwrap_err();
            assert_eq!((differs.row as u32, differs.ply), (number, record.plies[number as usize - 1].ply));
        }
    }
}

#[test]
fn positions_read_back() {
    for name in Shipped::list() {
        read_back(&name, &Shipped, &Choices::default(), u64::from(cases(1)));
        replays(&name, &Shipped, &Choices::default());
    }
}

/// Who begins is said once: by the start, or by the first opening turn.
#[test]
fn a_start_and_its_opening_agree_on_who_begins() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/definitions/openings.toml");
    let text = std::fs::read_to_string(path).unwrap();
    for (start, expected) in [
        ("3/1m1/3", Ok(1)),
        ("3/1m1/3 black", Ok(1)),
        ("3/1m1/3 white", Err("it says that white begins, but the first opening turn is black's".to_owned())),
    ] {
        let changed = text.replace("start = \"3/1m1/3\"", &format!("start = \"{start}\""));
        let files = MemoryFiles([("./game.toml".to_owned(), changed)].into());
        let game = Game::load("./game.toml", &files, &Choices::default(), &mut Sources::default()).0.unwrap();
        let mut machine = game.machine().unwrap();
        let begins = game.start(&mut machine, None, 0).map(|pos| {
            let layout = &game.program.layout;
            assert_eq!((pos.slot(layout, slot::PLY), pos.slot(layout, slot::OPENED)), (0, 1), "{start}");
            pos.slot(layout, slot::TURN)
        });
        assert_eq!(begins.map_err(|error| error.message), expected, "{start}");
    }
}

#[test]
fn positions_read_back_with_options() {
    let with = |list: &[&str]| Choices {
        with: list.iter().map(|s| (*s).to_owned()).collect(),
        ..Choices::default()
    };
    let all = ["neighbor-attack", "switch-move", "single-pawn-blocks", "doubled-free-pawn"];
    read_back("knights-and-pawns", &Shipped, &with(&all), 3);
    read_back("knight-scattering-chess", &Shipped, &with(&["capturable-knights"]), 3);
    let set = |k: &str, v: &str| Choices { set: vec![(k.to_owned(), v.to_owned())], ..Choices::default() };
    read_back("knightcap", &Shipped, &set("scoring", "compound"), 3);
    read_back("knight-fight", &Shipped, &set("erase-double", "must"), 3);
}

#[test]
fn positions_of_unusual_games_read_back() {
    let mut files = MemoryFiles::default();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/definitions");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = format!("./{}", path.file_name().unwrap().to_string_lossy());
        files.0.insert(name, std::fs::read_to_string(&path).unwrap());
    }
    for name in files.names() {
        let game = Game::load(&name, &files, &Choices::default(), &mut Sources::default()).0.unwrap();
        let (all, _) = combinations(&game.definition.options, usize::MAX);
        for choices in &all {
            read_back(&name, &files, choices, (6 / all.len() as u64).max(1));
            replays(&name, &files, choices);
        }
    }
}

/// Counters go on for as long as anybody plays: a text cannot say that they stand where numbers end.
#[test]
fn counters_of_a_text_have_room_to_go_on() {
    let game = Game::load("chess", &Shipped, &Choices::default(), &mut Sources::default()).0.unwrap();
    let mut machine = game.machine().unwrap();
    let texts = game.texts();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0";
    let said = |text: &str, machine: &mut farrier::play::Machine| texts.read(machine, text, None);
    for wrong in ["2147483647", "1000000001", "1 & ply=1000000001", "1 & passes=2147483647", "1 & seen=-1"] {
        let error = said(&format!("{start} {wrong}"), &mut machine).unwrap_err();
        let told = error.message.contains("at most") || error.message.contains("cannot be");
        assert!(told, "{wrong}: {error}");
    }
    let mut pos = said(&format!("{start} 1000000000"), &mut machine).unwrap();
    let (mut history, mut moves) = (History::new(), Moves::new());
    machine.moves(&pos, &mut moves);
    machine.play(&mut pos, moves.nth(0).unwrap(), &mut history, &mut moves);
    let text = texts.write(&mut machine, &pos);
    assert!(text.contains("1000000001"), "{text}");
    assert!(said(&text, &mut machine).is_err());
}

/// What is said of a text that is no position, and the advice.
#[test]
fn mistakes_of_a_text_are_told_with_their_cure() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics/parts/outpost.toml");
    let taken = "[state]\ntaken = { type = \"int\", per = \"player\" }";
    let text = std::fs::read_to_string(path).unwrap().replace("[state]", taken);
    let files = MemoryFiles::default().with("./game.toml", &text);
    let game = Game::open("./game.toml", &files, &Choices::default()).unwrap();
    let mut machine = game.machine().unwrap();
    let all = "say which, as in `taken[white]=3`";
    for (behind, message, help) in [
        (" & taken[wite]=1", "there is no player `wite`", "did you mean `white`?"),
        (" & takn[white]=1", "there is no state variable `takn`", "did you mean `taken[white]`?"),
        (" & quit=1", "there is no state variable `quit`", "did you mean `quiet`?"),
        (" & taken=3", "`taken` has an entry for each player", all),
        (" & taken[white,black]=3", "`taken` has an entry for each player", all),
        (" & quiet[white]=3", "`quiet` has one value and no index", "write `quiet=3`"),
        (" & quiet = 1", "blanks around `=` are not allowed", "write `quiet=1`"),
        (" & ply=4 quiet =1", "blanks around `=` are not allowed", "write `quiet=1`"),
        (" & taken[white]= 1", "blanks around `=` are not allowed", "write `taken[white]=1`"),
        (" quiet=3", "`quiet=3` is state, which stands behind ` & `", "end the text with ` & quiet=3`"),
    ] {
        let text = format!("rggggr/6/6/6/6/RGGGGR white{behind}");
        let error = game.texts().read(&mut machine, &text, None).unwrap_err();
        assert_eq!((error.message.as_str(), error.help.as_deref()), (message, Some(help)), "{behind}");
    }
}

/// How often each set-up comes up, of so many seeds.
fn drawn(name: &str, seeds: u64) -> Vec<u64> {
    let game = Game::load(name, &Shipped, &Choices::default(), &mut Sources::default()).0.unwrap();
    let (texts, mut machine) = (game.texts(), game.machine().unwrap());
    let mut found = std::collections::BTreeMap::new();
    for seed in 0..seeds {
        let pos = game.start(&mut machine, None, seed).unwrap();
        *found.entry(texts.board(&pos)).or_insert(0) += 1;
    }
    found.into_values().collect()
}

#[test]
fn all_set_ups_are_drawn_and_none_more_often_than_others() {
    let found = drawn("chess960", 960 * 10);
    assert_eq!(found.len(), 960);
    // Pearson's chi-squared of 959 degrees of freedom: 959 on average, with a standard deviation of 44.
    let chi: f64 = found.iter().map(|n| (*n as f64 - 10.0).powi(2) / 10.0).sum();
    assert!((783.0..1135.0).contains(&chi), "{chi}");
}
