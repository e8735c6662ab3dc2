//! Bounds of the work and the depth of loading and playing a definition.
//!
//! All of it is counted in levels, parts and steps, never in time, so that a definition is accepted or refused
//! alike everywhere. Each bound has a diagnostic that names the rule that passes it. `games/language.md` lists
//! them under Limits. The bounds of one file and of one rule string stand beside their readers.

/// The greatest number of rounds, plies and other counts that a text of a position may give: no game counts on from
/// there until numbers overflow.
pub const COUNTED: i32 = 1_000_000_000;

/// The most players.
pub const PLAYERS: usize = 8;

/// More steps than this are not followed by `follow(S, n, R)`.
pub const FOLLOWED: i32 = 1024;

/// How deep a rule may be nested with all that it names: expressions, effects and flows in each other.
pub const RULE_LEVELS: usize = 500;

/// How deep the code of rules may be nested: the interpreter and the compiler recur so far.
pub const CODE_LEVELS: u32 = 500;

/// How many parts the code of one rule may have, written out with all that the rule names.
pub const CODE_PARTS: u32 = 1_000_000;

/// How many parts the flows of all turns may have, with named flows inlined. The rest of the turn after each part is
/// stored, so work and memory grow with the square of it.
pub const FLOW_PARTS: usize = 500;

/// How many steps it may take to make a program of a definition: rules inlined, nodes of code
/// made and compared, sites of tables, and all values that are computed beforehand.
pub const LOAD_STEPS: u64 = 20_000_000;

/// How many steps one ply may take, by the estimate at load time.
pub const PLY_STEPS: u64 = 1_000_000_000;

/// How many numbers a loop over a range runs through at most.
pub const LONGEST_RANGE: u32 = 65_536;

/// How many paths `longest` compares in one position.
pub const LONGEST_PATHS: usize = 1000;
