//! The machine: one program, its keys and its scratch memory.

use std::sync::Arc;

use super::frame::Frame;
use super::hash::Keys;
use super::history::History;
use super::ledger::Asker;
use super::moves::{Move, Moves};
use super::native::{Aids, Backend, Native, Played, Roamed, Task};
use super::position::{Outcome, Position};
use super::rng::Rng;
use super::run::{Run, interpreter};
use crate::ids::Player;
use crate::program::{Layout, Program, ProgramError, slot, verify};

/// How many plies are made before a program is compiled: about as long as compiling takes.
const PLIES_BEFORE_COMPILING: u32 = 300;

/// Plays one program: legal moves, doing a move, outcomes.
///
/// ```
/// use farrier::play::{History, Moves, Rng};
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "connect-four".parse::<Variant>()?.open(&Shipped)?;
/// let mut machine = game.machine()?;
/// let (mut history, mut moves, mut rng) = (History::new(), Moves::new(), Rng::new(7));
/// let mut pos = machine.start(1, &mut history);
/// machine.moves(&pos, &mut moves);
/// while let Some(number) = moves.nth(rng.pick(moves.len())) {
///     machine.play(&mut pos, number, &mut history, &mut moves);
/// }
/// assert!(machine.outcome(&pos).is_some());
/// # Ok(())
/// # }
/// ```
///
/// It allocates nothing per move once its buffers have grown; each
/// thread has its own (a clone shares the program and the keys).
///
/// A position is *resolved* when it offers the moves of the player who decides next or is over: all that
/// [`Machine::start`], [`Machine::begin`], [`Machine::resolve`] and [`Machine::play`] leave are. The
/// positions that a machine is given must be of its program.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Arc<Program>,
    keys: Arc<Keys>,
    /// The program's code.
    pub(super) run: Arc<dyn Run>,
    pub(super) frame: Frame,
    /// Moves for calls in which nobody wants them.
    pub(super) unused: Option<Moves>,
    /// Where the weights of moves are told.
    weights: Vec<i32>,
    /// A position for moves that are tried, and what it offers.
    pub(super) trial: Option<Box<(Position, Moves)>>,
    /// Compiled code of the program, if there is some.
    native: Option<Arc<dyn Native>>,
    /// Who compiles it, and after how many calls more that is worth while.
    backend: Option<Arc<dyn Backend>>,
    patience: u32,
    /// The layout of its positions.
    pub(super) shape: u64,
    /// Whether some decision is left to chance.
    chances: bool,
    /// Whether some decision may not bring back a position.
    pub(super) bars: bool,
    /// Whether perft needs the history.
    perft_keeps: bool,
    hashing: bool,
    history: bool,
}

impl Machine {
    /// A machine for a program, which is verified first.
    pub fn new(program: Arc<Program>) -> Result<Machine, ProgramError> {
        Machine::interpreting(program, false)
    }

    /// A machine that counts each operation, and tells it as its [work](Machine::work).
    pub fn counting(program: Arc<Program>) -> Result<Machine, ProgramError> {
        Machine::interpreting(program, true)
    }

    fn interpreting(program: Arc<Program>, counting: bool) -> Result<Machine, ProgramError> {
        verify(&program)?;
        let keys = Arc::new(Keys::new(&program));
        Ok(Machine {
            run: interpreter(&program, &keys, counting),
            keys,
            frame: Frame::new(&program),
            unused: None,
            weights: Vec::new(),
            trial: None,
            native: None,
            backend: None,
            patience: PLIES_BEFORE_COMPILING,
            shape: program.layout.shape(&program.all),
            chances: program.has_chance(),
            bars: program.bars_repeats(),
            perft_keeps: program.bars_repeats() || program.perft_reads_seen(),
            hashing: false,
            history: false,
            program,
        })
    }

    /// A machine that has its program compiled once it has made so many plies that this pays, and from then
    /// on runs that code wherever there is some. It plays the same before and after.
    ///
    /// The back end must be one of the same program.
    pub fn with_backend(mut self, backend: Arc<dyn Backend>) -> Machine {
        self.backend = Some(backend);
        self
    }

    /// Has the program compiled now, if it can be; says whether it is.
    pub fn warm_up(&mut self) -> bool {
        if let Some(backend) = self.backend.take() {
            self.native = backend.native();
        }
        self.is_native()
    }

