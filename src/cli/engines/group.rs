//! Programs with all that they start, so that all of it can be ended.
//!
//! On Unix a program gets a process group of its own. What it starts is in the group too, unless it leaves it on
//! purpose, and the group is killed before the program is reaped: until then nobody else can have its number. The
//! terminal's Ctrl-C no longer reaches the program then, so Farrier listens for the signals that end it: it ends all
//! groups, and then itself as the signal wants. Only `kill -9` cannot be heard; programs see their input end.

use std::io;
use std::process::{Child, Command, ExitStatus};

#[cfg(unix)]
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A program and what it has started.
#[derive(Debug)]
pub(super) struct Group {
    reaped: bool,
}

impl Group {
    /// Starts a program.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, Group)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(unix)]
        let mut running = running::all();
        let child = command.spawn()?;
        #[cfg(unix)]
        running.insert(child.id());
        Ok((child, Group { reaped: false }))
    }

    /// Whether the program itself has ended.
    pub(super) fn has_ended(&self, child: &mut Child) -> bool {
        #[cfg(unix)]
        if !self.reaped {
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            return !matches!(waitid(WaitId::Pid(Pid::from_child(child)), how), Ok(None));
        }
        !matches!(child.try_wait(), Ok(None))
    }

    /// Kills what is left of it; how the program ended.
    pub(super) fn reap(&mut self, child: &mut Child) -> Option<ExitStatus> {
        if !std::mem::replace(&mut self.reaped, true) {
            // While Farrier is being ended by a signal this waits for ever: what its end kills is no engine's fault.
            #[cfg(unix)]
            running::all().remove(&child.id());
            #[cfg(unix)]
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            let _ = child.kill();
        }
        child.wait().ok()
    }
}

/// Ends all that still runs: Farrier itself ends now.
pub(in crate::cli) fn end_all() {
    #[cfg(unix)]
    running::kill(&std::mem::take(&mut *running::known()));
}

/// The caller heeds the signals that end Farrier, and returns then.
#[cfg(feature = "terminal")]
pub(in crate::cli) fn heeded() {
    #[cfg(unix)]
    running::HEEDED.store(true, std::sync::atomic::Ordering::Relaxed);
}

/// The programs that run.
#[cfg(unix)]
mod running {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{flag, low_level};

    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

    /// The time between two looks for a signal.
    const INTERVAL: Duration = Duration::from_millis(20);

    /// Whether somebody else heeds the signals that end Farrier.
    pub(super) static HEEDED: AtomicBool = AtomicBool::new(false);

    /// All of them. From the first question on signals are listened for.
    pub(super) fn all() -> MutexGuard<'static, BTreeSet<u32>> {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let signal = Arc::new(AtomicUsize::new(0));
            for number in [SIGHUP, SIGINT, SIGTERM] {
                // Where it cannot be heard it does what it always does.
                let _ = flag::register_usize(number, signal.clone(), number.unsigned_abs() as usize);
            }
            std::thread::spawn(move || listen(&signal));
        });
        known()
    }

    /// The same, without listening.
    pub(super) fn known() -> MutexGuard<'static, BTreeSet<u32>> {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills them.
    pub(super) fn kill(running: &BTreeSet<u32>) {
        for id in running {
            if let Some(group) = i32::try_from(*id).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
        }
    }

    fn listen(signal: &AtomicUsize) {
        let number = loop {
            match signal.load(Ordering::Relaxed) {
                number if number > 0 && !HEEDED.load(Ordering::Relaxed) => break number,
                _ => std::thread::sleep(INTERVAL),
            }
        };
        // Is never given back: nothing starts a program any more.
        let running = known();
        kill(&running);
        let _ = low_level::emulate_default_handler(i32::try_from(number).unwrap_or(SIGTERM));
        std::process::exit(1);
    }
}
