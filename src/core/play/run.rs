//! The interpreter of a program: its code as closures, chosen once for the width of its sets.

use std::fmt;
use std::sync::Arc;

use super::board::Board;
use super::code::{Builder, Do, Thunk};
use super::flow::Node;
use super::frame::Frame;
use super::hash::Keys;
use super::history::History;
use super::ledger::Asker;
use super::moves::{Move, Moves};
use super::native::Roamed;
use super::rng::Rng;
use super::turn::{Decision, End, Leaf, Outcomes};
use crate::program::{Course, Placement, Program, slot};

/// The interpreter as a machine sees it, whatever its width. Each call works on the position, the dealt numbers and
/// the sink for offers of a frame. Hashes are kept only where a turn starts.
pub(super) trait Run: fmt::Debug + Send + Sync {
    /// Does a move with the player in slot `MOVER`, then looks at the ends after a ply.
    fn make(&self, frame: &mut Frame, number: Move);

    /// Makes each of some moves of a position, which is copied to the frame for each; gives back how many.
    /// Ends are not looked at.
    fn make_each(&self, frame: &mut Frame, from: &[u64], moves: &Moves) -> u64;

    /// Goes on after a ply: the rest of the turn, or the next turn and the ends at its start. The hash is
    /// brought up to date only where a turn starts, from the position that was noted.
    fn resolve(&self, frame: &mut Frame, history: &mut History);

    /// Plays random moves from a resolved position whose moves are in the sink: at most so many plies, until
    /// there are none.
    fn roam(&self, frame: &mut Frame, history: &mut History, rng: &mut Rng, most: u32) -> Roamed;

    /// Begins the turn of the player in slot `TURN`; ends at turn starts are not looked at.
    fn begin(&self, frame: &mut Frame, history: &mut History);

    /// Offers the legal moves of a resolved position, of which only the mover is changed.
    fn offer(&self, frame: &mut Frame);

    /// Nothing is on offer to the player in slot `MOVER`.
    fn stuck(&self, frame: &mut Frame);

    /// Ends the turn after a ply, as [`Run::resolve`] does, and begins the next: the hash of its start. None where the
    /// turn is not over, or the game is.
    fn next_start(&self, frame: &mut Frame) -> Option<u64>;

    /// The first end after a ply or at a turn's start that holds for the player in slot `MOVER`: its place
    /// among those ends.
    fn end(&self, frame: &mut Frame, at_turn: bool) -> Option<usize>;

    /// A player's score; 0 where there is none.
    fn score(&self, frame: &mut Frame, player: usize) -> i32;

    /// The match points of a player for a finished game; none where there is no match.
    fn points(&self, frame: &mut Frame, player: usize, won: bool) -> Option<i32>;

    /// The weight of a chance move.
    fn weight(&self, frame: &mut Frame, number: Move) -> i32;

    /// The pieces of the start, then the `setup` block with player 0 as mover.
    fn set_up(&self, frame: &mut Frame);

    /// The `tidy` block with the player in slot `TURN` as mover.
    fn tidy(&self, frame: &mut Frame);

    /// The owner, the kind and the number of the pieces on a site.
    fn piece(&self, pos: &[u64], site: usize) -> Option<(u8, u8, u32)>;

    /// Puts pieces on a site, if there is such a site.
    fn place(&self, pos: &mut [u64], placement: Placement);

    /// Takes all pieces off a site.
    fn clear(&self, pos: &mut [u64], site: usize);
}

/// The interpreter of a program that was verified: the one place where the width is chosen. It counts what it does if
/// it is asked to.
pub(super) fn interpreter(program: &Arc<Program>, keys: &Arc<Keys>, counting: bool) -> Arc<dyn Run> {
    fn of<const W: usize>(program: &Arc<Program>, keys: &Arc<Keys>, counting: bool) -> Arc<dyn Run> {
        Arc::new(Interpreter::<W>::new(program, Arc::clone(keys), counting))
    }
    match program.layout.width {
        1 => of::<1>(program, keys, counting),
        2 => of::<2>(program, keys, counting),
        4 => of::<4>(program, keys, counting),
        8 => of::<8>(program, keys, counting),
        _ => of::<16>(program, keys, counting),
    }
}

/// A program with sets of `W` words, as code. [`Program`] says what its parts mean.
pub(super) struct Interpreter<const W: usize> {
    pub board: Arc<Board<W>>,
    pub keys: Arc<Keys>,
    pub leaves: Box<[Leaf]>,
    pub states: Box<[Node]>,
    pub course: Course,
    /// The number of the pass that a stuck mover is offered.
    pub stuck_pass: u32,
    pub stuck: Outcomes,
    /// The ends after a ply, and those at a turn's start.
    pub ends: [Box<[End]>; 2],
    pub turn_end: Do,
    /// Who follows the mover, where players are skipped.
    pub next: Option<Thunk<i32>>,
    score: Option<Thunk<i32>>,
    match_: Option<Match>,
    placements: Box<[Placement]>,
    set_up: Do,
    tidy: Do,
}

/// The worth of a game in a match, and the locals that it reads.
struct Match {
    points: Thunk<i32>,
    won: usize,
    score: usize,
}

impl<const W: usize> fmt::Debug for Interpreter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreter").field("board", &self.board).finish_non_exhaustive()
    }
}