    /// So many more plies without compiled code.
    #[cold]
    fn wait(&mut self, plies: u32) {
        self.patience = self.patience.saturating_sub(plies);
        if self.patience == 0 {
            self.warm_up();
        }
    }

    /// Whether it runs compiled code.
    pub fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// The work of interpreted code so far, as turns of loops and, of a [counting machine](Machine::counting), as
    /// operations on words and integers: a measure that needs no clock. Compiled code is not counted.
    pub fn work(&self) -> u64 {
        self.frame.work
    }

    /// The work of a [counting machine](Machine::counting) by the rules that asked for it, in operations. What only the
    /// machine itself does is nobody's.
    pub fn work_by(&self) -> impl Iterator<Item = (Asker, u64)> + '_ {
        self.frame.ledger.by.iter().map(|(asker, work)| (*asker, *work))
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The layout of its positions.
    pub fn layout(&self) -> &Layout {
        &self.program.layout
    }

    /// For perft: ends that say `perft = false` are not looked at; no history is kept unless legal moves or other ends
    /// depend on it, and hashes only if asked for.
    pub fn set_perft(&mut self, on: bool) {
        self.frame.perft = on;
        self.settle();
    }

    /// Keeps hashes also where no rule asks for them. A position made without has hash 0, and the next
    /// move on it makes it right.
    pub fn set_hashing(&mut self, on: bool) {
        self.hashing = on;
        self.settle();
    }

    /// Keeps the history of turn starts, and hashes with it, also where no rule asks for them.
    pub fn set_history(&mut self, on: bool) {
        self.history = on;
        self.settle();
    }

    /// Whether turn starts are added to a history.
    pub fn keeps_history(&self) -> bool {
        self.frame.keeping
    }

    fn settle(&mut self) {
        self.frame.keeping = match self.frame.perft {
            true => self.perft_keeps,
            false => self.history || self.program.keeps_history(),
        };
        self.frame.hashing = self.hashing || self.frame.keeping;
    }

    /// The code and its frame, for positions of a game in which these numbers were dealt.
    #[inline]
    pub(super) fn running(&mut self, deal: &Arc<[i32]>) -> (&dyn Run, &mut Frame) {
        self.frame.of_deal(deal);
        (&*self.run, &mut self.frame)
    }

    /// Lets code work on a position.
    #[inline]
    pub(super) fn on<T>(&mut self, pos: &mut Position, call: impl FnOnce(&dyn Run, &mut Frame) -> T) -> T {
        let (run, frame) = self.running(&pos.deal);
        std::mem::swap(&mut frame.pos, &mut pos.words);
        let value = call(run, frame);
        std::mem::swap(&mut frame.pos, &mut pos.words);
        value
    }

    /// Lets code offer the moves of a position.
    pub(super) fn offering(
        &mut self,
        pos: &mut Position,
        moves: &mut Moves,
        call: impl FnOnce(&dyn Run, &mut Frame),
    ) {
        moves.reset(self.program.layout.width);
        self.with_sink(pos, moves, call);
    }

    /// Lets code work on a position with `moves` as the sink.
    pub(super) fn with_sink<T>(
        &mut self,
        pos: &mut Position,
        moves: &mut Moves,
        call: impl FnOnce(&dyn Run, &mut Frame) -> T,
    ) -> T {
        std::mem::swap(&mut self.frame.sink, moves);
        let value = self.on(pos, call);
        std::mem::swap(&mut self.frame.sink, moves);
        self.settle_moves(moves, self.program.layout.slot(&pos.words, slot::MOVER));
        value
    }

    /// Says who decides among moves.
    #[inline]
    fn settle_moves(&self, moves: &mut Moves, mover: i32) {
        moves.mover = Player(u8::try_from(mover).unwrap_or(0));
        moves.chance = self.chances && moves.nth(0).is_some_and(|first| self.is_chance(first));
    }

    fn is_chance(&self, number: Move) -> bool {
        let leaf = self.program.leaf_of(number.0).and_then(|leaf| self.program.leaves.get(leaf));
        let decision = leaf.and_then(|leaf| leaf.decision);
        decision.is_some_and(|decision| self.program.decisions[decision].chance)
    }

