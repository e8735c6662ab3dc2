//! Compiled code does exactly what the interpreter does: the same words of every position, the same
//! records of moves in the same order, the same scores. Checked code does too, and no test of it fails.
#![cfg(feature = "jit")]

use std::sync::Arc;

use crate::cases::cases;
use crate::fuzzing::lockstep::play_by_turns;
use crate::random;
use farrier::analysis::playout;
use farrier::definition::{Choices, combinations};
use farrier::game::Game;
use farrier::jit::{self, Checked};
use farrier::play::{History, Machine, Moves, Position, Rng};
use farrier::program::slot;
use farrier::shipped::Shipped;
use farrier::source::{Files, MemoryFiles, Sources};
use farrier::variant::Variant;

/// Plays on three machines at once: one interprets, one runs compiled code, one checked code.
struct Trio {
    machines: [Machine; 3],
    histories: [History; 3],
    moves: [Moves; 3],
    checked: Arc<Checked>,
}

impl Trio {
    fn new(game: &Game, checked: &Arc<Checked>, perft: bool) -> Trio {
        let checks = game.interpreter().unwrap().with_backend(checked.clone());
        let mut machines = [game.interpreter().unwrap(), game.machine().unwrap(), checks];
        for machine in &mut machines[1..] {
            assert!(machine.warm_up(), "{}: {:?}", game.name, game.compiled().err());
        }
        machines.iter_mut().for_each(|m| m.set_perft(perft));
        Trio { machines, histories: Default::default(), moves: Default::default(), checked: checked.clone() }
    }

    /// Makes the first moves of a position, a random number of them, one after the other.
    fn make_some(&mut self, pos: &Position, rng: &mut Rng, place: &dyn Fn() -> String) {
        let mut moves = self.moves[0].clone();
        let most = 1 + rng.pick(moves.len());
        moves.keep_first(most);
        assert_eq!(moves.iter().count(), most);
        // What was there before does not matter.
        let after = self.machines.each_mut().map(|machine| {
            let mut next = pos.clone();
            assert_eq!(machine.make_each(pos, &moves, &mut next), most as u64);
            next
        });
        for other in &after[1..] {
            assert_eq!(&after[0], other, "the first {most} moves made: {}", place());
        }
        // The ends are looked at when a move is made alone.
        let last = moves.iter().last().unwrap();
        let mut expected = pos.clone();
        self.machines[0].apply(&mut expected, last);
        let layout = self.machines[0].layout();
        if expected.slot(layout, slot::RESULT) == 0 {
            let words = after.each_ref().map(|pos| pos.words()[1..] == expected.words()[1..]);
            assert_eq!(words, [true; 3], "the first {most} moves made: {}", place());
        }
    }

    /// One game of random moves; says how many plies it had.
    fn play(&mut self, game: &Game, seed: u64, most: u32) -> u32 {
        let layout = &game.program.layout;
        let start = game.start(&mut self.machines[0], None, seed).unwrap();
        let mut positions = [0; 3].map(|_| start.clone());
        for (machine, history) in self.machines.iter_mut().zip(&mut self.histories) {
            history.clear();
            history.push(machine.full_hash(&positions[0]));
        }
        for (machine, (pos, moves)) in self.machines.iter_mut().zip(positions.iter().zip(&mut self.moves)) {
            machine.moves(pos, moves);
        }
        let mut rng = Rng::new(seed);
        let mut line: Vec<String> = Vec::new();
        for ply in 0..most {
            let options = game.changed_options();
            let place = || format!("{} {options:?}, seed {seed}, after {}", game.name, line.join(" "));
            assert_eq!(self.checked.fault(), None, "{}", place());
            let (a, others) = (&positions[0], &positions[1..]);
            for moves in &self.moves[1..] {
                assert_eq!(&self.moves[0], moves, "moves (interpreted, compiled): {}", place());
            }
            if let Some(b) = others.iter().find(|b| *b != a) {
                let slots = (0..layout.slots.len()).filter(|s| a.slot(layout, *s) != b.slot(layout, *s));
                let slots: Vec<_> =
                    slots.map(|s| (&layout.slots[s].name, a.slot(layout, s), b.slot(layout, s))).collect();
                let layers = (0..layout.layers.len()).filter(|l| a.layer(layout, *l) != b.layer(layout, *l));
                let layers: Vec<_> = layers.map(|l| &layout.layers[l].name).collect();
                panic!("positions differ in {slots:?} {layers:?}: {}", place());
            }
            if positions[0].slot(layout, slot::RESULT) != 0 {
                let scores = [0, 1, 2].map(|i| self.machines[i].scores(&positions[i]));
                assert_eq!(scores[0], scores[1], "scores: {}", place());
                assert_eq!(scores[0], scores[2], "scores, checked: {}", place());
                return ply;
            }
            let Some(number) = playout::draw(&mut self.machines[0], &positions[0], &self.moves[0], &mut rng)
            else {
                panic!("nobody can move: {}", place());
            };
            self.make_some(&positions[0], &mut rng, &place);
            line.push(game.move_text(number));
            let buffers = self.histories.iter_mut().zip(&mut self.moves);
            for ((machine, pos), (history, moves)) in
                self.machines.iter_mut().zip(&mut positions).zip(buffers)
            {
                play_by_turns(machine, ply, number, (pos, history, moves));
            }
        }
        most
    }
}

