//! stub
use super::Program;
/// Stub.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a>(&'a Program);
/// Stub.
pub fn listing(program: &Program) -> Listing<'_> {
    Listing(program)
}
