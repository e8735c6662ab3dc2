//! What the library cannot give agents: the time, and programs to run.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::search::{AgentError, AgentSpec, Making};

/// The time since this was first asked.
pub(super) fn clock() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// With what agents are made.
pub(super) fn making() -> Making {
    Making { clock: Some(clock), ..Making::default() }
}

/// An agent from a word of the command line.
pub(super) fn agent(text: &str) -> Result<AgentSpec, String> {
    AgentSpec::parse(text).map_err(|AgentError { message, help }| format!("{message}; {help}"))
}