/// Random play at one go is the same as move by move.
fn roams(game: &Game, checked: &Arc<Checked>, seed: u64, most: u32, hashing: bool) {
    let machines = [
        game.interpreter().unwrap(),
        game.machine().unwrap(),
        game.interpreter().unwrap().with_backend(checked.clone()),
    ];
    let ends = machines.map(|mut machine| {
        machine.warm_up();
        machine.set_hashing(hashing);
        let mut pos = game.start(&mut machine, None, seed).unwrap();
        let (mut history, mut moves, mut rng) = (History::new(), Moves::new(), Rng::new(seed));
        machine.settle_hash(&mut pos);
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        let plies = playout::play_out(&mut machine, &mut pos, &mut history, &mut moves, &mut rng, most).plies;
        (plies, pos, history, moves, rng)
    });
    assert!(ends[0].0 <= most);
    assert_eq!(ends[0], ends[1], "{}, seed {seed}", game.name);
    assert_eq!(ends[0], ends[2], "{}, seed {seed}, checked", game.name);
    assert_eq!(checked.fault(), None, "{}, seed {seed}", game.name);
}

fn agree(name: &str, files: &dyn Files, choices: &Choices, seeds: std::ops::Range<u64>, most: u32) {
    let (game, found) = Game::load(name, files, choices, &mut Sources::default());
    let game = game.unwrap_or_else(|| panic!("{name} {choices:?}: {found:?}"));
    // To compile takes longer than all that is played.
    let checked = jit::compile_checked(&game.program);
    let checked = checked.unwrap_or_else(|error| panic!("{}: {error}", game.name));
    for perft in [false, true] {
        let mut trio = Trio::new(&game, &checked, perft);
        let plies: u32 = seeds.clone().map(|seed| trio.play(&game, seed, most)).sum();
        assert!(plies > 0, "{name}: nothing was played");
    }
    for seed in seeds {
        roams(&game, &checked, seed, most / (1 + seed as u32 % 5), seed % 2 == 0);
    }
}

fn all(sets: u64, games: u64) {
    for name in Shipped::list() {
        let base = Game::load(&name, &Shipped, &Choices::default(), &mut Sources::default()).0.unwrap();
        agree(&name, &Shipped, &Choices::default(), 0..games, 400);
        let mut rng = Rng::new(7);
        let mut left = sets;
        while left > 0 && !base.definition.options.is_empty() {
            let choices = random::choices(&base, &mut rng);
            if Game::load(&name, &Shipped, &choices, &mut Sources::default()).0.is_none() {
                continue;
            }
            left -= 1;
            agree(&name, &Shipped, &choices, 0..games, 400);
        }
    }
}

#[test]
fn compiled_code_agrees_with_the_interpreter() {
    let times = u64::from(cases(1));
    all(times - 1, times.min(2));
}

