//! The thread that thinks: it does one task after the other while the desk goes on reading commands. An agent that
//! breaks off by a mistake of Farrier itself begins anew.

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
        let done = catch_unwind(AssertUnwindSafe(|| work(self))).ok();
        if done.is_none() {
            self.seat();
        }
        done
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::definition::Choices;
    use crate::search::{Agent, Forfeit, Outside};
    use crate::shipped::Shipped;

    /// Breaks off where it has all the nodes that there are.
    struct Frail;

    impl Agent for Frail {
        fn choose(
            &mut self,
            _: &mut Machine,
            at: Situation<'_>,
            thought: &mut Thought<'_>,
        ) -> Result<Move, Forfeit> {
            assert!(thought.limit.nodes < u64::MAX, "this agent breaks off");
            Ok(at.moves.iter().next().unwrap())
        }
    }

    #[test]
    fn an_agent_that_breaks_off_begins_anew() {
        let game = Game::open(&Shipped::list()[0], &Shipped, &Choices::default()).unwrap();
        let mut machine = game.machine().unwrap();
        let pos = game.start(&mut machine, None, 1).unwrap();
        let mut moves = Moves::new();
        machine.moves(&pos, &mut moves);
        let ask = |number, nodes| {
            Box::new(Question {
                number,
                pos: pos.clone(),
                history: History::new(),
                moves: moves.clone(),
                played: Vec::new(),
                nodes,
                depth: u32::MAX,
                until: None,
                lines: 1,
                stop: Arc::default(),
            })
        };
        let (tasks, to_do) = mpsc::channel();
        let (events, told) = mpsc::sync_channel(9);
        let outside: Outside = Arc::new(|_| Ok(Box::new(Frail)));
        let making = Making { outside: Some(outside), ..Making::default() };
        tasks.send(Task::Seat(AgentSpec::parse("engine:5:frail").unwrap(), game, Box::new(making))).unwrap();
        let (ready, waits) = mpsc::channel();
        tasks.send(Task::Prepare(ask(0, u64::MAX), ready)).unwrap();
        tasks.send(Task::Think(ask(1, u64::MAX))).unwrap();
        tasks.send(Task::Think(ask(2, 5))).unwrap();
        drop(tasks);
        work(&to_do, &events, 1);
        assert_eq!(waits.recv(), Ok(()));
        let told: Vec<Event> = told.try_iter().collect();
        assert!(matches!(told[..], [Event::Broken(0), Event::Broken(1), Event::Chosen(2, Ok(_))]));
    }
}
