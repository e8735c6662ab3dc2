//! Caches: games that were loaded, reports that were made. All of it can be made
//! again.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::game::Game;

/// How many games are kept loaded.
const MAX_KEPT_GAMES: usize = 48;

/// How many reports are kept.
const MAX_KEPT_REPORTS: usize = 8;

/// Takes a lock. A thread that panicked with the lock in hand left a whole list behind.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A loaded game.
pub(super) struct Known {
    /// The variant, as it was asked for.
    pub word: String,
    /// The files of the folder that it was made from, with their texts then.
    pub files: Vec<(String, Arc<str>)>,
    pub game: Game,
}

/// The games that were asked for lately, the last one first.
#[derive(Default)]
pub(super) struct Loaded(Mutex<VecDeque<Arc<Known>>>);

impl Loaded {
    /// The game that fits.
    pub(super) fn find(&self, fits: impl Fn(&Known) -> bool) -> Option<Arc<Known>> {
        // Files are read outside of the lock.
        let all: Vec<Arc<Known>> = held(&self.0).iter().cloned().collect();
        let known = all.into_iter().find(|known| fits(known))?;
        let mut list = held(&self.0);
        list.retain(|other| !Arc::ptr_eq(other, &known));
        list.push_front(known.clone());
        Some(known)
    }

    pub(super) fn add(&self, known: Arc<Known>) {
        let mut list = held(&self.0);
        list.push_front(known);
        list.truncate(MAX_KEPT_GAMES);
    }
}

/// Reports of comparisons, the last one first.
pub(super) struct Reports {
    /// The number of the first one: another one each time that the server is started, so that an old link leads to no
    /// other report. A browser's numbers hold so many bits.
    first: u64,
    pages: Mutex<VecDeque<(u64, Arc<str>)>>,
}

impl Default for Reports {
    fn default() -> Reports {
        Reports { first: RandomState::new().hash_one(()) >> 12, pages: Mutex::default() }
    }
}

impl Reports {
    pub(super) fn keep(&self, page: String) -> u64 {
        let mut pages = held(&self.pages);
        let number = pages.front().map_or(self.first, |(last, _)| last + 1);
        pages.push_front((number, page.into()));
        pages.truncate(MAX_KEPT_REPORTS);
        number
    }

    /// A report.
    pub(super) fn get(&self, number: u64) -> Option<Arc<str>> {
        held(&self.pages).iter().find(|(n, _)| *n == number).map(|(_, page)| page.clone())
    }
}
