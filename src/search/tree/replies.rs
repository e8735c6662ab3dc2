//! The last good replies: playouts learn from playouts.
//!
//! After each simulation every move that its winner made is kept as the reply to the move before it, and the replies of
//! its loser are forgotten. A later playout makes the reply that is kept if it is legal (*last good reply* with
//! forgetting: Baier and Drake, IEEE Transactions on Computational Intelligence and AI in Games, 2010). A reply to the
//! last two moves goes before one to the last.

use crate::play::Move;

/// Replies to moves, by who made these. Places are shared where there are too many moves: the last that was kept stays.
#[derive(Debug, Default)]
pub(super) struct Replies {
    places: Vec<Reply>,
}

/// To which moves, and which; nothing where `to` is 0.
#[derive(Clone, Copy, Debug, Default)]
struct Reply {
    to: u64,
    with: u32,
}

/// Replies are kept in so many places, a power of two.
const PLACES: usize = 1 << 16;

/// Moves of a simulation: who made which.
pub(super) type Line = [(u8, Move)];

/// The context of a reply: the last moves of a line, as a number that is not 0.
fn context(last: &Line) -> u64 {
    last.iter().fold(1, |seed, (person, number)| {
        (seed ^ (u64::from(number.0) << 8 | u64::from(*person))).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }) | 1
}

impl Replies {
    fn place(to: u64) -> usize {
        (to >> 40) as usize % PLACES
    }

    /// The reply to the last moves of a line, if it is one of those that can be made.
    pub fn find(&self, line: &Line, can: impl Fn(Move) -> bool) -> Option<Move> {
        [2, 1].into_iter().find_map(|moves| {
            let to = context(line.get(line.len().checked_sub(moves)?..)?);
            let reply = self.places.get(Replies::place(to))?;
            (reply.to == to && can(Move(reply.with))).then_some(Move(reply.with))
        })
    }

    /// Learns from a simulation and the points of each person.
    pub fn learn(&mut self, line: &Line, value: &[f32]) {
        if self.places.is_empty() {
            self.places = vec![Reply::default(); PLACES];
        }
        for at in 1..line.len() {
            let (person, number) = line[at];
            let Some(value) = value.get(usize::from(person)) else { continue };
            for moves in 1..=at.min(2) {
                let to = context(&line[at - moves..at]);
                let place = &mut self.places[Replies::place(to)];
                if *value > 0.5 {
                    *place = Reply { to, with: number.0 };
                } else if *value < 0.5 && place.to == to && place.with == number.0 {
                    *place = Reply::default();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_is_answered_as_it_answered() {
        let mut replies = Replies::default();
        let line = [(0, Move(7)), (1, Move(3)), (0, Move(5)), (1, Move(4))];
        let found = |replies: &Replies, line: &Line| replies.find(line, |number| number != Move(9));
        assert_eq!(found(&replies, &line[..1]), None);
        replies.learn(&line, &[0.0, 1.0]);
        assert_eq!(found(&replies, &line[..1]), Some(Move(3)));
        assert_eq!(found(&replies, &line[..2]), None, "the loser's is no good reply");
        assert_eq!(found(&replies, &line[..3]), Some(Move(4)));
        // The last two moves say more than the last.
        let other = [(0, Move(7)), (1, Move(2)), (0, Move(5)), (1, Move(6))];
        replies.learn(&other, &[0.0, 1.0]);
        assert_eq!(found(&replies, &line[..3]), Some(Move(4)));
        assert_eq!(found(&replies, &line[2..3]), Some(Move(6)));
        // A reply that lost is forgotten, one that cannot be made is none.
        replies.learn(&line[..2], &[1.0, 0.0]);
        assert_eq!(found(&replies, &line[..1]), Some(Move(2)));
        replies.learn(&[(0, Move(8)), (1, Move(9))], &[0.0, 1.0]);
        assert_eq!(found(&replies, &[(0, Move(8))]), None);
    }
}