    /// The legal moves of a resolved position; none when the game is over.
    pub fn moves(&mut self, pos: &Position, moves: &mut Moves) {
        moves.reset(self.program.layout.width);
        std::mem::swap(&mut self.frame.sink, moves);
        let Probe { run, frame, layout, .. } = self.probe(pos);
        run.offer(frame);
        if !pos.barred.is_empty() {
            frame.sink.retain(|number| !pos.barred.contains(&number));
            if frame.sink.is_empty() {
                run.stuck(frame);
            }
        }
        let mover = layout.slot(&frame.pos, slot::MOVER);
        std::mem::swap(&mut self.frame.sink, moves);
        self.settle_moves(moves, mover);
    }

    /// Does a legal move: its effects, the counters, then the ends after a ply.
    ///
    /// The position is left **unresolved**: before it is used further it must be given to
    /// [`Machine::resolve`]. Enough for the leaves of a perft.
    pub fn apply(&mut self, pos: &mut Position, number: Move) {
        self.note(pos);
        self.make(pos, number);
        self.rehash(pos);
    }

    /// Makes each of the moves of a resolved position, one after the other: `next` becomes a copy in which the
    /// move's effects have happened and the ply is counted, for each. The last stays there. Whether that ends
    /// the game is not looked at, and no hash is kept: enough for the leaves of a perft, which count either
    /// way. Gives back how many.
    pub fn make_each(&mut self, pos: &Position, moves: &Moves, next: &mut Position) -> u64 {
        if let Some(native) = &self.native
            && next.words.len() == pos.words.len()
        {
            let (words, deal) = (&mut next.words, &pos.deal);
            let task = Task { words, deal, shape: pos.shape, perft: self.frame.perft };
            if let Some(made) = native.make_each(&pos.words, task, moves) {
                next.words[0] = 0;
                next.belong_to(pos);
                return made;
            }
        }
        next.copy_from(pos);
        let made = self.on(next, |run, frame| run.make_each(frame, &pos.words, moves));
        next.words[0] = 0;
        made
    }

    /// Goes on after a ply, in the order that the language states: the rest of the turn; a mover without
    /// an offer is stuck; else the turn ends, the next begins, and the ends at a turn's start are looked
    /// at. Fills in the legal moves.
    pub fn resolve(&mut self, pos: &mut Position, history: &mut History, moves: &mut Moves) {
        self.note(pos);
        self.go_on(pos, history, moves);
        self.bar(pos, history, moves);
        self.rehash(pos);
    }

    /// Does a legal move and resolves the position: [`Machine::apply`], then [`Machine::resolve`].
    pub fn play(&mut self, pos: &mut Position, number: Move, history: &mut History, moves: &mut Moves) {
        self.play_with(pos, number, history, moves, |native, task, moves, aids| {
            native.play(task, number.0, moves, aids)
        });
    }

    /// The same, but the moves may be left to [`Machine::list`], which nobody calls who does not need them. Then the
    /// position has its hash and says who decides; whether that player is stuck, and what follows from it, is not known
    /// yet. The moves are listed at once where the flow, or an end at a turn's start, depends on them; and where a
    /// player who is stuck loses in this position, while in others it is not so: who is in check has few moves.
    pub fn play_on(&mut self, pos: &mut Position, number: Move, history: &mut History, moves: &mut Moves) {
        if self.bars {
            return self.play(pos, number, history, moves);
        }
        self.play_with(pos, number, history, moves, |native, task, moves, aids| {
            native.play_on(task, number.0, moves, aids)
        });
    }

    /// Lists the moves of a position that [`Machine::play_on`] left without; others are listed already.
    pub fn list(&mut self, pos: &mut Position, moves: &mut Moves) {
        if moves.are_listed() {
            return;
        }
        if let Some(native) = self.native.as_deref() {
            let aids = Aids { starts: None, paths: &mut self.frame.paths };
            if native.list(pos.task(self.frame.perft), moves, aids).is_some() {
                return;
            }
        }
        self.moves(pos, moves);
        if moves.is_empty() {
            self.with_sink(pos, moves, |run, frame| run.stuck(frame));
        }
    }

