//! What positions of a game are worth: weights that were learned, else a guess.

use std::sync::Arc;
use std::time::Duration;

use super::Game;
use crate::definition::Beside;
use crate::diagnostic::Diagnostic;
use crate::notation::position::TextError;
use crate::play::{History, Machine};
use crate::program::Fingerprint;
use crate::search::evaluation::{Evaluation, Start, Terms, Weights, guess};
use crate::search::{Clock, Guess, Limit, Making, likely};
use crate::shipped::Shipped;
use crate::source::{FileId, Span};

/// The longest time that a guess may take, where there is a clock. The slowest shipped game needs a few seconds.
const MAX_GUESS: Duration = Duration::from_secs(10);

/// How many set-ups a guess is made from where they are dealt.
const DEALS: u64 = 16;

impl Game {
    /// The evaluation weights, the same for all options: from the file beside its own or beside the nearest that it
    /// extends, else those that come with Farrier for one of them; none if none was ever trained.
    pub fn weights(&self) -> Option<Weights> {
        Weights::read(&self.weights_text()?).ok()
    }

    fn weights_text(&self) -> Option<Arc<str>> {
        if let Some(beside) = &self.definition.weights {
            return Some(Arc::clone(&beside.text));
        }
        let files = self.definition.origins.iter().rev().filter(|origin| origin.option.is_none());
        let mut names = files.map(|file| file.name.strip_suffix(".toml").unwrap_or(&file.name));
        names.find_map(Shipped::weights).map(Arc::from)
    }

    /// A number that is another one for other weights; none without weights.
    pub fn weights_mark(&self) -> Option<Fingerprint> {
        let text = self.weights_text().filter(|text| Weights::read(text).is_ok());
        text.map(|text| Fingerprint::default().with(&&*text))
    }

    /// This game with the weights of another, if it has none of its own and those know all that it can have: so the
    /// copy of a definition is played as well as what it was copied from.
    pub fn with_weights_of<'g>(&self, others: impl IntoIterator<Item = &'g Game>) -> Option<Game> {
        let terms = self.weights().is_none().then(|| Terms::new(&self.program))?;
        let know = |text: &Arc<str>| Weights::read(text).is_ok_and(|weights| weights.know(&terms));
        let text = others.into_iter().filter_map(Game::weights_text).find(know)?;
        let mut game = self.clone();
        Arc::make_mut(&mut game.definition).weights = Some(Beside { file: FileId::default(), text });
        Some(game)
    }

    /// What is wrong with the weights beside the definition, if there are some.
    pub(super) fn weights_mistake(&self) -> Option<Diagnostic> {
        let Beside { file, text } = self.definition.weights.as_ref()?;
        let (error, message, help) = match Weights::read(text) {
            Ok(weights) => {
                let error = weights.fit(text, &self.terms()).err()?;
                let message = error.to_string();
                (error, message, "what is behind them is not used; `farrier train` writes weights")
            }
            Err(error) => {
                let message = format!("these are no weights: {error}");
                (error, message, "agents guess; `farrier train` writes weights")
            }
        };
        let place = Span { file: *file, start: error.at.start as u32, end: error.at.end as u32 };
        Some(Diagnostic::warning("weights", place, message).help(help.to_owned()))
    }

    /// All that an evaluation of it may look at.
    pub fn terms(&self) -> Terms {
        Terms::new(&self.program).with_pairs(&self.program, &self.rules.board)
    }

    /// The data that agents of this game are made with, as far as the game has it.
    pub fn making(&self) -> Making {
        let game = self.clone();
        let guess: Option<Guess> = Some(Arc::new(move |clock| game.guess(clock)));
        let weights = self.weights();
        let evaluation = weights.as_ref().and_then(|w| w.evaluation(&self.terms())).map(Arc::new);
        let measured = weights.map(|weights| weights.agent).filter(|name| !name.is_empty());
        let best = Some(measured.unwrap_or_else(|| likely(&self.program).to_owned()));
        Making { evaluation, best, guess, ..Making::default() }
    }

    /// The evaluation from games that are played for it, once; none where no game can begin.
    fn guess(&self, clock: Option<Clock>) -> Option<Arc<Evaluation>> {
        let guess = || {
            let mut machine = self.machine().ok()?;
            machine.warm_up();
            let until = clock.map(|clock| (clock, clock().saturating_add(MAX_GUESS)));
            let limit = Limit { until, ..Limit::nodes(u64::MAX) };
            let starts = self.starts(&mut machine).ok()?;
            Some(Arc::new(guess(&mut machine, &starts, &limit)))
        };
        self.guess.get_or_init(guess).clone()
    }

    /// How games of it begin: several ways where the set-up is dealt.
    pub fn starts(&self, machine: &mut Machine) -> Result<Vec<Start>, TextError> {
        let deals = if machine.layout().is_dealt() { DEALS } else { 1 };
        let starts = (1..=deals).map(|seed| {
            let pos = self.start(machine, None, seed)?;
            let mut history = History::new();
            history.push(machine.full_hash(&pos));
            Ok((pos, history))
        });
        starts.collect()
    }
}
