//! Every position of every shipped game has a text that reads back to an equal position.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on must fail, loudly")]

use farrier::analysis::playout;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Moves, Rng};
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

#[test]
fn positions_read_back() {
    for name in Shipped::list() {
        read_back(&name, &Shipped, &Choices::default(), 3);
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
        read_back(&name, &files, &Choices::default(), 6);
    }
}
