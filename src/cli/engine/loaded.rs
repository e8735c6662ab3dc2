//! The game that is played, and loading it with other options.

use crate::cli::files::Disk;
use crate::definition::Choices;
use crate::game::Game;
use crate::source::Sources;

/// A game with its options.
pub(super) struct Loaded {
    pub name: String,
    pub game: Game,
    pub choices: Choices,
}

impl Loaded {
    /// Loads it with other choices; the sentence says why not.
    pub(super) fn with(&self, choices: Choices) -> Result<Loaded, String> {
        let mut sources = Sources::default();
        let (game, found) = Game::load(&self.name, &Disk, &choices, &mut sources);
        let first = || found.0.first().map_or("the game cannot be loaded".to_owned(), |d| d.message.clone());
        let game = game.ok_or_else(first)?;
        Ok(Loaded { name: self.name.clone(), game, choices })
    }

    /// Has the program compiled beside all else, so that it is ready before the first move.
    pub(super) fn prepare(&self) {
        let game = self.game.clone();
        std::thread::spawn(move || game.compiled().is_ok());
    }
}
