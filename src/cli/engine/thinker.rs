//! The thread that thinks: it does one task after the other while the desk goes on reading commands. An agent that
//! breaks off by a mistake of Farrier itself begins anew, where the profile of the build lets it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError};
use std::time::Duration;

use super::event::Event;
use crate::cli::agents;
use crate::game::Game;
use crate::play::{History, Machine, Move, Moves, Position, Rng};
use crate::search::{AgentSpec, Found, Limit, Making, Seat, Situation, Thought};

/// A task for the thread.
pub(super) enum Task {
    /// From now on this agent chooses the moves of this game.
    Seat(AgentSpec, Game, Box<Making>),
    /// Another game begins.
    Forget,
    /// Do what is done once, and say when it is done.
    Prepare(Box<Question>, Sender<()>),
    /// Choose a move.
    Think(Box<Question>),
}

/// A position to think about, and how long.
pub(super) struct Question {
    /// The number of the question; its answer has the same.
    pub number: u64,
    pub pos: Position,
    pub history: History,
    pub moves: Moves,
    pub played: Vec<Move>,
    pub nodes: u64,
    pub depth: u32,
    pub until: Option<Duration>,
    pub lines: u32,
    pub stop: Arc<AtomicBool>,
}

/// The agent at work.
#[derive(Default)]
struct Thinker {
    hired: Option<(AgentSpec, Game, Box<Making>)>,
    at_work: Option<(Machine, Seat)>,
    /// Why there is no agent.
    failed: String,
}

/// Does tasks until there are no more.
pub(super) fn work(tasks: &Receiver<Task>, events: &SyncSender<Event>, seed: u64) {
    let mut thinker = Thinker::default();
    let mut rng = Rng::new(seed);
    for task in tasks {
        match task {
            Task::Seat(spec, game, making) => {
                thinker.hired = Some((spec, game, making));
                // The desk may be waiting for a task behind this one, with a client that floods it.
                if let Some(said) = thinker.seat()
                    && let Err(TrySendError::Disconnected(_)) = events.try_send(Event::Note(said))
                {
                    return;
                }
            }
            Task::Forget => {
                if let Some((_, seat)) = &mut thinker.at_work {
                    seat.forget();
                }
            }
            Task::Prepare(question, ready) => {
                // The numbers that are drawn later are the same as without.
                let mut rng = rng.clone();
                let done = thinker.unbroken(|thinker| thinker.prepare(&question, &mut rng));
                let _ = ready.send(());
                if done.is_none() && events.send(Event::Broken(question.number)).is_err() {
                    return;
                }
            }
            Task::Think(question) => {
                let number = question.number;
                let chosen = thinker.unbroken(|thinker| thinker.think(&question, events, &mut rng));
                let event = chosen.map_or(Event::Broken(number), |chosen| Event::Chosen(number, chosen));
                if events.send(event).is_err() {
                    return;
                }
            }
        }
    }
}

impl Thinker {
    /// Seats who is hired, or says why that cannot be.
    fn seat(&mut self) -> Option<String> {
        // The old agent ends before the new one begins: both may be programs.
        self.at_work = None;
        let (spec, game, making) = self.hired.as_ref()?;
        match (game.machine(), spec.seat(making)) {
            (Ok(machine), Ok(seat)) => self.at_work = Some((machine, seat)),
            (Err(error), _) => self.failed = error.to_string(),
            (_, Err(error)) => {
                self.failed = format!("{}; {}", error.message, error.help);
                return Some(format!("the agent `{spec}` cannot be had: {}", self.failed));
            }
        }
        None
    }

    /// Does something; none if the agent broke off, in whose place is a new one then.
    fn unbroken<T>(&mut self, work: impl FnOnce(&mut Thinker) -> T) -> Option<T> {
        let again = |thinker: &mut Thinker| {
            thinker.seat();
        };
        unbroken(self, work, again)
    }

    /// Begins a thought that is stopped already: what is learned once is known then, and tables are there.
    fn prepare(&mut self, question: &Question, rng: &mut Rng) {
        let Some((machine, seat)) = &mut self.at_work else { return };
        machine.warm_up();
        let Question { pos, history, moves, played, nodes, stop, .. } = question;
        stop.store(true, Ordering::Relaxed);
        let limit = Limit { stop: Some(stop), ..Limit::nodes(*nodes) };
        let at = Situation { pos, history, moves, played };
        let _ = seat.think(machine, at, &mut Thought::new(rng, limit));
    }

    fn think(
        &mut self,
        question: &Question,
        events: &SyncSender<Event>,
        rng: &mut Rng,
    ) -> Result<Move, String> {
        let Some((machine, seat)) = &mut self.at_work else {
            return Err(format!("there is no agent: {}", self.failed));
        };
        // Compiled when the client was told that all is ready; else it is now.
        machine.warm_up();
        let Question { number, pos, history, moves, played, .. } = question;
        let limit = Limit {
            depth: question.depth,
            until: question.until.map(|until| (agents::clock as fn() -> Duration, until)),
            stop: Some(&question.stop),
            ..Limit::nodes(question.nodes)
        };
        let mut tell = |found: &Found| {
            // The desk no longer listens: the thought ends.
            if events.send(Event::Told(*number, Box::new(found.clone()))).is_err() {
                question.stop.store(true, Ordering::Relaxed);
            }
        };
        let mut thought = Thought { rng, limit, tell: Some(&mut tell), lines: question.lines };
        let at = Situation { pos, history, moves, played };
        let chosen = seat.think(machine, at, &mut thought).map_err(|forfeit| forfeit.reason)?;
        match moves.contains(chosen) {
            true => Ok(chosen),
            false => Err("the agent gave a move that is not legal".to_owned()),
        }
    }
}

/// Does something; where it breaks off there is none, and all begins again.
fn unbroken<S, T>(state: &mut S, work: impl FnOnce(&mut S) -> T, again: impl FnOnce(&mut S)) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(|| work(state))).ok();
    if done.is_none() {
        again(state);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn what_breaks_off_is_no_end() {
        let mut begun = 1;
        let broken =
            unbroken(&mut begun, |begun| assert!(*begun > 1, "this breaks off"), |begun| *begun += 1);
        assert_eq!((broken, begun), (None, 2));
        assert_eq!((unbroken(&mut begun, |begun| *begun, |begun| *begun += 1), begun), (Some(2), 2));
    }
}
