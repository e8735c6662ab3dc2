//! An agent of your own against one that plays at random.
//!
//! `cargo run --example agent [VARIANT]`: a game of two players.

use std::error::Error;

use farrier::play::{History, Machine, Move, Moves, Outcome, Rng};
use farrier::search::{Agent, AgentSpec, Budget, Forfeit, Making, Seat, Situation, Thought, draw};
use farrier::shipped::Shipped;
use farrier::variant::Variant;

/// Wins at once where it can, else leaves the opponent as few moves as possible.
#[derive(Default)]
struct Cramping {
    moves: Moves,
}

impl Agent for Cramping {
    fn choose(
        &mut self,
        machine: &mut Machine,
        at: Situation<'_>,
        thought: &mut Thought<'_>,
    ) -> Result<Move, Forfeit> {
        let me = at.moves.mover();
        let mut best: Option<(usize, Move)> = None;
        // Of equals the first is taken: the order is random.
        let mut all: Vec<Move> = at.moves.iter().collect();
        thought.rng.shuffle(&mut all);
        for number in all {
            let (mut pos, mut history) = (at.pos.clone(), at.history.clone());
            machine.play(&mut pos, number, &mut history, &mut self.moves);
            let left = match machine.outcome(&pos) {
                Some(Outcome::Win(winner)) if winner == me => return Ok(number),
                Some(_) => usize::MAX,
                None => self.moves.len(),
            };
            if best.is_none_or(|(least, _)| left < least) {
                best = Some((left, number));
            }
        }
        best.map(|(_, number)| number).ok_or(Forfeit { reason: "there is no legal move".into() })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1).unwrap_or_else(|| "breakthrough:size=6".to_owned());
    let game = word.parse::<Variant>()?.open(&Shipped)?;
    let mut machine = game.machine()?;
    let (mut moves, mut rng) = (Moves::new(), Rng::new(1));
    let mut seats = [
        Seat::new(Box::new(Cramping::default()), Budget::Nodes(1), None),
        "random".parse::<AgentSpec>()?.seat(&Making::default())?,
    ];

    let (games, mut won) = (20, 0);
    for number in 0..games {
        let (mut history, mut played) = (History::new(), Vec::new());
        let mut pos = machine.start(number, &mut history);
        machine.moves(&pos, &mut moves);
        // They change seats from game to game.
        let mine = (number % 2) as usize;
        while machine.outcome(&pos).is_none() {
            let at = Situation { pos: &pos, history: &history, moves: &moves, played: &played };
            let chosen = match moves.is_chance() {
                true => draw(&mut machine, at.pos, at.moves, &mut rng),
                false => {
                    Some(seats[(moves.mover().index() + mine) % 2].choose(&mut machine, at, &mut rng)?)
                }
            };
            let Some(chosen) = chosen else { break };
            machine.play(&mut pos, chosen, &mut history, &mut moves);
            played.push(chosen);
        }
        won += u32::from(matches!(machine.outcome(&pos), Some(Outcome::Win(p)) if p.index() == mine));
    }
    println!("the agent won {won} of {games} games of {word}");
    Ok(())
}