impl<const W: usize> Interpreter<W> {
    fn new(program: &Arc<Program>, keys: Arc<Keys>, counting: bool) -> Interpreter<W> {
        let board = Arc::new(Board::new(program));
        let code = &mut Builder::new(program, &board, counting);
        let ends = [false, true].map(|at_turn| {
            let ends = program.ends.iter().enumerate().filter(|(_, end)| end.at_turn == at_turn);
            ends.map(|(number, end)| End::new(code, number, end)).collect()
        });
        let decisions = program.decisions.iter().enumerate();
        let decisions: Vec<_> =
            decisions.map(|(number, decision)| Arc::new(Decision::new(code, number, decision))).collect();
        Interpreter {
            leaves: program.leaves.iter().map(|leaf| Leaf::new(leaf, &decisions)).collect(),
            states: program.states.iter().map(|state| Node::new(code, program, &state.rest)).collect(),
            course: Course::of(program),
            stuck_pass: program.leaves[program.stuck_pass].base,
            stuck: Outcomes::new(code, Asker::Turn, &program.stuck),
            ends,
            turn_end: code.done(Asker::Finish, program.turn_end),
            next: program.next.map(|next| code.asked(Asker::Turn, next)),
            score: program.score.map(|score| code.asked(Asker::Turn, score)),
            match_: program.match_.as_ref().map(|m| Match {
                points: code.asked(Asker::Turn, m.points),
                won: m.won as usize,
                score: m.score as usize,
            }),
            placements: program.placements.iter().copied().collect(),
            set_up: code.block(program.setup),
            tidy: code.block(program.tidy),
            board,
            keys,
        }
    }

    /// The value of a slot.
    #[inline(always)]
    pub fn slot(&self, frame: &Frame, slot: usize) -> i32 {
        self.board.slot(&frame.pos, slot)
    }

    #[inline(always)]
    pub fn set_slot(&self, frame: &mut Frame, slot: usize, value: i32) {
        self.board.set_slot(&mut frame.pos, slot, value);
    }

    #[inline(always)]
    pub fn set_mover(&self, frame: &mut Frame, player: i32) {
        self.set_slot(frame, slot::MOVER, player);
    }
}

impl<const W: usize> Run for Interpreter<W> {
    fn make(&self, frame: &mut Frame, number: Move) {
        self.make_move(frame, number);
    }

    fn make_each(&self, frame: &mut Frame, from: &[u64], moves: &Moves) -> u64 {
        self.act_each(frame, from, moves)
    }

    fn resolve(&self, frame: &mut Frame, history: &mut History) {
        self.go_on(frame, history);
    }

    fn roam(&self, frame: &mut Frame, history: &mut History, rng: &mut Rng, most: u32) -> Roamed {
        let mut roamed = Roamed::default();
        while roamed.plies < most {
            let legal = frame.sink.len();
            let drawn = rng.pick(legal);
            let Some(number) = frame.sink.nth_of_width::<W>(drawn) else { break };
            self.make_move(frame, number);
            frame.sink.clear();
            self.go_on(frame, history);
            roamed.plies += 1;
            roamed.choices += legal as u64;
        }
        roamed
    }

    fn begin(&self, frame: &mut Frame, history: &mut History) {
        self.begin_turn(frame, history);
    }

    fn offer(&self, frame: &mut Frame) {
        self.offer_moves(frame);
    }

    fn stuck(&self, frame: &mut Frame) {
        let mover = self.slot(frame, slot::MOVER);
        self.no_offer(frame, mover);
    }

    fn next_start(&self, frame: &mut Frame) -> Option<u64> {
        self.hash_of_next(frame)
    }

    fn end(&self, frame: &mut Frame, at_turn: bool) -> Option<usize> {
        self.first_end(frame, at_turn).map(|(place, _)| place)
    }

    fn score(&self, frame: &mut Frame, player: usize) -> i32 {
        let Some(score) = &self.score else { return 0 };
        self.set_mover(frame, player as i32);
        score.run(frame)
    }

    fn points(&self, frame: &mut Frame, player: usize, won: bool) -> Option<i32> {
        let code = self.match_.as_ref()?;
        let score = self.score(frame, player);
        frame.set_int(code.won, i32::from(won));
        frame.set_int(code.score, score);
        self.set_mover(frame, player as i32);
        Some(code.points.run(frame))
    }

    fn weight(&self, frame: &mut Frame, number: Move) -> i32 {
        self.weight_of(frame, number).unwrap_or(1)
    }

    fn set_up(&self, frame: &mut Frame) {
        self.set_slot(frame, slot::TURN, 0);
        self.set_mover(frame, 0);
        for placement in &self.placements {
            self.board.place(&mut frame.pos, *placement);
        }
        self.set_up.run(frame);
    }

    fn tidy(&self, frame: &mut Frame) {
        let turn = self.slot(frame, slot::TURN);
        self.set_mover(frame, turn);
        self.tidy.run(frame);
    }

    fn piece(&self, pos: &[u64], site: usize) -> Option<(u8, u8, u32)> {
        let site = self.board.site(i32::try_from(site).ok()?)?;
        let owner = u8::try_from(self.board.owner_at(pos, site)).ok()?;
        let kind = u8::try_from(self.board.kind_at(pos, site)).ok()?;
        let height = u32::try_from(self.board.pieces_on(pos, site)).ok()?;
        Some((owner, kind, height))
    }

    fn place(&self, pos: &mut [u64], placement: Placement) {
        self.board.place(pos, placement);
    }

    fn clear(&self, pos: &mut [u64], site: usize) {
        if let Some(site) = i32::try_from(site).ok().and_then(|site| self.board.site(site)) {
            self.board.clear(pos, site);
        }
    }
}
