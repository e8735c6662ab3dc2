//! Who sits where, in which game.
//!
//! ```text
//! two players, agents A B      round 0: A B, B A        round 1: A B, B A       ...
//! two players, agents A B C    round 0: A B, B A        round 1: A C, C A       round 2: B C, C B   ...
//! three players, agents A B C  round 0: A B C, B C A, C A B                     ...
//! ```
//!
//! The games of a round have one opening, and each agent of it each seat once. Every pairing plays the same openings.

/// The order of the games of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    players: usize,
    pairings: Vec<Vec<usize>>,
    rounds: u64,
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: u64,
    /// Its round, from 0.
    pub round: u64,
    /// Which opening.
    pub opening: u64,
    /// The agent of each player.
    pub seats: Vec<usize>,
}

impl Schedule {
    /// For a game of so many players, so many agents, and at least so many games of each pairing; or why there
    /// is none.
    pub fn new(players: usize, agents: usize, games: u64) -> Result<Schedule, String> {
        if players < 2 {
            return Err("a match needs a game of at least two players".to_owned());
        }
        if agents < 2 {
            return Err("a match needs at least two agents".to_owned());
        }
        let pairings: Vec<Vec<usize>> = match players {
            2 => (0..agents).flat_map(|a| (a + 1..agents).map(move |b| vec![a, b])).collect(),
            _ if agents == players => vec![(0..agents).collect()],
            _ => {
                return Err(format!(
                    "this game has {players} players, so a match is of {players} agents; there are {agents}"
                ));
            }
        };
        let rounds = games.div_ceil(players as u64) * pairings.len() as u64;
        Ok(Schedule { players, pairings, rounds })
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.rounds * self.per_round()
    }

    /// How many games a round has: as many as players.
    pub fn per_round(&self) -> u64 {
        self.players as u64
    }

    /// A game.
    pub fn game(&self, number: u64) -> Fixture {
        let round = number / self.per_round();
        let turn = (number % self.per_round()) as usize;
        let pairings = self.pairings.len() as u64;
        let pairing = &self.pairings[(round % pairings) as usize];
        let seats = (0..self.players).map(|seat| pairing[(seat + turn) % self.players]).collect();
        Fixture { number, round, opening: round / pairings, seats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_has_every_seat() {
        let seats = |schedule: &Schedule| -> Vec<Vec<usize>> {
            (0..schedule.games()).map(|number| schedule.game(number).seats).collect()
        };
        let two = Schedule::new(2, 2, 3).unwrap();
        assert_eq!(seats(&two), [[0, 1], [1, 0], [0, 1], [1, 0]]);
        assert_eq!((two.game(3).round, two.game(3).opening), (1, 1));
        let three = Schedule::new(2, 3, 2).unwrap();
        assert_eq!(seats(&three), [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert!((0..6).all(|number| three.game(number).opening == 0));
        let at_once = Schedule::new(3, 3, 1).unwrap();
        assert_eq!(seats(&at_once), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
        assert!(Schedule::new(3, 2, 1).is_err() && Schedule::new(1, 2, 1).is_err());
        assert!(Schedule::new(2, 1, 1).is_err());
    }
}
