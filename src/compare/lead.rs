//! The player who is ahead, ply by ply, and the metrics that follow from that.
//!
//! After C. Browne, *Automatic generation and evaluation of recombination games* (PhD thesis, Queensland
//! University of Technology, 2008), who evaluates each position of a game and counts from that its lead
//! changes, its drama and when it is decided. His evaluation is replaced by:
//!
//! - where the game counts a score, each player's share of all points after each ply, which is exact;
//! - else, if it is asked for, the mean points over random games ([`Playouts`]) from each position in which a
//!   player decides. They are played for this alone, by random numbers of their own, and alike for all agents
//!   and both seats: the hopes of an agent for its own best move are no part of it.
//!
//! Such a mean is without bias, and it has noise. Noise would change the lead at every ply of a level game, and
//! it would be drama, since both ask for a sign. So:
//!
//! - A player *is ahead* by playouts who would get at least [`LEAD`] points more than any other. That is three
//!   standard errors of a difference from [`LEAST`] playouts, the fewest there may be: of a thousand looks at
//!   level positions three show a lead. The bound is the same for more playouts, or they would see other leads.
//! - A lead *changes* when another player is ahead than the one who was last ahead; level positions between do
//!   not matter. To change by noise, it would have to cross twice the bound.
//! - The *drama* of a game that somebody won is the mean, over all its plies, of how far the winner was behind
//!   the best of the others: 0 where the winner was not behind. Whether the winner was behind, and whom, is taken
//!   from one half of the playouts, how far from the other half, and the other way round; the mean of both
//!   counts. The two halves know nothing of each other, so where nobody is really ahead, noise adds as often as
//!   it takes away, and the figure does not depend on how many playouts there are but for an error in proportion
//!   to 1 / playouts. Browne takes the square root of how far, which would make noise count again, and averages
//!   over the plies at which the winner was behind only, of which noise makes some in every game.
//! - A game *is settled* from the ply at which the winner, behind whom everybody stays from then on, was first
//!   ahead: after the last lead change, or from the first lead if there is none.

use crate::play::{Machine, Rng};
use crate::search::{Playouts, Situation};

/// The fewest playouts from a position, and how many are usual.
pub const LEAST: u32 = 100;

/// How many points of 1 a player must be expected to get more than any other to be ahead by playouts.
pub const LEAD: f64 = 0.3;

/// The values of the positions of one game.
pub(super) struct Leads {
    players: usize,
    playouts: Playouts,
    /// At each ply the value of each player's position: once, and once more by other random games.
    values: [Vec<f64>; 2],
    /// How far a player is ahead at least who is ahead.
    bound: f64,
}

impl Leads {
    /// For so many players.
    pub fn new(players: usize) -> Leads {
        Leads { players, playouts: Playouts::default(), values: [Vec::new(), Vec::new()], bound: 0.0 }
    }

    /// A new game begins.
    pub fn begin(&mut self) {
        self.values.iter_mut().for_each(Vec::clear);
        self.bound = 0.0;
    }

    /// The scores after a ply.
    pub fn scored(&mut self, scores: impl Iterator<Item = f64> + Clone) {
        // A share of all points, so that games with many points are no more dramatic.
        let all: f64 = scores.clone().map(f64::abs).sum();
        for half in &mut self.values {
            half.extend(scores.clone().map(|s| if all > 0.0 { s / all } else { 0.0 }));
        }
    }

    /// Looks at a position by so many playouts.
    pub fn look(&mut self, machine: &mut Machine, at: Situation<'_>, playouts: u32, rng: &mut Rng) {
        self.bound = LEAD;
        let [one, other] = &mut self.values;
        self.playouts.value(machine, at, playouts - playouts / 2, rng, one);
        self.playouts.value(machine, at, playouts / 2, rng, other);
    }

    /// At each ply the values of both halves.
    fn plies(&self) -> impl DoubleEndedIterator<Item = [&[f64]; 2]> {
        let [one, other] = &self.values;
        let n = self.players.max(1);
        one.chunks_exact(n).zip(other.chunks_exact(n)).map(|(one, other)| [one, other])
    }

    /// Who is ahead at each ply: a player's number, -1 where nobody is.
    pub fn ahead(&self) -> Vec<i8> {
        self.plies()
            .map(|[one, other]| {
                let mean = |p: usize| (one.get(p).unwrap_or(&0.0) + other.get(p).unwrap_or(&0.0)) / 2.0;
                let Some(best) = (0..self.players).max_by(|a, b| mean(*a).total_cmp(&mean(*b))) else {
                    return -1;
                };
                let gap = |p: usize| mean(best) - mean(p);
                let leads = |p: usize| p == best || gap(p) > 0.0 && gap(p) >= self.bound;
                if (0..self.players).all(leads) { i8::try_from(best).unwrap_or(-1) } else { -1 }
            })
            .collect()
    }

