//! Several games in a row.

use crate::definition::{OptionDef, OptionKind, OptionValue};
use crate::game::Game;

/// The games of a `[match]`: up to so many points, options alternating.
///
/// ```
/// use farrier::session::Series;
/// use farrier::shipped::Shipped;
/// use farrier::variant::Variant;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let game = "knightcap".parse::<Variant>()?.open(&Shipped)?;
/// let mut series = Series::of(&game).ok_or("there is a match")?;
/// assert_eq!(series.next_option(), Some(("first".to_owned(), "white".to_owned())));
/// series.add(&[4, 0]);
/// assert_eq!(series.next_option(), Some(("first".to_owned(), "black".to_owned())));
/// series.add(&[6, 0]);
/// assert_eq!((series.points(), series.leader()), (&[10, 0][..], Some(0)));
/// assert!(series.is_over());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    target: i32,
    points: Vec<i32>,
    games: usize,
    option: Option<(String, Vec<String>)>,
    /// Which value of the option the first game has.
    first: usize,
}

/// The most games of a match that an option of numbers tells apart.
const MAX_VALUES: i32 = 100;

impl Series {
    /// The match of a game that is played as its first one; none where the definition has no match.
    pub fn of(game: &Game) -> Option<Series> {
        let rules = game.rules.match_.as_ref()?;
        let mut options = game.definition.options.iter();
        let option = options.find(|option| Some(&option.name.text) == rules.alternate.as_ref());
        let values = |option: &OptionDef| -> Vec<String> {
            match &option.kind {
                OptionKind::Flag => [false, true].map(|on| OptionValue::Flag(on).to_string()).to_vec(),
                OptionKind::Words(words) => words.clone(),
                OptionKind::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
                OptionKind::Range(low, high) => {
                    (*low..=*high.min(&low.saturating_add(MAX_VALUES))).map(|n| n.to_string()).collect()
                }
            }
        };
        let first = option.and_then(|o| values(o).iter().position(|value| *value == o.value.to_string()));
        Some(Series {
            target: rules.target,
            points: vec![0; game.rules.players.len()],
            games: 0,
            option: option.map(|option| (option.name.text.clone(), values(option))),
            first: first.unwrap_or(0),
        })
    }

    /// The points that win the match.
    pub fn target(&self) -> i32 {
        self.target
    }

    /// The points of each player.
    pub fn points(&self) -> &[i32] {
        &self.points
    }

    /// How many games are finished.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The option and its value in the next game; none where all games are alike.
    pub fn next_option(&self) -> Option<(String, String)> {
        let (name, values) = self.option.as_ref()?;
        let value = values.get((self.first + self.games) % values.len().max(1))?;
        Some((name.clone(), value.clone()))
    }

    /// Adds the points of a game.
    pub fn add(&mut self, points: &[i32]) {
        self.games += 1;
        self.points.iter_mut().zip(points).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }

    /// Whether a player has reached the target.
    pub fn is_over(&self) -> bool {
        self.points.iter().any(|points| *points >= self.target)
    }

    /// The player with more points than all others.
    pub fn leader(&self) -> Option<usize> {
        let most = self.points.iter().max()?;
        let mut with = self.points.iter().enumerate().filter(|(_, points)| *points == most).map(|(p, _)| p);
        with.next().filter(|_| with.next().is_none())
    }
}
