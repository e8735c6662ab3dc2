//! The search: each move of a position, best first, as deep as it seems worth.

use super::cut::Trust;
use super::order::{self, Group, HIGHEST, Pick};
use super::table::{Bound, Entry};
use super::{DEEPEST, DOUBT, LOUDEST, Level, Limit, MAX_SUM, Mind, OFTEN, SURE, WIN, key, nearer};
use crate::play::Move;
use crate::program::slot;
use crate::search::evaluation::{share, sum_worth};

impl Mind {
    /// The value of a level's position, as who decides there sees it.
    pub(super) fn search(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: i32,
        mut beta: i32,
        limit: &Limit<'_>,
    ) -> i32 {
        if self.over || limit.is_over_at(self.nodes, OFTEN) {
            self.over = true;
            return 0;
        }
        if depth <= 0
            && let Some(value) = self.settle_at_once(ply, 0, alpha, beta)
        {
            return value;
        }
        let Some(level) = self.levels.get(ply) else { return 0 };
        let listed = level.moves.are_listed();
        if listed && level.moves.is_empty() {
            return self.end(ply);
        }
        if ply + 2 >= DEEPEST {
            return self.looks(ply);
        }
        if level.moves.is_chance() {
            return self.expect(ply, depth, limit);
        }
        let (mut only, mut tight) = self.choice(ply);
        depth += self.extension(ply, only, tight);
        if depth <= 0 && !((only || tight) && ply < 3 * LOUDEST) {
            return self.settle(ply, 0, alpha, beta, limit);
        }
        // No line is worth more than to win with the next ply.
        let far = WIN - ply as i32;
        (alpha, beta) = (alpha.max(-far), beta.min(far - 1));
        if alpha >= beta {
            return alpha;
        }
        let Some(level) = self.levels.get(ply) else { return 0 };
        let hash = key(self.machine.layout(), &level.pos);
        let narrow = beta - alpha == 1;
        // Whether a game is won for sure is not left to likelihood.
        // A doubt is not settled by what is doubted.
        let likely = narrow && !tight && !only && !level.doubted && beta.abs() < SURE;
        // Only an answer of the table would spare this, and its bucket comes into the cache meanwhile.
        let lead = likely.then(|| self.looks(ply) - beta);
        let known = self.table.get(hash);
        if let Some(entry) = known
            && entry.depth >= depth
        {
            let value = nearer(entry.value, -(ply as i32));
            let cut = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cut && narrow {
                return value;
            }
        }
        let mut seen = None;
        if let Some(lead) = lead {
            seen = Trust::place(depth, lead);
            if let Some(reached) = self.trust.says(seen).filter(|_| !self.nodes.is_multiple_of(DOUBT)) {
                return if reached { beta } else { alpha };
            }
            if depth >= 3
                && lead >= 0
                && self.passes.is_worth(self.nodes)
                && let Some(value) = self.pass(ply, depth, beta, limit)
            {
                self.trust.learn(seen, true);
                return value;
            }
        }
        if !listed {
            if !self.list(ply) {
                return self.end(ply);
            }
            (only, tight) = self.choice(ply);
            depth += self.extension(ply, only, tight);
        }
        let Some(level) = self.levels.get(ply) else { return 0 };
        let first = known.and_then(|entry| entry.best).filter(|number| level.moves.contains(*number));
        let (began, mut best, mut good) = (alpha, -WIN, None);
        // Where the table knows no move the order is a guess, and a search less deep finds one for the next time
        // (*internal iterative reduction*). It counts as if it was as deep as wanted: to count it as it is was measured
        // weaker, for the same position is soon asked for again.
        let guessed = first.is_none() && depth >= 3;
        let next = if only { depth } else { depth - 1 - i32::from(guessed) };
        self.lead(ply, first);
        let mut i = 0;
        loop {
            // The others are listed when the first was not good enough.
            if i == usize::from(first.is_some()) {
                self.order(ply, first);
            }
            let Some(pick) = self.pick(ply, i, first) else { break };
            let quiet = !pick.hope.loud;
            // Near the end of a line the last of many quiet moves are not looked at.
            if quiet && likely && depth <= 4 && i as i32 > 3 + depth * depth && best > -SURE {
                self.drop_quiet(ply, i);
                continue;
            }
            self.make(ply, pick.number, next);
            self.learn(ply, pick);
            let mut value;
            if i == 0 {
                value = self.below(ply, next, alpha, beta, limit);
            } else {
                // Late quiet moves are looked at less deep first.
                let late = depth >= 3 && i >= 3 && quiet;
                let less = if late { self.reduction(depth, i, pick.promise, narrow) } else { 0 };
                value = self.below(ply, next - less, alpha, alpha + 1, limit);
                if less > 0 && value > alpha && !self.over {
                    value = self.below(ply, next, alpha, alpha + 1, limit);
                }
                if value > alpha && value < beta && !self.over {
                    value = self.below(ply, next, alpha, beta, limit);
                }
            }
            self.unmake(ply);
            if self.over {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    good = Some(pick.number);
                    self.keep_line(ply, pick.number);
                }
            }
            if alpha >= beta {
                self.reward(ply, i, depth);
                break;
            }
            i += 1;
        }
        let bound = match () {
            _ if best >= beta => Bound::Lower,
            _ if best > began => Bound::Exact,
            _ => Bound::Upper,
        };
        self.trust.learn(seen, best >= beta);
        let entry = Entry { value: nearer(best, ply as i32), best: good, depth, bound };
        self.table.put(hash, entry, self.age);
        best
    }

    /// Whether there is only one move, and whether there are few. While they are not listed there is some choice.
    fn choice(&self, ply: usize) -> (bool, bool) {
        match self.levels.get(ply) {
            Some(level) if level.moves.are_listed() => (level.choices == 1, self.is_tight(ply)),
            _ => (false, false),
        }
    }

    /// How much deeper a position is looked at: there is little to look at where there is little choice.
    fn extension(&self, ply: usize, only: bool, tight: bool) -> i32 {
        i32::from(tight && !only && (ply as i32) < 2 * self.depth)
    }

    /// Whether a move left few replies: less than a third of the moves before.
    pub(super) fn is_tight(&self, ply: usize) -> bool {
        let Some(before) = ply.checked_sub(2).and_then(|ply| self.levels.get(ply)) else { return false };
        self.levels.get(ply).is_some_and(|level| level.choices * 3 < before.choices)
            && self.side(ply) == self.side(ply - 2)
            && self.side(ply) != self.side(ply - 1)
    }

    /// The bound, where who decides reaches it also after a pass.
    fn pass(&mut self, ply: usize, depth: i32, beta: i32, limit: &Limit<'_>) -> Option<i32> {
        let program = self.machine.program();
        let main = program.main.0 as i32;
        let level = self.levels.get(ply)?;
        let passed = ply.checked_sub(1).and_then(|ply| self.levels.get(ply));
        // Nobody passes twice in a row, or while the result of a pass is verified, or within a turn.
        if level.doubted
            || level.pos.slot(&program.layout, slot::STATE) != main
            || passed.is_some_and(|level| level.made == self.passes.number)
        {
            return None;
        }
        let next = depth - 3 - depth / 4;
        self.make(ply, self.passes.number, next);
        let other = self.side(ply) != self.side(ply + 1)
            && self.levels.get(ply + 1).is_some_and(|level| {
                !level.moves.are_listed() || !level.moves.is_empty() && !level.moves.is_chance()
            });
        let value = if other { self.below(ply, next, beta - 1, beta, limit) } else { -WIN };
        self.unmake(ply);
        if self.over || !other {
            return None;
        }
        let well = value >= beta;
        self.passes.well.add(well);
        if !well {
            return None;
        }
        if !self.passes.is_doubted(self.nodes) {
            return Some(beta);
        }
        if let Some(level) = self.levels.get_mut(ply) {
            level.doubted = true;
        }
        let looked = self.search(ply, next.max(1), beta - 1, beta, limit);
        if let Some(level) = self.levels.get_mut(ply) {
            level.doubted = false;
        }
        if self.over {
            return None;
        }
        self.passes.right.add(looked >= beta);
        (looked >= beta).then_some(beta)
    }

    /// The move of a place among those of a level was too good to look further.
    fn reward(&mut self, ply: usize, place: usize, depth: i32) {
        let side = self.side(ply);
        let Some(level) = self.levels.get(ply) else { return };
        self.orders.reward(ply, side, depth, level.picks.get(..=place).unwrap_or(&[]));
    }

    /// The mean over the moves of chance, as the side sees it that decided last.
    fn expect(&mut self, ply: usize, depth: i32, limit: &Limit<'_>) -> i32 {
        let Some(level) = self.levels.get(ply) else { return 0 };
        let moves: Vec<Move> = level.moves.iter().collect();
        let weights = self.machine.chance_weights(&level.pos, level.moves.iter());
        let mut weights: Vec<f64> = weights.iter().copied().map(f64::from).collect();
        if weights.iter().all(|w| *w == 0.0) {
            weights.fill(1.0);
        }
        let total: f64 = weights.iter().sum();
        let mut mean = 0.0;
        for (number, weight) in moves.iter().zip(weights).filter(|(_, w)| *w > 0.0) {
            self.make(ply, *number, depth - 1);
            let value = self.below(ply, depth - 1, -WIN, WIN, limit);
            self.unmake(ply);
            if self.over {
                return 0;
            }
            // Shares of the point have a mean; sums, of which a win is out of all measure, have none. Whether a win takes
            // 3 or 30 plies does not matter here.
            mean += weight / total * share(value.clamp(-MAX_SUM, MAX_SUM));
        }
        sum_worth(mean)
    }

    /// Begins the list of a level's moves with the one that is to be looked at first.
    fn lead(&mut self, ply: usize, first: Option<Move>) {
        let Some(level) = self.levels.get_mut(ply) else { return };
        level.picks.clear();
        level.rest.clear();
        if let Some(number) = first {
            let class = self.classes.of(self.machine.program(), &level.pos, number);
            level.picks.push(Pick {
                number,
                promise: 0,
                class: class as u16,
                hope: self.gains.told_apart(class),
            });
        }
    }

    /// Sorts the other moves of a level: those that promise the most are listed, the rest for when it is needed.
    fn order(&mut self, ply: usize, first: Option<Move>) {
        let Some(Level { pos, moves, picks, rest, .. }) = self.levels.get_mut(ply) else { return };
        self.classes.each(self.machine.program(), pos, moves, |class, run, w, bits| {
            let hope = self.gains.told_apart(class);
            let group = Group::new(run, w, bits, class, hope);
            match hope.leads() {
                true => group.list(picks, first, |_| order::LOUD + hope.promise()),
                false => rest.push(group),
            }
            true
        });
    }

    /// The move of a level that comes next.
    fn pick(&mut self, ply: usize, place: usize, first: Option<Move>) -> Option<Pick> {
        let side = self.side(ply);
        let Level { picks, rest, .. } = self.levels.get_mut(ply)?;
        if !rest.is_empty() && picks.len() <= place {
            let custom = self.orders.custom(ply, side);
            for group in rest.drain(..) {
                group.list(picks, first, |number| custom.promise(number, group.hope));
            }
        }
        order::next(picks, place)
    }

    /// Drops the quiet moves of a level from a place on.
    fn drop_quiet(&mut self, ply: usize, from: usize) {
        let Some(level) = self.levels.get_mut(ply) else { return };
        let mut place = 0;
        level.picks.retain(|pick| {
            place += 1;
            place <= from || pick.hope.loud
        });
    }

    /// How many plies less a late move is looked at: one less for half the highest history, one more where only a bound
    /// is asked for.
    fn reduction(&self, depth: i32, place: usize, promise: i32, narrow: bool) -> i32 {
        let ln = |n: usize| self.logs.get(n).or(self.logs.last()).copied().unwrap_or(0.0);
        let product = ln(depth.unsigned_abs() as usize) * ln(place);
        let good = promise.clamp(-HIGHEST, HIGHEST) / (HIGHEST / 2);
        ((product / 2.0) as i32 + i32::from(narrow) - good).clamp(1, depth - 2)
    }
}
