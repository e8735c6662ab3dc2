//! The thread that thinks: it does one task after the other while the desk goes on reading commands.

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
                // The old agent ends before the new one begins: both may be programs.
                thinker.at_work = None;
                match (game.machine(), spec.seat(&making)) {
                    (Ok(machine), Ok(seat)) => thinker.at_work = Some((machine, seat)),
                    (Err(error), _) => thinker.failed = error.to_string(),
                    (_, Err(error)) => {
                        thinker.failed = format!("{}; {}", error.message, error.help);
                        let said = format!("the agent `{spec}` cannot be had: {}", thinker.failed);
                        // The desk may be waiting for a task behind this one, with a client that floods it.
                        if let Err(TrySendError::Disconnected(_)) = events.try_send(Event::Note(said)) {
                            return;
                        }
                    }
                }
            }
            Task::Forget => {
                if let Some((_, seat)) = &mut thinker.at_work {
                    seat.forget();
                }
            }
            Task::Prepare(question, ready) => {
                // The numbers that are drawn later are the same as without.
                thinker.prepare(&question, &mut rng.clone());
                let _ = ready.send(());
            }
            Task::Think(question) => {
                let number = question.number;
                let chosen = thinker.think(&question, events, &mut rng);
                if events.send(Event::Chosen(number, chosen)).is_err() {
                    return;
                }
            }
        }
    }
}

impl Thinker {
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
