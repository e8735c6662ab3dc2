//! What agents and `solve` say is proved: never a better result than there is, nor a nearer one.

use std::collections::HashMap;

use farrier::definition::Choices;
use farrier::game::Game;
use farrier::ids::Player;
use farrier::play::{History, Machine, Moves, Outcome, Position, Rng};
use farrier::search::proof::{Proved, Prover, solve};
use farrier::search::{Limit, draw};
use farrier::source::MemoryFiles;

use super::search::{Begun, open, seat};

/// What the mover gets and after how many plies: who wins takes the shortest way, who loses the longest.
fn exact(
    machine: &mut Machine,
    pos: &Position,
    moves: &Moves,
    known: &mut HashMap<Vec<u64>, (f64, u32)>,
) -> (f64, u32) {
    if let Some(found) = known.get(&pos.words()[1..]) {
        return *found;
    }
    let mover = moves.mover();
    let mut best: Option<(f64, u32)> = None;
    for number in moves.iter() {
        let (mut next, mut after) = (pos.clone(), Moves::new());
        machine.play(&mut next, number, &mut History::new(), &mut after);
        let (value, plies) = match after.is_empty() {
            true => (points(machine, &next, mover), 1),
            false => {
                let (value, plies) = exact(machine, &next, &after, known);
                (1.0 - value, plies + 1)
            }
        };
        let is_better = best.is_none_or(|(old, far)| {
            value > old || value == old && if value > 0.5 { plies < far } else { plies > far }
        });
        if is_better {
            best = Some((value, plies));
        }
    }
    let best = best.unwrap();
    known.insert(pos.words()[1..].to_vec(), best);
    best
}

fn points(machine: &mut Machine, pos: &Position, player: Player) -> f64 {
    match machine.outcome(pos) {
        Some(Outcome::Win(winner)) => f64::from(u8::from(winner == player)),
        _ => 0.5,
    }
}

#[test]
fn what_agents_prove_is_so() {
    let game = open("tic-tac-toe");
    let mut known = HashMap::new();
    for word in ["mcts:1", "looker:1", "rave:1", "ubfm:1", "alphabeta:1"] {
        let (mut sure, mut won) = (0, 0);
        for seed in 0..150 {
            let (mut begun, mut rng) = (Begun::new(&game, None), Rng::new(seed));
            for _ in 0..2 + seed % 4 {
                let number = draw(&mut begun.machine, &begun.pos, &begun.moves, &mut rng).unwrap();
                begun.machine.play(&mut begun.pos, number, &mut begun.history, &mut begun.moves);
            }
            if begun.moves.is_empty() {
                continue;
            }
            let (chosen, found) = begun.think(&mut seat(word, &game), Limit::nodes(3000), seed);
            let Some(plies) = found.proved else { continue };
            let (pos, moves, mover) = (begun.pos.clone(), begun.moves.clone(), begun.moves.mover());
            let (value, shortest) = exact(&mut begun.machine, &pos, &moves, &mut known);
            assert_eq!(found.value, value, "{word}, seed {seed}");
            assert!(value == 0.5 || plies >= shortest, "{word}, seed {seed}: {plies} instead of {shortest}");
            let (mut next, mut after) = (pos, Moves::new());
            begun.machine.play(&mut next, chosen, &mut History::new(), &mut after);
            let kept = match after.is_empty() {
                true => points(&mut begun.machine, &next, mover),
                false => 1.0 - exact(&mut begun.machine, &next, &after, &mut known).0,
            };
            assert_eq!(kept, value, "{word}, seed {seed}: the choice is worse than what is proved");
            (sure, won) = (sure + 1, won + u32::from(value != 0.5));
        }
        assert!(sure > 80 && won > 20, "{word}: {sure} proofs, {won} of them of wins");
    }
}

/// What is proved of a game in which a coin may be thrown, which ends it two times of three.
fn proved(main: &str) -> Proved {
    let text = format!(
        r#"
name = "coin"
players = ["white", "black"]
[board]
square = [3, 1]
[pieces]
man = {{ letter = "m" }}
[state]
coin = {{ type = "int" }}
[decisions.go]
choose = "to in vacant"
do = "put own man at to"
text = "{{to}}"
[decisions.throw]
choose = "n in 1..3"
do = "coin = n"
text = "{{n}}"
by = "chance"
[turn]
main = "{main}"
stuck = "draw"
[end.heads]
when = "coin = 1"
result = "white wins"
[end.tails]
when = "coin = 2"
result = "black wins"
[end.full]
when = "count(own) = 2"
result = "mover wins"
"#
    );
    let files = MemoryFiles::default().with("./coin.toml", &text);
    let game = Game::open("./coin.toml", &files, &Choices::default()).unwrap();
    let begun = Begun::new(&game, None);
    let mut prover = Prover::new(&begun.machine, game.making().evaluation, 1 << 20).unwrap();
    solve(&mut prover, begun.at(), &Limit::nodes(10_000))
}

#[test]
fn where_chance_decides_nothing_is_proved() {
    for main in ["go, throw", "throw, go"] {
        let found = proved(main);
        assert!(!found.is_known() && found.line.is_empty(), "{main}: {found:?}");
        assert_eq!(found.not_winning.len(), 2, "{main}");
    }
    // No coin is thrown.
    assert_eq!(proved("go, go").winner, Some(0));
}
