//! The gains of moves, learned from those that were made.
//!
//! [`Gains`] remembers for each class of moves ([`super::class`]) how much the evaluation rose for who moved, and how
//! often the move was *loud*: took pieces of others, or changed the kind of a piece. It orders moves and says
//! which a quiet search has to look at. The result of a quiet search after a loud move is the gain that is left when
//! others have answered: a *static exchange evaluation* that is learned, not computed.

use super::class::PLACES;
use crate::play::Position;
use crate::program::{Layout, Program, slot};
use crate::siteset::Bits;

/// The gain of a class of moves so far.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    seen: f32,
    rise: f32,
    loud: f32,
    worth: f32,
}

/// The expected gain of a move of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Hope {
    /// How much the evaluation rises.
    pub rise: i16,
    /// How much the value rises when others have answered.
    pub worth: i16,
    /// Whether it is loud. A class that was never seen is not.
    pub loud: bool,
}

/// A move that loses more than a quarter of a logit after the replies is bad.
const BAD: i16 = -256;

/// The most that a move brings that is expected to bring nothing: a quarter of a logit.
const QUIET: i32 = 256;

impl Hope {
    /// Whether the move, when others have answered, has lost something.
    #[inline]
    pub fn is_bad(self) -> bool {
        self.worth < BAD
    }

    /// Whether a quiet search tries the move so many plies deep, where so much has to be gained. A move may bring twice
    /// what is expected. Moves that mostly end badly are left out, but not at the first ply: a class does not say whether
    /// what it takes is guarded here.
    #[inline]
    pub fn may_gain(self, enough: i32, deep: usize) -> bool {
        !(self.is_bad() && deep > 0) && 2 * i32::from(self.rise).max(0) + QUIET > enough
    }

    /// Whether the move comes before those of which less is expected: it is loud, and nothing is lost by it.
    #[inline]
    pub fn leads(self) -> bool {
        self.loud && !self.is_bad() && self.rise >= 0
    }

    /// The higher, the earlier the move is searched: by the gain after the replies, then by the gain at once.
    #[inline]
    pub fn promise(self) -> i32 {
        16 * i32::from(self.worth) + i32::from(self.rise)
    }
}

/// The gains of all classes.
#[derive(Clone, Debug)]
pub(super) struct Gains {
    classes: Vec<Gain>,
    /// The same, made short: it is read far more often than written.
    hopes: Vec<Hope>,
    all: Gain,
}

/// A class is believed to be like the last so many of its moves.
const MEMORY: f32 = 256.0;

/// The result of a quiet search counts no more than this, a proved win too, and for so many searches at most.
const WORTH: i32 = 8 << 10;
const QUICK: f32 = 64.0;

impl Gain {
    fn learn(&mut self, rise: i32, loud: bool) {
        self.seen = (self.seen + 1.0).min(MEMORY);
        self.rise += (rise as f32 - self.rise) / self.seen;
        self.loud += (f32::from(u8::from(loud)) - self.loud) / self.seen;
    }
}

impl Gains {
    pub fn new() -> Gains {
        Gains {
            classes: vec![Gain::default(); PLACES],
            hopes: vec![Hope::default(); PLACES],
            all: Gain::default(),
        }
    }

    /// A move of a class was made: the evaluation rose by so much, and it was loud or not.
    pub fn learn(&mut self, class: usize, rise: i32, loud: bool) {
        self.all.learn(rise, loud);
        if let (Some(gain), Some(hope)) = (self.classes.get_mut(class), self.hopes.get_mut(class)) {
            gain.learn(rise, loud);
            (hope.rise, hope.loud) = (gain.rise as i16, gain.loud > 0.5);
        }
    }

    /// A quiet search found that the value rose by so much after a move of a class.
    pub fn learn_worth(&mut self, class: usize, rise: i32) {
        if let (Some(gain), Some(hope)) = (self.classes.get_mut(class), self.hopes.get_mut(class)) {
            gain.worth += (rise.clamp(-WORTH, WORTH) as f32 - gain.worth) / QUICK;
            hope.worth = gain.worth as i16;
        }
    }

