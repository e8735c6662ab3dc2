//! The naive evaluator plays what was played.

use farrier::game::Game;
use farrier::ids::Player;

use super::caught::{Caught, Finding, caught};
use naive::position::Single;
use naive::{Naive, OutOfFuel};

/// What was played, for the naive evaluator to follow.
pub struct Trace {
    /// What was dealt, by state variable.
    pub deals: Vec<(usize, Vec<i32>)>,
    /// Each ply, and the end.
    pub plies: Vec<Seen>,
    /// How many words of several plies were read again.
    pub words: u32,
}

/// What there was before a ply.
pub struct Seen {
    /// The texts of the legal moves, in alphabetical order.
    pub texts: Vec<String>,
    /// How they are written right behind the ply before: those that are, in alphabetical order.
    pub joined: Vec<String>,
    /// Who decides; none where nobody does.
    pub mover: Option<Player>,
    pub pieces: Vec<Vec<Single>>,
    pub result: Option<String>,
    pub scores: Vec<i32>,
    /// The move that was made; none at the end.
    pub played: Option<String>,
}

/// The naive evaluator reads no texts of positions but the simplest: a game that starts with one is not for it.
pub fn naive_knows(game: &Game) -> bool {
    game.rules.position.as_ref().is_none_or(|p| p.start.is_none())
}

/// The stack of the naive evaluator.
const DEEP: usize = 1 << 29;

/// Lets the naive evaluator play what was played; gives back how many plies it followed.
pub fn follow(game: &Game, trace: &Trace, fuel: u64) -> Result<u32, Finding> {
    let run = || match caught(|| follow_in(game, trace, fuel)) {
        Ok(done) => done,
        Err(Caught { payload, .. }) if payload.is::<OutOfFuel>() => Ok(0),
        Err(Caught { place, text, .. }) => {
            Err(Finding::new(format!("the naive evaluator panics at {place}"), text))
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP).spawn_scoped(scope, run);
        match thread.map(|t| t.join()) {
            Ok(Ok(done)) => done,
            _ => Err(Finding::new("the naive evaluator has no thread", "")),
        }
    })
}

fn follow_in(game: &Game, trace: &Trace, fuel: u64) -> Result<u32, Finding> {
    let rules = &game.rules;
    let slow = Naive::new(rules);
    slow.fuel.set(fuel);
    let mut pos = slow.start(&trace.deals);
    let mut line: Vec<&str> = Vec::new();
    let mut followed = 0;
    for seen in &trace.plies {
        let differ = |what: &str, fast: String, naive: String| {
            let options = game.changed_options();
            let report =
                format!("program: {fast}; naive: {naive}; options {options:?}, after [{}]", line.join(" "));
            Err(Finding::new(format!("{what} (program, naive)"), report))
        };
        let legal = slow.legal(&pos);
        let mut joined: Vec<String> = legal.iter().filter_map(|(_, choice)| slow.joined(choice)).collect();
        let mut naive: Vec<String> = legal.into_iter().map(|(text, _)| text).collect();
        naive.sort_unstable();
        joined.sort_unstable();
        let result = slow.result(&pos);
        if seen.result != result {
            return differ("result", format!("{:?}", seen.result), format!("{result:?}"));
        }
        let pieces: Vec<_> = rules.board.sites().map(|s| pos.stack(s.index())).collect();
        if seen.pieces != pieces {
            let at = seen.pieces.iter().zip(&pieces).zip(rules.board.sites()).find(|((a, b), _)| a != b);
            let (fast, naive) = at
                .map(|((a, b), s)| (format!("{}: {a:?}", rules.board.name(s)), format!("{b:?}")))
                .unwrap_or_default();
            return differ("pieces", fast, naive);
        }
        if seen.texts.is_empty() && seen.result.is_none() {
            break;
        }
        if seen.texts != naive {
            return differ("legal moves", format!("{:?}", seen.texts), format!("{naive:?}"));
        }
        if seen.joined != joined {
            return differ("joined texts", format!("{:?}", seen.joined), format!("{joined:?}"));
        }
        if result.is_some() {
            if let Some(scores) = slow.scores(&pos)
                && scores != seen.scores
            {
                return differ("scores", format!("{:?}", seen.scores), format!("{scores:?}"));
            }
            break;
        }
        if let Some(mover) = seen.mover {
            let there = slow.mover(&pos).map(|p| Player(p as u8));
            if Some(mover) != there {
                return differ("mover", format!("{mover:?}"), format!("{there:?}"));
            }
        }
        followed += 1;
        let Some(text) = &seen.played else { break };
        // Of two moves with one text it is not known which was made.
        if naive.iter().filter(|t| *t == text).count() != 1 {
            break;
        }
        let Some(next) = slow.play(&pos, text) else { break };
        pos = next;
        line.push(text);
    }
    Ok(followed)
}
