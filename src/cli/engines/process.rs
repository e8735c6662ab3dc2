//! A program that is run, and talked to line by line.
//!
//! Nothing that it does makes Farrier wait for ever: its lines come from a thread that reads, commands to it go
//! to a thread that writes, and every question has a time by which it is answered. A program that prints more than is
//! taken waits in its own pipe. When this is dropped the program is asked to quit, then killed with all that it has
//! started, and always reaped.

use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::group::Group;
use crate::cli::files::lines::{self, Line};

/// The longest line that is taken from a program.
const MAX_LINE_BYTES: usize = 64 << 10;

/// The most lines that wait to be taken.
const MAX_WAITING_LINES: usize = 1024;

/// The time that a program may take to quit.
const QUIT_TIME: Duration = Duration::from_millis(300);

/// A running program.
pub(super) struct Process {
    child: Child,
    group: Group,
    to: Option<Sender<String>>,
    from: Receiver<Heard>,
}

/// A line of a program, or why there is none.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line.
    Line(String),
    /// A line that does not end.
    Endless,
    /// Nothing, until the time was over.
    Silence,
    /// It has closed its output, as at its end.
    End,
}

impl Process {
    /// Starts a program: the first word, with the others.
    pub(super) fn start(words: &[String]) -> std::io::Result<Process> {
        let mut words = words.iter();
        let program = crate::cli::files::name::path(words.next().map_or("", String::as_str));
        let mut command = Command::new(program);
        command.args(words.map(|word| crate::cli::files::name::path(word)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let (mut child, group) = Group::start(&mut command)?;
        let (sender, from) = mpsc::sync_channel(MAX_WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut output = BufReader::new(output);
                let mut line = Vec::new();
                loop {
                    let heard = match lines::next(&mut output, MAX_LINE_BYTES, &mut line) {
                        Ok(Line::Whole | Line::Torn) => {
                            Heard::Line(String::from_utf8_lossy(&line).into_owned())
                        }
                        Ok(Line::Long) => Heard::Endless,
                        Ok(Line::None) | Err(_) => Heard::End,
                    };
                    let last = !matches!(heard, Heard::Line(_));
                    if sender.send(heard).is_err() || last {
                        break;
                    }
                }
            });
        }
        let (to, said) = mpsc::channel::<String>();
        if let Some(mut input) = child.stdin.take() {
            std::thread::spawn(move || {
                // Ends when the program does, or when nobody has anything to say any more.
                for line in said {
                    if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process { child, group, to: Some(to), from })
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: &str) {
        if let Some(to) = &self.to {
            // A program that is gone is noticed where it is listened to.
            let _ = to.send(format!("{line}\n"));
        }
    }

    /// The next thing that is heard, until a time.
    pub(super) fn hear(&mut self, until: Instant) -> Heard {
        let wait = until.saturating_duration_since(Instant::now());
        match self.from.recv_timeout(wait) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Gives the program some time to end; whether it has.
    fn wait(&mut self) -> bool {
        let until = Instant::now() + QUIT_TIME;
        while !self.group.has_ended(&mut self.child) {
            if Instant::now() >= until {
                return false;
            }
            // Lines that it still prints must not keep it from ending.
            while self.from.try_recv().is_ok() {}
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// How the program ended, in words.
    pub(super) fn end(&mut self) -> String {
        let status = if self.wait() { self.group.reap(&mut self.child) } else { None };
        status.map_or("it closed its output".to_owned(), |status| format!("it ended ({status})"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.say("quit");
        // The writer ends, and the program's input with it.
        self.to = None;
        self.wait();
        self.group.reap(&mut self.child);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// A long game does not fit into a pipe that nobody reads; whoever speaks must not wait for it.
    #[test]
    fn who_does_not_listen_is_not_waited_for() {
        let mut process = Process::start(&["sleep".into(), "600".into()]).unwrap();
        let begun = Instant::now();
        for _ in 0..100 {
            process.say(&"x".repeat(10_000));
        }
        drop(process);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