/// What no shipped game does, as far as it is compiled.
#[test]
fn compiled_code_agrees_with_the_interpreter_on_what_no_shipped_game_does() {
    let mut files = MemoryFiles::default();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/definitions");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = format!("./{}", path.file_name().unwrap().to_string_lossy());
        files.0.insert(name, std::fs::read_to_string(&path).unwrap());
    }
    let mut compiled = 0;
    for name in files.names() {
        let game = Game::load(&name, &files, &Choices::default(), &mut Sources::default()).0.unwrap();
        if game.compiled().is_ok() {
            compiled += 1;
            let (all, _) = combinations(&game.definition.options, usize::MAX);
            let games = (u64::from(cases(5)) / all.len() as u64).max(1);
            for choices in &all {
                agree(&name, &files, choices, 0..games, 130);
            }
        }
    }
    assert!(compiled >= 4, "{compiled} are compiled");
}

/// Moves wait where the flow and the ends do not ask for them and nobody who is stuck would lose.
#[test]
fn moves_wait_where_nothing_depends_on_them() {
    let waits = [
        ("chess", None, "e2e4", true),
        // Check, and the draw of fifty moves that a mate goes before.
        ("chess", None, "f2f3 e7e5 g2g4 d8h4", false),
        ("chess", Some("4k3/8/8/8/8/8/8/R3K3 w - - 98 80"), "a1a2", true),
        ("chess", Some("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"), "a1a2", false),
        ("breakthrough", None, "a2a3", true),
        // Who can capture has to.
        ("draughts", None, "c3d4", true),
    ];
    for (name, setup, line, waiting) in waits {
        let game = name.parse::<Variant>().unwrap().open(&Shipped).unwrap();
        let mut machine = game.machine().unwrap();
        assert!(machine.warm_up());
        let mut pos = game.start(&mut machine, setup, 1).unwrap();
        let (mut history, mut moves) = (History::new(), Moves::new());
        machine.moves(&pos, &mut moves);
        for text in line.split(' ') {
            machine.list(&mut pos, &mut moves);
            let number = game.read_move(&moves, text).unwrap();
            machine.play_on(&mut pos, number, &mut history, &mut moves);
        }
        assert_eq!(!moves.are_listed(), waiting, "{name} after {line}");
        assert!(moves.are_listed() || moves.is_empty());
    }
}

/// A site that the board does not have, which no position of a game holds, is an index beyond a table: checked code
/// says so and stays inside.
#[test]
fn checked_code_says_what_is_out_of_bounds() {
    let text = r#"
        name    = "Short"
        players = ["white", "black"]
        [board]
        square = [7, 1]
        [pieces]
        man = { letter = "m" }
        [relations]
        far = "slide any"
        [setup]
        do = "put white man at a1; put black man at g1"
        [decisions.go]
        choose = "a in own, b in far(a)"
        do     = "put own man at b"
        text   = "{a}{b}"
        [turn]
        main  = "go"
        stuck = "draw"
    "#;
    let files = MemoryFiles([("./short.toml".to_owned(), text.to_owned())].into());
    let (game, found) = Game::load("./short.toml", &files, &Choices::default(), &mut Sources::default());
    let game = game.unwrap_or_else(|| panic!("{found:?}"));
    let layout = &game.program.layout;
    let checked = jit::compile_checked(&game.program).unwrap();
    let mut machine = game.interpreter().unwrap().with_backend(checked.clone());
    assert!(machine.warm_up());
    let mut pos = game.start(&mut machine, None, 1).unwrap();
    let (mut history, mut moves) = (History::new(), Moves::new());
    machine.moves(&pos, &mut moves);
    let number = moves.nth(0).unwrap();
    machine.play(&mut pos, number, &mut history, &mut moves);
    assert_eq!(checked.fault(), None);
    // As if the board had more sites.
    let mut larger = layout.clone();
    larger.sites = 64;
    for layer in 0..layout.layers.len() {
        pos.set_layer(&larger, layer, &[1 << 40]);
    }
    machine.apply(&mut pos, number);
    machine.resolve(&mut pos, &mut history, &mut moves);
    let fault = checked.fault().unwrap();
    assert_eq!((fault.operation, fault.index, fault.bound), ("a row of a ray", 40, 7));
    assert_eq!(fault.to_string(), "compiled code: a row of a ray: 40 is not below 7");
}

#[test]
#[ignore = "the same with many options and games: minutes"]
fn compiled_code_agrees_with_the_interpreter_at_length() {
    all(24, 40);
}
