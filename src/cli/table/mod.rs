//! x
use super::Done;
use super::play::Playing;
pub(super) fn run(_playing: Playing, _ascii: bool) -> Done {
    Ok(super::Exit::Fine)
}