    /// The expected gain of a move of a class.
    #[inline]
    pub fn hope(&self, class: usize) -> Hope {
        self.hopes.get(class).copied().unwrap_or_default()
    }

    /// The same for ordering: where most moves of the game are loud, none is.
    #[inline]
    pub fn told_apart(&self, class: usize) -> Hope {
        let hope = self.hope(class);
        Hope { loud: hope.loud && !self.all_loud(), ..hope }
    }

    /// Whether most moves of the game are loud: then none is worth a search of its own.
    #[inline]
    pub fn all_loud(&self) -> bool {
        self.all.loud > 0.6
    }
}

/// Whether a ply took pieces of another side or changed the kind of one. A stack is its top piece's
/// owner's: what goes beneath the piece of another is taken.
pub fn was_loud(program: &Program, before: &Position, after: &Position) -> bool {
    let layout = &program.layout;
    let stacks = layout.pieces.stacks.is_some();
    // How many more pieces are of a layer. By number: iterators over two lists are calls here.
    let more = |layer: usize| {
        let (old, new) = (before.layer(layout, layer), after.layer(layout, layer));
        let mut sum = 0;
        for word in 0..old.len().min(new.len()) {
            sum += i64::from(new[word].count_ones()) - i64::from(old[word].count_ones());
        }
        match stacks {
            true => sum + covered(layout, after, layer) - covered(layout, before, layer),
            false => sum,
        }
    };
    let mover = usize::try_from(before.slot(layout, slot::MOVER)).unwrap_or(0);
    let owners = layout.pieces.owner_layers(layout.players);
    let mut same = true;
    for layer in owners.clone() {
        let more = more(layer);
        if more < 0 && !program.together(layer - owners.start, mover) {
            return true;
        }
        same &= more == 0;
    }
    if same && let Some(kinds) = layout.pieces.kind_layers() {
        for layer in kinds {
            if more(layer) != 0 {
                return true;
            }
        }
    }
    false
}

/// How many pieces are below the tops of stacks that are in a layer.
fn covered(layout: &Layout, pos: &Position, layer: usize) -> i64 {
    let Some(stacks) = layout.pieces.stacks else { return 0 };
    let words = pos.layer(layout, layer);
    let of_word = |(w, word): (usize, &u64)| Bits([*word]).iter().map(move |bit| 64 * w + bit);
    let sites = words.iter().enumerate().flat_map(of_word).filter(|site| *site < stacks.sites);
    sites.map(|site| i64::from(pos.slot(layout, stacks.heights + site))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_lost_again_comes_last() {
        let mut gains = Gains::new();
        let [good, bad, quiet] = [1, 2, 3];
        for _ in 0..100 {
            gains.learn(good, 900, true);
            gains.learn(bad, 900, true);
            gains.learn(quiet, 10, false);
            gains.learn_worth(good, 900);
            gains.learn_worth(bad, -2000);
        }
        assert!(gains.hope(good).loud && gains.hope(bad).loud && !gains.hope(quiet).loud);
        assert!(gains.hope(bad).is_bad() && !gains.hope(good).is_bad() && !gains.hope(quiet).is_bad());
        assert!(gains.hope(good).promise() > gains.hope(bad).promise());
        assert!(gains.all_loud() && !gains.told_apart(good).loud);
        // The first ply of a quiet search tries what mostly ends badly, later ones do not.
        assert!(gains.hope(bad).may_gain(0, 0) && !gains.hope(bad).may_gain(0, 1));
        // Twice 900, and what a quiet move may bring.
        for deep in [0, 1] {
            assert!(gains.hope(good).may_gain(2000, deep) && !gains.hope(good).may_gain(2100, deep));
        }
    }
}
