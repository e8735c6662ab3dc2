//! A quiet search: where no depth is left, loud moves are looked at to the end.

use super::order::{self, Group};
use super::{DEEPEST, LOUDEST, Level, Limit, Mind, OFTEN, WIN};

/// The most that a quiet move may bring: a quarter of a logit.
const QUIET: i32 = 256;

impl Mind {
    /// A quiet search: the static value, or a better one after loud moves.
    pub(super) fn settle(
        &mut self,
        ply: usize,
        deep: usize,
        mut alpha: i32,
        beta: i32,
        limit: &Limit<'_>,
    ) -> i32 {
        let Some(level) = self.levels.get(ply) else { return 0 };
        if level.moves.is_empty() {
            return self.end(ply);
        }
        let chance = level.moves.is_chance();
        let stand = self.looks(ply);
        if deep >= LOUDEST || ply + 2 >= DEEPEST || chance || self.gains.all_loud() {
            return stand;
        }
        // Where nothing quiet can be done, to stand still is no choice.
        let (quiet, reach) = (self.is_quiet(ply), alpha.saturating_sub(stand));
        let mut best = if quiet { stand } else { -WIN };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        self.order_loud(ply, if quiet { reach } else { -WIN });
        let mut i = 0;
        while let Some(pick) = self.levels.get_mut(ply).and_then(|level| order::next(&mut level.picks, i)) {
            if limit.is_over_at(self.nodes, OFTEN) {
                self.over = true;
                return 0;
            }
            self.make(ply, pick.number);
            self.learn(ply, pick);
            let value = match self.side(ply) == self.side(ply + 1) {
                true => self.settle(ply + 1, deep + 1, alpha, beta, limit),
                false => -self.settle(ply + 1, deep + 1, -beta, -alpha, limit),
            };
            self.unmake(ply);
            if self.over {
                return 0;
            }
            self.gains.learn_worth(usize::from(pick.class), value.saturating_sub(stand));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
            i += 1;
        }
        best
    }

    /// Whether there is a quiet move at a level.
    fn is_quiet(&self, ply: usize) -> bool {
        let Some(Level { pos, moves, .. }) = self.levels.get(ply) else { return false };
        let mut quiet = false;
        self.classes.each(self.machine.program(), pos, moves, |class, _, _, _| {
            quiet = !self.gains.hope(class).loud;
            !quiet
        });
        quiet
    }

    /// Lists the loud moves of a level, but for those that are not enough even if they bring twice the expected gain.
    fn order_loud(&mut self, ply: usize, enough: i32) {
        let Some(Level { pos, moves, picks, .. }) = self.levels.get_mut(ply) else { return };
        picks.clear();
        self.classes.each(self.machine.program(), pos, moves, |class, run, w, bits| {
            let hope = self.gains.hope(class);
            // Moves that are known to end badly are left out, unless some move has to be made.
            if hope.is_bad() && enough > -WIN {
                return true;
            }
            if hope.loud && 2 * i32::from(hope.rise).max(0) + QUIET > enough {
                let group = Group::new(run, w, bits, class, hope);
                group.list(picks, None, |_| hope.promise());
            }
            true
        });
    }
}
