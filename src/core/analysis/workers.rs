//! The working space of each thread of a pool, made where it is used and kept from one task to the next.
//!
//! Threads go on together as fast as each alone only where they write to nothing that is shared, not even to
//! a line of a cache: the space of a worker is made by its own thread, in that thread's memory. And a task is
//! often shorter than making a machine, its buffers and its notes: they are made once.

use std::fmt;
use std::sync::{Mutex, PoisonError};

/// A `T` for each thread of the pool at hand, and one for callers outside the pool.
pub struct Workers<'m, T> {
    make: Box<dyn Fn(usize) -> T + Send + Sync + 'm>,
    places: Box<[Slot<T>]>,
}

/// Two lines of a cache: processors fetch them in pairs.
#[repr(align(128))]
struct Slot<T>(Mutex<Option<T>>);

impl<'m, T> Workers<'m, T> {
    /// Workers that are made when they are first needed, of the number of their thread.
    pub fn new(make: impl Fn(usize) -> T + Send + Sync + 'm) -> Workers<'m, T> {
        let places = (0..=rayon::current_num_threads()).map(|_| Slot(Mutex::new(None))).collect();
        Workers { make: Box::new(make), places }
    }

    /// Works with the space of this thread. The work itself must not wait for tasks of the pool: one of them could
    /// come to this thread, which would then wait for itself.
    pub fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let last = self.places.len() - 1;
        let number = rayon::current_thread_index().map_or(last, |number| number.min(last));
        // A task that panicked may leave any state: it is overwritten before it is read.
        let mut place = self.places[number].0.lock().unwrap_or_else(PoisonError::into_inner);
        work(place.get_or_insert_with(|| (self.make)(number)))
    }

    /// All that were made.
    pub fn into_all(self) -> impl Iterator<Item = T> {
        self.places
            .into_iter()
            .filter_map(|place| place.0.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> fmt::Debug for Workers<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("places", &self.places.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use rayon::prelude::*;

    use super::Workers;

    #[test]
    fn each_thread_makes_its_own_once() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let made = Mutex::new(Vec::new());
        let tasks: u64 = pool.install(|| {
            let workers = Workers::new(|number| {
                made.lock().unwrap().push((number, rayon::current_thread_index()));
                0_u64
            });
            (0..1000).into_par_iter().for_each(|_| workers.with(|tasks| *tasks += 1));
            workers.into_all().sum()
        });
        assert_eq!(tasks, 1000, "every task was done with one of them");
        let made = made.into_inner().unwrap();
        assert!(made.iter().all(|(number, thread)| Some(*number) == *thread), "{made:?}");
        assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len(), "{made:?}");
    }

    #[test]
    fn who_is_no_thread_of_the_pool_has_one_too() {
        let workers = Workers::new(|_| 0);
        workers.with(|n| *n += 1);
        assert_eq!(workers.with(|n| *n), 1);
    }
}