    fn play_with(
        &mut self,
        pos: &mut Position,
        number: Move,
        history: &mut History,
        moves: &mut Moves,
        by_code: impl FnOnce(&dyn Native, Task<'_>, &mut Moves, Aids<'_>) -> Option<Played>,
    ) {
        self.note(pos);
        // A program that is compiled now plays this ply by the function for whole plies: no other is compiled for it.
        if self.backend.is_some() {
            self.wait(1);
        }
        let starts = history.len();
        let played =
            self.aided(history, false, |native, perft, aids| by_code(native, pos.task(perft), moves, aids));
        match played {
            Some(played) => {
                self.settle_moves(moves, self.program.layout.slot(&pos.words, slot::MOVER));
                moves.due = played == Played::Due;
            }
            None => {
                self.make_now(pos, number);
                self.go_on(pos, history, moves);
            }
        }
        self.bar(pos, history, moves);
        // What tells positions apart does not change any more once a turn has begun.
        if played.is_none() || history.len() == starts {
            self.rehash(pos);
        }
    }

    /// Plays random moves from a resolved position whose moves are given, as if each was drawn evenly with
    /// [`Rng::pick`] and played: at most so many plies, until the game is over. They are fewer also where the rest is
    /// to be played one by one: none are where chance has weights or what is legal depends on the history.
    pub fn roam(
        &mut self,
        pos: &mut Position,
        history: &mut History,
        moves: &mut Moves,
        rng: &mut Rng,
        most: u32,
    ) -> Roamed {
        if self.chances || self.bars {
            return Roamed::default();
        }
        self.note(pos);
        let roamed = match &self.native {
            Some(_) => self.roam_native(pos, history, moves, rng, most),
            None => {
                let waiting = self.backend.is_some();
                let most = if waiting { most.min(self.patience) } else { most };
                let roamed = self.with_sink(pos, moves, |run, frame| run.roam(frame, history, rng, most));
                if waiting {
                    self.wait(roamed.plies);
                }
                roamed
            }
        };
        self.rehash(pos);
        roamed
    }

    fn roam_native(
        &mut self,
        pos: &mut Position,
        history: &mut History,
        moves: &mut Moves,
        rng: &mut Rng,
        most: u32,
    ) -> Roamed {
        let roamed = self
            .aided(history, true, |native, perft, aids| native.roam(pos.task(perft), moves, aids, rng, most));
        let Some(roamed) = roamed else { return Roamed::default() };
        self.settle_moves(moves, self.program.layout.slot(&pos.words, slot::MOVER));
        roamed
    }

