//! Parts of moves as words, and words in addresses.

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::ids::{Kind, Player};
use crate::notation::parts::Part;

/// A part of a move as the page names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Word {
    Site(String),
    Kind(String),
    Player(String),
    Direction(String),
    Number(i32),
    None,
}

impl Word {
    pub(super) fn of(game: &Game, part: Part) -> Word {
        match part {
            Part::Site(site) => Word::Site(game.rules.board.name(site).to_owned()),
            Part::Kind(kind) => {
                Word::Kind(game.rules.kinds.get(kind.index()).map_or(String::new(), |k| k.name.clone()))
            }
            Part::Player(player) => Word::Player(game.player(player.index()).to_owned()),
            Part::Direction(dir) => Word::Direction(game.rules.board.label(dir).to_owned()),
            Part::Number(number) => Word::Number(number),
            Part::None => Word::None,
        }
    }

    /// The part; none where the game has no such thing.
    pub(super) fn part(&self, game: &Game) -> Option<Part> {
        Some(match self {
            Word::Site(name) => Part::Site(game.rules.board.site(name)?),
            Word::Kind(name) => {
                Part::Kind(Kind(game.rules.kinds.iter().position(|k| k.name == *name)? as u8))
            }
            Word::Player(name) => {
                Part::Player(Player(game.rules.players.iter().position(|p| p == name)? as u8))
            }
            Word::Direction(name) => Part::Direction(game.rules.board.dir(name)?),
            Word::Number(number) => Part::Number(*number),
            Word::None => Part::None,
        })
    }
}

/// A text in an address.
pub(super) fn encoded(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~/".contains(&b);
    text.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
