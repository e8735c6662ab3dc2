//! Playouts: games of uniformly random moves.

use crate::game::Game;
use crate::notation::record::{End, Header, Ply, Record};
use crate::play::{History, Machine, Move, Moves, Outcome, Position, Rng, Roamed};

pub use crate::notation::record::option_json;
pub use crate::search::{draw, play_out};

/// How a playout went.
#[derive(Clone, PartialEq, Debug)]
pub struct Playout {
    /// The outcome; none where the game was cut.
    pub outcome: Option<Outcome>,
    /// How many plies were made.
    pub plies: u32,
    /// How many moves were legal before each of them, added up.
    pub choices: u64,
}

/// Working space of playouts: kept from one to the next, it asks for no memory again.
#[derive(Clone, Default, Debug)]
pub struct Space {
    history: History,
    moves: Moves,
}

/// Plays a position to its end, at most so many plies.
///
/// ```
/// use farrier::analysis::playout;
/// use farrier::play::Rng;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "hex:size=5".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let mut pos = game.start(&mut machine, None, 1)?;
/// let mut plies = 0;
/// let playout = playout::play(&mut machine, &mut pos, &mut Rng::new(3), 1000, |_, _, _, _| plies += 1);
/// assert_eq!(playout.plies, plies);
/// assert_ne!(playout::outcome_name(&game, playout.outcome), "unfinished");
/// # Ok(())
/// # }
/// ```
///
/// `pos` is left where the game stopped. `each` sees
/// every move before it is made.
pub fn play(
    machine: &mut Machine,
    pos: &mut Position,
    rng: &mut Rng,
    most: u32,
    each: impl FnMut(&mut Machine, &Position, &Moves, Move),
) -> Playout {
    play_in(&mut Space::default(), machine, pos, rng, most, each)
}

/// The same as [`play`], in a space that the caller keeps.
pub fn play_in(
    space: &mut Space,
    machine: &mut Machine,
    pos: &mut Position,
    rng: &mut Rng,
    most: u32,
    mut each: impl FnMut(&mut Machine, &Position, &Moves, Move),
) -> Playout {
    let Space { history, moves } = space;
    machine.moves(pos, moves);
    begin(history, machine, pos);
    let (mut plies, mut choices) = (0, 0);
    while plies < most {
        let Some(m) = draw(machine, pos, moves, rng) else { break };
        choices += moves.len() as u64;
        each(machine, pos, moves, m);
        machine.play(pos, m, history, moves);
        plies += 1;
    }
    Playout { outcome: machine.outcome(pos), plies, choices }
}

/// The same from a position whose legal moves are known: many playouts from one position find them once.
pub fn play_from(
    space: &mut Space,
    machine: &mut Machine,
    pos: &mut Position,
    first: &Moves,
    rng: &mut Rng,
    most: u32,
) -> Playout {
    let Space { history, moves } = space;
    moves.copy_from(first);
    begin(history, machine, pos);
    let Roamed { plies, choices } = play_out(machine, pos, history, moves, rng, most);
    Playout { outcome: machine.outcome(pos), plies, choices }
}

/// The history of a game that begins here, where it is kept.
fn begin(history: &mut History, machine: &Machine, pos: &Position) {
    history.clear();
    if machine.keeps_history() {
        history.push(if pos.hash() == 0 { machine.full_hash(pos) } else { pos.hash() });
    }
}

/// The name of an outcome: a player's, `draw`, or `unfinished`.
pub fn outcome_name(game: &Game, outcome: Option<Outcome>) -> String {
    game.outcome_name(outcome)
}

/// A playout's record. The same seed gives the same record on every machine.
pub fn record(game: &Game, machine: &mut Machine, start: &Position, seed: u64, most: u32) -> Record {
    let mut pos = start.clone();
    let mut rng = Rng::new(seed);
    let mut plies = Vec::new();
    play(machine, &mut pos, &mut rng, most, |_, pos, moves, m| {
        let by = if moves.is_chance() { "chance" } else { game.player(moves.mover().index()) };
        plies.push(Ply {
            ply: pos.ply(&game.program.layout) + 1,
            by: by.to_owned(),
            legal: moves.len() as u64,
            text: game.move_text(m),
            clock: None,
        });
    });
    let texts = game.texts();
    let setup = texts.write_setup(start);
    let outcome = machine.outcome(&pos);
    let scores = game.score_map(machine, &pos);
    let end = End { result: outcome_name(game, outcome), scores, ..End::default() };
    Record { header: Header { setup, ..game.header() }, plies, end: Some(end) }
}
