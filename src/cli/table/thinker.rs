//! Agents think on a thread of their own: the terminal answers meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::model::{Asked, Event};
use crate::cli::Stop;
use crate::cli::seats::Who;
use crate::game::Game;
use crate::play::Rng;
use crate::search::{Found, Making, Seat, Thought};
use crate::session::Question;

/// The time that the agents get to end.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// A question for the agents.
struct Task {
    number: u64,
    who: Asked,
    game: Game,
    question: Question,
    stop: Arc<AtomicBool>,
}

/// The thread with the agents.
pub(super) struct Thinker {
    /// None once it is told to end.
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
    answers: Receiver<Event>,
    stop: Arc<AtomicBool>,
}

impl Thinker {
    /// Starts the thread: agents by seat, and the one that gives hints.
    pub(super) fn new(mut seats: Vec<Option<Seat>>, making: &Making, seed: u64) -> Result<Thinker, Stop> {
        let spec = Who::strongest().agent().cloned().unwrap_or_default();
        seats.push(Some(spec.seat(making)?));
        let (tasks, todo) = channel::<Task>();
        let (tell, answers) = channel();
        let work = move || {
            let mut rng = Rng::new(seed);
            // The machine of the last game is kept: it may be compiled by now.
            let mut last = None;
            while let Ok(task) = todo.recv() {
                let answer = think(&mut seats, &mut last, &task, &mut rng, &tell);
                if tell.send(Event::Chosen(task.number, answer)).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("agents".to_owned()).spawn(work)?;
        let (tasks, thread) = (Some(tasks), Some(thread));
        Ok(Thinker { tasks, thread, answers, stop: Arc::new(AtomicBool::new(false)) })
    }

    /// Asks for a move.
    pub(super) fn ask(&mut self, number: u64, who: Asked, game: Game, question: Question) {
        self.stop();
        self.stop = Arc::new(AtomicBool::new(false));
        // A thread that is gone answers nothing: its last words told why.
        if let Some(tasks) = &self.tasks {
            let _ = tasks.send(Task { number, who, game, question, stop: self.stop.clone() });
        }
    }

    /// Stops the thought: its result is not needed any more.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next result of the search.
    pub(super) fn answer(&self) -> Option<Event> {
        self.answers.try_recv().ok()
    }
}

/// Agents may be programs: they get some time to quit.
impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
        self.tasks = None;
        let until = Instant::now() + QUIT_TIME;
        let runs = || self.thread.as_ref().is_some_and(|thread| !thread.is_finished());
        while runs() && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn think(
    seats: &mut [Option<Seat>],
    last: &mut Option<(Game, crate::play::Machine)>,
    task: &Task,
    rng: &mut Rng,
    tell: &Sender<Event>,
) -> Result<crate::play::Move, String> {
    let place = match task.who {
        Asked::Seat(player) => player,
        Asked::Hint => seats.len().saturating_sub(1),
    };
    let Some(Some(seat)) = seats.get_mut(place) else { return Err("nobody sits there".to_owned()) };
    if !last.as_ref().is_some_and(|(game, _)| Arc::ptr_eq(&game.program, &task.game.program)) {
        let machine = task.game.machine().map_err(|error| error.to_string())?;
        *last = Some((task.game.clone(), machine));
        seat.forget();
    }
    let Some((_, machine)) = last else { return Err("there is no machine".to_owned()) };
    let mut limit = seat.limit_within(task.question.time());
    limit.stop = Some(&task.stop);
    let mut hear = |found: &Found| drop(tell.send(Event::Found(task.number, found.clone())));
    let mut thought = Thought { tell: Some(&mut hear), ..Thought::new(rng, limit) };
    seat.think(machine, task.question.situation(), &mut thought).map_err(|forfeit| forfeit.reason)
}
