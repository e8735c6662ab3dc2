//! Moves that would bring back a position in which a turn began (`repeats = false`).
//!
//! What is legal depends on what came before, and code sees one position. So the rule is asked last, of the moves that
//! a resolved position offers, by whoever has the history: each is made on a copy, the turn is ended if the move ends
//! it, and the start of the next is looked for among those that there were. The position keeps the moves that are
//! [barred](Position::barred), so that its moves can be listed again without the history.

use super::history::History;
use super::machine::Machine;
use super::moves::Moves;
use super::position::Position;

impl Machine {
    /// Takes moves that bring back an earlier start of a turn from those of a resolved position. If none is left the
    /// mover is stuck.
    #[inline]
    pub(super) fn bar(&mut self, pos: &mut Position, history: &History, moves: &mut Moves) {
        pos.barred.clear();
        // Not a call where there are no bans.
        if self.bars {
            self.bar_repeats(pos, history, moves);
        }
    }

    fn bar_repeats(&mut self, pos: &mut Position, history: &History, moves: &mut Moves) {
        // What is legal does not depend on which ends perft looks at.
        let perft = std::mem::replace(&mut self.frame.perft, false);
        let mut barred = std::mem::take(&mut pos.barred);
        let mut trial = self.trial.take().unwrap_or_else(|| Box::new((pos.clone(), Moves::new())));
        let (next, offers) = &mut *trial;
        for number in moves.iter() {
            if self.program().may_repeat(number.0) {
                continue;
            }
            next.copy_from(pos);
            self.make(next, number);
            offers.reset(self.layout().width);
            let start = self.with_sink(next, offers, |run, frame| run.next_start(frame));
            if start.is_some_and(|hash| history.count(hash) > 0) {
                barred.push(number);
            }
        }
        self.trial = Some(trial);
        self.frame.perft = perft;
        pos.barred = barred;
        if !pos.barred.is_empty() {
            moves.retain(|number| !pos.barred.contains(&number));
            if moves.is_empty() {
                self.with_sink(pos, moves, |run, frame| run.stuck(frame));
            }
        }
    }
}
