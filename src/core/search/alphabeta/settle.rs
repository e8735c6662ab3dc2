//! A quiet search: where no depth is left, loud moves are looked at to the end.

use super::order::{self, Group};
use super::{DEEPEST, LOUDEST, Level, Limit, Mind, OFTEN, WIN};

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
        if let Some(value) = self.settle_at_once(ply, deep, alpha, beta) {
            return value;
        }
        let Some(level) = self.levels.get(ply) else { return 0 };
        let chance = level.moves.is_chance();
        let stand = self.looks(ply);
        if chance || self.is_settled(ply, deep) {
            return stand;
        }
        // Where nothing quiet can be done, to stand still is no choice.
        if stand >= beta && self.is_quiet(ply) {
            return stand;
        }
        let mut best = stand;
        if !self.order_loud(ply, deep, Some(alpha.saturating_sub(stand))) {
            best = -WIN;
            self.order_loud(ply, deep, None);
        }
        alpha = alpha.max(best);
        let mut i = 0;
        while let Some(pick) = self.levels.get_mut(ply).and_then(|level| order::next(&mut level.picks, i)) {
            if limit.is_over_at(self.nodes, OFTEN) {
                self.over = true;
                return 0;
            }
            self.make(ply, pick.number, 0);
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
            if value > alpha {
                alpha = value;
                if alpha >= beta {
                    break;
                }
                self.keep_line(ply, pick.number);
            }
            i += 1;
        }
        best
    }

    /// The value of a quiet search where it needs no moves. Else they are listed afterwards.
    pub(super) fn settle_at_once(&mut self, ply: usize, deep: usize, alpha: i32, beta: i32) -> Option<i32> {
        if !self.levels.get(ply)?.moves.are_listed() {
            let (least, most) = self.looks_between(ply);
            // Who has a choice may stand still.
            if least >= beta {
                return Some(least);
            }
            if most <= alpha && self.is_settled(ply, deep) {
                return Some(most);
            }
        }
        (!self.list(ply)).then(|| self.end(ply))
    }

    /// Whether no move is looked at.
    fn is_settled(&self, ply: usize, deep: usize) -> bool {
        deep >= LOUDEST || ply + 2 >= DEEPEST || self.gains.all_loud()
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

    /// Lists the loud moves of a level that may gain enough, all of them where some move has to be made. Says whether
    /// there are others.
    fn order_loud(&mut self, ply: usize, deep: usize, enough: Option<i32>) -> bool {
        let Some(Level { pos, moves, picks, .. }) = self.levels.get_mut(ply) else { return false };
        picks.clear();
        let mut quiet = false;
        self.classes.each(self.machine.program(), pos, moves, |class, run, w, bits| {
            let hope = self.gains.hope(class);
            quiet |= !hope.loud;
            if hope.loud && enough.is_none_or(|enough| hope.may_gain(enough, deep)) {
                let group = Group::new(run, w, bits, class, hope);
                group.list(picks, None, |_| hope.promise());
            }
            true
        });
        quiet
    }
}