    /// Calls compiled code that goes on, with what it needs for that. `onward` says that it may go on far: then the hash
    /// of each turn's start is found from that of the last one.
    fn aided<T>(
        &mut self,
        history: &mut History,
        onward: bool,
        call: impl FnOnce(&dyn Native, bool, Aids<'_>) -> Option<T>,
    ) -> Option<T> {
        let native = self.native.as_deref()?;
        let paths = &mut self.frame.paths;
        if !self.frame.keeping {
            return call(native, self.frame.perft, Aids { starts: None, paths });
        }
        let (keys, before) = (&self.keys, &mut self.frame.before);
        let mut starts = |words: &mut [u64]| {
            words[0] = keys.update(before[0], before, words);
            if onward {
                before.copy_from_slice(words);
            }
            history.push(words[0]);
            i32::try_from(history.count(words[0])).unwrap_or(i32::MAX)
        };
        call(native, self.frame.perft, Aids { starts: Some(&mut starts), paths })
    }

    /// Does a move; keeps no hash.
    pub(super) fn make(&mut self, pos: &mut Position, number: Move) {
        if self.backend.is_some() {
            self.wait(1);
        }
        self.make_now(pos, number);
    }

    fn make_now(&mut self, pos: &mut Position, number: Move) {
        if let Some(native) = &self.native
            && native.apply(pos.task(self.frame.perft), number.0).is_some()
        {
            return;
        }
        self.on(pos, |run, frame| run.make(frame, number));
    }

    /// Resolves a position. Its hash is right only up to the start of a turn.
    fn go_on(&mut self, pos: &mut Position, history: &mut History, moves: &mut Moves) {
        if self.native.is_some() && self.go_on_native(pos, history, moves).is_some() {
            return;
        }
        self.offering(pos, moves, |run, frame| run.resolve(frame, history));
    }

    fn go_on_native(&mut self, pos: &mut Position, history: &mut History, moves: &mut Moves) -> Option<()> {
        self.aided(history, false, |native, perft, aids| native.resolve(pos.task(perft), moves, aids))?;
        self.settle_moves(moves, self.program.layout.slot(&pos.words, slot::MOVER));
        Some(())
    }

    /// Remembers a position for [`Machine::rehash`].
    fn note(&mut self, pos: &Position) {
        if self.frame.hashing {
            self.frame.before.copy_from_slice(&pos.words);
        }
    }

    /// Brings the hash up to date from the position that was noted.
    fn rehash(&mut self, pos: &mut Position) {
        let words = &mut pos.words;
        words[0] = match self.frame.hashing {
            true => self.keys.update(self.frame.before[0], &self.frame.before, words),
            false => 0,
        };
    }

    /// How the game ended, scores counted: never [`Outcome::Score`]. None while it goes on.
    pub fn outcome(&mut self, pos: &Position) -> Option<Outcome> {
        let outcome = pos.outcome(self.layout())?;
        if outcome != Outcome::Score {
            return Some(outcome);
        }
        let mut best = i32::MIN;
        let mut winner = None;
        for player in 0..self.layout().players {
            let score = self.score(pos, player);
            if score > best || player == 0 {
                best = score;
                winner = u8::try_from(player).ok().map(Player);
            } else if score == best {
                winner = None;
            }
        }
        Some(winner.map_or(Outcome::Draw, Outcome::Win))
    }

    /// The score of a player in a position; 0 where the game has no score.
    pub fn score(&mut self, pos: &Position, player: usize) -> i32 {
        let Probe { native, run, frame, layout } = self.probe(pos);
        layout.set_slot(&mut frame.pos, slot::MOVER, player as i32);
        let task = Task { words: &mut frame.pos, deal: &pos.deal, shape: pos.shape, perft: false };
        native.and_then(|native| native.score(task)).unwrap_or_else(|| run.score(frame, player))
    }

    /// The score of each player; empty where the game has no score.
    pub fn scores(&mut self, pos: &Position) -> Vec<i32> {
        let players = self.program.score.map_or(0, |_| self.layout().players);
        (0..players).map(|p| self.score(pos, p)).collect()
    }

    /// The worth of a finished game to each player in the match; none if it goes on or there is no
    /// match.
    pub fn match_points(&mut self, pos: &Position) -> Option<Vec<i32>> {
        let outcome = self.outcome(pos)?;
        (0..self.layout().players)
            .map(|player| {
                let won = outcome.has_won(Player(player as u8));
                let Probe { run, frame, .. } = self.probe(pos);
                run.points(frame, player, won)
            })
            .collect()
    }

    /// The weight of a move of a chance node: 1 where moves are alike, never negative.
    pub fn chance_weight(&mut self, pos: &Position, number: Move) -> i32 {
        let Probe { run, frame, .. } = self.probe(pos);
        run.weight(frame, number)
    }

    /// The weights of some moves of a chance node, in their order.
    pub fn chance_weights(&mut self, pos: &Position, moves: impl Iterator<Item = Move>) -> &[i32] {
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let Probe { run, frame, .. } = self.probe(pos);
        weights.extend(moves.map(|number| run.weight(frame, number)));
        self.weights = weights;
        &self.weights
    }

    /// Makes the hash of a position right where hashes are kept, so that nothing has to find it from
    /// nothing later.
    pub fn settle_hash(&self, pos: &mut Position) {
        if self.frame.hashing {
            pos.words[0] = self.full_hash(pos);
        }
    }

    /// The hash of a position, from nothing.
    pub fn full_hash(&self, pos: &Position) -> u64 {
        self.keys.full(&pos.words)
    }

    /// Code with a copy of a position to work on.
    pub(super) fn probe(&mut self, pos: &Position) -> Probe<'_> {
        let Machine { program, native, run, frame, .. } = self;
        frame.of_deal(&pos.deal);
        frame.pos.copy_from_slice(&pos.words);
        Probe { native: native.as_deref(), run: &**run, frame, layout: &program.layout }
    }
}

/// Code, and the copy of a position that it works on: all borrowed, for a count of references that threads
/// share is felt where playouts are short.
pub(super) struct Probe<'m> {
    native: Option<&'m dyn Native>,
    pub run: &'m dyn Run,
    pub frame: &'m mut Frame,
    layout: &'m Layout,
}
