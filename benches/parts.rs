//! How long the parts of playing take, for several shipped games.
//!
//! ```sh
//! cargo bench --features bench --bench parts                   # all of it
//! cargo bench --features bench --bench parts -- apply/chess    # one
//! ```
//!
//! Moves, apply, resolve, outcome and hash are measured on positions of random games, one from each part of
//! a game; the time is that of one position. Playout, perft and load are measured whole.

#![allow(missing_docs, reason = "the macros of criterion make functions without")]
#![allow(clippy::expect_used, reason = "a benchmark that cannot go on stops")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use farrier::analysis::bench::Playouts;
use farrier::analysis::perft::{Leaves, Perft};
use farrier::analysis::playout::draw;
use farrier::definition::Choices;
use farrier::game::Game;
use farrier::play::{History, Machine, Move, Moves, Position, Rng};
use farrier::shipped::Shipped;
use farrier::source::Sources;

/// The games: small and large boards, one and several plies in a turn, slides, chains, scores.
const GAMES: [&str; 8] =
    ["tic-tac-toe", "knightcap", "knights-and-pawns", "knightshade", "chess", "draughts", "amazons", "hex"];

/// How many positions are taken.
const SAMPLES: usize = 64;

/// A position of a game, what was played there, and what that made of it.
struct Sample {
    pos: Position,
    chosen: Move,
    /// The position after the move, unresolved.
    made: Position,
    history: History,
}

fn load(name: &str) -> Game {
    Game::load(name, &Shipped, &Choices::default(), &mut Sources::default()).0.expect("a shipped game")
}

fn machine(game: &Game) -> Machine {
    let mut machine = game.machine().expect("a shipped game is sound");
    machine.warm_up();
    machine
}

fn start(game: &Game, machine: &mut Machine) -> Position {
    game.start(machine, None, 1).expect("a shipped game has a start")
}

/// Positions of random games, `step` plies apart, so that no phase of a game is left out.
fn samples(game: &Game, machine: &mut Machine) -> Vec<Sample> {
    let step = 7;
    let first = start(game, machine);
    let mut rng = Rng::new(1);
    let mut found = Vec::new();
    let mut plies = 0;
    while found.len() < SAMPLES {
        let (mut pos, mut history, mut moves) = (first.clone(), History::new(), Moves::new());
        history.push(machine.full_hash(&pos));
        machine.moves(&pos, &mut moves);
        while let Some(chosen) = draw(machine, &pos, &moves, &mut rng) {
            let before = pos.clone();
            machine.apply(&mut pos, chosen);
            if plies % step == 0 {
                found.push(Sample { pos: before, chosen, made: pos.clone(), history: history.clone() });
            }
            machine.resolve(&mut pos, &mut history, &mut moves);
            plies += 1;
        }
    }
    found.truncate(SAMPLES);
    found
}

/// The parts of a ply.
fn plies(c: &mut Criterion) {
    for name in GAMES {
        let game = load(name);
        let mut machine = machine(&game);
        let mut samples = samples(&game, &mut machine);
        let mut moves = Moves::new();
        let mut next = samples[0].pos.clone();
        let mut bench = |part: &str, each: &mut dyn FnMut(&mut Sample)| {
            let mut group = c.benchmark_group(part);
            group.throughput(Throughput::Elements(SAMPLES as u64));
            group.bench_function(BenchmarkId::from_parameter(name), |b| {
                b.iter(|| samples.iter_mut().for_each(&mut *each));
            });
            group.finish();
        };
        bench("moves", &mut |s| {
            machine.moves(&s.pos, &mut moves);
            black_box(&moves);
        });
        // Both copy the position first, as whoever tries a move does.
        bench("apply", &mut |s| {
            next.copy_from(&s.pos);
            machine.apply(&mut next, s.chosen);
            black_box(&next);
        });
        bench("resolve", &mut |s| {
            let turns = s.history.len();
            next.copy_from(&s.made);
            machine.resolve(&mut next, &mut s.history, &mut moves);
            s.history.truncate(turns);
            black_box((&next, &moves));
        });
        bench("outcome", &mut |s| {
            black_box(machine.outcome(&s.made));
        });
        bench("hash", &mut |s| {
            black_box(machine.full_hash(&s.pos));
        });
    }
}

/// What a player of games waits for.
fn wholes(c: &mut Criterion) {
    for name in GAMES {
        let game = load(name);
        let mut machine = machine(&game);
        let first = start(&game, &mut machine);
        let mut playouts = Playouts::new(machine.clone(), first.clone(), 1, 10_000);
        c.bench_function(&format!("playout/{name}"), |b| b.iter(|| playouts.one()));
        let mut perft = Perft::new(&mut machine, Leaves::Made);
        c.bench_function(&format!("perft 2/{name}"), |b| b.iter(|| perft.count(&first, 2)));
        drop(perft);
        c.bench_function(&format!("load/{name}"), |b| {
            b.iter(|| {
                let game = load(name);
                let mut machine = game.machine().expect("a shipped game is sound");
                let pos = start(&game, &mut machine);
                let mut moves = Moves::new();
                machine.moves(&pos, &mut moves);
                moves.len()
            });
        });
    }
}

fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1))
}

criterion_group! { name = parts; config = short(); targets = plies, wholes }
criterion_main!(parts);