    /// How far the winner was behind, averaged over all plies; none where nothing was looked at.
    pub fn drama(&self, winner: usize) -> Option<f64> {
        let behind = |sign: &[f64], size: &[f64]| {
            let others = sign.iter().enumerate().filter(|(p, _)| *p != winner);
            let (best, value) = others.max_by(|a, b| a.1.total_cmp(b.1))?;
            let own = sign.get(winner)?;
            Some(if value > own { size.get(best)? - size.get(winner)? } else { 0.0 })
        };
        let of = |[one, other]: [&[f64]; 2]| {
            (behind(one, other).unwrap_or(0.0) + behind(other, one).unwrap_or(0.0)) / 2.0
        };
        let plies = self.plies().count();
        (plies > 0).then(|| self.plies().map(of).sum::<f64>() / plies as f64)
    }
}

/// How often the lead changes, of who is ahead at each ply.
pub(super) fn changes(ahead: &[i8]) -> u32 {
    let mut changes = 0;
    let mut leader = None;
    for now in ahead.iter().filter(|p| **p >= 0) {
        changes += u32::from(leader.is_some_and(|before| before != now));
        leader = Some(now);
    }
    changes
}

/// The part of a game after it was settled for a winner: 0 where the winner was not ahead at last.
pub(super) fn settled(ahead: &[i8], winner: i8) -> f64 {
    let others = ahead.iter().rposition(|p| *p >= 0 && *p != winner).map_or(0, |at| at + 1);
    let first = ahead.iter().skip(others).position(|p| *p == winner);
    first.map_or(0.0, |after| (ahead.len() - others - after) as f64 / ahead.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of two players by `playouts` coins at each ply that fall for the first with these chances.
    fn coins(chances: &[f64], playouts: u32, rng: &mut Rng) -> Leads {
        let mut leads = Leads::new(2);
        leads.bound = LEAD;
        for chance in chances {
            for half in &mut leads.values {
                let n = playouts / 2;
                let won = (0..n).filter(|_| (rng.bits() >> 11) as f64 / ((1u64 << 53) as f64) < *chance);
                let share = won.count() as f64 / f64::from(n);
                half.extend([share, 1.0 - share]);
            }
        }
        leads
    }

    /// Mean lead changes, drama and settled part of many games that player 0 won.
    fn figures(chances: &[f64], playouts: u32) -> [f64; 3] {
        const GAMES: u32 = 400;
        let mut rng = Rng::new(3);
        let mut sums = [0.0; 3];
        for _ in 0..GAMES {
            let leads = coins(chances, playouts, &mut rng);
            let ahead = leads.ahead();
            let of = [f64::from(changes(&ahead)), leads.drama(0).unwrap(), settled(&ahead, 0)];
            sums.iter_mut().zip(of).for_each(|(sum, value)| *sum += value);
        }
        sums.map(|sum| sum / f64::from(GAMES))
    }

    #[test]
    fn noise_is_no_lead_and_no_drama() {
        for playouts in [LEAST, 400] {
            let [changes, drama, _] = figures(&[0.5; 50], playouts);
            assert!(changes < 0.05, "{playouts}: the lead of a level game changes {changes} times");
            assert!(drama.abs() < 0.003, "{playouts}: drama of a level game is {drama}");
        }
    }

    #[test]
    fn figures_do_not_depend_on_the_number_of_playouts() {
        // The winner is ahead, falls far behind, and comes back: all values between are met.
        let chances: Vec<f64> = (0..60)
            .map(|ply| 0.5 + 0.4 * (f64::from(ply) / 59.0 * 3.0 * std::f64::consts::PI).sin())
            .collect();
        let truth: f64 = chances.iter().map(|c| (1.0 - 2.0 * c).max(0.0)).sum::<f64>() / 60.0;
        for playouts in [LEAST, 400, 1600] {
            let [changes, drama, settled] = figures(&chances, playouts);
            assert!((changes - 2.0).abs() < 0.03, "{playouts}: {changes} lead changes");
            assert!((drama - truth).abs() < 0.005, "{playouts}: drama is {drama}, not {truth}");
            assert!((settled - 0.31).abs() < 0.03, "{playouts}: settled for {settled}");
        }
    }

    #[test]
    fn scores_are_taken_as_they_are() {
        let mut leads = Leads::new(2);
        for scores in [[0.0, 0.0], [1.0, 0.0], [1.0, 3.0], [3.0, 3.0], [5.0, 3.0]] {
            leads.scored(scores.into_iter());
        }
        let ahead = leads.ahead();
        assert_eq!(ahead, [-1, 0, 1, -1, 0]);
        assert_eq!(changes(&ahead), 2);
        assert_eq!(leads.drama(0), Some(0.5 / 5.0));
        assert_eq!((settled(&ahead, 0), settled(&ahead, 1)), (0.2, 0.0));
        assert_eq!((settled(&[], 0), settled(&[-1, 0, -1, 0], 0)), (0.0, 0.75));
        assert_eq!(Leads::new(2).drama(0), None);
    }
}
