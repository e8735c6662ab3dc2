//! When a position need not be looked at, learned from those that were.
//!
//! Nothing here is taken on trust from one game to another: how often a rule of thumb is right is counted while the
//! search goes on, and it is followed only where it nearly always was. Some of the positions that it would leave out
//! are searched all the same, so that it can be found wrong later.

use crate::play::Move;

/// How often something held.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    seen: f32,
    held: f32,
}

impl Count {
    pub fn add(&mut self, held: bool) {
        if self.seen >= 4096.0 {
            (self.seen, self.held) = (self.seen / 2.0, self.held / 2.0);
        }
        self.seen += 1.0;
        self.held += f32::from(u8::from(held));
    }

    /// The share in which it held, none where that is not known yet.
    fn share(&self, least: f32) -> Option<f32> {
        (self.seen >= least).then(|| self.held / self.seen)
    }
}

/// Up to which depth values as they stand are asked.
const DEEP: i32 = 6;

/// Leads are told apart by so much, so many of them on either side.
const STEP: i32 = 128;
const LEADS: i32 = 24;

/// So many must have been seen, and so large a share must have been alike.
const LEAST: f32 = 100.0;
const SURE: f32 = 0.97;

/// Whether a search of some depth reaches a bound, by how far the value as it stands is beyond it (a *cut by
/// probability*: Buro, ICCA Journal 1995; the probabilities are counted, no distribution is assumed).
#[derive(Clone, Debug)]
pub(super) struct Trust {
    counts: Vec<Count>,
}

/// Where a search that is about to begin is counted; none where it is not.
pub(super) type Counted = Option<usize>;

impl Trust {
    pub fn new() -> Trust {
        Trust { counts: vec![Count::default(); (DEEP * (2 * LEADS + 1)) as usize] }
    }

    /// Where the search is counted.
    pub fn place(depth: i32, lead: i32) -> Counted {
        let at = (depth - 1) * (2 * LEADS + 1) + lead.div_euclid(STEP).clamp(-LEADS, LEADS) + LEADS;
        usize::try_from(at).ok().filter(|_| (1..=DEEP).contains(&depth))
    }

    /// Whether the bound is reached, as good as sure.
    pub fn says(&self, counted: Counted) -> Option<bool> {
        let share = self.counts.get(counted?)?.share(LEAST)?;
        if share >= SURE { Some(true) } else { (share <= 1.0 - SURE).then_some(false) }
    }

    /// The bound was reached or not.
    pub fn learn(&mut self, counted: Counted, reached: bool) {
        if let Some(count) = counted.and_then(|at| self.counts.get_mut(at)) {
            count.add(reached);
        }
    }
}

/// The null move: who would still be well off after a pass is so after a move too (*null move*: Beal 1989; that
/// no pass is better than the best move is not so in every game, and is counted).
#[derive(Clone, Debug)]
pub(super) struct Passes {
    /// The move that ends a turn without doing anything.
    pub number: Move,
    /// Whether a position that was well off after a pass was so after a move.
    pub right: Count,
    /// Whether a position was well off after a pass.
    pub well: Count,
}

impl Passes {
    pub fn new(number: Move) -> Passes {
        Passes { number, right: Count::default(), well: Count::default() }
    }

    /// Whether a pass is worth to be tried: it often enough is right, and tells something.
    pub fn is_worth(&self, nodes: u64) -> bool {
        let right = self.right.share(20.0).is_none_or(|share| share > 0.9);
        let well = self.well.share(50.0).is_none_or(|share| share > 0.3);
        right && well || nodes.is_multiple_of(64)
    }

    /// Whether the result of a pass is to be verified by a search.
    pub fn is_doubted(&self, nodes: u64) -> bool {
        self.right.share(20.0).is_none_or(|share| share <= 0.9) || nodes.is_multiple_of(32)
    }
}

/// The listing of moves, which can wait until it is known that they are needed. Of a position whose moves wait it is
/// believed that there is some choice, as there was two plies before.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    /// Whether there was, once they were listed.
    right: Count,
    /// Whether they were never needed.
    spared: Count,
    /// The mean error of the static value while they waited.
    error: f32,
}

impl Waits {
    /// Whether moves may wait.
    pub fn is_sure(&self) -> bool {
        self.right.share(LEAST).is_some_and(|share| share >= SURE)
    }

    /// Whether a position is worth to be asked if its moves can wait: that is often right and often enough of use, or
    /// not known.
    pub fn is_worth(&self, nodes: u64) -> bool {
        let right = self.right.share(LEAST).is_none_or(|share| share >= SURE);
        let spared = self.spared.share(LEAST).is_none_or(|share| share > 0.3);
        right && spared || nodes.is_multiple_of(64)
    }

    /// How much the static value is in doubt: twice the mean error.
    pub fn doubt(&self) -> i32 {
        (2.0 * self.error) as i32
    }

    /// Moves were listed: whether there was a choice, and by how much the static value was wrong.
    pub fn learn(&mut self, right: bool, error: i32) {
        self.right.add(right);
        self.error += (error as f32 - self.error) / 256.0;
    }

    /// A position whose moves had to wait is done with: whether they were never listed.
    pub fn end(&mut self, spared: bool) {
        self.spared.add(spared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nearly_always_held_is_trusted_until_it_no_longer_does() {
        let mut trust = Trust::new();
        let (far, near) = (Trust::place(2, 5 * STEP), Trust::place(2, 5 * STEP - 1));
        assert_ne!(far, near);
        assert_eq!(Trust::place(DEEP + 1, 0), None);
        assert_eq!(trust.says(far), None);
        (0..200).for_each(|_| trust.learn(far, true));
        (0..200).for_each(|_| trust.learn(near, false));
        assert_eq!((trust.says(far), trust.says(near)), (Some(true), Some(false)));
        // Neither another depth nor one that is not counted.
        trust.learn(None, true);
        assert_eq!((trust.says(Trust::place(1, 5 * STEP)), trust.says(None)), (None, None));
        (0..20).for_each(|_| trust.learn(far, false));
        assert_eq!(trust.says(far), None);
    }

    #[test]
    fn a_pass_is_tried_where_it_is_right_and_tells_something() {
        let passes = || Passes::new(Move(0));
        let mut wrong = passes();
        assert!(wrong.is_worth(1) && wrong.is_doubted(1));
        (0..20).for_each(|n| wrong.right.add(n % 5 != 0));
        assert!(!wrong.is_worth(1) && wrong.is_doubted(1));
        // It is asked again every so often.
        assert!(wrong.is_worth(64));
        let mut right = passes();
        (0..20).for_each(|_| right.right.add(true));
        assert!(right.is_worth(1) && !right.is_doubted(1) && right.is_doubted(32));
        (0..50).for_each(|_| right.well.add(false));
        assert!(!right.is_worth(1));
    }

    #[test]
    fn moves_wait_while_that_is_right_and_of_use() {
        let mut waits = Waits::default();
        assert!(waits.is_worth(1) && !waits.is_sure());
        (0..200).for_each(|_| waits.learn(true, 10));
        assert!(waits.is_worth(1) && waits.is_sure() && (1..=20).contains(&waits.doubt()));
        (0..200).for_each(|_| waits.end(false));
        assert!(!waits.is_worth(1) && waits.is_worth(64));
        (0..400).for_each(|_| waits.end(true));
        assert!(waits.is_worth(1));
        (0..200).for_each(|_| waits.learn(false, 0));
        assert!(!waits.is_worth(1) && !waits.is_sure() && waits.doubt() < 10);
    }
}
