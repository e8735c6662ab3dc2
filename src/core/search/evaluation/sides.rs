//! Which sum of an evaluation is whose.

use crate::program::Program;

/// The sums of a game's sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides {
    /// For each sum the first player of its side.
    firsts: Vec<usize>,
    /// For each player the sum, and whether that is the other side's.
    of: Vec<(usize, bool)>,
}

impl Sides {
    /// The seats of a program's players.
    pub fn new(program: &Program) -> Sides {
        let players = 0..program.layout.players;
        let first = |player: usize| players.clone().find(|one| program.together(*one, player));
        let mut firsts: Vec<usize> =
            players.clone().filter(|player| first(*player) == Some(*player)).collect();
        let side = |player: usize| firsts.iter().position(|one| Some(*one) == first(player)).unwrap_or(0);
        let two = firsts.len() == 2;
        let of = players.clone().map(|p| if two { (0, side(p) == 1) } else { (side(p), false) }).collect();
        if two {
            firsts.truncate(1);
        }
        Sides { firsts, of }
    }

    /// How many sums there are.
    pub fn sums(&self) -> usize {
        self.firsts.len()
    }

    /// For each sum the player whose points it is about, as those of all who play with that one.
    pub fn firsts(&self) -> impl Iterator<Item = usize> {
        self.firsts.iter().copied()
    }

    /// The sum of a player, and whether it is the other side's, to be seen the other way round.
    pub fn of(&self, player: usize) -> (usize, bool) {
        self.of.get(player).copied().unwrap_or((0, false))
    }
}
